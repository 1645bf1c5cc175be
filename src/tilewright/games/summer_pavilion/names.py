"""Tiles, stars and spaces of Summer Pavilion by name."""

from __future__ import annotations

from tilewright.games.family.tiles import HeapTiles
from tilewright.games.summer_pavilion.board import CENTRE_STAR, CLOCKWISE, NUMBER, STAR_SPACES

SIDES = ("coloured", "grey")
TILES = HeapTiles("pgoybr", ("purple", "green", "orange", "yellow", "blue", "red"))
"""In the order in which they are the joker colour."""


def star_number(star: int) -> int:
    """The number of an outer star on the grey side, clockwise from the top."""
    return CLOCKWISE.index(star) + 1


def space_number(side: str, space: int) -> int:
    """The number on a space; in the grey centre, all threes, its place clockwise from the top."""
    star, ring = divmod(space, STAR_SPACES)
    return ring + 1 if star == CENTRE_STAR else space_cost(side, space)


def space_cost(side: str, space: int) -> int:
    """How many tiles a space costs."""
    return int(NUMBER[SIDES.index(side), space])


def star_name(side: str, star: int) -> str:
    """By its colour, or on the grey side s1 to s6; the centre star is c."""
    if star == CENTRE_STAR:
        return "c"
    return TILES.letters[star] if side == "coloured" else f"s{star_number(star)}"


def space_name(side: str, space: int) -> str:
    """A star and the number of the space."""
    return f"{star_name(side, space // STAR_SPACES)}{space_number(side, space)}"
