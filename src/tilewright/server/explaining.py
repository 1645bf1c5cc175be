"""Why a move is a good one, in the same words as reviews: for hints, and for the coach of a guided game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.insight.analysis import Analysis
from tilewright.insight.evaluation import Candidate
from tilewright.insight.reason import Reason
from tilewright.insight.reasons import VAGUE, explain
from tilewright.insight.wording import tell_reasons
from tilewright.view.narrator import tell

_WEAKER = 6
"""How many weaker moves are looked at for a comparison."""


def explained(position: Position, analysis: Analysis, names: list[str], language: str) -> dict[str, Any]:
    """The best move as advice to the player to move, and if there is a choice, why it is better than another one."""
    told = {"told": _advised(position, analysis.best.move, language)}
    compared = _most_telling(position, analysis, analysis.candidates[1 : analysis.lines])
    if compared is None or not _telling(compared[1]):  # a weaker move may show better what is good about the best one
        weaker = analysis.candidates[analysis.lines : analysis.lines + _WEAKER]
        compared = _most_telling(position, analysis, weaker) or compared
    if compared is None:
        return told
    other, reasons = compared
    return {
        **told,
        "other": _advised(position, other.move, language),
        "reasons": tell_reasons(reasons, position.game, names, language, you=position.turn, was_played=False),
    }


def _advised(position: Position, move: Move, language: str) -> str:
    told = tell(position, move, language)
    return told.advice or told.sentence


def _most_telling(
    position: Position, analysis: Analysis, others: Sequence[Candidate]
) -> tuple[Candidate, Sequence[Reason]] | None:
    """The comparison with one of these moves from which a player learns most."""
    compared = [_compared(position, analysis, other) for other in others]
    return max(compared, key=lambda one: _telling(one[1]), default=None)


def _compared(position: Position, analysis: Analysis, other: Candidate) -> tuple[Candidate, Sequence[Reason]]:
    """Another good move, and why the best one is better."""
    lost = analysis.margin(analysis.best) - analysis.margin(other)
    chance = analysis.best.expectation.chances[position.turn or 0]
    return other, explain(position, other.line, analysis.best.line, lost, chance)


def _telling(reasons: Sequence[Reason]) -> float:
    """How much a player learns from reasons: little from those that only name a number."""
    return sum(reason.weight for reason in reasons if reason.kind not in VAGUE)
