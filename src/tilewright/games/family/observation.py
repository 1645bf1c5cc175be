"""Observations of what the games of the family share: heaps of tiles, the factories and the centre."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.envs.parts import Part, write_number
from tilewright.games.family.factories import CENTRE, FACTORY_TILES, NOBODY, count_factories
from tilewright.games.family.heap import number_of
from tilewright.kernels.compile import Cells, Row, kernel

if TYPE_CHECKING:
    from tilewright.game.game import Game


def places_parts(game: Game, kinds: int) -> list[Part]:
    """The parts for the factories and the centre, with which every observation begins."""
    factories = int(count_factories(game.players))
    return [
        Part("factories", (factories, kinds), 4, 1, "tiles of each kind on each factory"),
        Part("centre", (kinds,), 3 * factories, 1, "tiles of each kind in the centre of the table"),
        Part("marker in the centre", (1,), 1, 1, "nobody has taken the starting player marker yet"),
    ]


@kernel
def write_heap(heap: int, kinds: int, scale: float, out: Cells, at: int) -> int:
    """The number of tiles of each kind in a heap. Returns the index after the last number, as all writers do."""
    first = np.uint64(at)
    for kind in range(np.uint64(kinds)):
        out[first + kind] = np.float32(number_of(heap, int(kind))) * np.float32(scale)
    return at + kinds


@kernel
def write_places(position: Row, kinds: int, out: Cells) -> int:
    """Write the parts of ``places_parts``."""
    factories = count_factories(position.players)
    at = 0
    for factory in range(1, factories + 1):
        at = write_heap(position.places[factory], kinds, 1 / FACTORY_TILES, out, at)
    at = write_heap(position.places[CENTRE], kinds, 1 / (3 * factories), out, at)
    return write_number(position.marker == NOBODY, 1, out, at)
