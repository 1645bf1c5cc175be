"""What a player sees, in the form that OpenSpiel's algorithms ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.observation import Observer
from tilewright.game.game import Game

if TYPE_CHECKING:
    from tilewright.envs.openspiel.states import OpenSpielState


class TableObserver:
    """The whole table as numbers and as a line of text; ``dict`` shows the parts of ``tensor``, without copies."""

    def __init__(self, rule_set: Game) -> None:
        self._observer = Observer(rule_set)
        self.tensor: NDArray[np.float32] = np.zeros(self._observer.size, np.float32)
        self.dict = {part.name: self._observer.part(self.tensor, part.name) for part in self._observer.parts}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Look at a state from a player's seat."""
        self._observer.write(state.table, 0, player, self.tensor)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The position as text: the same for every player, for all lies open."""
        return str(state)
