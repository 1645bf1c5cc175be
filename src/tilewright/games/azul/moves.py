"""The moves of Azul as numbers, and which of them are legal.

Without jokers a place has 30 moves: colour * 6 + destination. With jokers it has 141: those 30; then 6 for
its jokers alone, one a destination; then for each colour taken together with the jokers 21 slots: slot
line * (line + 1) / 2 + jokers that stay in the line, and slot 0 for the floor. After all the places, where
walls leave a choice: 25 cells, row * 5 + column.
"""

from __future__ import annotations

from tilewright.games.azul.rules import (
    COLOURS,
    DESTINATIONS,
    DRAFT,
    FLOOR,
    JOKER,
    LINES,
    TILE,
    end_turn,
    full_line,
    lines_open_to,
    put_on_wall,
    room_in_line,
    take_tiles,
    valid_columns,
)
from tilewright.games.family.factories import count_factories, places_with
from tilewright.games.family.heap import number_of
from tilewright.kernels.chance import count_bits, nth_bit
from tilewright.kernels.compile import Cells, Row, kernel

COLOUR_MOVES = COLOURS * DESTINATIONS
JOKER_SLOTS = 21
PLACE_MOVES_WITH_JOKERS = COLOUR_MOVES + DESTINATIONS + COLOURS * JOKER_SLOTS


@kernel
def moves_of_a_place(position: Row) -> int:
    """How many numbers each place has in the action space."""
    return PLACE_MOVES_WITH_JOKERS if position.jokers else COLOUR_MOVES


@kernel
def count_draft_moves(position: Row) -> int:
    """The first number after those for taking tiles."""
    return (count_factories(position.players) + 1) * moves_of_a_place(position)


@kernel
def count_actions(position: Row) -> int:
    """The size of the action space of this rule set."""
    cells = LINES * LINES if position.grey or position.jokers else 0
    return count_draft_moves(position) + cells


@kernel
def decode_draft(position: Row, move: int) -> tuple[int, int, int, int, int]:
    """What a number means: place, colour, whether the jokers come too, destination, jokers kept."""
    moves = moves_of_a_place(position)
    place = move // moves
    rest = move % moves
    if rest < COLOUR_MOVES:
        return place, rest // DESTINATIONS, 0, rest % DESTINATIONS, 0
    rest -= COLOUR_MOVES
    if rest < DESTINATIONS:
        kept = 0
        if rest != FLOOR:
            kept = min(number_of(position.places[place], JOKER), room_in_line(position, position.turn, rest))
        return place, JOKER, 0, rest, kept
    rest -= DESTINATIONS
    line, kept = jokers_of_slot(rest % JOKER_SLOTS)
    return place, rest // JOKER_SLOTS, 1, line, kept


@kernel
def jokers_of_slot(slot: int) -> tuple[int, int]:
    """The destination that a slot stands for, and how many jokers stay there."""
    line = 0
    while (line + 1) * (line + 2) // 2 <= slot:
        line += 1
    return line, slot - line * (line + 1) // 2


@kernel
def jokers_that_may_stay(position: Row, place: int, colour: int, line: int) -> tuple[int, int]:
    """Least and most jokers that stay in a line when a colour and all jokers of a place go there."""
    jokers = number_of(position.places[place], JOKER)
    room = room_in_line(position, position.turn, line)
    least = max(0, min(jokers, room - number_of(position.places[place], colour)))
    return least, min(jokers, room)


