"""Two moves side by side, for finding out why one is better than the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.game.effects import Effect
from tilewright.game.moves import Move
from tilewright.game.position import Position


@dataclass(frozen=True, eq=False)
class Course:
    """A move and what is expected to follow it, up to the next draw."""

    position: Position
    """Before the move."""
    line: tuple[Move, ...]
    """The move itself first."""

    @property
    def move(self) -> Move:
        """The move."""
        return self.line[0]

    @cached_property
    def effects(self) -> list[Effect]:
        """What the move does, as the rules say it."""
        return self.position.effects(self.move)

    @cached_property
    def after(self) -> Position:
        """Right after the move."""
        return self.effects[-1].after

    @cached_property
    def steps(self) -> list[tuple[Position, Move]]:
        """Each move of the line with the position before it."""
        now, found = self.position.without_dealer(), []
        for move in self.line:
            found.append((now.copy(), move))
            now.push(move)
        return found

    @cached_property
    def end(self) -> Position:
        """After all moves of the line."""
        last, move = self.steps[-1]
        end = last.copy()
        end.push(move)
        return end

    @property
    def is_whole(self) -> bool:
        """Whether the line goes to the end of the round."""
        return self.end.is_over or self.end.round > self.position.round

    def points(self, seat: int) -> int:
        """What a seat wins or loses with the move alone."""
        return sum(effect.points for effect in self.effects if effect.seat == seat)

    def points_by_end(self, seat: int) -> int:
        """What a seat wins or loses by the end of the line."""
        return self.end.scores[seat] - self.position.scores[seat]


@dataclass(frozen=True, eq=False)
class Comparison:
    """The move that was played and the better one, each with its expected course."""

    seat: int
    """Whose move it is."""
    played: Course
    better: Course

    @classmethod
    def of(cls, position: Position, line: Sequence[Move], best_line: Sequence[Move]) -> Comparison:
        """Compare the first moves of two lines from a position."""
        assert position.turn is not None
        before = position.without_dealer()
        return cls(position.turn, Course(before, tuple(line)), Course(before, tuple(best_line)))

    @property
    def position(self) -> Position:
        """Before either move."""
        return self.played.position

    @property
    def others(self) -> list[int]:
        """The other seats, the next one first."""
        players = self.position.game.players
        return [(self.seat + n) % players for n in range(1, players)]

    @property
    def is_whole(self) -> bool:
        """Whether both lines go to the end of the round, so that their ends can be compared."""
        return self.played.is_whole and self.better.is_whole
