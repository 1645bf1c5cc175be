"""Reviewing a game: a quick pass that draws the graph, then every event with a deeper search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

from tilewright.game.dealer import check_seed
from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.moves import Draw, Move
from tilewright.game.position import Position
from tilewright.game.record import Record
from tilewright.game.validation import echo
from tilewright.insight.evaluation import Evaluation, PositionEvaluator, make_evaluator
from tilewright.insight.expectation import Expectation, difference
from tilewright.insight.grades import NOTEWORTHY, grade_of
from tilewright.insight.luck import luck_of
from tilewright.insight.reasons import explain
from tilewright.insight.review import DrawReview, MoveReview, Review
from tilewright.search.budget import Budget, read_budget
from tilewright.search.cancellation import Cancellation

_MOST_SIMULATIONS, _LEAST_SIMULATIONS = 40_000, 1_500
_SIMULATIONS_OF_A_GAME = 84_000_000
"""For evaluations by default: divided by the square of the number of events, because in games with many events each
simulation takes longer, too. A review of a two-player game then takes about ten seconds on one core."""
_USUAL_CHOICE = 20
"""Moves to choose from, on average. Where there are more, a simulation takes longer, and there are fewer of them."""
QUICK, FOR_LUCK, _FOLLOWING = 32, 8, 16
"""What fraction of the budget an evaluation gets in the quick pass, for each deal that is sampled, and for what follows
the end of a line."""
_LEAST_FOR_LUCK = 2_000
"""Simulations that a sampled deal gets at least, if the budget has them: who profits from a deal is a matter of
tactics, which a short search does not see."""
_QUICK_STEPS = 8
"""Positions that the quick pass evaluates between two results."""
_ALTERNATIVES = 2
"""How many of the moves that the search favours are compared with the one that was played."""
_DOUBTFUL, _DEEPER = (0.035, 0.08), 1 / 5
"""Losses near the threshold of a mistake are evaluated again with five times the budget: short searches exaggerate."""
_WORTH_COMPARING = 0.1
"""An alternative is compared if it has at least this share of the visits of the first move."""


def review(
    record: Record,
    budget: Budget | str | None = None,
    seed: int = 0,
    cancellation: Cancellation | None = None,
) -> Review:
    """Review a game. Without a time limit, the result depends only on the record, the budget and the seed.

    The budget is that of each evaluation, of which there are two or three for every decision; by default it depends on
    the length of the game (``default_budget``). A review that is cancelled is not complete.

    The game need not be over: in the review of an unfinished game, the win chances after its last event take the place
    of the result. A record as text is read with ``tw.read_record(text)``, one in a file with ``tw.load_record(path)``.

    >>> import tilewright as tw
    >>> position = next(iter(tw.GAMES.values()))().start(seed=7)
    >>> for _ in range(3):
    ...     _ = position.push(next(iter(position.legal_moves)))
    >>> review = tw.review(position.record(), budget="200")
    >>> len(review.moves), len(review.draws), review.is_complete
    (3, 1, True)
    """
    *_, last = review_live(record, budget, seed, cancellation)
    return last


def review_live(
    record: Record,
    budget: Budget | str | None = None,
    seed: int = 0,
    cancellation: Cancellation | None = None,
) -> Iterator[Review]:
    """The same while it is being made: at least one review, each knowing more than the one before."""
    if not isinstance(record, Record):
        known = "position.record(), tw.read_record(text) or tw.load_record(path)"
        raise BadOption(f"a review is of a record, such as {known}, not of {echo(record)}")
    if not record.events:
        raise TilewrightError("this record has no events to review")
    evaluator = make_evaluator(record.game, check_seed(seed))
    given = default_budget(record) if budget is None else read_budget(budget)
    return _Reviewing(record, evaluator, given, seed, cancellation or Cancellation()).run()


def resume_live(begun: Review, cancellation: Cancellation | None = None) -> Iterator[Review]:
    """Go on with a review that was interrupted, with its own budget and seed.

    Without a time limit it ends as it would have without the interruption.
    """
    evaluator = make_evaluator(begun.record.game, begun.seed)
    budget = read_budget(begun.budget)
    return _Reviewing(begun.record, evaluator, budget, begun.seed, cancellation or Cancellation()).resume(begun)


def default_budget(record: Record) -> Budget:
    """The budget of each evaluation, so that a whole review takes a reasonable time."""
    choices = [len(position.legal_moves) for position in record.positions() if position.turn is not None]
    share = min(1.0, _USUAL_CHOICE * len(choices) / max(1, sum(choices)))
    wanted = int(share * _SIMULATIONS_OF_A_GAME) // len(record.events) ** 2
    return Budget(simulations=max(_LEAST_SIMULATIONS, min(_MOST_SIMULATIONS, wanted)))


@dataclass(frozen=True)
class _Valued:
    """A position that was evaluated: what the seats can expect, how sure that is, and what is expected to follow."""

    expectation: Expectation
    drift: tuple[float, ...]
    line: tuple[Move, ...]
    evaluation: Evaluation


class _Reviewing:
    """A review in the making."""

    def __init__(
        self, record: Record, evaluator: PositionEvaluator, budget: Budget, seed: int, cancellation: Cancellation
    ) -> None:
        self._record, self._evaluator, self._budget, self._seed = record, evaluator, budget, seed
        self._cancellation = cancellation
        self._positions = list(record.positions())
        self._known: dict[tuple[bytes, float], _Valued] = {}
        self._expectations: list[Expectation | None] = [None] * len(self._positions)
        self._moves: list[MoveReview] = []
        self._draws: list[DrawReview] = []

    def run(self) -> Iterator[Review]:
        """The reviews, the last of which is complete unless the review was cancelled."""
        yield from self._draw_graph()
        yield from self._review_events()

    def resume(self, begun: Review) -> Iterator[Review]:
        """The same from where another run was interrupted; one that did not get beyond the graph begins again."""
        done = round(begun.progress * len(self._record.events))
        if not done:
            yield from self.run()
            return
        self._expectations = list(begun.expectations)
        self._moves, self._draws = list(begun.moves), list(begun.draws)
        yield begun
        yield from self._review_events(done)

    def _review_events(self, first: int = 0) -> Iterator[Review]:
        for event in range(first, len(self._record.events)):
            if self._cancellation.is_cancelled:
                break
            self._review_event(event)
            if not self._cancellation.is_cancelled:
                yield self._so_far(event + 1)

    def _so_far(self, events: int) -> Review:
        return Review(
            record=self._record,
            budget=str(self._budget),
            seed=self._seed,
            expectations=tuple(self._expectations),
            moves=tuple(self._moves),
            draws=tuple(self._draws),
            progress=events / len(self._record.events),
        )

    # Evaluation -----------------------------------------------------------------------------------------

    def _value(self, position: Position, part: float = 1) -> _Valued:
        """A position evaluated with a part of the budget, after the moves there that are forced."""
        key = (position.states.tobytes(), part)
        if key not in self._known:
            now, forced = position.without_dealer(), []
            while now.turn is not None and len(now.legal_moves) == 1:
                forced.append(now.push(next(iter(now.legal_moves))))
            evaluation = self._evaluator.evaluate(now, _part_of(self._budget, part), self._cancellation)
            follows = evaluation.candidates[0].line if evaluation.candidates else ()
            self._known[key] = _Valued(evaluation.expectation, evaluation.drift, (*forced, *follows), evaluation)
        return self._known[key]

    @property
    def _part_for_luck(self) -> float:
        simulations = self._budget.simulations or self._budget.nodes
        return FOR_LUCK if simulations is None else max(1.0, min(FOR_LUCK, simulations / _LEAST_FOR_LUCK))

    def _draw_graph(self) -> Iterator[Review]:
        """The quick pass."""
        for n, position in enumerate(self._positions):
            self._expectations[n] = self._value(position, QUICK).expectation
            if (n + 1) % _QUICK_STEPS == 0 or n + 1 == len(self._positions) or self._cancellation.is_cancelled:
                yield self._so_far(0)
            if self._cancellation.is_cancelled:
                return

    # Events ---------------------------------------------------------------------------------------------

    def _review_event(self, event: int) -> None:
        what, after = self._record.events[event], self._positions[event + 1]
        if isinstance(what, Move):
            self._moves.append(self._review_move(event, what))
        elif not after.awaits_draw:
            self._review_deal(event)
        self._expectations[event + 1] = self._value(after).expectation

    def _review_move(self, event: int, move: Move) -> MoveReview:
        position, played = self._positions[event], self._value(self._positions[event + 1])
        seat = position.turn
        assert seat is not None
        best, valued = self._best(position, seat, move, played)
        is_forced = len(position.legal_moves) == 1
        given = difference(played.expectation.chances, valued.expectation.chances)
        if _DOUBTFUL[0] <= -given[seat] < _DOUBTFUL[1]:
            played, valued = (self._value(_after(position, one), _DEEPER) for one in (move, best))
            given = difference(played.expectation.chances, valued.expectation.chances)
        loss = max(0.0, -given[seat])
        found = MoveReview(
            event=event,
            seat=seat,
            round=position.round,
            move=move,
            grade=None if is_forced else grade_of(loss, best == move),
            loss=loss,
            error=0.0 if best == move else round(sqrt(valued.drift[seat] ** 2 + played.drift[seat] ** 2), 5),
            points_lost=difference(valued.expectation.margins, played.expectation.margins)[seat],
            given=given if loss else (0.0,) * position.game.players,
            best=best,
            after=played.expectation,
            after_best=valued.expectation,
            line=(move, *played.line),
            best_line=(best, *valued.line),
        )
        if found.grade not in NOTEWORTHY:
            return found
        line, best_line = (self._to_the_deal(position, line) for line in (found.line, found.best_line))
        reasons = explain(position, line, best_line, found.points_lost, found.after_best.chances[seat])
        return replace(found, line=line, best_line=best_line, reasons=reasons)

    def _to_the_deal(self, position: Position, line: tuple[Move, ...]) -> tuple[Move, ...]:
        """A line, continued by quick searches to the next deal or the end of the game, so that two can be compared."""
        now, whole = position.without_dealer(), list(line)
        for move in line:
            now.push(move)
        while now.turn is not None and (following := self._value(now, _FOLLOWING).line):
            whole += [now.push(move) for move in following]
        return tuple(whole)

    def _best(self, position: Position, seat: int, move: Move, played: _Valued) -> tuple[Move, _Valued]:
        """The best of the move that was played and those that the search favours, each evaluated by its own search."""
        evaluated = {move: played}
        candidates = self._value(position).evaluation.candidates if len(position.legal_moves) > 1 else ()
        for candidate in candidates[:_ALTERNATIVES]:
            if candidate.visits >= _WORTH_COMPARING * candidates[0].visits and candidate.move not in evaluated:
                evaluated[candidate.move] = self._value(_after(position, candidate.move))
        best = max(evaluated, key=lambda one: evaluated[one].expectation.utility_for(seat))
        return best, evaluated[best]

    def _review_deal(self, event: int) -> None:
        """A deal may have been typed in with several events: it is reviewed as a whole, from the first of them.

        The average over the sampled deals says more about the position before them than the network alone.
        """
        first = event
        while first > 0 and isinstance(self._record.events[first - 1], Draw):
            first -= 1
        found = luck_of(
            self._positions[first],
            self._positions[event + 1],
            lambda position: self._value(position, self._part_for_luck).expectation,
            (self._seed, event),
        )
        self._expectations[first] = found.average
        self._draws.append(
            DrawReview(
                event=event,
                round=self._positions[event + 1].round,
                luck=found.luck,
                error=found.error,
                luck_points=found.luck_points,
                samples=found.samples,
            )
        )


def _part_of(budget: Budget, part: float) -> Budget:
    """A budget divided by a number."""
    return replace(
        budget,
        seconds=None if budget.seconds is None else budget.seconds / part,
        simulations=None if budget.simulations is None else max(1, int(budget.simulations / part)),
        nodes=None if budget.nodes is None else max(1, int(budget.nodes / part)),
    )


def _after(position: Position, move: Move) -> Position:
    after = position.without_dealer()
    after.push(move)
    return after
