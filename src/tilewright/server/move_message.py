"""What viewers are told of a move, as JSON.

Thousands of moves a second may have to be told, most of them to two players: what all viewers of a move share is put
together once, what the readers of a language share once for each language, and the rest for each viewer.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from tilewright.server import messages
from tilewright.server.log import LINES
from tilewright.server.table import PlayedMove
from tilewright.view.last_move import last_move

if TYPE_CHECKING:
    from tilewright.server.room import Room


class Told(NamedTuple):
    """What viewers share of a message about a move, as the fields of a JSON object."""

    to_all: str
    in_words: dict[str, str]
    """By language."""


class MoveMessage:
    """The message about one move at a table; ``told`` if another process has put parts of it together already."""

    def __init__(self, room: Room, played: PlayedMove, told: Told | None = None) -> None:
        self._room = room
        self._played = played
        self.told = told or Told(self._for_all(), {})

    def to(self, language: str, owned: list[int]) -> str:
        """The message to somebody who reads this language and holds these seats."""
        room, table = self._room, self._played.table
        seats = table.played_among(owned)
        words = self.told.in_words
        if language not in words:
            words[language] = self._in_words(language)
        own = _inner_json(
            {
                "legal": messages.legal_numbers(table, seats),
                "takeback": table.may_take_back(seats),
                "coach": room.coach.described(table, seats, language),
                "hints": room.hints.offer_to(seats),
                "evaluation": room.evaluation_bar.offer_to(seats),
            }
        )
        return f"{{{self.told.to_all},{words[language]},{own}}}"

    def _for_all(self) -> str:
        played, position, clock = self._played, self._played.table.position, self._room.clock
        turn = position.turn
        return _inner_json(
            {
                "type": "event",
                "event": played.table.event,
                "seat": played.entry.seat + 1,
                "steps": messages.steps_of(played),
                "last": last_move(played.before, played.effects, position),
                "turn": turn + 1 if turn is not None else None,
                "round": position.round,
                "phase": position.phase,
                "scores": list(position.scores),
                "clock": clock.reading(turn) if clock else None,
            }
        )

    def _in_words(self, language: str) -> str:
        played, table = self._played, self._played.table
        return _inner_json(
            {
                "line": {"number": played.entry.number, **LINES.of_move(played, language).described()},
                "prompt": messages.prompt_of(table, language),
                "over": messages.outcome_of(table, language),
            }
        )


_encode = json.JSONEncoder(separators=(",", ":")).encode
"""To make an encoder, as ``json.dumps`` does each time, takes as long as to use it."""


def _inner_json(fields: dict[str, Any]) -> str:
    """The fields of an object, without its braces."""
    return _encode(fields)[1:-1]
