"""Observations: what a player may know, as numbers for learning. The order of tiles in a bag is never part of it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.default_observation import default_observation
from tilewright.envs.parts import Layout
from tilewright.game.errors import BadOption
from tilewright.game.game import Game, check_game
from tilewright.game.row_checks import check_dtype
from tilewright.game.validation import as_array, echo, is_whole_number
from tilewright.kernels.compile import Cells

if TYPE_CHECKING:  # defined by each game
    from tilewright.envs.interface import observe


def observe_at(states: Cells, i: int, seat: int, out: Cells) -> None:
    """Write what a seat observes in one of many positions."""
    observe(states[i], seat, out)


def observe_each_at(states: Cells, seats: Cells, out: Cells) -> None:
    """Write what one seat observes in each of many positions."""
    for i in range(len(states)):
        observe(states[i], seats[i], out[i])


def observation_part(game: Game) -> ModuleType:
    """The module that defines the observations of a game: its own, or one made from the fields of its record."""
    own = game.spec.part("observation")
    return own or default_observation(type(game))  # type: ignore[arg-type]  # mypy takes classes for unhashable


def network_input_part(game: Game) -> ModuleType:
    """The module that defines what networks of a game read: the observation, unless the game has more to say."""
    return game.spec.part("network_input") or observation_part(game)


class Observer(Layout):
    """Observations of a game from the point of view of a seat: the observer comes first, the others in turn order.

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> observer = Observer(game)
    >>> observation = observer.observe(game.start(seed=7).states, 0, seat=0)
    >>> observation.shape == (observer.size,), observation.dtype
    (True, dtype('float32'))
    >>> batch = game.batch(10, seed=7)
    >>> observer.observe_each(batch.states).shape == (10, observer.size)
    True
    >>> observer.part(observation, "score")
    array([0., 0.], dtype=float32)
    """

    whole = "an observation"

    _module_of: ClassVar = staticmethod(observation_part)

    def __init__(self, game: Game) -> None:
        super().__init__(check_game(game), self._module_of(game).parts_of(game))
        self.write_unchecked = self._compile(observe_at)
        """``write`` without its checks, for callers that made both arrays themselves."""

    def _compile(self, function: Callable[..., None]) -> Any:
        return self.game.kernels.compile(function, self._module_of(self.game))

    def observe(self, states: Cells, i: int, seat: int) -> NDArray[np.float32]:
        """What a seat observes in one of the states."""
        out = np.empty(self.size, np.float32)
        self.write(states, i, seat, out)
        return out

    def write(self, states: Cells, i: int, seat: int, out: NDArray[np.float32]) -> None:
        """The same, written to an existing array."""
        self.check_row(states, i)
        if not is_whole_number(seat) or not 0 <= seat < self.game.players:
            raise BadOption(f"a seat is a whole number from 0 to {self.game.players - 1}, not {echo(seat)}")
        self.check_array(out, (self.size,))
        self.write_unchecked(states, i, seat, out)

    def observe_each(self, states: Cells, seats: Any = None) -> NDArray[np.float32]:
        """What one seat observes in each state: the given seats, or those to move."""
        check_dtype(self.game, states)
        out = np.empty((len(states), self.size), np.float32)
        self.write_each(states, states["turn"] if seats is None else seats, out)
        return out

    def write_each(self, states: Cells, seats: Any, out: NDArray[np.float32]) -> None:
        """The same, written to an existing array."""
        check_dtype(self.game, states)
        observers = as_array(seats)
        if observers.shape != (len(states),):
            raise BadOption(f"observing {len(states)} positions takes as many seats, not {echo(seats)}")
        self.check_rows(states)
        in_range = np.issubdtype(observers.dtype, np.integer) and (observers < self.game.players).all()
        if not in_range or (observers < 0).any():
            raise BadOption(f"seats are whole numbers from 0 to {self.game.players - 1}, not {echo(seats)}")
        self.check_array(out, (len(states), self.size))
        self._compile(observe_each_at)(states, observers.astype(np.int64), out)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "write_unchecked"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.write_unchecked = self._compile(observe_at)


class NetworkObserver(Observer):
    """What the networks of a rule set read: the observation and, in some games, what follows from it.

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> NetworkObserver(game).size >= Observer(game).size
    True
    """

    whole = "a network's input"
    _module_of: ClassVar = staticmethod(network_input_part)
