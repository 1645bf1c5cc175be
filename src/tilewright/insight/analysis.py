"""Analysis of one position: what the players can expect, and the best moves with their lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadOption
from tilewright.game.position import Position
from tilewright.game.registry import read_position
from tilewright.game.validation import echo
from tilewright.insight.evaluation import Candidate, Evaluation, make_evaluator
from tilewright.insight.expectation import Expectation
from tilewright.search.budget import Budget, read_budget
from tilewright.search.cancellation import Cancellation

DEFAULT_BUDGET = Budget(simulations=40_000)


@dataclass(frozen=True)
class Analysis:
    """What a search found about a position.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> analysis = tw.analyse(position, budget="400")
    >>> analysis.best.move in position.legal_moves, round(sum(analysis.expectation.chances), 6)
    (True, 1.0)
    >>> Analysis.from_dict(analysis.to_dict()).best.line == analysis.best.line
    True
    """

    position: Position
    """Without its past and without a dealer."""
    expectation: Expectation
    """For each seat, if the best move is played."""
    candidates: tuple[Candidate, ...]
    """The moves that the search tried, best first; none before a draw or at the end of the game."""
    lines: int
    """How many of the candidates were searched with the same effort and have a principal variation."""
    simulations: int

    @property
    def best(self) -> Candidate:
        """The best move."""
        if not self.candidates:
            raise BadOption("no player can move in this position, so it has no best move")
        return self.candidates[0]

    def chance(self, candidate: Candidate) -> float:
        """The win chance of the player to move after a candidate."""
        return candidate.expectation.chances[self.position.turn or 0]

    def margin(self, candidate: Candidate) -> float:
        """The expected margin of the player to move after a candidate, in points."""
        return candidate.expectation.margins[self.position.turn or 0]

    def to_dict(self) -> dict[str, Any]:
        """For JSON: moves are texts, and players count from 1."""
        return {
            "position": self.position.to_text(),
            "turn": None if self.position.turn is None else self.position.turn + 1,
            **self.expectation.to_dict(),
            "candidates": [_candidate_to_dict(candidate) for candidate in self.candidates],
            "lines": self.lines,
            "simulations": self.simulations,
        }

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> Analysis:
        """What ``to_dict`` wrote."""
        position = read_position(told["position"])
        candidates = tuple(_candidate_from_dict(position, one) for one in told["candidates"])
        return cls(position, Expectation.from_dict(told), candidates, told["lines"], told["simulations"])


def analyse(
    position: Position,
    budget: Budget | str = DEFAULT_BUDGET,
    lines: int = 3,
    seed: int = 0,
    cancellation: Cancellation | None = None,
) -> Analysis:
    """Analyse a position. Without a time limit, the result depends only on the position, the budget and the seed."""
    *_, last = analyse_live(position, budget, lines, seed, cancellation)
    return last


def analyse_live(
    position: Position,
    budget: Budget | str = DEFAULT_BUDGET,
    lines: int = 3,
    seed: int = 0,
    cancellation: Cancellation | None = None,
) -> Iterator[Analysis]:
    """The same while the search goes on: at least one analysis, each better than the one before.

    The search rests between two results, so whoever iterates sets its pace.
    """
    if not isinstance(position, Position):
        raise BadOption(f"an analysis is of a position, such as record.replay(), not of {echo(position)}")
    if isinstance(lines, bool) or not isinstance(lines, int) or lines < 1:
        raise BadOption(f"the number of lines is at least 1, not {echo(lines)}")
    evaluator = make_evaluator(position.game, check_seed(seed))
    seen = position.without_dealer()
    seen.forget_past()
    for evaluation in evaluator.watch(seen, read_budget(budget), lines, cancellation or Cancellation()):
        yield _analysis(seen, evaluation, lines)


def _analysis(position: Position, evaluation: Evaluation, lines: int) -> Analysis:
    count = min(lines, len(evaluation.candidates))
    return Analysis(position, evaluation.expectation, evaluation.candidates, count, evaluation.simulations)


def _candidate_to_dict(candidate: Candidate) -> dict[str, Any]:
    return {
        "move": str(candidate.move),
        **candidate.expectation.to_dict(),
        "visits": candidate.visits,
        "prior": round(candidate.prior, 4),
        "line": [str(move) for move in candidate.line],
    }


def _candidate_from_dict(position: Position, told: dict[str, Any]) -> Candidate:
    game = position.game
    return Candidate(
        move=game.move(told["move"]),
        expectation=Expectation.from_dict(told),
        visits=told["visits"],
        prior=told["prior"],
        line=tuple(game.move(move) for move in told["line"]),
    )
