"""Who waits for what happens next at a table. Bots think only where somebody does."""

from __future__ import annotations

import time
from collections.abc import Iterable

from starlette.requests import HTTPConnection

from tilewright.server.fair_slots import Owner
from tilewright.server.limits import address_of
from tilewright.server.seated_table import hash_key
from tilewright.server.table import Table
from tilewright.server.viewer import Viewer
from tilewright.server.web import key_of

ATTENTION = 30.0
"""Seconds that a request counts as waiting: longer than any request waits, and than programs pause between two."""
MOST_ASKERS = 100
"""How many are remembered at one table."""


def owner_of(connection: HTTPConnection) -> Owner:
    """On whose behalf a connection asks."""
    key = key_of(connection)
    return Owner(address_of(connection), hash_key(key) if key else "")


class Audience:
    """The viewers of a table, and the programs that asked for it a moment ago."""

    def __init__(self, viewers: set[Viewer]) -> None:
        self._viewers = viewers
        self._asked: dict[Owner, float] = {}

    def ask(self, owner: Owner) -> None:
        """Somebody sends a request, and will want to know what happens next."""
        now = time.monotonic()
        self._asked.pop(owner, None)
        self._asked = {other: until for other, until in self._asked.items() if until > now}
        if len(self._asked) >= MOST_ASKERS:
            del self._asked[next(iter(self._asked))]
        self._asked[owner] = now + ATTENTION

    @property
    def is_there(self) -> bool:
        """Whether anybody waits."""
        return bool(self._viewers) or any(until > time.monotonic() for until in self._asked.values())

    def owners(self, table: Table) -> list[Owner]:
        """On whose behalf a bot thinks: the players who wait, or else the spectators."""
        now = time.monotonic()
        asking = (owner for owner, until in self._asked.items() if until > now)
        waiting = list(dict.fromkeys([*(viewer.owner for viewer in self._viewers), *asking]))
        return list(_players(waiting, table)) or waiting


def _players(owners: Iterable[Owner], table: Table) -> Iterable[Owner]:
    held = {seat.key_hash for seat in table.stored.seats if seat.kind == "human"}
    return (owner for owner in owners if owner.person in held)
