"""Avatars: a square of nine tiles, written as nine letters from left to right and top to bottom."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from tilewright.view.picture.drawing import TILE, number, place_tile
from tilewright.view.picture.palette import var
from tilewright.view.picture.tiles import MOTIFS, painted_sheet

LETTERS = dict(zip("byrkwpgo", MOTIFS, strict=True))
"""The letters of the painted kinds, which do not depend on the games that are installed."""
SIDE = 3
_ROOM, _EDGE = TILE + 1.0, 3.0


def is_avatar(text: str) -> bool:
    """Whether a text is that of an avatar.

    >>> is_avatar("bybywybyb"), is_avatar("bybywyby"), is_avatar("bybyxybyb")
    (True, False, False)
    """
    return len(text) == SIDE * SIDE and all(letter in LETTERS for letter in text)


def derived_avatar(seed: str, number: int = 0) -> str:
    """An avatar that follows from a text; others with other numbers. It is the same from left and right, up and down.

    >>> derived_avatar("Ada") == derived_avatar("Ada") != derived_avatar("Ada", 1)
    True
    """
    digest = hashlib.sha256(f"avatar {seed} {number}".encode()).digest()
    letters = list(LETTERS)
    corner, upper, side, centre = (letters[byte % len(letters)] for byte in digest[:4])
    row = corner + upper + corner
    return row + side + centre + side + row


@lru_cache(maxsize=1024)
def draw_avatar(avatar: str) -> str:
    """The avatar as an SVG that stands alone.

    >>> draw_avatar("bybywybyb").count("<use href=") > 9
    True
    """
    size = SIDE * _ROOM + 2 * _EDGE
    ground = f'<rect width="100%" height="100%" rx="8" fill="{var("plaster-edge")}"/>'
    tiles = "".join(_placed(letter, n) for n, letter in enumerate(avatar))
    symbols = painted_sheet({letter: LETTERS[letter] for letter in dict.fromkeys(avatar)})
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(size)} {number(size)}" width="96" height="96">'
    )
    return f"{head}{symbols}{ground}{tiles}</svg>"


def _placed(letter: str, n: int) -> str:
    row, column = divmod(n, SIDE)
    x, y = (_EDGE + _ROOM * (step + 0.5) for step in (column, row))
    return f'<g transform="translate({number(x)} {number(y)})">{place_tile(letter)}</g>'
