"""The coach at a guided table: advice for the moment, and on demand a good move with the reasons of reviews."""

from __future__ import annotations

from typing import Any

from tilewright.game.position import Position
from tilewright.insight.analysis import Analysis
from tilewright.server.explaining import explained
from tilewright.server.table import Table
from tilewright.view.coach import advice

OPPONENT = "level1"
"""The friendliest bot, for a first game."""


class Coach:
    """Helps the person at a guided table; silent at every other one.

    The text is there at once. The search takes a while to find the move, so that is done in the background.
    """

    def __init__(self) -> None:
        self._event: int | None = None
        self._found: tuple[Position, Analysis] | None = None
        self._explained: dict[str, dict[str, Any]] = {}
        """The move and why, by language."""

    def starts_thinking(self, table: Table, seat: int) -> bool:
        """Whether to look for a move now, which is once for every decision of a person."""
        if not table.stored.guided or table.stored.seats[seat].kind != "human" or self._event == table.event:
            return False
        self._event, self._found, self._explained = table.event, None, {}
        return True

    def suggest(self, table: Table, analysis: Analysis, language: str) -> None:
        """Take note of what a search found at a table, unless the game has gone on meanwhile.

        The words take a while too, and are found here, in whatever thread, for the language that is asked for first.
        """
        told = explained(table.position, analysis, table.names(language), language)
        if self._event == table.event:
            self._found, self._explained = (table.position, analysis), {language: told}

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
        return None if found is None else {"text": found.text, **self._suggestion(table, language)}

    def _suggestion(self, table: Table, language: str) -> dict[str, Any]:
        if self._found is None or self._event != table.event:
            return {"move": None}
        position, analysis = self._found
        if language not in self._explained:
            self._explained[language] = explained(position, analysis, table.names(language), language)
        return {"move": int(analysis.best.move), **self._explained[language]}
