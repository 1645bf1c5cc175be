"""The board of Summer Pavilion, rebuilt from the angles of its stars and compared with the lookup tables of the rules.

Nothing here uses these tables: stars, axes and numbers come from the angles (in degrees, clockwise from straight
up), neighbours and features from rhombi that touch.
"""

from __future__ import annotations

from itertools import combinations, product
from math import cos, dist, radians, sin, sqrt

import pytest

from tilewright.games.summer_pavilion import board as lookup_tables

COLOURS = ("purple", "green", "orange", "yellow", "blue", "red")
STAR_ANGLE = {"orange": 330, "red": 30, "blue": 90, "yellow": 150, "green": 210, "purple": 270}
CENTRE = "centre"
STARS = (*COLOURS, CENTRE)

COLOURED_NUMBER = {30: 6, 90: 1, 150: 2, 210: 3, 270: 4, 330: 5}
"""The number on a rhombus of an outer star, by its axis minus the star's own angle."""
GREY_NUMBER = {30: 6, 90: 3, 150: 2, 210: 1, 270: 4, 330: 5}

LONG = 1.0
"""The long diagonal of a rhombus; its side is the long diagonal divided by the root of 3."""
SIDE = LONG / sqrt(3)

Point = tuple[float, float]
Space = tuple[str, int]
"""A star and the axis of one of its rhombi."""


def step(origin: Point, length: float, angle: float) -> Point:
    return origin[0] + length * sin(radians(angle)), origin[1] - length * cos(radians(angle))


MIDDLE = (0.0, 0.0)
STAR_CENTRE = {CENTRE: MIDDLE, **{star: step(MIDDLE, sqrt(3) * LONG, angle) for star, angle in STAR_ANGLE.items()}}
SPACES: list[Space] = [(star, axis) for star in STARS for axis in range(0, 360, 60)]


def corners(space: Space) -> list[Point]:
    """The rhombus: the star's centre, a side to the left, the tip, a side to the right."""
    star, axis = space
    origin = STAR_CENTRE[star]
    return [origin, step(origin, SIDE, axis - 30), step(origin, LONG, axis), step(origin, SIDE, axis + 30)]


def same(one: Point, other: Point) -> bool:
    return dist(one, other) < 1e-9


def share_a_side(one: Space, other: Space) -> bool:
    return sum(same(a, b) for a, b in product(corners(one), corners(other))) == 2


def number(space: Space, side: str) -> int:
    star, axis = space
    if star == CENTRE:
        return axis // 60 + 1 if side == "coloured" else 3
    return (COLOURED_NUMBER if side == "coloured" else GREY_NUMBER)[(axis - STAR_ANGLE[star]) % 360]


def index(space: Space) -> int:
    """The rules' number of a space: six for each star, in the order of the coloured side's numbers."""
    return STARS.index(space[0]) * 6 + number(space, "coloured") - 1


BY_INDEX = sorted(SPACES, key=index)

FEATURE_CENTRES: dict[str, list[Point]] = {
    "pillar": [step(MIDDLE, sqrt(3) / 2 * LONG, angle) for angle in STAR_ANGLE.values()],
    "statue": [step(MIDDLE, 1.5 * LONG, angle + 30) for angle in STAR_ANGLE.values()],
    "window": [step(STAR_CENTRE[star], 1.5 * SIDE, angle) for star, angle in STAR_ANGLE.items()],
}
FEATURE_TILES = {"pillar": 1, "statue": 2, "window": 3}


def segment_distance(point: Point, start: Point, end: Point) -> float:
    length = dist(start, end) ** 2
    along = sum((point[i] - start[i]) * (end[i] - start[i]) for i in range(2)) / length
    along = min(1.0, max(0.0, along))
    return dist(point, (start[0] + along * (end[0] - start[0]), start[1] + along * (end[1] - start[1])))


def distance(space: Space, point: Point) -> float:
    """How far a point outside a rhombus lies from its outline."""
    outline = corners(space)
    return min(segment_distance(point, outline[i], outline[(i + 1) % 4]) for i in range(4))


def touching(point: Point) -> frozenset[int]:
    """The spaces nearest to the centre of a feature."""
    nearest = min(distance(space, point) for space in SPACES)
    return frozenset(index(space) for space in SPACES if distance(space, point) < nearest + 1e-9)


DRAWN_FEATURES = sorted(
    (kind, FEATURE_TILES[kind], tuple(sorted(touching(point))))
    for kind, points in FEATURE_CENTRES.items()
    for point in points
)

# ------------------------------------------------------------------------------------------------ Numbers


def test_every_space_has_its_own_number_on_the_coloured_side():
    assert [index(space) for space in BY_INDEX] == list(range(42))


@pytest.mark.parametrize("side", ["coloured", "grey"])
def test_numbers(side: str):
    row = ["coloured", "grey"].index(side)
    assert [number(space, side) for space in BY_INDEX] == lookup_tables.NUMBER[row].tolist()


def test_numbers_on_the_grey_side_twelve_threes_and_six_of_the_others():
    printed = [number(space, "grey") for space in SPACES]
    assert {n: printed.count(n) for n in range(1, 7)} == {1: 6, 2: 6, 3: 12, 4: 6, 5: 6, 6: 6}
    assert lookup_tables.NUMBER[1].tolist().count(3) == 12


