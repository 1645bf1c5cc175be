"""Observations of Summer Pavilion: the table, then all boards, the observer's own first, then clockwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.envs.parts import Part, seat_after, write_bits, write_choice, write_number
from tilewright.games.family.observation import places_parts, write_heap, write_places
from tilewright.games.summer_pavilion.board import CENTRE_STAR, SPACES, STARS
from tilewright.games.summer_pavilion.rules import COLOUR_TILES, COLOURS, DRAFT, ROUNDS, SUPPLY_SPACES, joker_colour
from tilewright.kernels.compile import Cells, Row, kernel

if TYPE_CHECKING:
    from tilewright.game.game import Game

MOST_POINTS = {"coloured": 304, "grey": 332}
"""Upper bounds. The one for the grey side is proven, but perhaps never reached."""
POINTS = 100
HAND_TILES = 10
MOST_BONUS_TILES = 3
CHOICES = 4
"""Phases in which a player decides: taking tiles, placing one, choosing bonus tiles, choosing what to keep."""


def parts_of(game: Game) -> list[Part]:
    """The parts of an observation of this rule set."""
    players = game.players
    side = str(game.options["side"])
    told = STARS if side == "grey" else 1
    stars = "each star" if told == STARS else "the centre star"
    return [
        *places_parts(game, COLOURS),
        Part("bag", (COLOURS,), COLOUR_TILES, 1, "tiles of each colour in the bag"),
        Part("tower", (COLOURS,), COLOUR_TILES, 1, "tiles of each colour in the tower"),
        Part("supply", (COLOURS,), SUPPLY_SPACES, 1, "tiles of each colour in the supply"),
        Part("joker", (ROUNDS,), 1, 1, "the joker colour, which also tells the round"),
        Part("phase", (CHOICES,), 1, 1, "what is to be decided: take, place, bonus tiles, what to keep"),
        Part("bonus tiles", (1,), MOST_BONUS_TILES, 1, "bonus tiles that the mover must choose now"),
        Part("starter", (players,), 1, 1, "who begins, counted from the observer"),
        Part("score", (players,), POINTS, MOST_POINTS[side] / POINTS, "points"),
        Part("hand", (players, COLOURS), HAND_TILES, COLOUR_TILES / HAND_TILES, "tiles beside or on the corners"),
        Part("passed", (players,), 1, 1, "who has passed"),
        Part("marker", (players,), 1, 1, "who holds the starting player marker"),
        Part("spaces", (players, SPACES), 1, 1, "covered spaces, by star and clockwise"),
        Part("star colours", (players, told, COLOURS), 1, 1, f"colours that {stars} has"),
    ]


@kernel
def observe(position: Row, observer: int, out: Cells) -> None:
    """Write the observation of a seat, in the order of ``parts_of``."""
    players = int(position.players)
    at = write_table(position, out)
    at = write_choice((int(position.starter) - observer + players) % players, players, out, at)
    for step in range(players):
        at = write_number(position.score[seat_after(observer, step, players)], 1 / POINTS, out, at)
    for step in range(players):
        at = write_heap(position.hand[seat_after(observer, step, players)], COLOURS, 1 / HAND_TILES, out, at)
    for step in range(players):
        at = write_number(int(position.passed) >> seat_after(observer, step, players) & 1, 1, out, at)
    for step in range(players):
        at = write_number(position.marker == seat_after(observer, step, players), 1, out, at)
    for step in range(players):
        at = write_bits(position.covered[seat_after(observer, step, players)], SPACES, out, at)
    first_star = 0 if position.grey else CENTRE_STAR
    for step in range(players):
        for star in range(first_star, STARS):
            colours = int(position.star_colours[seat_after(observer, step, players), star])
            at = write_bits(colours, COLOURS, out, at)


@kernel
def write_table(position: Row, out: Cells) -> int:
    """What all players share: the tiles on the table, the bag, the tower, the supply, the round."""
    at = write_places(position, COLOURS, out)
    at = write_heap(position.bag, COLOURS, 1 / COLOUR_TILES, out, at)
    at = write_heap(position.tower, COLOURS, 1 / COLOUR_TILES, out, at)
    at = write_heap(position.supply, COLOURS, 1 / SUPPLY_SPACES, out, at)
    at = write_choice(joker_colour(position), ROUNDS, out, at)
    at = write_choice(int(position.phase) - DRAFT, CHOICES, out, at)
    return write_number(position.owed, 1 / MOST_BONUS_TILES, out, at)
