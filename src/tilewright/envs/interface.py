"""The kernels that a game's parts ``observation`` and ``action_features`` define, for readers and type checkers.

Both parts are optional: see ``default_observation.py`` and ``action_features.py`` for what is used without them.
"""

from __future__ import annotations

from tilewright.kernels.compile import Cells, Row


def observe(position: Row, observer: int, out: Cells) -> None:
    """Write the observation of a seat (part ``observation``, beside ``parts_of(game)``, which lists what it has)."""
    raise NotImplementedError


def describe(position: Row, move: int, out: Cells) -> None:
    """Describe a legal move in zeros (part ``action_features``, beside ``parts_of_action(game)``)."""
    raise NotImplementedError
