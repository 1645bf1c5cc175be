"""What the search knows about Summer Pavilion, second part: what takes, placements and tiles are worth at first sight.

A placement is worth its points and what it changes in the promise of the board, less a price for each tile it costs;
tiles are worth the best that can be built with them on the star of their colour.
"""

from __future__ import annotations

import numpy as np

from tilewright.games.family.heap import count_tiles, holds, number_of, pick
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
    FACTORIES,
    OVER,
    PLACE,
    PLACING,
    SUPPLY,
    draw,
    drawn_from,
    everybody_passed,
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
from tilewright.search.workspace import Knowledge, Pads

# ------------------------------------------------------------------------------ What a placement is worth

HAND_TILES = 24
"""Tiles of one colour that a hand is looked at for: more are worth no more."""
HANDS = 0  # by seat, colour and number of tiles: the best that they can build
POTENTIAL = HANDS + 4 * COLOURS * HAND_TILES  # by ring of numbers and pattern: what the free spaces of a star promise
WORTH_SHAPE = (POTENTIAL + 3 * 64,)
RING_NUMBERS = np.array(RINGS, dtype=np.int64)
JOKER_PRICE = 1.5
"""A joker is worth so many other tiles."""
FEW_TILES = 7
"""Tiles in the hands of those who still place, from which on the end of a round is worked out exactly."""
LEFT_OVER = 0.6
"""Tiles that fill no space by themselves are worth a part of their price: with others, or kept, they may."""


@search_kernel
def star_worth(weights: Cells, stage: int, kind: int, tiles: int) -> float:
    """What a star of so many tiles promises."""
    return weights[stage, STAR_TILES + 6 * kind + tiles - 1] if tiles > 0 else 0.0


@search_kernel
def space_worth(position: Row, seat: int, space: int, stage: int, weights: Cells) -> float:
    """What covering a space changes for its number and for the features it touches; bonus tiles included."""
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
def placement_worth(
    position: Row, seat: int, space: int, colour: int, stage: int, weights: Cells, worth: Cells
) -> float:
    """Points of a tile on a space, and what it changes in the promise of the board; its price not counted."""
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
        + star_worth(weights, stage, kind_after, tiles + 1)
        - star_worth(weights, stage, kind, tiles)
        + worth[POTENTIAL + 64 * numbers + filled]
        - worth[POTENTIAL + 64 * numbers + pattern]
        + space_worth(position, seat, space, stage, weights)
    )


@search_kernel
def plan_star(
    position: Row, seat: int, star: int, colour: int, stage: int,
    weights: Cells, worth: Cells, plans: Cells, gains: Cells,
) -> None:  # fmt: skip
    """The best that so many tiles of a colour can build on one star, into ``plans[pattern]``."""
    start = star_pattern(position, seat, star)
    numbers = RING_OF_STAR[position.grey, star]
    price = weights[stage, PRICE] * LEFT_OVER
    for ring in range(STAR_SPACES):
        gains[ring] = 0.0
        if not start >> ring & 1:
            gains[ring] = space_worth(position, seat, star * STAR_SPACES + ring, stage, weights)
    for pattern in range(FULL_STAR, start - 1, -1):
        if pattern & start != start:
            continue
        tiles = count_bits(pattern)
        here = star_worth(weights, stage, colour, tiles) + worth[POTENTIAL + 64 * numbers + pattern]
        for held in range(HAND_TILES):
            best = price * held
            for ring in range(STAR_SPACES):
                cost = NUMBER[position.grey, star * STAR_SPACES + ring]
                if not pattern >> ring & 1 and cost <= held:
                    filled = pattern | 1 << ring
                    after = star_worth(weights, stage, colour, tiles + 1) + worth[POTENTIAL + 64 * numbers + filled]
                    merit = RING_RUN[filled, ring] + gains[ring] + after - here + plans[filled, held - cost]
                    best = max(best, merit)
            plans[pattern, held] = best


@search_kernel
def plan_hands(
    position: Row, seat: int, colour: int, stage: int, weights: Cells, worth: Cells, plans: Cells, gains: Cells
) -> None:
    """What each number of tiles of a colour is worth to a player: on the best star that welcomes it."""
    first = HANDS + (seat * COLOURS + colour) * HAND_TILES
    for held in range(HAND_TILES):
        worth[first + held] = weights[stage, PRICE] * LEFT_OVER * held
    for star in range(STARS):
        if not colours_welcome(position, seat, star) >> colour & 1:
            continue
        present = int(position.star_colours[seat, star])
        if (position.grey or star != CENTRE_STAR) and (present == 0 or present == 1 << colour):
            plan_star(position, seat, star, colour, stage, weights, worth, plans, gains)
            pattern = star_pattern(position, seat, star)
            for held in range(HAND_TILES):
                worth[first + held] = max(worth[first + held], plans[pattern, held])
        else:
            for ring in range(STAR_SPACES):
                space = star * STAR_SPACES + ring
                if not position.covered[seat] >> space & 1:
                    gain = placement_worth(position, seat, space, colour, stage, weights, worth)
                    for held in range(NUMBER[position.grey, space], HAND_TILES):
                        rest = weights[stage, PRICE] * LEFT_OVER * (held - NUMBER[position.grey, space])
                        worth[first + held] = max(worth[first + held], gain + rest)


