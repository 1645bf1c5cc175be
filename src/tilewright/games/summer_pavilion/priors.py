"""The priors of Summer Pavilion: moves scored in points by what they change on the mover's own board.

The score of a placement is its points plus the change in the evaluation of the board, less a price for each tile it
costs. The value of tiles in the hand is the best that can be built with them on one star.
"""

from __future__ import annotations

import numpy as np

from tilewright.games.family.heap import count_tiles, holds, number_of
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    FEATURE_SPACES,
    FEATURES_OF_A_SPACE,
    FULL_STAR,
    NUMBER,
    NUMBER_SPACES,
    RING_OF_STAR,
    RING_RUN,
    RINGS,
    STAR_SPACES,
    STARS,
)
from tilewright.games.summer_pavilion.evaluation import (
    KEPT,
    KEPT_JOKERS,
    NUMBERS,
    PRICE,
    RUNS,
    SPACE_WEIGHT,
    STAR_TILES,
    STARTS,
    WINDOWS,
    star_kind,
)
from tilewright.games.summer_pavilion.moves import (
    SMALL_HEAPS,
    choice_move,
    heap_choices,
    pass_move,
    placement_move,
    take_move,
)
from tilewright.games.summer_pavilion.rules import (
    BONUS,
    COLOURS,
    CORNERS,
    DRAFT,
    PLACE,
    joker_colour,
    jokers_paid,
    marker_cost,
    places_to_take_from,
    takes_marker,
    tiles_taken,
    tiles_to_pay_with,
)
from tilewright.games.summer_pavilion.stars import bonus_tiles_earned, colours_welcome, star_pattern
from tilewright.kernels.chance import count_bits
from tilewright.kernels.compile import Cells, Row, search_kernel
from tilewright.search.workspace import Evaluator, Workspace

# ------------------------------------------------------------------ The value of placements and tiles, in points

HAND_TILES = 24
"""Numbers of tiles of one colour that are told apart; more add no value."""
HANDS = 0  # by seat, colour and number of tiles: their value
POTENTIAL = HANDS + 4 * COLOURS * HAND_TILES  # by ring of numbers and pattern: the value of the free spaces of a star
PRIOR_VALUES_SHAPE = (POTENTIAL + 3 * 64,)
RING_NUMBERS = np.array(RINGS, dtype=np.int64)
JOKER_VALUE = 1.5
"""In other tiles."""
LEFTOVER_SHARE = 0.6
"""The share of its price that a tile keeps if it fills no space by itself: it still may, with others or next round."""


@search_kernel
def star_value(weights: Cells, stage: int, kind: int, tiles: int) -> float:
    """The expected bonus of a star with a number of tiles."""
    return weights[stage, STAR_TILES + 6 * kind + tiles - 1] if tiles > 0 else 0.0


@search_kernel
def space_value(position: Row, seat: int, space: int, stage: int, weights: Cells) -> float:
    """The change in the evaluation from covering a space: its number, the features beside it, the bonus tiles."""
    covered = position.covered[seat]
    total = 0.0
    number = NUMBER[position.grey, space]
    if number <= 4:
        missing = count_bits(NUMBER_SPACES[position.grey, number] & ~covered)
        first = NUMBERS + 4 * (number - 1)
        if missing <= 4:
            total += weights[stage, first + missing - 1]
        if missing <= 3:
            total -= weights[stage, first + missing]
    for slot in range(FEATURES_OF_A_SPACE):
        around = FEATURE_SPACES[space, slot]
        if around:
            missing = count_bits(around & ~covered)
            first = SPACE_WEIGHT[space, slot]
            most = 1 if first == WINDOWS else 3
            if 1 < missing <= most + 1:
                total += weights[stage, first + missing - 2]
            if missing <= most:
                total -= weights[stage, first + missing - 1]
    return total + weights[stage, PRICE] * bonus_tiles_earned(position, seat, space)


@search_kernel
def placement_value(
    position: Row, seat: int, space: int, colour: int, stage: int, weights: Cells, prior_values: Cells
) -> float:
    """The points of a tile on a space plus the change in the evaluation of the board, before its price."""
    star = space // STAR_SPACES
    ring = space % STAR_SPACES
    pattern = star_pattern(position, seat, star)
    filled = pattern | 1 << ring
    kind = star_kind(position, seat, star)
    kind_after = kind
    if position.grey:
        present = int(position.star_colours[seat, star])
        kind_after = colour if present == 0 or present == 1 << colour else CENTRE_STAR
    tiles = count_bits(pattern)
    numbers = RING_OF_STAR[position.grey, star]
    return (
        RING_RUN[filled, ring]
        + star_value(weights, stage, kind_after, tiles + 1)
        - star_value(weights, stage, kind, tiles)
        + prior_values[POTENTIAL + 64 * numbers + filled]
        - prior_values[POTENTIAL + 64 * numbers + pattern]
        + space_value(position, seat, space, stage, weights)
    )


