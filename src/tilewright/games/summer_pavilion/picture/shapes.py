"""Where everything stands on a player's board of Summer Pavilion.

Angles are in degrees, clockwise from straight up. Seven stars of six rhombi leave gaps of the same shape, in which
the ornaments stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin, sqrt

from tilewright.games.family.heap import KINDS
from tilewright.games.summer_pavilion.board import CENTRE_STAR, CLOCKWISE, STAR_SPACES
from tilewright.view.picture.drawing import number

LONG = 96.0
"""The long diagonal of a space."""
CORNER_LONG = 62.0

Point = tuple[float, float]


def away(start: Point, angle: float, distance: float) -> Point:
    """A point at a distance in a direction, in degrees clockwise from straight up."""
    return start[0] + distance * sin(radians(angle)), start[1] - distance * cos(radians(angle))


def upright(angle: float) -> float:
    """The same turn of a rhombus with its painting the right way up, as far as can be."""
    return (angle + 90) % 180 - 90


def rhombus(middle: Point, axis: float, long: float) -> str:
    """The outline of a rhombus, as the data of a path."""
    corners = [away(middle, axis + 90 * n, long / 2 if n % 2 == 0 else long / 2 / sqrt(3)) for n in range(4)]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in corners) + "Z"


def star_outline(middle: Point, long: float, turn: float = 0.0) -> str:
    """The twelve sides of a star."""
    points = [away(middle, turn + 30 * n, long if n % 2 == 0 else long / sqrt(3)) for n in range(12)]
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


@dataclass(frozen=True)
class Plan:
    """The measures of a board, and where everything stands on it."""

    width: float
    height: float
    middle: Point
    """The middle of the centre star."""
    corner: Point
    """How far the storage corners are from the middle, across and down."""
    tray_height: float
    hand_long: float
    """The long diagonal of a tile in the hand."""
    hand_reach: float
    """The side of the square in which a finger means a tile in the hand; 0 where there is a mouse."""
    chips: float
    """Where the bonuses for numbers begin."""
    marker: float
    turn: float = 0.0
    """By how much the whole pattern is turned."""

    @property
    def tray(self) -> tuple[float, float, float, float]:
        """Where the hand lies: left, top, width, height."""
        return 16.0, self.height - 17 - self.tray_height, self.width - 32, self.tray_height

    def star_angle(self, star: int) -> float:
        """The direction in which an outer star stands."""
        return star_angle(star) + self.turn

    def star_middle(self, star: int) -> Point:
        """The point where the six spaces of a star meet."""
        return self.middle if star == CENTRE_STAR else away(self.middle, self.star_angle(star), sqrt(3) * LONG)

    def space_axis(self, space: int) -> float:
        """The direction of a space's long diagonal, out of its star."""
        star, ring = divmod(space, STAR_SPACES)
        return 60.0 * ring + (self.turn if star == CENTRE_STAR else self.star_angle(star) + 90)

    def space_middle(self, space: int) -> Point:
        """The middle of a space."""
        return away(self.star_middle(space // STAR_SPACES), self.space_axis(space), LONG / 2)

    def feature_middle(self, feature: int) -> Point:
        """The middle of the gap in which an ornament stands."""
        index, which = divmod(feature, 3)
        angle = self.star_angle(CLOCKWISE[index])
        distance, turn = ((sqrt(3) / 2, 0), (1.5, 30), (1.5 * sqrt(3), 0))[which]
        return away(self.middle, angle + turn, distance * LONG)

    def feature_axis(self, feature: int) -> float:
        """The direction of the gap's long diagonal."""
        index, which = divmod(feature, 3)
        return self.star_angle(CLOCKWISE[index]) + (30 if which == 1 else 90)

    def corner_middle(self, n: int) -> Point:
        """The middle of a storage corner: top left, top right, bottom left, bottom right."""
        x, y = self.corner
        return self.middle[0] + (x if n % 2 else -x), self.middle[1] + (y if n >= 2 else -y)

    def hand_points(self) -> list[Point]:
        """Where the tiles of a hand lie: for each colour a row of three and a row of four that fit into each other."""
        left, top, width, _ = self.tray
        step, column = self.hand_long / sqrt(3), width / KINDS
        patch = [(across, 0) for across in (0, -1, 1)] + [(across, 1) for across in (-0.46, 0.46, -1.38, 1.38)]
        return [
            (left + column * (kind + 0.5) + step * across, top + 11 + self.hand_long / 2 * (row + 1))
            for kind in range(KINDS)
            for across, row in patch
        ]


def star_angle(star: int) -> float:
    """The direction in which the star of a colour stands on a board that is not turned."""
    return 30.0 + 60 * CLOCKWISE.index(star)


WIDE = Plan(
    width=600.0,
    height=690.0,
    middle=(300.0, 326.0),
    corner=(2.3 * LONG, 2.06 * LONG),
    tray_height=80.0,
    hand_long=39.0,
    hand_reach=0.0,
    chips=258.0,
    marker=481.0,
)
NARROW = Plan(
    width=524.0,
    height=745.0,
    middle=(262.0, 352.0),
    corner=(2.1 * LONG, 2.3 * LONG),
    tray_height=80.0,
    hand_long=39.0,
    hand_reach=45.0,
    chips=190.0,
    marker=412.0,
    turn=30.0,
)
"""For phones: the pattern is narrower if it stands on a tip, and fingers find larger spaces."""