@kernel
def apply_move(position: Row, move: int) -> None:
    """Play a legal move."""
    if position.phase == TILE:
        cell = move - count_draft_moves(position)
        put_on_wall(position, position.turn, cell // LINES, cell % LINES)
    else:
        place, colour, with_jokers, destination, kept = decode_draft(position, move)
        take_tiles(position, place, colour, with_jokers, destination, kept)
    end_turn(position)


@kernel
def is_legal(position: Row, move: int) -> bool:
    """Whether a number is a legal move here."""
    if move < 0 or move >= count_actions(position):
        return False
    first_cell = count_draft_moves(position)
    if position.phase == TILE:
        row = full_line(position, position.turn)
        column = move - first_cell - row * LINES
        return 0 <= column < LINES and (valid_columns(position, position.turn, row) >> column & 1) == 1
    if position.phase != DRAFT or move >= first_cell:
        return False
    place, colour, with_jokers, destination, kept = decode_draft(position, move)
    if number_of(position.places[place], colour) == 0:
        return False
    if not lines_open_to(position, position.turn, colour) >> destination & 1:
        return False
    if not with_jokers:
        return True
    if number_of(position.places[place], JOKER) == 0:
        return False
    if destination == FLOOR:
        return True
    least, most = jokers_that_may_stay(position, place, colour, destination)
    return least <= kept <= most


@kernel
def count_joker_slots(position: Row, place: int, colour: int) -> int:
    """How many moves take a colour together with the jokers of a place."""
    slots = 1
    lines = lines_open_to(position, position.turn, colour)
    for line in range(1, DESTINATIONS):
        if lines >> line & 1:
            least, most = jokers_that_may_stay(position, place, colour, line)
            slots += most - least + 1
    return slots


@kernel
def nth_joker_slot(position: Row, place: int, colour: int, n: int) -> int:
    """The slot of the n-th of those moves."""
    if n == 0:
        return 0
    n -= 1
    lines = lines_open_to(position, position.turn, colour)
    for line in range(1, DESTINATIONS):
        if lines >> line & 1:
            least, most = jokers_that_may_stay(position, place, colour, line)
            if n <= most - least:
                return line * (line + 1) // 2 + least + n
            n -= most - least + 1
    return -1


@kernel
def count_joker_moves(position: Row) -> int:
    """Moves that take jokers, alone or with a colour."""
    places = places_with(position, JOKER)
    total = count_bits(places) * count_bits(lines_open_to(position, position.turn, JOKER))
    for colour in range(COLOURS):
        both = places & places_with(position, colour)
        for n in range(count_bits(both)):
            total += count_joker_slots(position, nth_bit(both, n), colour)
    return total


@kernel
def nth_joker_move(position: Row, n: int) -> int:
    """The n-th move that takes jokers."""
    places = places_with(position, JOKER)
    lines = lines_open_to(position, position.turn, JOKER)
    alone = count_bits(lines)
    if n < count_bits(places) * alone:
        place = nth_bit(places, n // alone)
        return place * PLACE_MOVES_WITH_JOKERS + COLOUR_MOVES + nth_bit(lines, n % alone)
    n -= count_bits(places) * alone
    for colour in range(COLOURS):
        both = places & places_with(position, colour)
        for m in range(count_bits(both)):
            place = nth_bit(both, m)
            slots = count_joker_slots(position, place, colour)
            if n < slots:
                first = place * PLACE_MOVES_WITH_JOKERS + COLOUR_MOVES + DESTINATIONS + colour * JOKER_SLOTS
                return first + nth_joker_slot(position, place, colour, n)
            n -= slots
    return -1


@kernel
def count_moves(position: Row) -> int:
    """How many moves are legal."""
    total = 0
    if position.phase == DRAFT:
        for colour in range(COLOURS):
            lines = count_bits(lines_open_to(position, position.turn, colour))
            total += count_bits(places_with(position, colour)) * lines
        if position.jokers:
            total += count_joker_moves(position)
    elif position.phase == TILE:
        row = full_line(position, position.turn)
        total = count_bits(valid_columns(position, position.turn, row))
    return total


@kernel
def nth_move(position: Row, n: int) -> int:
    """The n-th legal move, in an order of its own; n is below ``count_moves``."""
    if position.phase == TILE:
        row = full_line(position, position.turn)
        column = nth_bit(valid_columns(position, position.turn, row), n)
        return count_draft_moves(position) + row * LINES + column
    for colour in range(COLOURS):
        places = places_with(position, colour)
        lines = lines_open_to(position, position.turn, colour)
        width = count_bits(lines)
        moves = count_bits(places) * width
        if n < moves:
            place = nth_bit(places, n // width)
            return place * moves_of_a_place(position) + colour * DESTINATIONS + nth_bit(lines, n % width)
        n -= moves
    return nth_joker_move(position, n)


@kernel
def mark_joker_moves(position: Row, legal: Cells) -> None:
    """Mark the moves that take jokers, alone or with a colour."""
    for n in range(count_joker_moves(position)):
        legal[nth_joker_move(position, n)] = True


@kernel
def mark_moves(position: Row, legal: Cells) -> None:
    """Mark every legal move in a row of the action space that was cleared before."""
    if position.phase == DRAFT:
        width = moves_of_a_place(position)
        for colour in range(COLOURS):
            places = places_with(position, colour)
            lines = lines_open_to(position, position.turn, colour)
            for place in range(count_factories(position.players) + 1):
                if places >> place & 1:
                    first = place * width + colour * DESTINATIONS
                    for destination in range(DESTINATIONS):
                        legal[first + destination] = lines >> destination & 1
        if position.jokers:
            mark_joker_moves(position, legal)
    else:
        for n in range(count_moves(position)):
            legal[nth_move(position, n)] = True
