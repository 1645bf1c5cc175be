"""Evaluation by the champion's search, for rule sets that have a network."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tilewright.bots.bot import new_generator
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.insight.calibration import Calibration, calibration_of
from tilewright.insight.evaluation import Candidate, Evaluation, Meter
from tilewright.insight.expectation import Expectation, difference
from tilewright.kernels.compile import Cells
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.champion import ChampionSearch, TriedMove
from tilewright.search.champion_workspace import CHAMPION_SETTINGS, ChampionSettings
from tilewright.search.network import network_weights_for

EVALUATION_SETTINGS = CHAMPION_SETTINGS._replace(exploration=2.0)
"""A search that evaluates a position looks at more replies than one that only has to choose a move."""
_LEAST_ROOM = 64
"""An analysis ends when its tree has room for fewer simulations."""
_LEAST_VISITS = 16
"""Where a line ends: with fewer visits, the best move of a node is little more than a guess."""
_SLICE = 256
"""Simulations between two looks at the clock."""


class NetworkEvaluator:
    """An evaluator whose win chances are those of the champion's search, calibrated."""

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        calibration: Calibration | None = None,
        settings: ChampionSettings = EVALUATION_SETTINGS,
        most_nodes: int | None = None,
    ) -> None:
        self.game = game
        self._search = ChampionSearch(game, network_weights_for(game), settings, most_nodes)
        self._calibration = calibration or calibration_of(game)
        self._first_word = new_generator(seed)

    def evaluate(self, position: Position, budget: Budget, cancellation: Cancellation) -> Evaluation:
        """Evaluate a position within a budget."""
        if position.is_over:
            return Evaluation.of_outcome(position)
        generator = self._begin(position, budget)
        meter = Meter(budget)
        while (wanted := min(_SLICE, meter.left(self._search.simulations))) and not cancellation.is_cancelled:
            if self._search.simulate(wanted, generator, cancellation) < wanted:
                break
            self._note()
        return self._evaluation(position, lines=1)

    def watch(self, position: Position, budget: Budget, lines: int, cancellation: Cancellation) -> Iterator[Evaluation]:
        """Evaluations that become better: half of the simulations begin at the position, half after its best moves."""
        if position.is_over:
            yield Evaluation.of_outcome(position)
            return
        generator = self._begin(position, budget, spare=2)
        meter, share = Meter(budget), _SLICE // 2
        while True:
            before = self._search.simulations
            self._search.simulate(min(share, self._left(meter)), generator, cancellation)
            if lines > 1 and position.turn is not None:
                self._deepen(position, lines, min(share, self._left(meter)), generator, cancellation)
            self._note()
            yield self._evaluation(position, lines)
            done = self._search.simulations
            if done == before or not self._left(meter) or cancellation.is_cancelled:
                return
            share = max(share, done // 4)

    def _left(self, meter: Meter) -> int:
        """Simulations that the budget and the tree have room for."""
        room = self._search.room
        return min(meter.left(self._search.simulations), room if room >= _LEAST_ROOM else 0)

    def _begin(self, position: Position, budget: Budget, spare: int = 1) -> Cells:
        """A new tree, which may have room to spare, and the generator of its draws."""
        simulations = budget.simulations or budget.nodes or self._search.most_nodes
        self._search.start(position, min(self._search.most_nodes, spare * (simulations + _SLICE)))
        generator = self._first_word.copy()
        if position.turn is None:  # a draw has no value until one was sampled
            self._search.simulate(1, generator, Cancellation())
        self._earlier = self._latest = self._expectation()
        self._noted = 0
        self._untried: dict[int, Candidate] = {}
        return generator

    def _expectation(self) -> Expectation:
        return self._calibration.expectation(*self._search.expectation())

    def _note(self) -> None:
        """From time to time, when the simulations have quadrupled, keep in mind what the search thought."""
        if self._search.simulations >= 4 * self._noted:
            self._earlier, self._latest = self._latest, self._expectation()
            self._noted = self._search.simulations

    def _deepen(self, position: Position, lines: int, limit: int, generator: Cells, cancellation: Cancellation) -> None:
        """Spend simulations on those of the best moves that were visited least, in the same tree.

        Where the search is sure of itself it tries few moves; then those that seemed best before the search count too.
        """
        best = [move.move for move in self._search.root_moves()[:lines]]
        visits = {tried.move: tried.visits_after for tried in self._search.tried_moves()}
        visits = {move: visits.get(move) or self._visits_of_untried(move) for move in best}
        level = (sum(visits.values()) + limit) // max(1, len(best))
        for move in sorted(best, key=visits.__getitem__):
            after = position.without_dealer()
            after.push(move)
            wanted = min(limit, level - visits[move])
            if wanted > 0 and not after.is_over:
                self._search.move_to(after)
                done = self._search.simulate(wanted, generator, cancellation)
                limit -= done
                self._untried[move] = self._untried_candidate(move, visits[move] + done)
        self._search.move_to(position)

    def _visits_of_untried(self, move: int) -> int:
        return self._untried[move].visits if move in self._untried else 0

    def _untried_candidate(self, move: int, visits: int) -> Candidate:
        """A move of the last root, from a search that began after it."""
        moves = self.game.moves
        line = (move, *self._search.principal_variation(least_visits=_LEAST_VISITS))
        return Candidate(moves[move], self._expectation(), visits, 0.0, tuple(moves[one] for one in line))

    def _evaluation(self, position: Position, lines: int) -> Evaluation:
        """What the tree holds. Of the best moves, which were searched alike, the one that is worth most comes first."""
        expectation, done = self._expectation(), self._search.simulations
        drift = self._drift(expectation)
        if position.turn is None:
            return Evaluation(expectation, (), done, drift)
        seat = position.turn
        tried = self._search.tried_moves()
        candidates = [self._candidate(move, has_line=n < lines) for n, move in enumerate(tried)]
        if len(candidates) < lines:
            candidates += self._never_tried({move.move for move in tried})
        best = sorted(candidates[:lines], key=lambda one: -one.expectation.utility_for(seat))
        if lines > 1 and best:
            expectation = best[0].expectation
        return Evaluation(expectation, (*best, *candidates[lines:]), done, drift)

    def _never_tried(self, tried: set[int]) -> list[Candidate]:
        """Moves that were only searched from the positions after them."""
        priors = {move.move: move.prior for move in self._search.root_moves()}
        found = [replace(one, prior=priors[move]) for move, one in self._untried.items() if move not in tried]
        return sorted(found, key=lambda one: -one.visits)

    def _drift(self, now: Expectation) -> tuple[float, ...]:
        """How far the chances have moved since an earlier moment; nothing once the round is solved."""
        if self._search.is_solved:
            return (0.0,) * self.game.players
        then = self._latest if self._search.simulations >= 2 * self._noted else self._earlier
        return tuple(abs(change) for change in difference(now.chances, then.chances))

    def _candidate(self, tried: TriedMove, has_line: bool) -> Candidate:
        moves = self.game.moves
        line = self._search.principal_variation(tried.move, _LEAST_VISITS) if has_line else (tried.move,)
        return Candidate(
            move=moves[tried.move],
            expectation=self._calibration.expectation(*tried.values),
            visits=tried.visits_after,
            prior=tried.prior,
            line=tuple(moves[move] for move in line),
        )
