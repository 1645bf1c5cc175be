"""What networks of Azul read: the observation, then where the boards are heading, computed by the rules.

A small network hardly learns to score a wall by itself, and least of all what one point more is worth in the last
round. So it is told what the full pattern lines will score, who would win if the game ended with this round, what the
free cells offer, and which colours still fit where. Where a player will choose the cells, each full line is taken to go
where it scores most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.move_classes import MoveClasses
from tilewright.envs.parts import Part, seat_after, starts_of, write_bits, write_choice, write_number
from tilewright.games.azul import observation
from tilewright.games.azul.moves import JOKER_SLOTS, jokers_of_slot
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
from tilewright.games.azul.wall import COLOURS, EMPTY, FULL_ROW, LINES, column_of, score_runs, valid_columns
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
HEAPS_OF_KIND, HEAPS_OF_SIZE, HEAPS, TILES, ROOM, ROUND_POINTS, BONUS, STANDING, LEAD, NARROW_LEAD, CELL_POINTS = (
    4, 2, 10, 10, 5, 10, 20, 50, 20, 5, 5,
)  # fmt: skip
"""What the counts are divided by."""
_STANDING_BITS = 16
_NUMBERS_OF_A_BOARD = 5 + LINES + LINES * LINES + 2 * GROUPS
"""From the round points to the groups of which two tiles are missing."""


def parts_of(game: Game) -> list[Part]:
    """The parts of a network's input for this rule set."""
    kinds = kinds_of(game)
    return [*observation.parts_of(game), *_offer_parts(kinds), *_board_parts(game.players, kinds)]


def kinds_of(game: Game) -> int:
    """Kinds of tile: five colours, and Joker tiles if the rule set has them."""
    return COLOURS + bool(game.options.get("jokers"))


def move_classes(game: Game) -> MoveClasses:
    """Moves that bring as many tiles of a colour to a destination, counting Joker tiles that stay, are in one class.

    All choices of a wall cell are in the last class.
    """
    factories, kinds = int(count_factories(game.players)), kinds_of(game)
    colours, lines, kept = _moves_of_a_place(kinds > COLOURS)
    starts = starts_of(observation.parts_of(game))
    tiles = [starts["centre"] + colours, *(starts["factories"] + n * kinds + colours for n in range(factories))]
    takes = (1 + factories) * len(colours)
    of_place = (colours * DESTINATIONS + lines) * (MOST_TAKEN + 1) + kept
    cells = np.zeros(game.actions - takes)
    scale = np.repeat([3 * factories, *[FACTORY_TILES] * factories], len(colours))
    return MoveClasses(
        *(
            np.concatenate([taking, choosing]).astype(np.float32)
            for taking, choosing in (
                (np.tile(of_place, 1 + factories), cells + kinds * DESTINATIONS * (MOST_TAKEN + 1)),
                (np.concatenate(tiles), cells),
                (scale, cells),
                (np.tile(MOST_TAKEN - kept, 1 + factories), cells),
            )
        )
    )


def _moves_of_a_place(jokers: bool) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """For each number of a move that takes from a place: the kind, the destination, and how many Joker tiles stay."""
    found = [(kind, line, 0) for kind in range(COLOURS + jokers) for line in range(DESTINATIONS)]
    if jokers:
        found += [(kind, *jokers_of_slot(slot)) for kind in range(COLOURS) for slot in range(JOKER_SLOTS)]
    kinds, lines, kept = np.array(found).T
    return kinds, lines, kept


