"""A disk whose commits can be held up and refused, and what everybody sees of a table meanwhile."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
from people import Person, begin, people_at
from real_server import PATIENCE, ThreadServer, viewers, wait_until


class Disk:
    """Stands between the store and its disk: commits can be held up, and refused."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._free = threading.Event()
        self._free.set()
        self._waiting = threading.Event()
        self._refusing = False
        self._connection = connection

    def _authorise(self, action: int, operation: str | None, *_: str | None) -> int:
        if action == sqlite3.SQLITE_TRANSACTION and operation == "COMMIT":
            self._waiting.set()
            self._free.wait(PATIENCE)
            return sqlite3.SQLITE_DENY if self._refusing else sqlite3.SQLITE_OK
        return sqlite3.SQLITE_OK

    @contextmanager
    def blocked(self) -> Iterator[None]:
        """Hold up every commit; on leaving, all of them succeed."""
        self._connection.set_authorizer(self._authorise)  # asked whenever a statement is prepared, so also now
        self._waiting.clear()
        self._free.clear()
        try:
            yield
        finally:
            self._free.set()

    def reached(self) -> None:
        """Wait until a commit is held up."""
        assert self._waiting.wait(PATIENCE)

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Hold up every commit; on leaving, those that are waiting are refused."""
        with self.blocked():
            self._refusing = True
            yield

    def repair(self) -> None:
        """Let commits succeed again."""
        self._refusing = False


@contextmanager
def locked(server: ThreadServer) -> Iterator[None]:
    """Let another program hold the database."""
    connection = server.inside(lambda live: live._store.database.writer)
    patience = connection.execute("pragma busy_timeout").fetchone()[0]
    other = sqlite3.connect(connection.execute("pragma database_list").fetchone()[2], isolation_level=None)
    other.execute("begin immediate")
    connection.execute("pragma busy_timeout = 100")
    try:
        yield
    finally:
        connection.execute(f"pragma busy_timeout = {patience}")
        other.close()


def meanwhile(person: Person, act: Callable[[Person], httpx.Response]) -> Future[httpx.Response]:
    """Send a request from another thread, over a connection of its own: the server closes it after an error."""

    def send() -> httpx.Response:
        with people_at(person.url) as make:
            sender = make()
            sender.key = person.key
            return act(sender)

    thread = ThreadPoolExecutor(1)
    answer = thread.submit(send)
    thread.shutdown(wait=False)
    return answer


def look(server: ThreadServer, person: Person, table: str) -> dict[str, Any]:
    """Everything that the server tells somebody about a table, through every door."""
    cookie = {"Cookie": f"tilewright_key={person.key}"}
    paths = [f"/api/tables/{table}{part}" for part in ("", "/view", "/events", "/record")]
    paths += [f"/t/{table}", f"/t/{table}/replay", "/", "/api/tables"]
    seen: dict[str, Any] = {path: person.get(path, headers=cookie).text for path in paths}
    event = person.read(table)["event"]
    seen["wait"] = person.read(table, after=event, wait=0.1)
    before = server.inside(viewers)
    with person.watch(table) as line:
        seen["live"] = begin(line)
        for move in seen["live"]["legal"][:5]:
            line.send("preview", move=move)
            seen[f"preview {move}"] = line.hear("preview")
        seen["messages"] = {message["type"] for message in line.settle()} - {"presence", "pong"}
    wait_until(lambda: server.inside(viewers) == before, "the viewer should have left")
    return seen


def changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The doors through which something else is seen now."""
    return [door for door in {**before, **after} if before.get(door) != after.get(door)]
