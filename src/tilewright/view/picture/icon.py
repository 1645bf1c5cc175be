"""The icon of the application: a painted tile with four leaves, in the colours of the pages."""

from __future__ import annotations

from functools import cache

from tilewright.view.picture.drawing import number
from tilewright.view.picture.palette import LIGHT

SIZE = 64
SAFE = 39.0
"""The side of the tile in an icon that is cut to a shape: a circle of four fifths of the width leaves it whole."""
_LEAF = "M32 29C22 24 22 13 32 6C42 13 42 24 32 29Z"
_CORNERS = "M2 22A20 20 0 0 0 22 2M42 2A20 20 0 0 0 62 22M62 42A20 20 0 0 0 42 62M22 62A20 20 0 0 0 2 42"
_DOTS = ((32, 32, 5), (19, 19, 3), (45, 19, 3), (45, 45, 3), (19, 45, 3))

_MARK = f'<circle cx="49" cy="15" r="14" fill="{LIGHT["penalty"]}" stroke="{LIGHT["on-accent"]}" stroke-width="3"/>'


@cache
def draw_icon(maskable: bool = False, marked: bool = False) -> str:
    """The icon as an SVG; a maskable one fills its square, since the system cuts it to a circle or another shape.

    A marked one says in the tab of a browser that something waits.

    >>> draw_icon().count("<circle"), draw_icon(maskable=True).startswith("<svg")
    (5, True)
    """
    edge = (SIZE - SAFE) / 2
    fit = f'<g transform="translate({number(edge)} {number(edge)}) scale({number(SAFE / SIZE)})">{_tile()}</g>'
    ground = f'<rect width="{SIZE}" height="{SIZE}" fill="{LIGHT["accent"]}"/>'
    mark = _MARK if marked else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}">'
        f"{ground + fit if maskable else _tile()}{mark}</svg>"
    )


def _tile() -> str:
    blue, glaze, gold = LIGHT["accent"], LIGHT["on-accent"], LIGHT["turn"]
    leaves = "".join(f'<path d="{_LEAF}" transform="rotate({turn} 32 32)"/>' for turn in (0, 90, 180, 270))
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="{radius}"/>' for x, y, radius in _DOTS)
    return (
        f'<rect x="1" y="1" width="62" height="62" rx="9" fill="{glaze}" stroke="{blue}" stroke-width="2"/>'
        f'<path d="{_CORNERS}" fill="none" stroke="{blue}" stroke-width="3"/>'
        f'<g fill="{blue}">{leaves}</g><g fill="{gold}">{dots}</g>'
    )
