"""Which games are registered with PettingZoo, Gymnasium and OpenSpiel: all that are installed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.registry import GAMES


def installed_games() -> Iterator[type[Game]]:
    """Every installed game; one that cannot be loaded is reported as a warning, so that the others stay usable."""
    for name in GAMES:
        try:
            game = GAMES[name]
        except BadOption as error:
            warnings.warn(str(error), stacklevel=2)
        else:
            yield game
