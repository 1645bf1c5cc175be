"""Evaluation by the search without a network, for games that have none."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from tilewright.bots.bot import new_generator
from tilewright.game.dealer import Dealer
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.insight.evaluation import Candidate, Evaluation, Meter
from tilewright.insight.expectation import Expectation
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.searcher import RootMove, Search

_FIRST = 256
"""Simulations of the first evaluation of several."""
_DEALS = 8
"""Deals over which it averages before a draw."""


class PlainEvaluator:
    """An evaluator that knows the chance of the player to move only: the others share the rest equally."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self._search = Search(game)
        self._seed = seed

    def evaluate(self, position: Position, budget: Budget, cancellation: Cancellation) -> Evaluation:
        """Evaluate a position within a budget."""
        if position.is_over:
            return Evaluation.of_outcome(position)
        if position.turn is None:
            return self._before_draw(position, budget, cancellation)
        seat, moves = position.turn, self.game.moves
        found = self._search.run(position.states[0], budget, new_generator(self._seed), cancellation)
        line = tuple(moves[move] for move in found.principal_variation)
        roots = {root.move: root for root in self._search.root_moves()} if found.simulations else {}
        first = roots.pop(int(line[0]), None)
        best = Candidate(
            move=line[0],
            expectation=self._expectation(seat, found.win_probability, found.margin),
            visits=first.visits if first else 1,
            prior=first.prior if first else 1.0,
            line=line,
        )
        others = sorted((root for root in roots.values() if root.visits), key=lambda root: -root.visits)
        candidates = (best, *(self._other(seat, root) for root in others))
        return Evaluation(best.expectation, candidates, found.simulations, _playout_error(best))

    def watch(self, position: Position, budget: Budget, lines: int, cancellation: Cancellation) -> Iterator[Evaluation]:
        """Searches from scratch, each with twice the simulations of the one before."""
        meter, simulations = Meter(budget), _FIRST
        while True:
            left = meter.left(0)
            last = budget.seconds is None and simulations >= left
            yield self.evaluate(position, Budget(simulations=min(simulations, max(left, 1))), cancellation)
            if last or not meter.left(0) or position.turn is None or cancellation.is_cancelled:
                return
            simulations *= 2

    def _other(self, seat: int, root: RootMove) -> Candidate:
        move = self.game.moves[root.move]
        expectation = self._expectation(seat, root.win_probability, root.margin)
        return Candidate(move, expectation, root.visits, root.prior, (move,))

    def _expectation(self, seat: int, chance: float, margin: float) -> Expectation:
        seats, others = range(self.game.players), self.game.players - 1
        return Expectation(
            tuple(chance if other == seat else (1 - chance) / others for other in seats),
            tuple(margin if other == seat else -margin / others for other in seats),
        )

    def _before_draw(self, position: Position, budget: Budget, cancellation: Cancellation) -> Evaluation:
        """The average over a few deals, with a share of the budget each."""
        share = Budget(
            seconds=None if budget.seconds is None else budget.seconds / _DEALS,
            simulations=None if budget.simulations is None else max(1, budget.simulations // _DEALS),
            nodes=None if budget.nodes is None else max(1, budget.nodes // _DEALS),
        )
        found = []
        for n in range(_DEALS):
            dealt = position.without_dealer()
            dealt.deal(seed=Dealer((self._seed + n) % (1 << 64)).seed)
            found.append(self.evaluate(dealt, share, cancellation))
        simulations = sum(evaluation.simulations for evaluation in found)
        drift = np.sqrt(np.mean([np.square(evaluation.drift) for evaluation in found], axis=0) / _DEALS)
        expectation = Expectation.mean([evaluation.expectation for evaluation in found])
        return Evaluation(expectation, (), simulations, tuple(drift.tolist()))


def _playout_error(best: Candidate) -> tuple[float, ...]:
    """The standard error of the chances, if each visit of the best move were an independent playout."""
    return tuple(sqrt(max(0.0, chance * (1 - chance)) / max(1, best.visits)) for chance in best.expectation.chances)
