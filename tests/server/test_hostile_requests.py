"""What docs/security.md says was tried: foreign keys on every call, fields of the server's own, URLs as input."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from people import Person, begin, table_request

pytestmark = pytest.mark.usefixtures("unhurt")

CALLS: list[tuple[str, Any]] = [
    ("moves", {"move": 0, "after": 1}),
    ("leave", None),
    ("return", None),
    ("rematch", None),
]
MESSAGES: list[dict[str, Any]] = [
    {"type": "move", "move": 0, "after": 1},
    {"type": "takeback"},
    {"type": "replace", "seat": 1},
    {"type": "answer", "kind": "takeback", "yes": True},
    {"type": "return"},
    {"type": "hint"},
    {"type": "allow_hints"},
]


def what_matters(person: Person, table: str) -> Any:
    now = person.read(table)
    return now["events"], [(seat["name"], seat["kind"]) for seat in now["seats"]]


@pytest.mark.parametrize("keyed", [True, False])
def test_a_stranger_changes_nothing_by_any_call(me: Person, table: str, stranger: Person, keyed: bool):
    if not keyed:
        stranger.key = None
    before = what_matters(me, table)
    for call, body in CALLS:
        assert stranger.post(f"/api/tables/{table}/{call}", body).status_code == 403, call
    with stranger.watch(table) as line:
        begin(line)
        for message in MESSAGES:
            line.send(message["type"], **{name: value for name, value in message.items() if name != "type"})
            line.settle()
    assert len([message for message in line.heard if message["type"] == "error"]) >= len(MESSAGES) - 1
    assert what_matters(me, table) == before


@pytest.mark.parametrize("field", ["id", "secret", "seed", "result", "created", "guided", "seating", "rematch", "key"])
def test_fields_that_only_the_server_sets_are_refused(me: Person, field: str):
    assert me.post("/api/tables", table_request(**{field: "0" * 20})).status_code == 422
    seats = [{"kind": "me", field: "0" * 20}, {"kind": "friend"}]
    assert me.post("/api/tables", table_request(seats=seats)).status_code == 422


@pytest.fixture
def listener() -> Iterator[tuple[str, list[Any]]]:
    """A URL, and whoever came to it."""
    came: list[Any] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    client, address = server.accept()
                except OSError:
                    return
                came.append(address)
                client.close()

        thread = threading.Thread(target=accept)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/", came
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_no_url_of_a_visitor_is_fetched(me: Person, listener: tuple[str, list[Any]]):
    url, came = listener
    table = me.open("me", "friend", names=(url[:20], url[:20]))
    for body in (
        table_request(game=url),
        table_request(options={url: url}),
        table_request(seats=[{"kind": "me", "name": url}, {"kind": "bot", "bot": url}]),
        table_request(seats=[{"kind": "me"}, {"kind": "bot", "bot": f"run:curl {url}"[:50]}]),
    ):
        assert me.post("/api/tables", body).status_code in (400, 422)
    assert me.post(f"/api/tables/{table}/moves", {"move": url, "after": 1}).status_code == 400
    assert me.post("/api/reviews", {"record": url}).status_code == 400
    record = me.get(f"/api/tables/{table}/record").text
    me.post("/api/reviews", {"record": record.replace("\n", f"\nname: {url}\n", 1)})
    me.get("/", headers={"Referer": url, "X-Forwarded-Host": url, "traceparent": url})
    assert came == []
