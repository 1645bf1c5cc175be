"""What can still be shown of a game whose code fails: the same in the default form, with a warning.

A game that was played to its end, or saved by an earlier version of its package, must stay visible.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from tilewright.game.effects import Effect, whole_move
from tilewright.game.errors import GameFault
from tilewright.game.moves import Move
from tilewright.game.outcome import Outcome
from tilewright.game.position import Position
from tilewright.game.spec import score_alone
from tilewright.game.tie_breaks import deciding_tie_break


def shown_effects(position: Position, move: Move) -> Sequence[Effect]:
    """What a legal move does; who scored how many points if the game cannot say more."""
    try:
        return position.game.spec.effects(position, move)
    except GameFault as fault:
        warn_of(fault)
        return whole_move(position, move)


def shown_outcome(position: Position) -> Outcome | None:
    """How a game ended; the scores alone if the game cannot say where the points came from."""
    try:
        return position.outcome()
    except GameFault as fault:
        warn_of(fault)
        points = tuple(score_alone(position, seat) for seat in range(position.game.players))
        return Outcome(position.winners, position.scores, points)


def shown_tie_break(position: Position) -> str | None:
    """Which tie-break decided a finished game; none if the game cannot say."""
    try:
        return deciding_tie_break(position)
    except GameFault as fault:
        warn_of(fault)
        return None


def warn_of(fault: GameFault) -> None:
    """Say once what is wrong."""
    warnings.warn(f"{fault}; the default is used instead", stacklevel=3)
