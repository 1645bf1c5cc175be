"""The market where room is short: square trays instead of round dishes, so that a phone shows tiles for fingers.

A tile and its surroundings measure ``PITCH``. At the width of a phone (390 pixels, or 844 by 390) that is at least 32
pixels, whatever the number of players.
"""

from __future__ import annotations

from functools import cache

from tilewright.view.picture.drawing import number
from tilewright.view.picture.palette import var
from tilewright.view.picture.style import circle, lettering, rect, stroke
from tilewright.view.picture.tiles import ornament

PITCH = 34.0
TRAY = 2 * PITCH + 4
EDGE = 6.0
HEIGHT = 7 * PITCH + 4
"""Of the trays, and of the centre beside them: seven rows of tiles."""
_GAP = 5.0
_ROWS = 3

Point = tuple[float, float]


def columns_of(factories: int, least: int = 2) -> int:
    """The number of columns that factories take, in three rows at most."""
    return max(least, -(-factories // _ROWS))


def trays_width(columns: int) -> float:
    """The width of all trays."""
    return columns * (TRAY + _GAP) - _GAP


def tray_middle(n: int, factories: int, columns: int) -> Point:
    """The middle of the tray of a factory, counted from 1, row by row; rows share the height."""
    row, column = divmod(n - 1, columns)
    rows = -(-factories // columns)
    share = HEIGHT / rows
    return EDGE + column * (TRAY + _GAP) + TRAY / 2, EDGE + share * (row + 0.5)


@cache
def tray() -> str:
    """A tray round the origin: its shadow, its rim, a painted line and a rosette."""
    half = TRAY / 2
    return (
        rect(1 - half, 2.5 - half, TRAY, TRAY, 10, "shadow", 'fill-opacity=".2"')
        + rect(-half, -half, TRAY, TRAY, 10, "dish", stroke("dish-rim", 1.3))
        + rect(2.2 - half, 2.2 - half, TRAY - 4.4, TRAY - 4.4, 8, "none", stroke("dish-line", 1.2, 0.7))
        + ornament(0, 0, 28, opacity=0.38)
    )


def numbered_tray(n: int, middle: Point) -> str:
    """A tray at its place, with the number of its factory in the middle."""
    x, y = middle
    badge = circle(x, y, 6.5, "plaster", stroke("dish-rim", 0.8))
    badge += lettering(x, y + 3.2, str(n), size=9, anchor="middle", fill="muted", bold=True)
    return f'<g transform="translate({number(x)} {number(y)})">{tray()}</g>{badge}'


def hollow(left: float, width: float) -> str:
    """The ground of the centre, beside the trays."""
    middle = left + width / 2, EDGE + HEIGHT / 2
    ground = rect(left, EDGE, width, HEIGHT, 12, "plaster-deep", stroke("accent", 1.2, 0.5))
    line = f'<rect x="{number(left + 3)}" y="{number(EDGE + 3)}" width="{number(width - 6)}" '
    line += f'height="{number(HEIGHT - 6)}" rx="9" fill="none" stroke="{var("accent-soft")}" stroke-width="1.5"/>'
    return ground + line + ornament(*middle, 56, opacity=0.3)
