"""The channel between server processes that have only PostgreSQL in common: LISTEN and NOTIFY."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tilewright.server.channel import ThreadedChannel
from tilewright.server.postgres import connect

NAME = "tilewright"
PATIENCE = 0.5
"""Seconds after which the listening thread looks whether it should end."""


class PostgresChannel(ThreadedChannel):
    """Two connections, since one that listens cannot send."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url

    @contextmanager
    def _sender(self) -> Iterator[Callable[[str], object]]:
        with connect(self._url) as connection:
            yield lambda text: connection.execute("select pg_notify(%s, %s)", (NAME, text))

    def _received(self) -> Iterator[str | None]:
        with connect(self._url) as connection:
            connection.execute(f"listen {NAME}")
            yield None
            while not self.is_closed:
                for notification in connection.notifies(timeout=PATIENCE):
                    yield notification.payload
