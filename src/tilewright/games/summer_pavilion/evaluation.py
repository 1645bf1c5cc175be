"""What the search knows about Summer Pavilion, first part: what a player's board promises between two rounds.

``note_features`` describes a board by numbers; their weights were found by self-play (``tools/tune.py``).
"""

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
"""Rounds that are over. The last stage, the end of the game, has the bonuses of the rulebook as weights."""

STARTS = 1
STAR_TILES = 2  # by kind of star (six colours, multicoloured): one of 1 to 6 tiles
RUNS = STAR_TILES + 7 * 6  # by number: points that a tile on each free space would score now
NUMBERS = RUNS + 6  # numbers 1 to 4: one of 0 to 3 spaces missing
PILLARS = NUMBERS + 16  # one, two or three spaces missing
STATUES = PILLARS + 3
WINDOWS = STATUES + 3  # one space missing
KEPT = WINDOWS + 1  # one to four tiles in the corners
KEPT_JOKERS = KEPT + 4  # of the next joker colour
FEATURES = KEPT_JOKERS + 1
PRICE = FEATURES
"""Beside the weights of the features: what a tile in the hand is worth while the round lasts."""

_WEIGHTS_OF = {0: -1, 1: PILLARS, 2: STATUES, 3: WINDOWS}
FEATURE_WEIGHT = np.array([_WEIGHTS_OF[tiles] for _, tiles, _ in BOARD_FEATURES], dtype=np.int64)
SPACE_WEIGHT = np.array([[_WEIGHTS_OF[int(tiles)] for tiles in row] for row in FEATURE_TILES], dtype=np.int64)
"""By space and slot: which weights count the missing spaces of the feature there."""


@search_kernel
def rounds_over(position: Row) -> int:
    """Rounds that are over."""
    if position.phase == OVER:
        return ROUNDS
    if position.phase == SUPPLY and position.stage == PLACING and everybody_passed(position):
        return int(position.round_number)
    return int(position.round_number) - 1


@search_kernel
def stage_of(position: Row) -> int:
    """How far the game is."""
    return rounds_over(position)


@search_kernel
def star_kind(position: Row, seat: int, star: int) -> int:
    """What a star is becoming: a colour, or 6 for many colours."""
    if not position.grey:
        return star
    colours = int(position.star_colours[seat, star])
    for colour in range(COLOURS):
        if colours == 1 << colour:
            return colour
    return CENTRE_STAR


@search_kernel
def note_features(position: Row, seat: int, features: Cells) -> None:
    """All that is known of a board between two rounds, as numbers."""
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
    next_joker = rounds_over(position)
    if next_joker < COLOURS:
        features[KEPT_JOKERS] = number_of(position.hand[seat], next_joker)