@search_kernel
def weigh(position: Row, knowledge: Knowledge, pads: Pads) -> None:
    """Before a search: what stars promise and what hands of tiles are worth in this round."""
    weights, worth = knowledge.weights, knowledge.worth
    stage = int(position.round_number)
    for numbers in range(3):
        for pattern in range(FULL_STAR + 1):
            total = 0.0
            for ring in range(STAR_SPACES):
                if not pattern >> ring & 1:
                    weight = weights[stage, RUNS + RING_NUMBERS[numbers, ring] - 1]
                    total += weight * RING_RUN[pattern | 1 << ring, ring]
            worth[POTENTIAL + 64 * numbers + pattern] = total
    plans = np.zeros((FULL_STAR + 1, HAND_TILES))
    gains = np.zeros(STAR_SPACES)
    for seat in range(position.players):
        for colour in range(COLOURS):
            plan_hands(position, seat, colour, stage, weights, worth, plans, gains)


# --------------------------------------------------------------------------------- Moves and what they promise


@search_kernel
def more_tiles_worth(position: Row, seat: int, colour: int, number: int, weights: Cells, worth: Cells) -> float:
    """What so many more tiles of a colour are worth to a player."""
    stage = int(position.round_number)
    joker = joker_colour(position)
    if colour == joker:
        return number * JOKER_PRICE * weights[stage, PRICE]
    hand = position.hand[seat]
    held = number_of(hand, colour) + number_of(hand, joker)
    first = HANDS + (seat * COLOURS + colour) * HAND_TILES
    before = min(held, HAND_TILES - 1)
    after = min(held + number, HAND_TILES - 1)
    return worth[first + after] - worth[first + before]


@search_kernel
def list_takes(position: Row, knowledge: Knowledge, pads: Pads) -> int:
    """The takes of the draft: tiles gained, points lost with the marker."""
    weights, worth, moves, promises = knowledge.weights, knowledge.worth, pads.moves, pads.promises
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
            total = more_tiles_worth(position, seat, joker, number_of(taken, joker), weights, worth)
            if colour != joker:
                total += more_tiles_worth(position, seat, colour, number_of(taken, colour), weights, worth)
            if takes_marker(position, place):
                total += weights[stage, STARTS] - marker_cost(position, seat, taken)
            moves[count] = take_move(place, colour)
            promises[count] = total
            count += 1
    return count


@search_kernel
def keeping_worth(hand: int, kept: int, next_joker: int, stage: int, weights: Cells) -> float:
    """What tiles in the corners are worth, less the points for those thrown away."""
    number = count_tiles(kept)
    total = float(number - count_tiles(hand))
    if number:
        total += weights[stage, KEPT + number - 1]
    if next_joker < COLOURS:
        total += weights[stage, KEPT_JOKERS] * number_of(kept, next_joker)
    return total


@search_kernel
def list_placements(position: Row, knowledge: Knowledge, pads: Pads) -> int:
    """To pass, and every placement: points and promise less the price of the tiles."""
    weights, worth, moves, promises = knowledge.weights, knowledge.worth, pads.moves, pads.promises
    seat = position.turn
    stage = int(position.round_number)
    price = weights[stage, PRICE]
    hand = position.hand[seat]
    held = count_tiles(hand)
    moves[0] = pass_move(position)
    best_kept = float(min(held, CORNERS) - held)
    if held:
        best_kept += weights[stage, KEPT + min(held, CORNERS) - 1]
    promises[0] = best_kept - price * held
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
                gain = placement_worth(position, seat, space, colour, stage, weights, worth) - price * number
                for paid in range(fewest, most + 1):
                    moves[count] = placement_move(position, space, colour, paid)
                    promises[count] = gain - (JOKER_PRICE - 1) * price * paid
                    count += 1
    return count


@search_kernel
def list_choices(position: Row, knowledge: Knowledge, pads: Pads) -> int:
    """Bonus tiles from the supply, or tiles to keep."""
    weights, worth, moves, promises = knowledge.weights, knowledge.worth, pads.moves, pads.promises
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
                    total += more_tiles_worth(position, seat, colour, number, weights, worth)
        else:
            total = keeping_worth(heap, chosen, stage, stage, weights)
            for colour in range(COLOURS):
                # Tiles of one colour are more useful together, and where their star has room.
                number = number_of(chosen, colour)
                total += 0.1 * number * number
                if not position.grey and star_pattern(position, seat, colour) == FULL_STAR:
                    total -= 0.4 * number
        promises[count] = total
        count += 1
    return count


@search_kernel
def list_promising(position: Row, knowledge: Knowledge, pads: Pads) -> int:
    """The legal moves, each with its worth to the mover; returns how many."""
    if position.phase == DRAFT:
        return list_takes(position, knowledge, pads)
    if position.phase == PLACE:
        return list_placements(position, knowledge, pads)
    return list_choices(position, knowledge, pads)


@search_kernel
def round_is_over(position: Row) -> bool:
    """Whether the next round is about to be dealt, or the game has ended: here the search stops and counts."""
    if position.phase == OVER or position.phase == FACTORIES:
        return True
    return position.phase == SUPPLY and position.stage == PLACING and everybody_passed(position)


@search_kernel
def must_draw(position: Row) -> bool:
    """Whether the supply must be refilled before the round goes on."""
    return position.phase == SUPPLY and not round_is_over(position)


@search_kernel
def is_nearly_over(position: Row) -> bool:
    """Whether so few tiles are left that the end of the round may be worked out exactly."""
    if position.players != 2 or position.stage != PLACING:
        return False
    left = 0
    for seat in range(position.players):
        if not position.passed >> seat & 1:
            left += count_tiles(position.hand[seat])
    return left <= FEW_TILES


@search_kernel
def draw_in_mid_round(position: Row, generator: Cells) -> bool:
    """The supply is refilled after a turn: the search draws for itself, from what the bag holds."""
    drawn = False
    while must_draw(position):
        draw(position, pick(drawn_from(position), generator))
        drawn = True
    return drawn
