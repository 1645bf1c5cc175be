"""The player board of Summer Pavilion: seven stars of six spaces, the numbers on them, and the features.

A space is ``star * 6 + ring``. The outer stars are numbered as their colours are, the centre star is 6; the
ring runs clockwise, so that on the coloured side ring 0 to 5 carry the numbers 1 to 6 on every star. On the
grey side the outer stars swap 1 and 3, and the centre star has nothing but threes.
"""

from __future__ import annotations

import numpy as np

PURPLE, GREEN, ORANGE, YELLOW, BLUE, RED = range(6)
"""The kinds of tile, in the order in which they are the joker colour."""

STARS = 7
CENTRE_STAR = 6
STAR_SPACES = 6
SPACES = STARS * STAR_SPACES
FULL_STAR = 0b111111

CLOCKWISE = (RED, BLUE, YELLOW, GREEN, PURPLE, ORANGE)
"""The outer stars as they stand round the centre star, clockwise from the top: at 30, 90 .. 330 degrees."""

COLOURED_RING = (1, 2, 3, 4, 5, 6)
GREY_RING = (3, 2, 1, 4, 5, 6)
GREY_CENTRE_RING = (3, 3, 3, 3, 3, 3)
RINGS = (COLOURED_RING, GREY_RING, GREY_CENTRE_RING)

RING_OF_STAR = np.array([[0] * STARS, [1] * 6 + [2]], dtype=np.int64)
"""Which of the three rings of numbers a star has: by side (0 coloured, 1 grey) and star."""

NUMBER = np.array([[RINGS[ring][i] for ring in side for i in range(6)] for side in RING_OF_STAR], dtype=np.int64)
"""The number on each space: how many tiles it costs. By side and space."""

STAR_BONUS = np.array([20, 18, 17, 16, 15, 14], dtype=np.int64)
"""A full star of one colour."""
MULTICOLOUR_BONUS = 12
NUMBER_BONUS = np.array([0, 4, 8, 12, 16], dtype=np.int64)
"""All spaces of number 1, 2, 3, 4 covered."""

NUMBER_SPACES = np.array(
    [[sum(1 << space for space in range(SPACES) if side[space] == n) for n in range(5)] for side in NUMBER],
    dtype=np.int64,
)
"""All spaces of a number, as bits. By side and number."""


def space(star: int, ring: int) -> int:
    """The space of a star whose coloured side carries the number ``ring``."""
    return star * STAR_SPACES + ring - 1


def _features() -> list[tuple[str, int, tuple[int, ...]]]:
    """Name, bonus tiles and spaces of each of the eighteen features, the same on both sides."""
    features: list[tuple[str, int, tuple[int, ...]]] = []
    for index, star in enumerate(CLOCKWISE):
        following = CLOCKWISE[(index + 1) % 6]
        facing = (space(CENTRE_STAR, index + 1), space(CENTRE_STAR, (index + 1) % 6 + 1))
        features.append(("pillar", 1, (space(star, 2), space(star, 3), *facing)))
        statue = (space(star, 1), space(star, 2), space(following, 3), space(following, 4))
        features.append(("statue", 2, statue))
        features.append(("window", 3, (space(star, 5), space(star, 6))))
    return features


FEATURES = _features()
FEATURES_OF_A_SPACE = 2
"""No space touches more than two features."""


FEATURE_BITS = np.array([sum(1 << space for space in spaces) for _, _, spaces in FEATURES], dtype=np.int64)
"""The spaces round each feature, as bits."""


def touched_features(space: int) -> list[int]:
    """The features that a space touches."""
    return [n for n, (_, _, spaces) in enumerate(FEATURES) if space in spaces]


def _features_by_space() -> tuple[np.ndarray, np.ndarray]:
    masks = np.zeros((SPACES, FEATURES_OF_A_SPACE), dtype=np.int64)
    bonus_tiles = np.zeros((SPACES, FEATURES_OF_A_SPACE), dtype=np.int64)
    for touched in range(SPACES):
        for slot, feature in enumerate(touched_features(touched)):
            masks[touched, slot] = FEATURE_BITS[feature]
            bonus_tiles[touched, slot] = FEATURES[feature][1]
    return masks, bonus_tiles


FEATURE_SPACES, FEATURE_TILES = _features_by_space()
"""By space: the spaces of each feature that it touches, as bits, and the bonus tiles that it gives."""


def _ring_runs() -> np.ndarray:
    runs = np.zeros((64, STAR_SPACES), dtype=np.int64)
    for pattern in range(64):
        for ring in range(STAR_SPACES):
            length = 1
            while length < STAR_SPACES and pattern >> (ring + length) % 6 & 1:
                length += 1
            back = 1
            while length + back - 1 < STAR_SPACES and pattern >> (ring - back) % 6 & 1:
                back += 1
            runs[pattern, ring] = min(STAR_SPACES, length + back - 1)
    return runs


RING_RUN = _ring_runs()
"""The connected run of tiles in a star's ring that a space belongs to: by covered spaces and ring."""


def jokers_to_pay(number: int, coloured: int, jokers: int) -> tuple[int, int]:
    """The fewest and the most jokers that can pay for a space: they stand in for all but one tile of the colour.

    If there are too few tiles, the fewest are more than the most.
    """
    return max(0, number - coloured), min(number - 1, jokers)


def ways_to_pay(number: int, coloured: int, jokers: int) -> int:
    """In how many ways a space can be paid for."""
    fewest, most = jokers_to_pay(number, coloured, jokers)
    return max(0, most - fewest + 1)


def _ways_of_a_star() -> np.ndarray:
    ways = np.zeros((len(RINGS), 7, 6, 64), dtype=np.int8)
    for ring, numbers in enumerate(RINGS):
        for coloured in range(7):
            for jokers in range(6):
                each = [ways_to_pay(number, coloured, jokers) for number in numbers]
                for free in range(64):
                    ways[ring, coloured, jokers, free] = sum(each[i] for i in range(6) if free >> i & 1)
    return ways


STAR_WAYS = _ways_of_a_star()
"""Placements in a star: by ring of numbers, tiles of the colour (at most 6), jokers (at most 5), free spaces.

Small numbers, because a GPU has 64 KB for constants and every function that reads it gets its own copy.
"""
