"""People and programs who talk to a server in tests."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tilewright.server.web import KEY_COOKIE

PATIENCE = 60.0
DIRECT: dict[str, Any] = {"trust_env": False, "verify": False, "timeout": PATIENCE}
"""How httpx talks to a server on this machine: no proxies, and no certificates, which take long to read."""
GAMES = ["azul", "azul-mini", "summer-pavilion"]
TWO = [{"kind": "me"}, {"kind": "friend"}]


class Line:
    """A live connection to a table that keeps what it was told."""

    def __init__(self, opening: AbstractContextManager[ClientConnection]) -> None:
        self._opening = opening
        self.socket: ClientConnection
        self.heard: list[dict[str, Any]] = []

    def send(self, name: str, /, **message: Any) -> None:
        """Send a message of a type."""
        self.socket.send(json.dumps({"type": name, **message}))

    def hear(self, *kinds: str, **wanted: Any) -> dict[str, Any]:
        """The next message of one of these types with this content; others are kept and passed over."""
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            self.heard.append(message)
            if message["type"] in kinds and all(message.get(name) == value for name, value in wanted.items()):
                return message

    def settle(self) -> list[dict[str, Any]]:
        """Everything that was told up to now: the answer to a ping comes after all that was queued before."""
        self.send("ping")
        self.hear("pong")
        return self.heard

    def move(self, move: int | str, after: int) -> dict[str, Any]:
        """Play a move; the event, or the error."""
        self.send("move", move=move, after=after)
        return self.hear("event", "error")

    def __enter__(self) -> Line:
        self.socket = self._opening.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._opening.__exit__(None, None, None)


class Person:
    """Somebody with a key."""

    def __init__(self, url: str, key: str | None = None) -> None:
        self.key = key
        self.url = url
        self.http = httpx.Client(base_url=url, **DIRECT)

    def __enter__(self) -> Person:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @property
    def headers(self) -> dict[str, str]:
        """What proves who one is."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def post(self, path: str, body: Any = None, **rest: Any) -> httpx.Response:
        """Ask for something to be done."""
        self.http.cookies.clear()
        headers = {**self.headers, **rest.pop("headers", {})}
        return self.http.post(path, json=body, headers=headers, **rest)

    def get(self, path: str, **rest: Any) -> httpx.Response:
        """Ask for something."""
        self.http.cookies.clear()
        return self.http.get(path, headers={**self.headers, **rest.pop("headers", {})}, **rest)

    def open(self, *seats: str, game: str = "azul", names: tuple[str, ...] = ("", "", "", ""), **rest: Any) -> str:
        """Open a table where these kinds sit; its id."""
        requested = [{"kind": kind, "name": names[n]} for n, kind in enumerate(seats)]
        for seat in requested:
            if seat["kind"] == "bot":
                seat["bot"] = "random"
        answer = self.post("/api/tables", {"game": game, "players": len(seats), "seats": requested, **rest})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        self.key = made["key"] or self.key
        return str(made["id"])

    def join(self, table: str, name: str = "", seat: int | None = None) -> int:
        """Take a seat."""
        answer = self.post(f"/api/tables/{table}/join", {"name": name, "seat": seat})
        assert answer.status_code == 200, answer.text
        self.key = answer.json()["key"] or self.key
        return int(answer.json()["seat"])

    def read(self, table: str, **query: Any) -> dict[str, Any]:
        """A table as programs see it."""
        answer = self.get(f"/api/tables/{table}", params=query)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def play(self, table: str, move: int | str, after: int | None = None) -> httpx.Response:
        """Play a move."""
        return self.post(f"/api/tables/{table}/moves", {"move": move, "after": after})

    def play_first(self, table: str) -> int:
        """Play the first legal move; the number of the last event then."""
        now = self.read(table)
        answer = self.play(table, now["legal"][0]["number"], now["event"])
        assert answer.status_code == 200, answer.text
        return int(answer.json()["event"])

    def play_out(self, table: str, seed: int = 0) -> dict[str, Any]:
        """Play for all seats, which are all mine, until the game is over."""
        dice = random.Random(seed)
        while (now := self.read(table))["over"] is None:
            answer = self.play(table, dice.choice(now["legal"])["number"], now["event"])
            assert answer.status_code == 200, answer.text
        return now

    def play_out_against_bots(self, table: str) -> dict[str, Any]:
        """Play the first legal move whenever it is the turn of the first seat, mine, until the game is over."""
        while (now := self.read(table))["over"] is None:
            if now["turn"] == 1:
                self.play(table, now["legal"][0]["number"], now["event"])
        return now

    def begin_guided_game(self) -> str:
        """Sit down for a first game of Azul with a coach; the id of its table."""
        answer = self.post("/learn/azul/first-game", headers={"Accept": "text/html"})
        self.key = answer.cookies.get(KEY_COOKIE) or self.key
        return answer.headers["location"].rpartition("/")[2]

    def watch(self, table: str, after: int | str = 0, **headers: str) -> Line:
        """Connect to the live stream of a table."""
        address = f"{self.url.replace('http', 'ws')}/api/tables/{table}/live?after={after}"
        return Line(connect(address, additional_headers={**self.headers, **headers}, proxy=None, open_timeout=PATIENCE))


@contextmanager
def people_at(url: str) -> Iterator[Callable[[], Person]]:
    """Makes people who do not know each other's keys."""
    made: list[Person] = []

    def make() -> Person:
        made.append(Person(url))
        return made[-1]

    yield make
    for one in made:
        one.http.close()


def table_request(**changes: Any) -> dict[str, Any]:
    """What a program sends for a table of two."""
    return {"game": "azul", "players": 2, "seats": TWO, **changes}


def refused(answer: httpx.Response, status: int, words: str = "") -> None:
    """Check that an answer says no, and why."""
    assert answer.status_code == status, answer.text
    assert re.search(words, answer.json()["error"])


def events(heard: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events without what depends on who may move, take back or have help."""
    return [
        {key: value for key, value in message.items() if key not in ("legal", "takeback", "hints", "evaluation")}
        for message in heard
        if message["type"] == "event"
    ]


def begin(line: Line) -> dict[str, Any]:
    """The state that a newcomer is told."""
    state: dict[str, Any] = line.hear("state")["state"]
    return state
