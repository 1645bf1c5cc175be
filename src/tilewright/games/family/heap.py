"""A heap of tiles: how many there are of each kind.

The bag, the lid, a factory, a floor line, a hand: each is a heap, and a heap is one 64-bit word with a byte
for each of the six kinds. So tiles are added by adding words, a heap is moved by one assignment, and random
play spends its time on the game instead of on loops over kinds.
"""

from __future__ import annotations

import numpy as np

from tilewright.kernels.chance import below
from tilewright.kernels.compile import Cells, kernel

KINDS = 6
"""Six kinds of tile: six colours in Summer Pavilion, five colours and the jokers in Azul."""

BITS = 8
_ONE_OF_EACH = 0x01_01_01_01_01_01
_GUARDS = 0x80_80_80_80_80_80


@kernel
def tiles(kind: int, number: int) -> int:
    """A heap of so many tiles of one kind."""
    return number << (BITS * kind)


@kernel
def number_of(heap: int, kind: int) -> int:
    """How many tiles of a kind a heap has."""
    return (heap >> (BITS * kind)) & 0xFF


@kernel
def count_tiles(heap: int) -> int:
    """All tiles of a heap, whatever their kind."""
    return ((int(heap) * _ONE_OF_EACH) >> (BITS * (KINDS - 1))) & 0xFF


@kernel
def holds(heap: int, part: int) -> bool:
    """Whether a heap has at least the tiles of another."""
    return ((heap | _GUARDS) - part) & _GUARDS == _GUARDS


@kernel
def pick(heap: int, generator: Cells) -> int:
    """The kind of one tile drawn blindly: every tile is as likely as every other."""
    rest = below(generator, count_tiles(heap))
    sums = int(heap) * _ONE_OF_EACH  # each byte now counts the tiles of its own kind and of those before it
    kind = 0
    for earlier in range(KINDS - 1):
        kind += rest >= (sums >> (BITS * earlier)) & 0xFF
    return kind


def heap_of(counts: list[int]) -> int:
    """A heap from the number of tiles of each kind."""
    return sum(number << (BITS * kind) for kind, number in enumerate(counts))


def counts_of(heap: int) -> list[int]:
    """The number of tiles of each kind in a heap."""
    return [int(heap) >> (BITS * kind) & 0xFF for kind in range(KINDS)]


def heaps_as_counts(heaps: Cells) -> Cells:
    """A view of an array of heaps with one more axis: the eight bytes of each word, the last two always 0."""
    return np.ascontiguousarray(heaps).view(np.uint8).reshape(*heaps.shape, 8)
