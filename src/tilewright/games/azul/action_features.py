"""Action features of Azul: what a move does, from the mover's point of view.

They replace the numbers of the moves: two moves with the same features lead to the same position, except for the
order of the factories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.envs.parts import Part, write_choice, write_number
from tilewright.games.azul.moves import count_draft_moves, decode_draft
from tilewright.games.azul.rules import (
    COLOUR_TILES,
    DESTINATIONS,
    FLOOR,
    FLOOR_PENALTY,
    FLOOR_SPACES,
    TILE,
    floor_cost,
    room_in_line,
    sort_take,
    takes_marker,
)
from tilewright.games.azul.wall import COLOURS, EMPTY, JOKER, LINES, score_wall_tile, wall_column
from tilewright.games.family.factories import CENTRE, FACTORY_TILES
from tilewright.games.family.heap import number_of, tiles
from tilewright.games.family.observation import write_heap
from tilewright.kernels.compile import Cells, Row, kernel

if TYPE_CHECKING:
    from tilewright.game.game import Game

MOST_WALL_POINTS = 2 * LINES
MOST_FLOOR_POINTS = int(FLOOR_PENALTY[FLOOR_SPACES])
MOST_LEFT = FACTORY_TILES - 1
MOST_JOKERS = 10
"""In the whole game, with three or four players."""
CELL_NUMBERS = 1 + 2 * LINES
"""How many numbers only the choice of a wall cell uses."""


def parts_of_action(game: Game) -> list[Part]:
    """The parts of a move's description in this rule set."""
    jokers = bool(game.options.get("jokers"))
    grey = game.options["wall"] == "grey"
    kinds = COLOURS + jokers
    scored = "the chosen cell" if grey else "the tile of the completed line, if it went to the wall now"
    if jokers and not grey:
        scored += ", or of the chosen cell"
    most = COLOUR_TILES + (MOST_JOKERS if jokers else 0)
    return [
        Part("kind", (kinds,), 1, 1, "the kind of tile taken" + (" or put on the wall" if grey or jokers else "")),
        Part("wall points", (1,), MOST_WALL_POINTS, 1, f"points of {scored}"),
        *(_cell_parts() if grey or jokers else []),
        Part("from the centre", (1,), 1, 1, "the tiles come from the centre of the table"),
        Part("marker", (1,), 1, 1, "the starting player marker comes with them"),
        Part("tiles", (1,), FACTORY_TILES, most / FACTORY_TILES, "tiles of the kind taken"),
        *(_joker_part("jokers", FACTORY_TILES, MOST_JOKERS, "jokers taken with a colour") if jokers else []),
        Part("left to the centre", (kinds,), MOST_LEFT, 1, "tiles of each kind that go to the centre"),
        Part("destination", (DESTINATIONS,), 1, 1, "the floor line, or pattern line 1 to 5"),
        Part("into the line", (1,), LINES, 1, "tiles that go into the pattern line" + ", jokers too" * jokers),
        *(_joker_part("jokers into the line", LINES, LINES, "jokers among them") if jokers else []),
        Part("line completed", (1,), 1, 1, "the pattern line is full then"),
        Part("fallen", (1,), FLOOR_SPACES, most / FLOOR_SPACES, "tiles that fall on the floor line, or past it"),
        Part("floor points", (1,), MOST_FLOOR_POINTS, 1, "points that the floor line will cost more, marker included"),
    ]


def _cell_parts() -> list[Part]:
    """The parts that only the choice of a wall cell uses."""
    return [
        Part("wall cell", (1,), 1, 1, "the move is the choice of a wall cell"),
        Part("row", (LINES,), 1, 1, "the row of that cell"),
        Part("column", (LINES,), 1, 1, "its column"),
    ]


def _joker_part(name: str, scale: int, most: int, meaning: str) -> list[Part]:
    return [Part(name, (1,), scale, most / scale, meaning)]


@kernel
def describe(position: Row, move: int, out: Cells) -> None:
    """Describe a legal move in a row of zeros, in the order of ``parts_of_action``."""
    if position.phase == TILE:
        describe_cell(position, move - count_draft_moves(position), out)
    else:
        describe_draft(position, move, out)


@kernel
def describe_cell(position: Row, cell: int, out: Cells) -> None:
    """The choice of a cell for the tile of a full line; a line with jokers puts one of them on the wall."""
    seat = position.turn
    row, column = cell // LINES, cell % LINES
    kind = JOKER if position.line_jokers[seat, row] > 0 else int(position.line_colour[seat, row])
    at = write_choice(kind, COLOURS + int(position.jokers), out, 0)
    at = write_number(score_wall_tile(position, seat, row, column), 1 / MOST_WALL_POINTS, out, at)
    at = write_number(1, 1, out, at)
    at = write_choice(row, LINES, out, at)
    write_choice(column, LINES, out, at)


@kernel
def describe_draft(position: Row, move: int, out: Cells) -> None:
    """Tiles taken, and where they go."""
    seat = position.turn
    place, kind, with_jokers, destination, kept = decode_draft(position, move)
    kinds = COLOURS + int(position.jokers)
    coloured, falling, jokers, jokers_falling = sort_take(position, place, kind, with_jokers, destination, kept)
    taken = number_of(position.places[place], kind)
    jokers_taken = jokers + jokers_falling if with_jokers else 0
    marker = takes_marker(position, place)
    completed = destination != FLOOR and coloured + jokers == room_in_line(position, seat, destination)
    points = 0
    if completed:
        points = line_points(position, destination - 1, kind if coloured > 0 else EMPTY)
    at = write_choice(kind, kinds, out, 0)
    at = write_number(points, 1 / MOST_WALL_POINTS, out, at)
    if position.grey or position.jokers:
        at += CELL_NUMBERS
    at = write_number(place == CENTRE, 1, out, at)
    at = write_number(marker, 1, out, at)
    at = write_number(taken, 1 / FACTORY_TILES, out, at)
    if position.jokers:
        at = write_number(jokers_taken, 1 / FACTORY_TILES, out, at)
    left = 0 if place == CENTRE else position.places[place] - tiles(kind, taken) - tiles(JOKER, jokers_taken)
    at = write_heap(left, kinds, 1 / MOST_LEFT, out, at)
    at = write_choice(destination, DESTINATIONS, out, at)
    at = write_number(coloured + jokers, 1 / LINES, out, at)
    if position.jokers:
        at = write_number(jokers, 1 / LINES, out, at)
    at = write_number(completed, 1, out, at)
    fallen = falling + jokers_falling
    at = write_number(fallen, 1 / FLOOR_SPACES, out, at)
    write_number(floor_cost(position, seat, fallen + marker), 1 / MOST_FLOOR_POINTS, out, at)


@kernel
def line_points(position: Row, row: int, colour: int) -> int:
    """What the tile of a line completed with a colour would score now; 0 if its cell is not determined."""
    if colour == EMPTY:  # only jokers came
        colour = int(position.line_colour[position.turn, row])
    if position.grey or colour == EMPTY:
        return 0
    return score_wall_tile(position, position.turn, row, wall_column(colour, row))
