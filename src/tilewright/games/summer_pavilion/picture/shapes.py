"""Where everything stands on a player's board of Summer Pavilion.

Angles are in degrees, clockwise from straight up. Seven stars of six rhombi leave gaps of the same shape, in which
the ornaments stand.
"""

from __future__ import annotations

from math import cos, radians, sin, sqrt

from tilewright.games.family.heap import KINDS
from tilewright.games.summer_pavilion.board import CENTRE_STAR, CLOCKWISE, STAR_SPACES
from tilewright.view.picture.drawing import number

WIDTH, HEIGHT = 600.0, 690.0
LONG = 96.0
"""The long diagonal of a space."""
MIDDLE = (WIDTH / 2, 326.0)
"""The middle of the centre star."""
TRAY = (16.0, 593.0, WIDTH - 32, 80.0)
"""Where the hand lies: left, top, width, height."""
HAND_LONG = 39.0
CORNER_LONG = 62.0

Point = tuple[float, float]


def away(start: Point, angle: float, distance: float) -> Point:
    """A point at a distance in a direction, in degrees clockwise from straight up."""
    return start[0] + distance * sin(radians(angle)), start[1] - distance * cos(radians(angle))


def star_angle(star: int) -> float:
    """The direction in which an outer star stands."""
    return 30.0 + 60 * CLOCKWISE.index(star)


def star_middle(star: int) -> Point:
    """The point where the six spaces of a star meet."""
    return MIDDLE if star == CENTRE_STAR else away(MIDDLE, star_angle(star), sqrt(3) * LONG)


def space_axis(space: int) -> float:
    """The direction of a space's long diagonal, out of its star."""
    star, ring = divmod(space, STAR_SPACES)
    return 60.0 * ring if star == CENTRE_STAR else star_angle(star) + 90 + 60 * ring


def space_middle(space: int) -> Point:
    """The middle of a space."""
    return away(star_middle(space // STAR_SPACES), space_axis(space), LONG / 2)


def upright(angle: float) -> float:
    """The same turn of a rhombus with its painting the right way up, as far as can be."""
    return (angle + 90) % 180 - 90


def feature_middle(feature: int) -> Point:
    """The middle of the gap in which an ornament stands."""
    index, which = divmod(feature, 3)
    angle = star_angle(CLOCKWISE[index])
    distance, turn = ((sqrt(3) / 2, 0), (1.5, 30), (1.5 * sqrt(3), 0))[which]
    return away(MIDDLE, angle + turn, distance * LONG)


def feature_axis(feature: int) -> float:
    """The direction of the gap's long diagonal."""
    index, which = divmod(feature, 3)
    return star_angle(CLOCKWISE[index]) + (30 if which == 1 else 90)


def rhombus(middle: Point, axis: float, long: float) -> str:
    """The outline of a rhombus, as the data of a path."""
    corners = [away(middle, axis + 90 * n, long / 2 if n % 2 == 0 else long / 2 / sqrt(3)) for n in range(4)]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"


def star_outline(middle: Point, long: float) -> str:
    """The twelve sides of a star."""
    points = [away(middle, 30 * n, long if n % 2 == 0 else long / sqrt(3)) for n in range(12)]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def corner_middle(n: int) -> Point:
    """The middle of a storage corner: top left, top right, bottom left, bottom right."""
    x, y = 2.3 * LONG, 2.06 * LONG
    return MIDDLE[0] + (x if n % 2 else -x), MIDDLE[1] + (y if n >= 2 else -y)


def hand_points() -> list[Point]:
    """Where the tiles of a hand lie: for each colour a row of three and a row of four that fit into each other."""
    left, top, width, _ = TRAY
    step, column = HAND_LONG / sqrt(3), width / KINDS
    patch = [(across, 0) for across in (0, -1, 1)] + [(across, 1) for across in (-0.46, 0.46, -1.38, 1.38)]
    return [
        (left + column * (kind + 0.5) + step * across, top + 11 + HAND_LONG / 2 * (row + 1))
        for kind in range(KINDS)
        for across, row in patch
    ]
