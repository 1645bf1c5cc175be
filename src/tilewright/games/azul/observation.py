"""Observations of Azul: factories, centre, bag and lid, then all boards, the observer's own first, then clockwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.envs.parts import Part, seat_after, write_bits, write_choice, write_number
from tilewright.games.azul.rules import (
    BARREN_ROUNDS,
    COLOUR_TILES,
    FLOOR_SPACES,
    TILE,
    floor_spaces_taken,
    full_line,
)
from tilewright.games.azul.wall import COLOURS, EMPTY, LINES
from tilewright.games.family.observation import places_parts, write_heap, write_places
from tilewright.kernels.compile import Cells, Row, kernel

if TYPE_CHECKING:
    from tilewright.game.game import Game

MOST_POINTS = 240
POINTS = 100
LAST_ROUND_TOLD = 10


def parts_of(game: Game) -> list[Part]:
    """The parts of an observation of this rule set."""
    jokers = bool(game.options.get("jokers"))
    free_cells = jokers or game.options["wall"] == "grey"
    players, kinds = game.players, COLOURS + jokers
    parts = [
        *places_parts(game, kinds),
        Part("bag", (kinds,), COLOUR_TILES, 1, "tiles of each kind in the bag"),
        Part("lid", (kinds,), COLOUR_TILES, 1, "tiles of each kind in the lid"),
        Part("round", (1,), LAST_ROUND_TOLD, 1, "the round; from the tenth on always 1"),
        Part("barren rounds", (1,), BARREN_ROUNDS, 1, "rounds running without a tile on any wall"),
        Part("starter", (players,), 1, 1, "who began this round, counted from the observer"),
    ]
    if free_cells:
        parts.append(Part("line to tile", (LINES,), 1, 1, "the full line whose wall cell the mover must choose now"))
    parts += [
        Part("score", (players,), POINTS, MOST_POINTS / POINTS, "points"),
        Part("wall", (players, LINES, LINES), 1, 1, "covered cells, by row and column"),
    ]
    if free_cells:
        meaning = "the kind of tile on each cell: five colours" + (" and jokers" if jokers else "")
        parts.append(Part("wall tiles", (players, LINES, LINES, kinds), 1, 1, meaning))
    parts += [
        Part("lines", (players, LINES), 1, 1, "how full each pattern line is"),
        Part("line colours", (players, LINES, COLOURS), 1, 1, "the colour that a pattern line holds"),
    ]
    if jokers:
        parts.append(Part("line jokers", (players, LINES), 1, 1, "the part of a pattern line that is jokers"))
    parts += [
        Part("floor", (players,), FLOOR_SPACES, 1, "occupied spaces of the floor line"),
        Part("floor tiles", (players, kinds), FLOOR_SPACES, 1, "tiles of each kind on the floor line"),
        Part("marker", (players,), 1, 1, "who holds the starting player marker"),
    ]
    return parts


@kernel
def observe(position: Row, observer: int, out: Cells) -> None:
    """Write the observation of a seat, in the order of ``parts_of``."""
    write_observation(position, observer, out)


@kernel
def write_observation(position: Row, observer: int, out: Cells) -> int:
    """The same; returns the index after the last number, as all writers do."""
    players = int(position.players)
    kinds = COLOURS + int(position.jokers)
    at = write_table(position, kinds, out)
    at = write_choice((int(position.starter) - observer + players) % players, players, out, at)
    free_cells = position.grey or position.jokers
    if free_cells:
        line = full_line(position, position.turn) if position.phase == TILE else EMPTY
        at = write_choice(line, LINES, out, at)
    for step in range(players):
        at = write_number(position.score[seat_after(observer, step, players)], 1 / POINTS, out, at)
    for step in range(players):
        at = write_bits(int(position.covered[seat_after(observer, step, players)]), LINES * LINES, out, at)
    if free_cells:
        for step in range(players):
            at = write_wall_tiles(position, seat_after(observer, step, players), kinds, out, at)
    at = write_lines(position, observer, out, at)
    return write_floors(position, observer, kinds, out, at)


@kernel
def write_table(position: Row, kinds: int, out: Cells) -> int:
    """What all players share: the tiles on the table, the bag, the lid, the round."""
    at = write_places(position, kinds, out)
    at = write_heap(position.bag, kinds, 1 / COLOUR_TILES, out, at)
    at = write_heap(position.lid, kinds, 1 / COLOUR_TILES, out, at)
    at = write_number(min(position.round_number, LAST_ROUND_TOLD), 1 / LAST_ROUND_TOLD, out, at)
    return write_number(position.barren, 1 / BARREN_ROUNDS, out, at)


@kernel
def write_wall_tiles(position: Row, seat: int, kinds: int, out: Cells, at: int) -> int:
    """The kind of tile on each cell of a wall, for walls on which the cell does not determine it."""
    for row in range(LINES):
        for column in range(LINES):
            at = write_choice(position.wall[seat, row, column], kinds, out, at)
    return at


@kernel
def write_lines(position: Row, observer: int, out: Cells, at: int) -> int:
    """All pattern lines: how full they are, their colours and jokers."""
    players = int(position.players)
    for step in range(players):
        seat = seat_after(observer, step, players)
        for row in range(LINES):
            at = write_number(position.line_tiles[seat, row], 1 / (row + 1), out, at)
    for step in range(players):
        seat = seat_after(observer, step, players)
        for row in range(LINES):
            at = write_choice(position.line_colour[seat, row], COLOURS, out, at)
    if position.jokers:
        for step in range(players):
            seat = seat_after(observer, step, players)
            for row in range(LINES):
                at = write_number(position.line_jokers[seat, row], 1 / (row + 1), out, at)
    return at


@kernel
def write_floors(position: Row, observer: int, kinds: int, out: Cells, at: int) -> int:
    """The floor lines, and who holds the marker."""
    players = int(position.players)
    for step in range(players):
        taken = floor_spaces_taken(position, seat_after(observer, step, players))
        at = write_number(taken, 1 / FLOOR_SPACES, out, at)
    for step in range(players):
        at = write_heap(position.floor[seat_after(observer, step, players)], kinds, 1 / FLOOR_SPACES, out, at)
    for step in range(players):
        at = write_number(position.marker == seat_after(observer, step, players), 1, out, at)
    return at
