"""The coach at a guided table: the words for the moment, and what a bot would play in the player's place."""

from __future__ import annotations

from typing import Any

from tilewright.bots.registry import make_bot
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.server.table import Table
from tilewright.view.coach import Advice, advice

ADVISER = "level4"
OPPONENT = "level1"
"""The friendliest bot, for a first game."""


def advise(position: Position, seat: int, language: str) -> Advice | None:
    """Words and a move at once, for who can wait."""
    told = advice(position, seat, language)
    if told is None or position.is_over:
        return told
    return Advice(told.text, suggest(position))


def suggest(position: Position) -> Move:
    """What the coach would play; it sees no more than the player does."""
    seen = position.copy()
    seen.dealer = None
    return make_bot(ADVISER).choose(seen)


class Coach:
    """Helps the person at a guided table; silent at every other one.

    Words are there at once. A move takes a bot some thinking, so it is worked out in the background and told
    when it is known.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._asked: int | None = None
        self._move: Move | None = None

    def is_wanted(self, seat: int) -> bool:
        """Whether it is time to think of a move, which is once for every decision of a person."""
        if not self._table.stored.guided or self._table.stored.seats[seat].kind != "human":
            return False
        event = self._table.event
        wanted, self._asked = self._asked != event, event
        if wanted:
            self._move = None
        return wanted

    def think(self, position: Position, event: int) -> None:
        """Find a move for the position after an event; forgotten if the table has gone on meanwhile."""
        move = suggest(position)
        if self._asked == event:
            self._move = move

    def says(self, seats: list[int], language: str) -> dict[str, Any] | None:
        """For who holds these seats: what to say, and the move if it is known. None for everybody else."""
        table = self._table
        if not table.stored.guided or not seats:
            return None
        turn = table.position.turn
        told = advice(table.position, turn if turn in seats else seats[0], language)
        if told is None:
            return None
        known = self._move is not None and self._asked == table.event
        return {"text": told.text, "move": int(self._move) if known and self._move is not None else None}
