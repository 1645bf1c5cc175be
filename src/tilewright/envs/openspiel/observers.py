"""Observations in the form that OpenSpiel's algorithms expect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.observation import Observer
from tilewright.game.game import Game

if TYPE_CHECKING:
    from tilewright.envs.openspiel.states import OpenSpielState


class PublicObserver:
    """The position as numbers and as a line of text; ``dict`` has views of the parts of ``tensor``."""

    def __init__(self, rule_set: Game) -> None:
        self._observer = Observer(rule_set)
        self.tensor: NDArray[np.float32] = np.zeros(self._observer.size, np.float32)
        self.dict = {part.name: self._observer.part(self.tensor, part.name) for part in self._observer.parts}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write the observation of a player."""
        self._observer.write(state.states, 0, player, self.tensor)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The position as text, the same for every player because all information is public."""
        return str(state)