@search_kernel
def plan_star(
    position: Row, seat: int, star: int, colour: int, stage: int,
    weights: Cells, prior_values: Cells, plans: Cells, gains: Cells,
) -> None:  # fmt: skip
    """The best value that each number of tiles of a colour can build on one star, into ``plans[pattern]``."""
    start = star_pattern(position, seat, star)
    numbers = RING_OF_STAR[position.grey, star]
    price = weights[stage, PRICE] * LEFTOVER_SHARE
    for ring in range(STAR_SPACES):
        gains[ring] = 0.0
        if not start >> ring & 1:
            gains[ring] = space_value(position, seat, star * STAR_SPACES + ring, stage, weights)
    for pattern in range(FULL_STAR, start - 1, -1):
        if pattern & start != start:
            continue
        tiles = count_bits(pattern)
        here = star_value(weights, stage, colour, tiles) + prior_values[POTENTIAL + 64 * numbers + pattern]
        for held in range(HAND_TILES):
            best = price * held
            for ring in range(STAR_SPACES):
                cost = NUMBER[position.grey, star * STAR_SPACES + ring]
                if not pattern >> ring & 1 and cost <= held:
                    filled = pattern | 1 << ring
                    after = (
                        star_value(weights, stage, colour, tiles + 1) + prior_values[POTENTIAL + 64 * numbers + filled]
                    )
                    value = RING_RUN[filled, ring] + gains[ring] + after - here + plans[filled, held - cost]
                    best = max(best, value)
            plans[pattern, held] = best


@search_kernel
def plan_hands(
    position: Row, seat: int, colour: int, stage: int, weights: Cells, prior_values: Cells, plans: Cells, gains: Cells
) -> None:
    """The value of each number of tiles of a colour to a player: on the best star that accepts it."""
    first = HANDS + (int(seat) * COLOURS + colour) * HAND_TILES
    for held in range(HAND_TILES):
        prior_values[first + held] = weights[stage, PRICE] * LEFTOVER_SHARE * held
    for star in range(STARS):
        if not colours_welcome(position, seat, star) >> colour & 1:
            continue
        present = int(position.star_colours[seat, star])
        if (position.grey or star != CENTRE_STAR) and (present == 0 or present == 1 << colour):
            plan_star(position, seat, star, colour, stage, weights, prior_values, plans, gains)
            pattern = star_pattern(position, seat, star)
            for held in range(HAND_TILES):
                prior_values[first + held] = max(prior_values[first + held], plans[pattern, held])
        else:
            for ring in range(STAR_SPACES):
                space = star * STAR_SPACES + ring
                if not position.covered[seat] >> space & 1:
                    gain = placement_value(position, seat, space, colour, stage, weights, prior_values)
                    for held in range(NUMBER[position.grey, space], HAND_TILES):
                        rest = weights[stage, PRICE] * LEFTOVER_SHARE * (held - NUMBER[position.grey, space])
                        prior_values[first + held] = max(prior_values[first + held], gain + rest)


@search_kernel
def prepare_priors(position: Row, evaluator: Evaluator, workspace: Workspace) -> None:
    """Compute the value of the free spaces of stars and of the tiles in each hand, for this round."""
    weights, prior_values = evaluator.weights, evaluator.prior_values
    stage = int(position.round_number)
    for numbers in range(3):
        for pattern in range(FULL_STAR + 1):
            total = 0.0
            for ring in range(STAR_SPACES):
                if not pattern >> ring & 1:
                    weight = weights[stage, RUNS + RING_NUMBERS[numbers, ring] - 1]
                    total += weight * RING_RUN[pattern | 1 << ring, ring]
            prior_values[POTENTIAL + 64 * numbers + pattern] = total
    plans = np.zeros((FULL_STAR + 1, HAND_TILES))
    gains = np.zeros(STAR_SPACES)
    for seat in range(position.players):
        for colour in range(COLOURS):
            plan_hands(position, seat, colour, stage, weights, prior_values, plans, gains)


# ---------------------------------------------------------------------------------------- Scored moves


@search_kernel
def added_tiles_value(position: Row, seat: int, colour: int, number: int, weights: Cells, prior_values: Cells) -> float:
    """The value of a number of additional tiles of a colour to a player."""
    stage = int(position.round_number)
    joker = joker_colour(position)
    if colour == joker:
        return number * JOKER_VALUE * weights[stage, PRICE]
    hand = position.hand[seat]
    held = number_of(hand, colour) + number_of(hand, joker)
    first = HANDS + (int(seat) * COLOURS + colour) * HAND_TILES
    before = min(held, HAND_TILES - 1)
    after = min(held + number, HAND_TILES - 1)
    return prior_values[first + after] - prior_values[first + before]


