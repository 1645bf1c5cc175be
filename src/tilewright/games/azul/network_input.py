"""What networks of Azul read: the observation, then where the boards are heading, computed by the rules.

A small network hardly learns to score a wall by itself, and least of all what one point more is worth in the last
round. So it is told what the full pattern lines will score, who would win if the game ended with this round, what the
free cells offer, and which colours still fit where. This covers the coloured wall without Joker tiles; with a choice of
cells the network reads the observation alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.envs.move_classes import MoveClasses, one_class
from tilewright.envs.parts import Part, seat_after, starts_of, write_bits, write_choice, write_number
from tilewright.games.azul import observation
from tilewright.games.azul.rules import (
    COLOUR_BONUS,
    COLOUR_TILES,
    COLUMN_BONUS,
    DESTINATIONS,
    FLOOR_PENALTY,
    FLOOR_SPACES,
    ROW_BONUS,
    floor_spaces_taken,
    lines_open_to,
    room_in_line,
)
from tilewright.games.azul.wall import COLOURS, FULL_ROW, LINES, column_of, score_runs, wall_column
from tilewright.games.family.factories import CENTRE, FACTORY_TILES, count_factories, places_with
from tilewright.games.family.heap import number_of
from tilewright.kernels.chance import count_bits
from tilewright.kernels.compile import Cells, Row, kernel

if TYPE_CHECKING:
    from tilewright.game.game import Game

LAST_HEAPS = 7
"""The last heaps on offer are counted one by one: who takes the last one matters."""
MOST_HEAPS = 36
GROUPS = 2 * COLOURS
"""Columns and colours."""
MOST_TAKEN = 6
"""Takes of this many tiles or more are in one class."""
HEAPS_OF_COLOUR, HEAPS_OF_SIZE, HEAPS, TILES, ROOM, ROUND_POINTS, BONUS, STANDING, LEAD, NARROW_LEAD, CELL_POINTS = (
    4, 2, 10, 10, 5, 10, 20, 50, 20, 5, 5,
)  # fmt: skip
"""What the counts are divided by."""


def parts_of(game: Game) -> list[Part]:
    """The parts of a network's input for this rule set."""
    parts = observation.parts_of(game)
    if _has_choice(game):
        return parts
    return [*parts, *_offer_parts(), *_board_parts(game.players)]


def _has_choice(game: Game) -> bool:
    """Whether players may have to choose the cells of their walls."""
    return game.options["wall"] == "grey" or bool(game.options.get("jokers"))


def move_classes(game: Game) -> MoveClasses:
    """Moves that take as many tiles of a colour to the same destination are in one class."""
    if _has_choice(game):
        return one_class(game)
    factories = int(count_factories(game.players))
    places, kinds = 1 + factories, COLOURS * DESTINATIONS
    starts = starts_of(observation.parts_of(game))
    colours = np.arange(COLOURS)
    tiles = np.concatenate([starts["centre"] + colours, starts["factories"] + np.arange(factories * COLOURS)])
    scale = np.repeat([3 * factories, FACTORY_TILES], [COLOURS, factories * COLOURS])
    return MoveClasses(
        first=np.tile(np.arange(kinds, dtype=np.float32) * (MOST_TAKEN + 1), places),
        source=np.repeat(tiles, DESTINATIONS).astype(np.float32),
        scale=np.repeat(scale, DESTINATIONS).astype(np.float32),
        most=np.full(places * kinds, MOST_TAKEN, np.float32),
    )


def _offer_parts() -> list[Part]:
    return [
        Part("heaps by colour", (COLOURS,), HEAPS_OF_COLOUR, 3, "places that offer each colour"),
        Part("last heap of colour", (COLOURS,), 1, 1, "a single place offers the colour"),
        Part("tiles by colour", (COLOURS,), TILES, COLOUR_TILES / TILES, "tiles of each colour on offer"),
        Part("heaps", (1,), HEAPS, MOST_HEAPS / HEAPS, "heaps on offer: a heap is the tiles of a colour at a place"),
        Part("last heaps", (LAST_HEAPS,), 1, 1, f"that number, if it is at most {LAST_HEAPS}"),
        Part("heaps by size", (COLOURS, FACTORY_TILES), HEAPS_OF_SIZE, 5, "factories with 1 to 4 tiles of each colour"),
        Part("centre by size", (COLOURS, MOST_TAKEN), 1, 1, f"tiles of each colour in the centre, at most {MOST_TAKEN}"),
    ]


