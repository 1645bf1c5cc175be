"""What an observation is made of: a table of parts, and the small writers that fill them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from tilewright.envs.compiling import env_kernel
from tilewright.rules.factories import count_factories
from tilewright.rules.heap import number_of
from tilewright.rules.kernel import Cells

if TYPE_CHECKING:
    from tilewright.game.game import Game


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation that belong together."""

    name: str
    shape: tuple[int, ...]
    scale: float
    """What a count is divided by; 1 for yes and no."""
    high: float
    """The largest number that can stand here; the smallest is 0."""
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def places_parts(game: Game, kinds: int) -> list[Part]:
    """The factories and the centre, as every game of the family has them."""
    factories = int(count_factories(game.players))
    return [
        Part("factories", (factories, kinds), 4, 1, "tiles of each kind on each factory"),
        Part("centre", (kinds,), 3 * factories, 1, "tiles of each kind in the centre of the table"),
        Part("marker in the centre", (1,), 1, 1, "nobody has taken the starting player marker yet"),
    ]


@env_kernel
def seat_after(observer: int, step: int, players: int) -> int:
    """The seat so many steps clockwise from the observer (a division would cost more than all the rest)."""
    seat = int(observer) + step
    return seat - players if seat >= players else seat


# The places of a part are counted without a sign: a compiler that need not think of places before the first writes
# several numbers at once.


@env_kernel
def write_heap(heap: int, kinds: int, scale: float, out: Cells, at: int) -> int:
    """The tiles of each kind in a heap; returns where the next part begins, as all writers do."""
    first = np.uint64(at)
    for kind in range(np.uint64(kinds)):
        out[first + kind] = np.float32(number_of(heap, int(kind))) * np.float32(scale)
    return at + kinds


@env_kernel
def write_bits(bits: int, count: int, out: Cells, at: int) -> int:
    """So many bits, the lowest first, as yes and no."""
    first = np.uint64(at)
    for n in range(np.uint64(count)):
        out[first + n] = np.float32(bits >> int(n) & 1)
    return at + count


@env_kernel
def write_number(number: int, scale: float, out: Cells, at: int) -> int:
    """One count."""
    out[np.uint64(at)] = np.float32(number) * np.float32(scale)
    return at + 1


@env_kernel
def write_choice(chosen: int, count: int, out: Cells, at: int) -> int:
    """One of so many things, none of them if ``chosen`` is negative."""
    first = np.uint64(at)
    for n in range(np.uint64(count)):
        out[first + n] = np.float32(int(n) == chosen)
    return at + count
