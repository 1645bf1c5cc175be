"""Tiles, stars and spaces of Summer Pavilion by name."""

from __future__ import annotations

from tilewright.games.family.tiles import HeapTiles
from tilewright.games.summer_pavilion.board import CENTRE_STAR, CLOCKWISE, NUMBER, STAR_SPACES

SIDES = ("coloured", "grey")
TILES = HeapTiles("pgoybr", ("purple", "green", "orange", "yellow", "blue", "red"))
"""In the order in which they are the joker colour."""


def star_name(side: str, star: int) -> str:
    """By its colour, or on the grey side s1 to s6, clockwise from the top; the centre star is c."""
    if star == CENTRE_STAR:
        return "c"
    return TILES.letters[star] if side == "coloured" else f"s{CLOCKWISE.index(star) + 1}"


def space_name(side: str, space: int) -> str:
    """A star and the number on the space; in the grey centre, all threes, its place clockwise from the top."""
    star, ring = divmod(space, STAR_SPACES)
    number = ring + 1 if star == CENTRE_STAR else int(NUMBER[SIDES.index(side), space])
    return f"{star_name(side, star)}{number}"