@pytest.mark.parametrize(("side", "tiles"), [(0, 147), (1, 144)])
def test_tiles_to_fill_a_board(side: int, tiles: int):
    assert lookup_tables.NUMBER[side].sum() == tiles


# --------------------------------------------------------------------------------------------- Neighbours


def test_stars_never_touch_along_a_side():
    for one, other in combinations(SPACES, 2):
        assert not share_a_side(one, other) or one[0] == other[0]


def test_neighbours_are_the_rhombi_that_share_a_side():
    """Two tiles score 2 if their rhombi share a side, otherwise 1: compares RING_RUN with the drawing."""
    for star in STARS:
        spaces = [space for space in BY_INDEX if space[0] == star]
        for (i, one), (j, other) in combinations(enumerate(spaces), 2):
            run = lookup_tables.RING_RUN[1 << i | 1 << j, i]
            assert run == (2 if share_a_side(one, other) else 1), (one, other)
            assert run == lookup_tables.RING_RUN[1 << i | 1 << j, j]


def test_grey_ring_reads_3_2_1_4_5_6():
    for star in COLOURS:
        axes = [(axis + STAR_ANGLE[star]) % 360 for axis in (90, 150, 210, 270, 330, 30)]
        assert [number((star, axis), "grey") for axis in axes] == [3, 2, 1, 4, 5, 6]
        ring = [(star, axis) for axis in axes]
        assert all(share_a_side(ring[i], ring[(i + 1) % 6]) for i in range(6))


def test_ring_runs_are_the_connected_tiles():
    """For every pattern of a star, the run is what can be reached over shared sides."""
    spaces = [space for space in BY_INDEX if space[0] == CENTRE]
    for pattern in range(64):
        covered = {i for i in range(6) if pattern >> i & 1}
        for start in covered:
            reached, edge = {start}, [start]
            while edge:
                here = edge.pop()
                near = {i for i in covered - reached if share_a_side(spaces[here], spaces[i])}
                reached |= near
                edge += near
            assert lookup_tables.RING_RUN[pattern, start] == len(reached)


# ----------------------------------------------------------------------------------------------- Features


def test_features_are_the_spaces_that_touch_them():
    in_the_rules = sorted((kind, tiles, tuple(sorted(spaces))) for kind, tiles, spaces in lookup_tables.FEATURES)
    assert in_the_rules == DRAWN_FEATURES


def test_eighteen_features_six_of_each():
    kinds = [kind for kind, _, _ in lookup_tables.FEATURES]
    assert {kind: kinds.count(kind) for kind in kinds} == {"pillar": 6, "statue": 6, "window": 6}
    sizes = {(kind, len(spaces)) for kind, _, spaces in DRAWN_FEATURES}
    assert sizes == {("pillar", 4), ("statue", 4), ("window", 2)}


def test_no_feature_lies_inside_a_rhombus():
    """Features lie between the spaces: the middle of a rhombus is never near the centre of a feature."""
    for points in FEATURE_CENTRES.values():
        for point, space in product(points, SPACES):
            middle = step(STAR_CENTRE[space[0]], LONG / 2, space[1])
            assert dist(point, middle) > 0.4 * LONG


def test_pillars_face_the_centre_spaces_of_the_rules_page():
    """Orange 6 and 1, red 1 and 2, blue 2 and 3, yellow 3 and 4, green 4 and 5, purple 5 and 6."""
    facing = {"orange": {6, 1}, "red": {1, 2}, "blue": {2, 3}, "yellow": {3, 4}, "green": {4, 5}, "purple": {5, 6}}
    for star, numbers in facing.items():
        touched = touching(step(MIDDLE, sqrt(3) / 2 * LONG, STAR_ANGLE[star]))
        assert {space - 35 for space in touched if space >= 36} == numbers
        first = STARS.index(star) * 6
        assert {space - first + 1 for space in touched if space < 36} == {2, 3}


def test_a_board_earns_at_most_36_bonus_tiles():
    assert sum(tiles for _, tiles, _ in lookup_tables.FEATURES) == 36


def test_features_by_space_agree_with_the_drawing():
    for space in range(42):
        slots = zip(
            lookup_tables.FEATURE_SPACES[space].tolist(), lookup_tables.FEATURE_TILES[space].tolist(), strict=True
        )
        drawn = [(sum(1 << n for n in spaces), tiles) for _, tiles, spaces in DRAWN_FEATURES if space in spaces]
        assert sorted(slot for slot in slots if slot[0]) == sorted(drawn)


WORTH = [sum(tiles for _, tiles, spaces in DRAWN_FEATURES if space in spaces) for space in range(42)]
"""By space: the bonus tiles of all features that it touches."""


def test_a_placement_earns_at_most_three_bonus_tiles():
    assert max(WORTH) == 3


def test_the_tile_that_fills_the_board_earns_at_least_two():
    """The last placement completes every feature it touches, and its bonus tiles can only be discarded.

    So 304 points for a full board need an empty supply at that moment; with two or more tiles in it, 302 is the most.
    """
    assert min(WORTH) == 2
