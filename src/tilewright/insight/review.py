"""The review of a game: what every decision gave away, what every deal was worth, and the totals of each seat."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any

from tilewright.game.errors import TilewrightError
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.record import Record, read_record
from tilewright.insight.expectation import Expectation
from tilewright.insight.grades import Grade, accuracy_of, mean_accuracy, stake_of
from tilewright.insight.reason import Reason
from tilewright.insight.turning_point import TurningPoint, turning_point

VERSION = 5
"""Of the form in which reviews are stored: others are not read, but made again."""


@dataclass(frozen=True)
class MoveReview:
    """A decision: what was played, what would have been best, and what the difference cost."""

    event: int
    """Its index among the events of the record, from 0."""
    seat: int
    round: int
    move: Move
    grade: Grade | None
    """None for a forced move."""
    loss: float
    """The win chance that the player gave away, from 0 to 1."""
    error: float
    """The standard error of the loss, estimated from how much the searches still changed their minds."""
    points_lost: float
    """The same in points of margin; below 0 if the move played was the better one for the margin."""
    given: tuple[float, ...]
    """By seat, the change in win chance that the move brought, compared with the best move."""
    best: Move
    after: Expectation
    """After the move that was played."""
    after_best: Expectation
    """After the best move, evaluated with the same effort."""
    line: tuple[Move, ...]
    """What is expected to follow the move that was played, up to the next deal; the move itself first."""
    best_line: tuple[Move, ...]
    """The same for the best move."""
    reasons: tuple[Reason, ...] = ()
    """Why the best move is better; only for moves that gave something away."""

    @property
    def accuracy(self) -> float:
        """In percent."""
        return accuracy_of(self.loss)

    def to_dict(self) -> dict[str, Any]:
        """For JSON, where players count from 1."""
        return {
            "event": self.event,
            "player": self.seat + 1,
            "round": self.round,
            "move": str(self.move),
            "grade": self.grade,
            "loss": self.loss,
            "error": self.error,
            "points_lost": self.points_lost,
            "given": list(self.given),
            "best": str(self.best),
            "after": self.after.to_dict(),
            "after_best": self.after_best.to_dict(),
            "line": [str(move) for move in self.line],
            "best_line": [str(move) for move in self.best_line],
            "reasons": [reason.to_dict() for reason in self.reasons],
        }

    @classmethod
    def from_dict(cls, game: Game, told: dict[str, Any]) -> MoveReview:
        """What ``to_dict`` wrote."""
        return cls(
            event=told["event"],
            seat=told["player"] - 1,
            round=told["round"],
            move=game.move(told["move"]),
            grade=None if told["grade"] is None else Grade(told["grade"]),
            loss=told["loss"],
            error=told["error"],
            points_lost=told["points_lost"],
            given=tuple(told["given"]),
            best=game.move(told["best"]),
            after=Expectation.from_dict(told["after"]),
            after_best=Expectation.from_dict(told["after_best"]),
            line=tuple(game.move(move) for move in told["line"]),
            best_line=tuple(game.move(move) for move in told["best_line"]),
            reasons=tuple(Reason.from_dict(reason) for reason in told["reasons"]),
        )


@dataclass(frozen=True)
class DrawReview:
    """A deal: what it was worth to each seat, compared with the average over all deals that were possible."""

    event: int
    """The event with its last tile."""
    round: int
    luck: tuple[float, ...]
    """By seat, the win chance after this deal minus the average."""
    error: tuple[float, ...]
    """By seat, the standard error of the average, because it is one over sampled deals."""
    luck_points: tuple[float, ...]
    """By seat, the luck in points of margin."""
    samples: int

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "event": self.event,
            "round": self.round,
            "luck": list(self.luck),
            "error": list(self.error),
            "luck_points": list(self.luck_points),
            "samples": self.samples,
        }

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> DrawReview:
        """What ``to_dict`` wrote."""
        values = {name: tuple(told[name]) for name in ("luck", "error", "luck_points")}
        return cls(event=told["event"], round=told["round"], samples=told["samples"], **values)


@dataclass(frozen=True)
class SeatReview:
    """The totals of a review for one seat.

    ``result`` is exactly ``start - given_away + received + luck + remainder``, all in win chance. The remainder is what
    the searches revised from one position to the next.
    """

    accuracy: float | None
    """The mean over the graded moves, weighted by what was at stake, in percent; None with fewer than two."""
    accuracy_error: float | None
    """Its standard error."""
    start: float
    """The win chance before the first deal."""
    given_away: float
    """What this player's own moves gave away."""
    given_away_error: float
    received: float
    """What the moves of the others gave this seat."""
    luck: float
    luck_error: float
    remainder: float
    remainder_error: float
    """How large a remainder must be expected: the root of the sum of squares of all revisions."""
    result: float
    """The share of the win; in an unfinished game the win chance at its end."""
    grades: dict[Grade, int]
    """How many moves had each grade."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        numbers = {name: value for name, value in vars(self).items() if name != "grades"}
        told: dict[str, Any] = {name: None if value is None else round(value, 5) for name, value in numbers.items()}
        return {**told, "grades": {str(grade): number for grade, number in self.grades.items()}}


@dataclass(frozen=True)
class Review:
    """A game, event by event, as far as it has been reviewed."""

    record: Record
    budget: str
    """The budget of each evaluation, as text."""
    seed: int
    expectations: tuple[Expectation | None, ...]
    """Before the first event and after each: the graph. None where nothing is known yet."""
    moves: tuple[MoveReview, ...]
    draws: tuple[DrawReview, ...]
    progress: float
    """From 0 to 1, when the review is complete."""

    @property
    def is_complete(self) -> bool:
        """Whether every event has been reviewed."""
        return self.progress >= 1

    @cached_property
    def seats(self) -> tuple[SeatReview, ...]:
        """The totals of each seat; only of a complete review."""
        if not self.is_complete:
            raise TilewrightError("the totals of a review are known when it is complete")
        return tuple(self._seat(seat) for seat in range(self.record.game.players))

    def _seat(self, seat: int) -> SeatReview:
        own = [move for move in self.moves if move.seat == seat]
        graded = [move for move in own if move.grade is not None]
        stakes = [stake_of(move.after_best.chances[seat]) for move in graded]
        accuracy, accuracy_error = mean_accuracy([move.loss for move in graded], stakes) or (None, None)
        first, last = self.expectations[0], self.expectations[-1]
        assert first is not None
        assert last is not None
        given_away = sum(move.loss for move in own)
        received = sum(move.given[seat] for move in self.moves if move.seat != seat)
        luck = sum(draw.luck[seat] for draw in self.draws)
        start, result = first.chances[seat], last.chances[seat]
        grades = Counter(move.grade for move in graded)
        return SeatReview(
            accuracy=accuracy,
            accuracy_error=accuracy_error,
            start=start,
            given_away=given_away,
            given_away_error=sqrt(sum(move.error**2 for move in own)),
            received=received,
            luck=luck,
            luck_error=sqrt(sum(draw.error[seat] ** 2 for draw in self.draws)),
            remainder=result - start + given_away - received - luck,
            remainder_error=sqrt(sum(revision**2 for revision in self._revisions(seat))),
            result=result,
            grades={grade: grades[grade] for grade in Grade},
        )

    def _revisions(self, seat: int) -> list[float]:
        """For each move and deal, the change in win chance beyond what the move gave away or the deal was worth.

        They add up to the remainder.
        """
        known = {move.event: move.given[seat] for move in self.moves} | {
            draw.event: draw.luck[seat] for draw in self.draws
        }
        chances = [one.chances[seat] for one in self.expectations if one is not None]
        revisions, before = [], chances[0]
        for event in sorted(known):
            revisions.append(chances[event + 1] - before - known[event])
            before = chances[event + 1]
        return [*revisions, chances[-1] - before]

    @cached_property
    def turning_point(self) -> TurningPoint | None:
        """Where a finished game was decided, if a single event stands out."""
        return turning_point(self)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: everything, the record included. Totals and turning point are there for other programs to read."""
        return {
            "version": VERSION,
            "record": self.record.to_text(),
            "budget": self.budget,
            "seed": self.seed,
            "progress": self.progress,
            "expectations": [None if one is None else one.to_dict() for one in self.expectations],
            "moves": [move.to_dict() for move in self.moves],
            "draws": [draw.to_dict() for draw in self.draws],
            "seats": [seat.to_dict() for seat in self.seats] if self.is_complete else None,
            "turning_point": self.turning_point.to_dict() if self.turning_point else None,
        }

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> Review:
        """What ``to_dict`` wrote."""
        if told.get("version") != VERSION:
            raise TilewrightError(f"this review has version {told.get('version')!r}, not {VERSION}: make it again")
        record = read_record(told["record"])
        return cls(
            record=record,
            budget=told["budget"],
            seed=told["seed"],
            expectations=tuple(None if one is None else Expectation.from_dict(one) for one in told["expectations"]),
            moves=tuple(MoveReview.from_dict(record.game, move) for move in told["moves"]),
            draws=tuple(DrawReview.from_dict(draw) for draw in told["draws"]),
            progress=told["progress"],
        )
