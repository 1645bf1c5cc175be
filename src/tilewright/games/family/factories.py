"""What the whole family shares: the factories round the centre of the table, and taking from them.

``places`` holds a heap for each place: place 0 is the centre of the table, 1 and up are the factories.
``offered`` says the same in bits, for speed: bit ``kind * 10 + place`` is set where that kind lies there.
"""

from __future__ import annotations

from tilewright.games.family.heap import KINDS, number_of, tiles
from tilewright.kernels.compile import Row, kernel

CENTRE = 0
FACTORY_TILES = 4
MOST_PLAYERS = 4
MOST_PLACES = 10
NOBODY = -1

_PLACES_MASK = (1 << MOST_PLACES) - 1
_KINDS_COMB = sum(1 << (MOST_PLACES * kind) for kind in range(KINDS))


@kernel
def count_factories(players: int) -> int:
    """Set-up: 5, 7 or 9 factories for 2, 3 or 4 players."""
    return 2 * int(players) + 1


@kernel
def places_with(position: Row, kind: int) -> int:
    """The places that offer a kind, as bits."""
    return (position.offered >> (MOST_PLACES * kind)) & _PLACES_MASK


@kernel
def put_on_factory(position: Row, kind: int) -> None:
    """Factories are filled in order, four tiles each; ``filled`` counts the tiles of this filling."""
    factory = 1 + int(position.filled) // FACTORY_TILES
    position.places[factory] += tiles(kind, 1)
    position.offered |= 1 << (MOST_PLACES * kind + factory)
    position.filled += 1


@kernel
def take_from_place(position: Row, place: int, kind: int, number: int) -> None:
    """So many tiles of a kind leave a place."""
    position.places[place] -= tiles(kind, number)
    if number_of(position.places[place], kind) == 0:
        position.offered &= ~(1 << (MOST_PLACES * kind + place))


@kernel
def move_rest_to_centre(position: Row, factory: int) -> None:
    """What is left of a factory goes to the centre of the table."""
    position.places[CENTRE] += position.places[factory]
    position.places[factory] = 0
    kinds = (position.offered >> factory) & _KINDS_COMB
    position.offered = (position.offered & ~(kinds << factory)) | (kinds << CENTRE)


@kernel
def refresh_offer(position: Row) -> None:
    """Work out ``offered`` anew from the heaps on the places."""
    position.offered = 0
    for place in range(MOST_PLACES):
        for kind in range(KINDS):
            if number_of(position.places[place], kind) > 0:
                position.offered |= 1 << (MOST_PLACES * kind + place)


@kernel
def take_from_bag(bag: int, discards: int, kind: int) -> tuple[int, int]:
    """Bag and discards after one tile of a kind was drawn: an empty bag is refilled now, never earlier."""
    if bag == 0:
        bag, discards = discards, bag
    return bag - tiles(kind, 1), discards


@kernel
def sort_factories(position: Row) -> None:
    """Factories are interchangeable: of all their orders, the one in which the heaps fall, as numbers.

    While they are being filled their order says which comes next, so they stay as they are.
    """
    factories = count_factories(position.players)
    if position.filled > 0:
        return
    for last in range(2, factories + 1):
        heap = position.places[last]
        place = last
        while place > 1 and position.places[place - 1] < heap:
            position.places[place] = position.places[place - 1]
            place -= 1
        position.places[place] = heap
    refresh_offer(position)
