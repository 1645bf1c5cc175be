"""Symmetries of the family: interchangeable factories, and renamed colours and cells where a game has them.

Factories are interchangeable in every game of the family: 120, 5040 or 362880 orders for 2, 3 or 4 players. While they
are being filled their order determines which is filled next, so then they stay as they are. Seats need no symmetry:
observations count them from the observer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.moves import MoveLike
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.games.family.factories import count_factories, sort_factories
from tilewright.games.family.heap import KINDS, heaps_as_counts
from tilewright.kernels.compile import Cells, kernel

Numbers = NDArray[np.int64]


def _part(game: Game) -> Any:
    """The game's own module ``symmetry``, which describes its fields, cells and moves."""
    return game.spec.part("symmetry")


@kernel
def sort_at(states: Cells, i: int) -> None:
    """Sort the factories of one of many positions."""
    sort_factories(states[i])


def canonical(position: Position) -> tuple[Position, Numbers]:
    """The position with its factories sorted, and for every move the number that it has there.

    A policy for the canonical position serves all orders of the factories. The option ``canonical=True`` of the
    environments sorts them in the same way after each step.

    >>> import tilewright as tw
    >>> game = tw.Azul(players=2)
    >>> position = game.start(seed=7)
    >>> twin, moves = canonical(position)
    >>> [game.tiles.spell(heap) for heap in position.state.places[1:6]]
    ['byrw', 'yyrr', 'bbrw', 'rwww', 'ykkw']
    >>> [game.tiles.spell(heap) for heap in twin.state.places[1:6]]
    ['rwww', 'ykkw', 'byrw', 'bbrw', 'yyrr']
    >>> game.moves[moves[game.move("5k2")]]
    Move(80, '2k2')
    """
    states = position.states.copy()
    sort_at(states, 0)
    factories = range(1, int(count_factories(position.game.players)) + 1)
    order: list[int] = []
    for heap in states["places"][0, factories]:
        order.append(next(f for f in factories if position.state.places[f] == heap and f not in order))
    return _with_states(position, states), factory_order(position.game, order).moves


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A renaming of places, kinds of tile and cells that changes nothing for the players.

    Legal moves, scores and the end of the game are the same under the new names, provided that the same (renamed) tiles
    are drawn. The moves of two symmetries in succession are ``second.moves[first.moves]``.
    """

    name: str
    game: Game
    places: Numbers
    """The new number of each place: the centre, which stays 0, and the factories."""
    kinds: Numbers
    """The new number of each kind of tile."""
    cells: Numbers
    """The new number of each cell of a wall or space of a board."""

    def position(self, position: Position) -> Position:
        """The position under its new names: a copy without history, with a copy of the dealer.

        The dealer does not rename colours: it will draw different, equally likely tiles.
        """
        if position.game != self.game:
            raise BadOption(f"this is a symmetry of {self.game!r}, not of {position.game!r}")
        states, part = position.states.copy(), _part(self.game)
        renamed = np.append(self.kinds, -1)  # no tile, -1, is the last
        for name in part.HEAPS:
            states[name] = _rename_heaps(states[name], self.kinds)
        if states["filled"][0] == 0:
            states["places"][:, self.places] = states["places"][:, : len(self.places)].copy()
        board = part.BOARD
        tiles = states[board].reshape(*states[board].shape[:2], -1)
        moved = np.empty_like(tiles)
        moved[..., self.cells] = renamed[tiles]
        states[board] = moved.reshape(states[board].shape)
        for name in part.KIND_FIELDS:
            states[name] = renamed[states[name]]
        self.game.kernels.refresh_at(states, 0)
        return _with_states(position, states)

    def move(self, move: MoveLike) -> int:
        """The new number of a move."""
        return int(self.moves[int(self.game.move(move))])

    @cached_property
    def moves(self) -> Numbers:
        """The new number of every move of the action space."""
        moved: Numbers = _part(self.game).moves_under(self)
        return moved


# ---------------------------------------------------------------------------------------------- Symmetries


def factory_order(game: Game, order: Sequence[int]) -> Symmetry:
    """The factories in another order: ``order`` lists them, numbered from 1, in their new order.

    >>> import tilewright as tw
    >>> game = tw.Azul(players=2)
    >>> swap = factory_order(game, [2, 1, 3, 4, 5])
    >>> game.moves[swap.move("1b3")]
    Move(63, '2b3')
    """
    factories = int(count_factories(game.players))
    if sorted(order) != list(range(1, factories + 1)):
        raise BadOption(f"an order of the factories has each number from 1 to {factories} once, not {echo(order)}")
    places = np.zeros(factories + 1, np.int64)
    places[np.asarray(order)] = np.arange(1, factories + 1)
    return Symmetry(
        f"factories {' '.join(map(str, order))}", game, places, np.arange(KINDS), np.arange(_part(game).CELLS)
    )


def places_as_they_are(game: Game) -> Numbers:
    """The centre and the factories, unchanged."""
    return np.arange(int(count_factories(game.players)) + 1)


def unchanged(game: Game) -> Symmetry:
    """The symmetry that changes nothing."""
    return Symmetry("unchanged", game, places_as_they_are(game), np.arange(KINDS), np.arange(_part(game).CELLS))


# ------------------------------------------------------------------------------------------------- Helpers


def _with_states(position: Position, states: Cells) -> Position:
    dealer = position.dealer
    return position.game.trusted_position(states, dealer.copy() if dealer is not None else None)


def _rename_heaps(heaps: Cells, kinds: Numbers) -> Cells:
    """Heaps with their kinds of tile renamed."""
    counts = heaps_as_counts(heaps)
    renamed = np.zeros_like(counts)
    renamed[..., kinds] = counts[..., :KINDS]
    return renamed.view(np.int64)[..., 0]


def blocks(order: Numbers, within: Numbers) -> Numbers:
    """Permute numbers that come in blocks of equal size: the blocks by ``order``, each within itself by ``within``."""
    return (order[:, None] * len(within) + within).ravel()