def _offer_parts(kinds: int) -> list[Part]:
    return [
        Part("heaps by kind", (kinds,), HEAPS_OF_KIND, 3, "places that offer each kind of tile"),
        Part("last heap of kind", (kinds,), 1, 1, "a single place offers the kind"),
        Part("tiles by kind", (kinds,), TILES, COLOUR_TILES / TILES, "tiles of each kind on offer"),
        Part("heaps", (1,), HEAPS, MOST_HEAPS / HEAPS, "heaps on offer: a heap is the tiles of a kind at a place"),
        Part("last heaps", (LAST_HEAPS,), 1, 1, f"that number, if it is at most {LAST_HEAPS}"),
        Part("heaps by size", (kinds, FACTORY_TILES), HEAPS_OF_SIZE, 5, "factories with 1 to 4 tiles of each kind"),
        Part("centre by size", (kinds, MOST_TAKEN), 1, 1, f"tiles of each kind in the centre, at most {MOST_TAKEN}"),
    ]


def _board_parts(players: int, kinds: int) -> list[Part]:
    most = 350
    return [
        Part("room", (players, kinds, 2), ROOM, 3, "tiles of a kind that its best line, and all lines, still take"),
        Part("no room", (players, kinds), 1, 1, "no line takes the kind"),
        Part("fits", (players, kinds, LINES), 1, 1, "some line takes exactly 1 to 5 more tiles of a kind"),
        Part("round points", (players,), ROUND_POINTS, 5, "what the full lines will score on the wall"),
        Part("round penalty", (players,), int(FLOOR_PENALTY[-1]), 1, "what the floor line will cost"),
        Part("bonus", (players,), BONUS, 5, "the bonuses of the wall, with the full lines tiled"),
        Part("row done", (players,), 1, 1, "a row will be full, so the game ends with this round"),
        Part("standing", (players,), STANDING, most / STANDING, "points if the game ended now, the walls tiled"),
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
    players, kinds = int(position.players), COLOURS + int(position.jokers)
    at = write_offer(position, kinds, out, at)
    at = write_rooms(position, observer, kinds, out, at)
    standings, rows_done = 0, 0
    for step in range(players):
        seat = seat_after(observer, step, players)
        standing, row_done = write_board(position, seat, step, players, out, at)
        standings |= standing << (_STANDING_BITS * step)
        rows_done += row_done
    write_leads(standings, rows_done > 0, players, out, at + players * _NUMBERS_OF_A_BOARD)


# ------------------------------------------------------------------------------------ The offer and the lines


@kernel
def write_offer(position: Row, kinds: int, out: Cells, at: int) -> int:
    """The heaps on offer."""
    heaps = 0
    for kind in range(kinds):
        places = count_bits(places_with(position, kind))
        heaps += places
        write_number(places, 1 / HEAPS_OF_KIND, out, at + kind)
        write_number(places == 1, 1, out, at + kinds + kind)
        write_number(tiles_on_offer(position, kind), 1 / TILES, out, at + 2 * kinds + kind)
    at = write_number(heaps, 1 / HEAPS, out, at + 3 * kinds)
    at = write_choice(heaps - 1, LAST_HEAPS, out, at)
    at = write_heap_sizes(position, kinds, out, at)
    for kind in range(kinds):
        taken = min(number_of(position.places[CENTRE], kind), MOST_TAKEN)
        at = write_choice(taken - 1, MOST_TAKEN, out, at)
    return at


@kernel
def write_heap_sizes(position: Row, kinds: int, out: Cells, at: int) -> int:
    """How many factories have 1, 2, 3 and 4 tiles of each kind."""
    factories = count_factories(position.players)
    for kind in range(kinds):
        counts = 0  # a byte for each size
        for factory in range(1, factories + 1):
            counts += 1 << (8 * number_of(position.places[factory], kind))
        for size in range(1, FACTORY_TILES + 1):
            at = write_number(counts >> (8 * size) & 0xFF, 1 / HEAPS_OF_SIZE, out, at)
    return at


@kernel
def tiles_on_offer(position: Row, kind: int) -> int:
    """The tiles of a kind at all places."""
    total = number_of(position.places[CENTRE], kind)
    for factory in range(1, count_factories(position.players) + 1):
        total += number_of(position.places[factory], kind)
    return total


@kernel
def write_rooms(position: Row, observer: int, kinds: int, out: Cells, at: int) -> int:
    """How many tiles of each kind the pattern lines of each player still take."""
    players = int(position.players)
    flags = at + 2 * players * kinds
    fits = flags + players * kinds
    for step in range(players):
        seat = seat_after(observer, step, players)
        for kind in range(kinds):
            lines = lines_open_to(position, seat, kind)
            best, total, fitting = 0, 0, 0
            for line in range(1, LINES + 1):
                if lines >> line & 1:
                    room = room_in_line(position, seat, line)
                    best, total, fitting = max(best, room), total + room, fitting | 1 << room
            at = write_number(best, 1 / ROOM, out, at)
            at = write_number(total, 1 / ROOM, out, at)
            write_number(total == 0, 1, out, flags + step * kinds + kind)
            fits = write_bits(fitting >> 1, LINES, out, fits)
    return fits


# ---------------------------------------------------------------------------------------------- The boards


@kernel
def tile_full_lines(position: Row, seat: int) -> tuple[int, int, int]:
    """Tile the full lines from the top down, each in the cell that scores most.

    Returns the covered cells, the points, and the tiles that fall because their line has no valid cell.
    """
    covered, points, falling = int(position.covered[seat]), 0, 0
    for row in range(LINES):
        if position.line_tiles[seat, row] > row:
            column, scored = best_cell(position, seat, row, covered)
            if column == EMPTY:
                falling += row + 1
            else:
                covered |= 1 << (LINES * row + column)
                points += scored
    return covered, points, falling


@kernel
def best_cell(position: Row, seat: int, row: int, covered: int) -> tuple[int, int]:
    """Of the cells that are valid for the tile of a line, the column that scores most, or EMPTY, and its points."""
    columns = valid_columns(position, seat, row)
    best, most = EMPTY, 0
    for column in range(LINES):
        if columns >> column & 1:
            points = score_cell(covered | 1 << (LINES * row + column), row, column)
            if points > most:
                best, most = column, points
    return best, most


@kernel
def score_cell(covered: int, row: int, column: int) -> int:
    """Points of a tile on a cell."""
    return score_runs(covered >> (LINES * row) & FULL_ROW, column, column_of(covered, column), row)


@kernel
def write_board(position: Row, seat: int, step: int, players: int, out: Cells, at: int) -> tuple[int, int]:
    """What a board is worth with its full lines tiled; returns its standing and whether a row is done.

    The parts have a number, or a block of numbers, for each player.
    """
    covered, points, falling = tile_full_lines(position, seat)
    penalty = int(FLOOR_PENALTY[min(floor_spaces_taken(position, seat) + falling, FLOOR_SPACES)])
    cells = at + players * (5 + LINES)
    write_cells(covered, out, cells + step * LINES * LINES)
    groups = cells + players * LINES * LINES
    bonus = COLUMN_BONUS * write_columns(covered, out, groups + step * GROUPS, players * GROUPS)
    colours = count_colours(position, seat)
    bonus += COLOUR_BONUS * write_colours(colours, out, groups + step * GROUPS + LINES, players * GROUPS)
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
            points = best_cell(position, seat, row, covered)[1] * tiles
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
def count_colours(position: Row, seat: int) -> int:
    """The tiles of each colour on a wall with its full lines tiled, a byte for each; a Joker tile has no colour."""
    colours = 0
    for row in range(LINES):
        for column in range(LINES):
            kind = int(position.wall[seat, row, column])
            if kind != EMPTY and kind < COLOURS:
                colours += 1 << (8 * kind)
        full = position.line_tiles[seat, row] > row and position.line_jokers[seat, row] == 0
        if full and valid_columns(position, seat, row):
            colours += 1 << (8 * int(position.line_colour[seat, row]))
    return colours


@kernel
def write_colours(colours: int, out: Cells, at: int, to_next: int) -> int:
    """The same for colours."""
    full = 0
    for colour in range(COLOURS):
        full += write_group(colours >> (8 * colour) & 0xFF, out, at + colour, to_next)
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
