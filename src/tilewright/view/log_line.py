"""A move as the list of moves shows it, live and in replays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.game.effects import MARKER, Effect
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.view.narrator import tell_anyhow
from tilewright.view.slots import on_board_of


@dataclass(frozen=True, slots=True)
class LogLine:
    """What was played in which round, and what it led to."""

    text: str
    round: int
    gains: tuple[int, ...]
    """What each seat won or lost where more was scored than the sentence tells, as at the end of a round."""
    takes_marker: bool

    def described(self) -> dict[str, Any]:
        """As viewers read it."""
        return {"text": self.text, "round": self.round, "gains": list(self.gains), "marker": self.takes_marker}


def log_line(position: Position, move: Move, effects: Sequence[Effect], language: str) -> LogLine:
    """The line of a legal move with these effects."""
    mover, moved = position.turn or 0, [tiles for effect in effects for tiles in effect.tiles]
    marker = any(one.kind == MARKER and on_board_of(mover, one.target) for one in moved)
    sentence = tell_anyhow(position, move, language, effects).sentence
    return LogLine(sentence, position.round, _gains(position, effects), marker)


def _gains(position: Position, effects: Sequence[Effect]) -> tuple[int, ...]:
    """The points of the move itself are in its sentence; so is a single price for the mover, as for the marker."""
    ends = effects[-1].seat is None
    if not ends and sum(bool(effect.points) for effect in effects[1:]) < 2:
        return ()
    gains = [now - before for now, before in zip(effects[-1].after.scores, position.scores, strict=True)]
    if effects[0].seat is not None:
        gains[effects[0].seat] -= effects[0].points
    return tuple(gains) if any(gains) else ()
