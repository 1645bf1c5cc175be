"""The moves of Summer Pavilion as numbers, and which of them are legal.

In this order: taking tiles, place * 6 + colour; placements, by space, colour and jokers paid; 83 choices of
one, two or three bonus tiles; pass; 210 choices of up to four tiles to keep.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from tilewright.games.family.factories import count_factories
from tilewright.games.family.heap import KINDS, count_tiles, holds
from tilewright.games.summer_pavilion.board import (
    CENTRE_STAR,
    FULL_STAR,
    NUMBER,
    RING_OF_STAR,
    SPACES,
    STAR_SPACES,
    STAR_WAYS,
    STARS,
)
from tilewright.games.summer_pavilion.rules import (
    BONUS,
    COLOURS,
    CORNERS,
    DRAFT,
    KEEP,
    PLACE,
    draft,
    end_turn,
    jokers_paid,
    keep_tiles,
    pass_turn,
    place_tile,
    places_to_take_from,
    take_bonus_tiles,
    tiles_to_pay_with,
)
from tilewright.games.summer_pavilion.stars import colours_welcome, star_pattern
from tilewright.kernels.chance import count_bits, nth_bit
from tilewright.kernels.compile import Cells, Row, kernel

# ----------------------------------------------------------------------------------- What the numbers mean

SMALL_HEAPS = np.array(
    [
        sum(1 << 8 * kind for kind in chosen)
        for size in range(CORNERS + 1)
        for chosen in combinations_with_replacement(range(KINDS), size)
    ],
    dtype=np.int64,
)
"""Every choice of up to four tiles, as heaps, smaller ones first."""
FIRST_HEAP = np.array([0, 1, 7, 28, 84, 210], dtype=np.int64)
"""Where the choices of that number of tiles begin."""
BONUS_MOVES = 83
KEEP_MOVES = 210


def _placements() -> tuple[list[list[tuple[int, int, int]]], np.ndarray]:
    """Every placement that each side of the board knows, and the first of each space and colour."""
    numbered: list[list[tuple[int, int, int]]] = []
    first = np.full((2, SPACES, COLOURS), -1, dtype=np.int64)
    for grey in range(2):
        placements: list[tuple[int, int, int]] = []
        for space in range(SPACES):
            star = space // STAR_SPACES
            colours = range(COLOURS) if grey or star == CENTRE_STAR else [star]
            for colour in colours:
                first[grey, space, colour] = len(placements)
                placements += [(space, colour, jokers) for jokers in range(NUMBER[grey, space])]
        numbered.append(placements)
    return numbered, first


PLACEMENTS, FIRST_PLACEMENT = _placements()
PLACE_MOVES = np.array([len(side) for side in PLACEMENTS], dtype=np.int64)
"""252 placements on the coloured side, 864 on the grey side."""
PLACEMENT = np.zeros((2, max(PLACE_MOVES), 3), dtype=np.int8)
for _side in range(2):
    PLACEMENT[_side, : PLACE_MOVES[_side]] = PLACEMENTS[_side]


@kernel
def first_placement_move(position: Row) -> int:
    """Where the placements begin: after the moves that take tiles."""
    return (count_factories(position.players) + 1) * COLOURS


@kernel
def first_bonus_move(position: Row) -> int:
    """Where the choices of bonus tiles begin."""
    return first_placement_move(position) + PLACE_MOVES[position.grey]


@kernel
def pass_move(position: Row) -> int:
    """The number of the pass; the choices of tiles to keep follow it."""
    return first_bonus_move(position) + BONUS_MOVES


@kernel
def count_actions(position: Row) -> int:
    """The size of the action space of this rule set."""
    return pass_move(position) + 1 + KEEP_MOVES


@kernel
def take_move(place: int, colour: int) -> int:
    """The number of taking a colour from a place."""
    return place * COLOURS + colour


@kernel
def placement_move(position: Row, space: int, colour: int, jokers: int) -> int:
    """The number of placing a colour on a space, with the given number of jokers among the tiles paid."""
    return first_placement_move(position) + FIRST_PLACEMENT[position.grey, space, colour] + jokers


@kernel
def choice_move(position: Row, choice: int) -> int:
    """The number of one of the small heaps as bonus tiles, or as tiles to keep."""
    if position.phase == BONUS:
        return first_bonus_move(position) + choice - 1
    return pass_move(position) + 1 + choice


@kernel
def place_and_colour(move: int) -> tuple[int, int]:
    """Where a take takes from, and what."""
    return move // COLOURS, move % COLOURS


@kernel
def space_colour_and_jokers(position: Row, move: int) -> tuple[int, int, int]:
    """What a placement covers, with which colour, and how many jokers are paid."""
    placement = PLACEMENT[position.grey, move - first_placement_move(position)]
    return int(placement[0]), int(placement[1]), int(placement[2])


@kernel
def chosen_tiles(position: Row, move: int) -> int:
    """The tiles that a choice of bonus tiles or of tiles to keep names, as a heap."""
    return SMALL_HEAPS[move - choice_move(position, 0)]


@kernel
def apply_move(position: Row, move: int) -> None:
    """Play a legal move."""
    if position.phase == DRAFT:
        place, colour = place_and_colour(move)
        draft(position, place, colour)
    elif position.phase == PLACE:
        if move == pass_move(position):
            pass_turn(position)
        else:
            space, tile, jokers = space_colour_and_jokers(position, move)
            place_tile(position, space, tile, jokers)
    elif position.phase == BONUS:
        take_bonus_tiles(position, chosen_tiles(position, move))
    else:
        keep_tiles(position, chosen_tiles(position, move))
    end_turn(position)


# ---------------------------------------------------------------------------------------- Which are legal


@kernel
def count_star_placements(position: Row, star: int, colour: int) -> int:
    """In how many ways a colour can be placed in a star that welcomes it."""
    coloured, jokers = tiles_to_pay_with(position, colour)
    free = FULL_STAR & ~star_pattern(position, position.turn, star)
    return int(STAR_WAYS[RING_OF_STAR[position.grey, star], min(coloured, 6), min(jokers, 5), free])


@kernel
def count_placements(position: Row) -> int:
    """How many placements are legal."""
    total = 0
    for star in range(STARS):
        welcome = colours_welcome(position, position.turn, star)
        for colour in range(COLOURS):
            if welcome >> colour & 1:
                total += count_star_placements(position, star, colour)
    return total


@kernel
def nth_star_placement(position: Row, star: int, colour: int, n: int) -> int:
    """The n-th way to place a colour in a star."""
    coloured, jokers = tiles_to_pay_with(position, colour)
    free = FULL_STAR & ~star_pattern(position, position.turn, star)
    for ring in range(STAR_SPACES):
        if free >> ring & 1:
            space = star * STAR_SPACES + ring
            fewest, most = jokers_paid(NUMBER[position.grey, space], coloured, jokers)
            ways = max(0, most - fewest + 1)
            if n < ways:
                return placement_move(position, space, colour, fewest + n)
            n -= ways
    return -1


@kernel
def nth_placement(position: Row, n: int) -> int:
    """The n-th legal placement."""
    for star in range(STARS):
        welcome = colours_welcome(position, position.turn, star)
        for colour in range(COLOURS):
            if welcome >> colour & 1:
                ways = count_star_placements(position, star, colour)
                if n < ways:
                    return nth_star_placement(position, star, colour, n)
                n -= ways
    return -1


@kernel
def heap_choices(position: Row) -> tuple[int, int, int]:
    """In the choice of bonus tiles or tiles to keep: the heap to choose from, and the first and last choice."""
    if position.phase == BONUS:
        return position.supply, FIRST_HEAP[position.owed], FIRST_HEAP[position.owed + 1]
    hand = position.hand[position.turn]
    return hand, 0, FIRST_HEAP[min(CORNERS, count_tiles(hand)) + 1]


@kernel
def count_moves(position: Row) -> int:
    """How many moves are legal."""
    total = 0
    if position.phase == DRAFT:
        for colour in range(COLOURS):
            total += count_bits(places_to_take_from(position, colour))
    elif position.phase == PLACE:
        total = count_placements(position) + 1
    elif position.phase == BONUS or position.phase == KEEP:
        heap, first, end = heap_choices(position)
        for choice in range(first, end):
            total += holds(heap, SMALL_HEAPS[choice])
    return total


@kernel
def nth_move(position: Row, n: int) -> int:
    """The n-th legal move, in an order of its own; n is below ``count_moves``."""
    if position.phase == DRAFT:
        for colour in range(COLOURS):
            places = places_to_take_from(position, colour)
            moves = count_bits(places)
            if n < moves:
                return take_move(nth_bit(places, n), colour)
            n -= moves
    elif position.phase == PLACE:
        if n == 0:
            return pass_move(position)
        return nth_placement(position, n - 1)
    heap, choice, _ = heap_choices(position)
    while True:
        n -= holds(heap, SMALL_HEAPS[choice])
        if n < 0:
            break
        choice += 1
    return choice_move(position, choice)


@kernel
def mark_star_placements(position: Row, star: int, colour: int, legal: Cells) -> None:
    """Mark every way to place a colour in a star that welcomes it."""
    coloured, jokers = tiles_to_pay_with(position, colour)
    free = FULL_STAR & ~star_pattern(position, position.turn, star) if coloured else 0
    while free:
        space = star * STAR_SPACES + nth_bit(free, 0)
        first = placement_move(position, space, colour, 0)
        fewest, most = jokers_paid(NUMBER[position.grey, space], coloured, jokers)
        for paid in range(fewest, most + 1):
            legal[first + paid] = True
        free &= free - 1


@kernel
def mark_placements(position: Row, legal: Cells) -> None:
    """Mark every legal placement, by loops over bits: those over all colours and spaces a compiler would write out."""
    for star in range(STARS):
        welcome = colours_welcome(position, position.turn, star)
        while welcome:
            mark_star_placements(position, star, nth_bit(welcome, 0), legal)
            welcome &= welcome - 1


@kernel
def mark_moves(position: Row, legal: Cells) -> None:
    """Mark every legal move in a row of the action space that was cleared before."""
    if position.phase == DRAFT:
        for colour in range(COLOURS):
            places = places_to_take_from(position, colour)
            for place in range(count_factories(position.players) + 1):
                if places >> place & 1:
                    legal[take_move(place, colour)] = True
    elif position.phase == PLACE:
        legal[pass_move(position)] = True
        mark_placements(position, legal)
    elif position.phase == BONUS or position.phase == KEEP:
        heap, first, end = heap_choices(position)
        for choice in range(first, end):
            if holds(heap, SMALL_HEAPS[choice]):
                legal[choice_move(position, choice)] = True


@kernel
def is_legal_placement(position: Row, move: int) -> bool:
    """Whether a number is a legal placement: the space free, the colour welcome, the tiles there."""
    if move < first_placement_move(position) or move >= first_bonus_move(position):
        return False
    space, colour, jokers = space_colour_and_jokers(position, move)
    if position.covered[position.turn] >> space & 1:
        return False
    if not colours_welcome(position, position.turn, space // STAR_SPACES) >> colour & 1:
        return False
    coloured, available = tiles_to_pay_with(position, colour)
    fewest, most = jokers_paid(NUMBER[position.grey, space], coloured, available)
    return fewest <= jokers <= most


@kernel
def is_legal(position: Row, move: int) -> bool:
    """Whether a number is a legal move here."""
    if move < 0 or move >= count_actions(position):
        return False
    if position.phase == DRAFT:
        if move >= first_placement_move(position):
            return False
        place, colour = place_and_colour(move)
        return (places_to_take_from(position, colour) >> place & 1) == 1
    if position.phase == PLACE:
        return move == pass_move(position) or is_legal_placement(position, move)
    if position.phase != BONUS and position.phase != KEEP:
        return False
    heap, first, end = heap_choices(position)
    choice = move - choice_move(position, 0)
    return first <= choice < end and holds(heap, SMALL_HEAPS[choice])
