"""The coach at a guided table: advice for the moment, and the move that a bot would play in the player's place."""

from __future__ import annotations

from typing import Any

from tilewright.game.moves import Move
from tilewright.server.table import Table
from tilewright.view.coach import advice

ADVISER = "level5"
OPPONENT = "level1"
"""The friendliest bot, for a first game."""


class Coach:
    """Helps the person at a guided table; silent at every other one.

    The text is there at once. A bot takes a while to find the move, so that is done in the background.
    """

    def __init__(self) -> None:
        self._event: int | None = None
        self._move: Move | None = None

    def starts_thinking(self, table: Table, seat: int) -> bool:
        """Whether to look for a move now, which is once for every decision of a person."""
        if not table.stored.guided or table.stored.seats[seat].kind != "human" or self._event == table.event:
            return False
        self._event, self._move = table.event, None
        return True

    def suggest(self, event: int, move: Move) -> None:
        """Take note of a move for the position after an event, unless the table has moved on meanwhile."""
        if self._event == event:
            self._move = move

    def forget(self, event: int) -> None:
        """The search for a move after an event came to nothing, so another one may begin."""
        if self._event == event:
            self._event = None

    def described(self, table: Table, seats: list[int], language: str) -> dict[str, Any] | None:
        """The advice for the holder of these seats, with the move once it is known; None for everybody else."""
        if not table.stored.guided or not seats:
            return None
        turn = table.position.turn
        found = advice(table.position_with_past(), turn if turn in seats else seats[0], language)
        if found is None:
            return None
        known = self._move is not None and self._event == table.event
        return {"text": found.text, "move": int(self._move) if known and self._move is not None else None}
