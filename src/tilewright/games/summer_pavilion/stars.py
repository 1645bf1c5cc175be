"""What the stars of a player accept, score, earn and pay: questions about a board, which change nothing."""

from __future__ import annotations

from tilewright.games.family.heap import KINDS, count_tiles
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    FEATURE_SPACES,
    FEATURE_TILES,
    FEATURES_OF_A_SPACE,
    FULL_STAR,
    MULTICOLOUR_BONUS,
    NUMBER_BONUS,
    NUMBER_SPACES,
    RING_RUN,
    STAR_BONUS,
    STAR_SPACES,
)
from tilewright.kernels.chance import count_bits
from tilewright.kernels.compile import Row, kernel


@kernel
def star_pattern(position: Row, seat: int, star: int) -> int:
    """The covered spaces of a star, a bit for each."""
    return (position.covered[seat] >> (STAR_SPACES * star)) & FULL_STAR


@kernel
def colours_welcome(position: Row, seat: int, star: int) -> int:
    """The colours that may be placed in a star, as bits."""
    present = int(position.star_colours[seat, star])
    if not position.grey:
        return FULL_STAR & ~present if star == CENTRE_STAR else 1 << star
    # Grey side: any colour for the first two tiles; two alike make the star uniform, two others multicoloured.
    covered = count_bits(star_pattern(position, seat, star))
    if covered <= 1:
        return FULL_STAR
    return present if count_bits(present) == 1 else FULL_STAR & ~present


@kernel
def points_of_tile(position: Row, seat: int, space: int) -> int:
    """A tile on a space scores a point for each tile of the star that it is connected to, itself included."""
    return RING_RUN[star_pattern(position, seat, space // STAR_SPACES), space % STAR_SPACES]


@kernel
def bonus_tiles_earned(position: Row, seat: int, space: int) -> int:
    """For the features that a tile on a space completes; no more than the supply holds."""
    covered = position.covered[seat] | 1 << space
    earned = 0
    for slot in range(FEATURES_OF_A_SPACE):
        around = FEATURE_SPACES[space, slot]
        if covered & around == around:
            earned += FEATURE_TILES[space, slot]
    return min(earned, count_tiles(position.supply))


@kernel
def star_bonus(position: Row, seat: int, star: int) -> int:
    """A full star pays for the colour it was built in, or as a multicoloured one."""
    if star_pattern(position, seat, star) != FULL_STAR:
        return 0
    colours = int(position.star_colours[seat, star])
    for colour in range(KINDS):
        if colours == 1 << colour:
            return STAR_BONUS[colour]
    return MULTICOLOUR_BONUS


@kernel
def number_bonus(position: Row, seat: int, number: int) -> int:
    """All spaces of a number covered, on every star."""
    spaces = NUMBER_SPACES[position.grey, number]
    return NUMBER_BONUS[number] if position.covered[seat] & spaces == spaces else 0
