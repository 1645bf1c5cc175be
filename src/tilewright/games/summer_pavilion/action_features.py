"""Action features of Summer Pavilion: what a move does, from the mover's point of view.

They replace the numbers of the moves: two moves with the same features lead to the same position, except for the
order of the factories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.envs.parts import Part, write_choice, write_number
from tilewright.games.family.factories import CENTRE, FACTORY_TILES
from tilewright.games.family.heap import count_tiles, number_of
from tilewright.games.family.observation import write_heap
from tilewright.games.summer_pavilion.board import (
    NUMBER,
    STAR_SPACES,
    STARS,
)
from tilewright.games.summer_pavilion.moves import (
    chosen_tiles,
    pass_move,
    place_and_colour,
    space_colour_and_jokers,
)
from tilewright.games.summer_pavilion.rules import (
    BONUS,
    COLOUR_TILES,
    COLOURS,
    CORNERS,
    DRAFT,
    PLACE,
    TILES,
    joker_colour,
    marker_cost,
    points_lost,
    takes_marker,
    tiles_taken,
)
from tilewright.games.summer_pavilion.stars import bonus_tiles_earned, points_of_tile
from tilewright.kernels.compile import Cells, Row, kernel

if TYPE_CHECKING:
    from tilewright.game.game import Game

TAKE, PLACE_A_TILE, PASS, TAKE_BONUS_TILES, KEEP_TILES, DECISIONS = range(6)
POINTS_LOST = 10
HIGHEST_NUMBER = 6
MOST_BONUS_TILES = 3
MOST_LEFT = FACTORY_TILES - 1
TAKE_NUMBERS = 4 + COLOURS
"""How many numbers only a take uses."""
PLACE_NUMBERS = STARS + STAR_SPACES + 5
"""How many numbers only a placement uses."""


def parts_of_action(game: Game) -> list[Part]:
    """The parts of a move's description, the same for every rule set."""
    return [
        Part("decision", (DECISIONS,), 1, 1, "take tiles, place one, pass, choose bonus tiles, choose what to keep"),
        Part("colour", (COLOURS,), 1, 1, "the colour taken or placed"),
        Part("points lost", (1,), POINTS_LOST, TILES / POINTS_LOST, "by taking the marker, or tiles not kept"),
        Part("from the centre", (1,), 1, 1, "the tiles come from the centre of the table"),
        Part("marker", (1,), 1, 1, "the starting player marker comes with them"),
        Part("tiles", (1,), FACTORY_TILES, COLOUR_TILES / FACTORY_TILES, "tiles of the colour taken"),
        Part("joker", (1,), 1, 1, "a joker is taken with another colour"),
        Part("left to the centre", (COLOURS,), MOST_LEFT, 1, "tiles of each colour that go to the centre"),
        Part("star", (STARS,), 1, 1, "the star that a tile is placed in: six outer stars, the centre star"),
        Part("space", (STAR_SPACES,), 1, 1, "the space of that star, clockwise"),
        Part("number", (1,), HIGHEST_NUMBER, 1, "the number on that space"),
        Part("colour paid", (1,), HIGHEST_NUMBER, 1, "tiles of the colour paid"),
        Part("jokers paid", (1,), HIGHEST_NUMBER, 1, "jokers paid in place of others"),
        Part("points", (1,), STAR_SPACES, 1, "points of the placed tile"),
        Part("bonus tiles", (1,), MOST_BONUS_TILES, 1, "bonus tiles that it earns"),
        Part("tiles chosen", (COLOURS,), CORNERS, 1, "tiles of each colour chosen from the supply, or kept"),
    ]


@kernel
def describe(position: Row, move: int, out: Cells) -> None:
    """Describe a legal move in a row of zeros, in the order of ``parts_of_action``."""
    if position.phase == DRAFT:
        place, colour = place_and_colour(move)
        describe_take(position, place, colour, out)
    elif position.phase == BONUS:
        describe_choice(TAKE_BONUS_TILES, chosen_tiles(position, move), 0, out)
    elif position.phase == PLACE:
        if move == pass_move(position):
            write_choice(PASS, DECISIONS, out, 0)
        else:
            space, tile, jokers = space_colour_and_jokers(position, move)
            describe_placement(position, space, tile, jokers, out)
    else:
        kept = chosen_tiles(position, move)
        discarded = count_tiles(position.hand[position.turn]) - count_tiles(kept)
        describe_choice(KEEP_TILES, kept, points_lost(position, position.turn, discarded), out)


@kernel
def describe_take(position: Row, place: int, colour: int, out: Cells) -> None:
    """The tiles taken, what is left, and the marker with its price."""
    joker = joker_colour(position)
    taken = tiles_taken(position, place, colour)
    marker = takes_marker(position, place)
    at = write_choice(TAKE, DECISIONS, out, 0)
    at = write_choice(colour, COLOURS, out, at)
    at = write_number(marker_cost(position, position.turn, taken) if marker else 0, 1 / POINTS_LOST, out, at)
    at = write_number(place == CENTRE, 1, out, at)
    at = write_number(marker, 1, out, at)
    at = write_number(number_of(taken, colour), 1 / FACTORY_TILES, out, at)
    at = write_number(number_of(taken, joker) if colour != joker else 0, 1, out, at)
    left = 0 if place == CENTRE else position.places[place] - taken
    write_heap(left, COLOURS, 1 / MOST_LEFT, out, at)


@kernel
def describe_placement(position: Row, space: int, colour: int, jokers: int, out: Cells) -> None:
    """A space that is paid for and covered, and its immediate rewards."""
    star, ring = space // STAR_SPACES, space % STAR_SPACES
    number = NUMBER[position.grey, space]
    at = write_choice(PLACE_A_TILE, DECISIONS, out, 0)
    at = write_choice(colour, COLOURS, out, at)
    at += 1 + TAKE_NUMBERS
    at = write_choice(star, STARS, out, at)
    at = write_choice(ring, STAR_SPACES, out, at)
    at = write_number(number, 1 / HIGHEST_NUMBER, out, at)
    at = write_number(number - jokers, 1 / HIGHEST_NUMBER, out, at)
    at = write_number(jokers, 1 / HIGHEST_NUMBER, out, at)
    at = write_number(points_of_tile(position, position.turn, space), 1 / STAR_SPACES, out, at)
    write_number(bonus_tiles_earned(position, position.turn, space), 1 / MOST_BONUS_TILES, out, at)


@kernel
def describe_choice(decision: int, chosen: int, lost: int, out: Cells) -> None:
    """Bonus tiles, or tiles to keep."""
    at = write_choice(decision, DECISIONS, out, 0)
    at = write_number(lost, 1 / POINTS_LOST, out, at + COLOURS)
    write_heap(chosen, COLOURS, 1 / CORNERS, out, at + TAKE_NUMBERS + PLACE_NUMBERS)
