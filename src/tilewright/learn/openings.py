"""Openings: positions before a deal with which games of self-play may begin instead of the empty boards.

Self-play that has settled on one plan never meets the positions of another one, so its network cannot learn what they
are worth. Openings from the games of other bots show them to it (``tools/openings.py`` writes such a file).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tilewright.game.errors import BadOption, BadPosition
from tilewright.game.game import Game


def read_openings(game: Game, path: str) -> np.ndarray[Any, Any]:
    """The rows of all openings: the usual one first, then those of a file, one position text in each line."""
    rows = [game.set_up().states]
    if path:
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise BadOption(f"cannot read the openings in {path!r}: {error.strerror}") from error
        rows += [_read_opening(game, line, f"{path}, line {n}") for n, line in enumerate(lines, start=1)]
    return np.concatenate(rows)


def _read_opening(game: Game, line: str, where: str) -> np.ndarray[Any, Any]:
    """The row of one opening, which must be a position before a deal."""
    try:
        position = game.position(line)
    except BadPosition as error:
        raise BadOption(f"{where}: {error}") from error
    if not position.awaits_draw:
        raise BadOption(f"{where}: an opening is a position before a deal, but here a player is to move, or it is over")
    return position.states
