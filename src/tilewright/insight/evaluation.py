"""What a search says about a position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.insight.expectation import Expectation
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation

_NO_LIMIT = 1 << 60


@dataclass(frozen=True)
class Candidate:
    """A move, what the seats can expect after it, and the moves that are expected to follow."""

    move: Move
    expectation: Expectation
    visits: int
    """Simulations through the position that the move leads to."""
    prior: float
    """How likely the move seemed before the search."""
    line: tuple[Move, ...]
    """The principal variation, the move itself first."""


@dataclass(frozen=True)
class Evaluation:
    """What the seats can expect in a position, and the moves that the search looked at, the best first."""

    expectation: Expectation
    candidates: tuple[Candidate, ...]
    simulations: int
    drift: tuple[float, ...]
    """By seat, how far the chances moved in the later part of the search: a sign of how sure they are."""

    @classmethod
    def of_outcome(cls, position: Position) -> Evaluation:
        """The result of a finished game, which is certain."""
        return cls(Expectation.of_outcome(position), (), 0, (0.0,) * position.game.players)


class PositionEvaluator(Protocol):
    """A search of one rule set that evaluates positions: before a decision, before a draw, or at the end of the game.

    An evaluation is a search from scratch, which depends on the position, the budget and the seed alone. A review
    compares the positions that different moves lead to, and a tree that served several evaluations would know more
    about some of them than about others.
    """

    game: Game

    def evaluate(self, position: Position, budget: Budget, cancellation: Cancellation) -> Evaluation:
        """Evaluate a position within a budget."""

    def watch(self, position: Position, budget: Budget, lines: int, cancellation: Cancellation) -> Iterator[Evaluation]:
        """Evaluations of a position that become better while the search goes on.

        Each of the best ``lines`` moves is searched with about the same effort and has a principal variation.
        """


def make_evaluator(game: Game, seed: int = 0) -> PositionEvaluator:
    """The champion's search where the rule set has a network, otherwise the plain search."""
    from tilewright.insight.network_evaluator import NetworkEvaluator
    from tilewright.insight.plain_evaluator import PlainEvaluator
    from tilewright.search.rule_sets import network_file

    return NetworkEvaluator(game, seed) if network_file(game).exists() else PlainEvaluator(game, seed)


class Meter:
    """How much of a budget is left. The clock starts when it is made."""

    def __init__(self, budget: Budget) -> None:
        self._simulations = min(budget.simulations or _NO_LIMIT, budget.nodes or _NO_LIMIT)
        self._deadline = None if budget.seconds is None else perf_counter() + budget.seconds

    def left(self, simulations: int) -> int:
        """How many simulations may follow those that were run."""
        late = self._deadline is not None and perf_counter() >= self._deadline
        return 0 if late else max(0, self._simulations - simulations)