def _board_parts(players: int) -> list[Part]:
    most = 350
    return [
        Part("room", (players, COLOURS, 2), ROOM, 3, "tiles of a colour that its best line, and all lines, still take"),
        Part("no room", (players, COLOURS), 1, 1, "no line takes the colour"),
        Part("fits", (players, COLOURS, LINES), 1, 1, "some line takes exactly 1 to 5 more tiles of a colour"),
        Part("round points", (players,), ROUND_POINTS, 5, "what the full lines will score on the wall"),
        Part("round penalty", (players,), int(FLOOR_PENALTY[-1]), 1, "what the floor line will cost"),
        Part("bonus", (players,), BONUS, 5, "the bonuses of the wall, with the full lines tiled"),
        Part("row done", (players,), 1, 1, "a row will be full, so the game ends with this round"),
        Part("standing", (players,), STANDING, most / STANDING, "points if the game ended with this round as it is now"),
        Part("line points", (players, LINES), CELL_POINTS, 2, "for unfinished lines: what their tile would score"),
        Part("cell points", (players, LINES, LINES), CELL_POINTS, 2, "what a tile on each free cell scores beyond 1"),
        Part("one missing", (players, GROUPS), 1, 1, "columns, then colours, with four tiles"),
        Part("two missing", (players, GROUPS), 1, 1, "columns, then colours, with three tiles"),
        Part("last round", (1,), 1, 1, "some row will be full"),
        Part("lead", (players,), LEAD, most / LEAD, "the observer's standing minus each standing", low=-most / LEAD),
        Part("narrow lead", (players,), NARROW_LEAD, 1, f"the same, at most {NARROW_LEAD} points", low=-1),
        Part("last lead", (players,), 1, 1, "in the last round: 1 if the observer is ahead, -1 if behind", low=-1),
    ]


@kernel
def observe(position: Row, observer: int, out: Cells) -> None:
    """Write the input of a network for a seat, in the order of ``parts_of``."""
    at = observation.write_observation(position, observer, out)
    if position.grey or position.jokers:
        return
    players = int(position.players)
    at = write_offer(position, out, at)
    at = write_rooms(position, observer, out, at)
    standings, rows_done = 0, 0
    for step in range(players):
        seat = seat_after(observer, step, players)
        standing, row_done = write_board(position, seat, step, players, out, at)
        standings |= standing << (_STANDING_BITS * step)
        rows_done += row_done
    write_leads(standings, rows_done > 0, players, out, at + players * (5 + LINES + LINES * LINES + 2 * GROUPS))


_STANDING_BITS = 16

# ------------------------------------------------------------------------------------ The offer and the lines


@kernel
def write_offer(position: Row, out: Cells, at: int) -> int:
    """The heaps on offer."""
    heaps = 0
    for colour in range(COLOURS):
        places = count_bits(places_with(position, colour))
        heaps += places
        write_number(places, 1 / HEAPS_OF_COLOUR, out, at + colour)
        write_number(places == 1, 1, out, at + COLOURS + colour)
        write_number(tiles_on_offer(position, colour), 1 / TILES, out, at + 2 * COLOURS + colour)
    at = write_number(heaps, 1 / HEAPS, out, at + 3 * COLOURS)
    at = write_choice(heaps - 1, LAST_HEAPS, out, at)
    at = write_heap_sizes(position, out, at)
    for colour in range(COLOURS):
        taken = min(number_of(position.places[CENTRE], colour), MOST_TAKEN)
        at = write_choice(taken - 1, MOST_TAKEN, out, at)
    return at


@kernel
def write_heap_sizes(position: Row, out: Cells, at: int) -> int:
    """How many factories have 1, 2, 3 and 4 tiles of each colour."""
    factories = count_factories(position.players)
    for colour in range(COLOURS):
        counts = 0  # a byte for each size
        for factory in range(1, factories + 1):
            counts += 1 << (8 * number_of(position.places[factory], colour))
        for size in range(1, FACTORY_TILES + 1):
            at = write_number(counts >> (8 * size) & 0xFF, 1 / HEAPS_OF_SIZE, out, at)
    return at


@kernel
def tiles_on_offer(position: Row, colour: int) -> int:
    """The tiles of a colour at all places."""
    total = number_of(position.places[CENTRE], colour)
    for factory in range(1, count_factories(position.players) + 1):
        total += number_of(position.places[factory], colour)
    return total


@kernel
def write_rooms(position: Row, observer: int, out: Cells, at: int) -> int:
    """How many tiles of each colour the pattern lines of each player still take."""
    players = int(position.players)
    flags = at + 2 * players * COLOURS
    fits = flags + players * COLOURS
    for step in range(players):
        seat = seat_after(observer, step, players)
        for colour in range(COLOURS):
            lines = lines_open_to(position, seat, colour)
            best, total, fitting = 0, 0, 0
            for line in range(1, LINES + 1):
                if lines >> line & 1:
                    room = room_in_line(position, seat, line)
                    best, total, fitting = max(best, room), total + room, fitting | 1 << room
            at = write_number(best, 1 / ROOM, out, at)
            at = write_number(total, 1 / ROOM, out, at)
            write_number(total == 0, 1, out, flags + step * COLOURS + colour)
            fits = write_bits(fitting >> 1, LINES, out, fits)
    return fits


# ---------------------------------------------------------------------------------------------- The boards