@search_kernel
def score_takes(position: Row, evaluator: Evaluator, workspace: Workspace) -> int:
    """The takes of the draft: the value of the tiles less the points lost with the marker."""
    weights, prior_values = evaluator.weights, evaluator.prior_values
    moves, scores = workspace.moves, workspace.prior_scores
    seat = position.turn
    stage = int(position.round_number)
    joker = joker_colour(position)
    count = 0
    for colour in range(COLOURS):
        places = places_to_take_from(position, colour)
        while places:
            place = count_bits((places & -places) - 1)
            places &= places - 1
            taken = tiles_taken(position, place, colour)
            total = added_tiles_value(position, seat, joker, number_of(taken, joker), weights, prior_values)
            if colour != joker:
                total += added_tiles_value(position, seat, colour, number_of(taken, colour), weights, prior_values)
            if takes_marker(position, place):
                total += weights[stage, STARTS] - marker_cost(position, seat, taken)
            moves[count] = take_move(place, colour)
            scores[count] = total
            count += 1
    return count


@search_kernel
def kept_tiles_value(hand: int, kept: int, next_joker: int, stage: int, weights: Cells) -> float:
    """The value of the tiles kept in the corners, less the points lost for those discarded."""
    number = count_tiles(kept)
    total = float(number - count_tiles(hand))
    if number:
        total += weights[stage, KEPT + number - 1]
    if next_joker < COLOURS:
        total += weights[stage, KEPT_JOKERS] * number_of(kept, next_joker)
    return total


@search_kernel
def score_placements(position: Row, evaluator: Evaluator, workspace: Workspace) -> int:
    """To pass, and every placement, less the price of the tiles that it costs."""
    weights, prior_values = evaluator.weights, evaluator.prior_values
    moves, scores = workspace.moves, workspace.prior_scores
    seat = position.turn
    stage = int(position.round_number)
    price = weights[stage, PRICE]
    hand = position.hand[seat]
    held = count_tiles(hand)
    moves[0] = pass_move(position)
    best_kept = float(min(held, CORNERS) - held)
    if held:
        best_kept += weights[stage, KEPT + min(held, CORNERS) - 1]
    scores[0] = best_kept - price * held
    count = 1
    for star in range(STARS):
        welcome = colours_welcome(position, seat, star)
        pattern = star_pattern(position, seat, star)
        for colour in range(COLOURS):
            if not welcome >> colour & 1:
                continue
            coloured, jokers = tiles_to_pay_with(position, colour)
            if coloured == 0:
                continue
            for ring in range(STAR_SPACES):
                space = star * STAR_SPACES + ring
                number = NUMBER[position.grey, space]
                fewest, most = jokers_paid(number, coloured, jokers)
                if pattern >> ring & 1 or fewest > most:
                    continue
                gain = placement_value(position, seat, space, colour, stage, weights, prior_values) - price * number
                for paid in range(fewest, most + 1):
                    moves[count] = placement_move(position, space, colour, paid)
                    scores[count] = gain - (JOKER_VALUE - 1) * price * paid
                    count += 1
    return count


@search_kernel
def score_choices(position: Row, evaluator: Evaluator, workspace: Workspace) -> int:
    """Bonus tiles from the supply, or tiles to keep."""
    weights, prior_values = evaluator.weights, evaluator.prior_values
    moves, scores = workspace.moves, workspace.prior_scores
    seat = position.turn
    stage = int(position.round_number)
    heap, first, end = heap_choices(position)
    count = 0
    for choice in range(first, end):
        chosen = SMALL_HEAPS[choice]
        if not holds(heap, chosen):
            continue
        total = 0.0
        moves[count] = choice_move(position, choice)
        if position.phase == BONUS:
            for colour in range(COLOURS):
                number = number_of(chosen, colour)
                if number:
                    total += added_tiles_value(position, seat, colour, number, weights, prior_values)
        else:
            total = kept_tiles_value(heap, chosen, stage, stage, weights)
            for colour in range(COLOURS):
                # Tiles of one colour are more useful together, and where their star has room.
                number = number_of(chosen, colour)
                total += 0.1 * number * number
                if not position.grey and star_pattern(position, seat, colour) == FULL_STAR:
                    total -= 0.4 * number
        scores[count] = total
        count += 1
    return count


@search_kernel
def score_moves(position: Row, evaluator: Evaluator, workspace: Workspace) -> int:
    """The legal moves, each scored by its value to the mover; returns how many there are."""
    if position.phase == DRAFT:
        return score_takes(position, evaluator, workspace)
    if position.phase == PLACE:
        return score_placements(position, evaluator, workspace)
    return score_choices(position, evaluator, workspace)
