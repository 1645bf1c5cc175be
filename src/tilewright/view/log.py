"""A move in one short line for the log of a table, in every language.

The lines count tiles as "3 × blue" and name what matters with as little grammar as possible, so that they
read well in languages where the colours of tiles would have to agree with them.
"""

from __future__ import annotations

from typing import Any

from tilewright.game.moves import Move
from tilewright.game.position import Position


def log_line(position: Position, move: Move, language: str) -> str:
    """What a move does; ask before it is pushed."""
    log: Any = position.game.spec.part("log")
    return str(log.log_line(position, move, language))