@kernel
def tile_full_lines(position: Row, seat: int) -> tuple[int, int]:
    """The covered cells of a wall once the full lines are tiled, and what they score, from the top down."""
    covered, points = int(position.covered[seat]), 0
    for row in range(LINES):
        if position.line_tiles[seat, row] > row:
            column = wall_column(int(position.line_colour[seat, row]), row)
            covered |= 1 << (LINES * row + column)
            points += score_cell(covered, row, column)
    return covered, points


@kernel
def score_cell(covered: int, row: int, column: int) -> int:
    """Points of a tile on a cell."""
    return score_runs(covered >> (LINES * row) & FULL_ROW, column, column_of(covered, column), row)


@kernel
def write_board(position: Row, seat: int, step: int, players: int, out: Cells, at: int) -> tuple[int, int]:
    """What a board is worth with its full lines tiled; returns its standing and whether a row is done.

    The parts have a number, or a block of numbers, for each player.
    """
    covered, points = tile_full_lines(position, seat)
    penalty = int(FLOOR_PENALTY[floor_spaces_taken(position, seat)])
    cells = at + players * (5 + LINES)
    write_cells(covered, out, cells + step * LINES * LINES)
    groups = cells + players * LINES * LINES
    bonus = COLUMN_BONUS * write_columns(covered, out, groups + step * GROUPS, players * GROUPS)
    bonus += COLOUR_BONUS * write_colours(covered, out, groups + step * GROUPS + LINES, players * GROUPS)
    rows = 0
    for row in range(LINES):
        rows += covered >> (LINES * row) & FULL_ROW == FULL_ROW
    bonus += ROW_BONUS * rows
    standing = max(0, int(position.score[seat]) + points - penalty) + bonus
    write_number(points, 1 / ROUND_POINTS, out, at + step)
    write_number(penalty, 1 / int(FLOOR_PENALTY[FLOOR_SPACES]), out, at + players + step)
    write_number(bonus, 1 / BONUS, out, at + 2 * players + step)
    write_number(rows > 0, 1, out, at + 3 * players + step)
    write_number(standing, 1 / STANDING, out, at + 4 * players + step)
    write_unfinished_lines(position, seat, covered, out, at + 5 * players + step * LINES)
    return standing, 1 if rows > 0 else 0


@kernel
def write_unfinished_lines(position: Row, seat: int, covered: int, out: Cells, at: int) -> None:
    """What the tile of each unfinished line would score on the wall, by how full the line is."""
    for row in range(LINES):
        tiles = int(position.line_tiles[seat, row])
        points = 0
        if 0 < tiles <= row:
            column = wall_column(int(position.line_colour[seat, row]), row)
            points = score_cell(covered | 1 << (LINES * row + column), row, column) * tiles
        write_number(points, 1 / (CELL_POINTS * (row + 1)), out, at + row)


@kernel
def write_cells(covered: int, out: Cells, at: int) -> None:
    """What a tile on each free cell of a wall scores, beyond the one point that every tile scores."""
    for column in range(LINES):
        column_cells = column_of(covered, column)
        for row in range(LINES):
            row_cells = covered >> (LINES * row) & FULL_ROW
            more = 0
            if not row_cells >> column & 1:
                more = score_runs(row_cells | 1 << column, column, column_cells | 1 << row, row) - 1
            write_number(more, 1 / CELL_POINTS, out, at + LINES * row + column)


@kernel
def write_columns(covered: int, out: Cells, at: int, to_next: int) -> int:
    """Which columns lack one tile, and ``to_next`` further on which lack two; returns how many are full."""
    full = 0
    for column in range(LINES):
        full += write_group(count_bits(column_of(covered, column)), out, at + column, to_next)
    return full


@kernel
def write_colours(covered: int, out: Cells, at: int, to_next: int) -> int:
    """The same for colours."""
    full = 0
    for colour in range(COLOURS):
        tiles = 0
        for row in range(LINES):
            tiles += covered >> (LINES * row + wall_column(colour, row)) & 1
        full += write_group(tiles, out, at + colour, to_next)
    return full


@kernel
def write_group(tiles: int, out: Cells, at: int, to_next: int) -> int:
    """Whether a column or colour lacks one tile or two; returns 1 if it is full."""
    write_number(tiles == LINES - 1, 1, out, at)
    write_number(tiles == LINES - 2, 1, out, at + to_next)
    return 1 if tiles == LINES else 0


@kernel
def write_leads(standings: int, is_last: bool, players: int, out: Cells, at: int) -> None:
    """Whether this is the last round, and how far the observer is ahead of each player."""
    at = write_number(is_last, 1, out, at)
    mask = (1 << _STANDING_BITS) - 1
    for step in range(players):
        lead = (standings & mask) - (standings >> (_STANDING_BITS * step) & mask)
        write_number(lead, 1 / LEAD, out, at + step)
        write_number(min(max(lead, -NARROW_LEAD), NARROW_LEAD), 1 / NARROW_LEAD, out, at + players + step)
        ahead = (lead > 0) - (lead < 0) if is_last else 0
        write_number(ahead, 1, out, at + 2 * players + step)
