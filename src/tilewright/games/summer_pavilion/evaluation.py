"""The evaluation of a board between two rounds: features, whose weights were found by self-play (``tools/tune.py``)."""

from __future__ import annotations

import numpy as np

from tilewright.games.family.factories import NOBODY
from tilewright.games.family.heap import count_tiles, number_of
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    FEATURE_BITS,
    FEATURE_TILES,
    NUMBER,
    NUMBER_SPACES,
    RING_RUN,
    STAR_SPACES,
    STARS,
)
from tilewright.games.summer_pavilion.board import FEATURES as BOARD_FEATURES
from tilewright.games.summer_pavilion.rules import (
    COLOURS,
    CORNERS,
    FACTORIES,
    OVER,
    PLACING,
    ROUNDS,
    SUPPLY,
    everybody_passed,
)
from tilewright.games.summer_pavilion.stars import star_pattern
from tilewright.kernels.chance import count_bits
from tilewright.kernels.compile import Cells, Row, search_kernel

# ------------------------------------------------------------------------------------ Features of a board

STAGES = 7
"""Each has its own weights: the number of finished rounds. The weights of the last, the end of the game, are the
bonuses of the rulebook."""

STARTS = 1
STAR_TILES = 2  # by kind of star (six colours, multicoloured): one-hot, 1 to 6 tiles
RUNS = STAR_TILES + 7 * 6  # by number: points that a tile on each free space would score now
NUMBERS = RUNS + 6  # numbers 1 to 4: one-hot, 0 to 3 spaces missing
PILLARS = NUMBERS + 16  # one, two or three spaces missing
STATUES = PILLARS + 3
WINDOWS = STATUES + 3  # one space missing
KEPT = WINDOWS + 1  # one-hot, 1 to 4 tiles in the corners
KEPT_JOKERS = KEPT + 4  # of the next joker colour
FEATURES = KEPT_JOKERS + 1
PRICE = FEATURES
"""Beside the weights of the features: the value of a tile in the hand while the round lasts."""

_WEIGHTS_OF = {0: -1, 1: PILLARS, 2: STATUES, 3: WINDOWS}
FEATURE_WEIGHT = np.array([_WEIGHTS_OF[tiles] for _, tiles, _ in BOARD_FEATURES], dtype=np.int64)
SPACE_WEIGHT = np.array([[_WEIGHTS_OF[int(tiles)] for tiles in row] for row in FEATURE_TILES], dtype=np.int64)
"""By space and slot: which weights count the missing spaces of the feature there."""


SOLVABLE_TILES = 7
"""The end of a round is solved exactly once the players who still place hold this few tiles."""


@search_kernel
def is_horizon(position: Row) -> bool:
    """Whether the next round is about to be dealt, or the game has ended."""
    if position.phase == OVER or position.phase == FACTORIES:
        return True
    return position.phase == SUPPLY and position.stage == PLACING and everybody_passed(position)


@search_kernel
def is_solvable(position: Row) -> bool:
    """Whether few enough tiles are left to solve the end of the round exactly."""
    if position.players != 2 or position.stage != PLACING:
        return False
    left = 0
    for seat in range(position.players):
        if not position.passed >> seat & 1:
            left += count_tiles(position.hand[seat])
    return left <= SOLVABLE_TILES


@search_kernel
def game_stage(position: Row) -> int:
    """The number of finished rounds."""
    if position.phase == OVER:
        return ROUNDS
    if position.phase == SUPPLY and is_horizon(position):
        return int(position.round_number)
    return int(position.round_number) - 1


@search_kernel
def star_kind(position: Row, seat: int, star: int) -> int:
    """The kind of a star: a colour, or 6 if it is multicoloured."""
    if not position.grey:
        return star
    colours = int(position.star_colours[seat, star])
    for colour in range(COLOURS):
        if colours == 1 << colour:
            return colour
    return CENTRE_STAR


@search_kernel
def extract_features(position: Row, seat: int, features: Cells) -> None:
    """Describe a board between two rounds by numbers."""
    features[:] = 0
    features[0] = 1
    features[STARTS] = (position.marker if position.marker != NOBODY else position.starter) == seat
    covered = position.covered[seat]
    for star in range(STARS):
        pattern = star_pattern(position, seat, star)
        if pattern:
            features[STAR_TILES + 6 * star_kind(position, seat, star) + count_bits(pattern) - 1] += 1
        for ring in range(STAR_SPACES):
            if not pattern >> ring & 1:
                number = NUMBER[position.grey, star * STAR_SPACES + ring]
                features[RUNS + number - 1] += RING_RUN[pattern | 1 << ring, ring]
    for number in range(1, 5):
        missing = count_bits(NUMBER_SPACES[position.grey, number] & ~covered)
        if missing <= 3:
            features[NUMBERS + 4 * (number - 1) + missing] = 1
    for feature in range(len(FEATURE_BITS)):
        missing = count_bits(FEATURE_BITS[feature] & ~covered)
        weight = FEATURE_WEIGHT[feature]
        if 1 <= missing <= (1 if weight == WINDOWS else 3):
            features[weight + missing - 1] += 1
    kept = count_tiles(position.hand[seat])
    if kept:
        features[KEPT + min(kept, CORNERS) - 1] = 1
    next_joker = game_stage(position)
    if next_joker < COLOURS:
        features[KEPT_JOKERS] = number_of(position.hand[seat], next_joker)
