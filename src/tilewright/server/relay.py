"""What a process tells the others of a move, so that they need neither read it from the database nor draw it again.

It is sealed with the secret of the table's deals, which only servers and the database know until the game is over:
whoever can write to the channel still cannot make up a move. It is sent after the move was committed, and a process
that cannot use it reads the database instead.
"""

from __future__ import annotations

import contextlib
import hmac
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from tilewright.server.move_message import Told
from tilewright.server.stored import StoredEvent
from tilewright.server.table import Table

LARGEST = 7_000
"""Characters of a move with what was told of it: a batch of messages through PostgreSQL has little more room."""


class Relay(NamedTuple):
    """The events of a move, the version of the table they follow, and what viewers were told of it, if any watched."""

    seating: int
    after: int
    events: Sequence[StoredEvent]
    told: Told | None

    def sealed(self, table: Table) -> list[Any]:
        """For the channel: lists, numbers and strings."""
        text = json.dumps(self)
        if len(text) > LARGEST:
            return self._replace(told=None).sealed(table)
        return [_seal(table, text), *self]

    def follows(self, table: Table) -> bool:
        """Whether these events come right after those of a table."""
        return (self.seating, self.after) == (table.stored.seating, table.event)

    def is_part_of(self, table: Table) -> bool:
        """Whether a table has these events already."""
        return self.seating == table.stored.seating and self.after + len(self.events) <= table.event


def opened(table: Table, content: Any) -> Relay | None:
    """What was sealed for a table; None if it is anything else."""
    match content:
        case [str(seal), *relay] if hmac.compare_digest(seal.encode(), _seal(table, json.dumps(relay)).encode()):
            with contextlib.suppress(TypeError, ValueError):  # a server of another version has sealed it
                seating, after, events, told = relay
                return Relay(seating, after, [StoredEvent(*event) for event in events], Told(*told) if told else None)
    return None


def _seal(table: Table, text: str) -> str:
    return hmac.digest(table.stored.secret.encode(), f"relay {table.id} {text}".encode(), "sha256").hex()
