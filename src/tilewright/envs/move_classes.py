"""Classes of moves that have much in common, for networks: all moves of a class share a logit.

Taking three blue tiles for the third line is much the same from any factory. A network that has to learn this for each
factory learns it slowly, so the logit of a move is one of its own plus one of its class. The class may depend on the
position by one number of the network's input, such as the tiles of a colour on a factory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilewright.envs.observation import network_input_part
from tilewright.game.game import Game


class MoveClasses(NamedTuple):
    """By move: its class is ``first`` plus the number at ``source`` in the input times ``scale``, at most ``most``."""

    first: NDArray[np.float32]
    source: NDArray[np.float32]
    scale: NDArray[np.float32]
    most: NDArray[np.float32]

    @property
    def number(self) -> int:
        """How many classes there are."""
        return int((self.first + self.most).max()) + 1


def move_classes(game: Game) -> MoveClasses:
    """The classes that a game defines beside its network input; without any, all moves are in one class."""
    define = getattr(network_input_part(game), "move_classes", None)
    if define is not None:
        found: MoveClasses = define(game)
        return found
    nothing = np.zeros(game.actions, np.float32)
    return MoveClasses(nothing, nothing, nothing, nothing)
