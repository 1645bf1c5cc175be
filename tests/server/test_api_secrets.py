"""The interface for programs: what stays secret, and what is proved at the end."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from people import Person
from real_server import ThreadServer

from tilewright.cli.main import main
from tilewright.game.record import read_record
from tilewright.server.database import open_reader

pytestmark = pytest.mark.usefixtures("unhurt")


def secret_of(server: ThreadServer, table: str) -> str:
    stored = server.inside(lambda live: live._store.table(table))
    assert stored is not None
    return stored.secret


def everything(person: Person, table: str) -> str:
    """All that the server tells anybody about a table."""
    paths = [f"/api/tables/{table}{part}" for part in ("", "/view", "/events", "/record")]
    paths += [f"/t/{table}", f"/t/{table}/replay", "/", "/api/tables"]
    answers = [person.get(path) for path in paths]
    return "".join(answer.text + str(answer.headers) for answer in answers)


def test_the_seed_is_told_at_the_end_and_never_before(
    server: ThreadServer, me: Person, stranger: Person, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    for client in ("httpx", "httpcore"):  # the client's own log may say what it was told
        caplog.set_level(logging.CRITICAL, logger=client)
    table = me.open("me", "friend", game="azul-mini")
    secret = secret_of(server, table)
    said = me.read(table)["seed_hash"]
    assert said == hashlib.sha256(secret.encode()).hexdigest()
    for _ in range(3):
        assert secret not in everything(me, table)
        assert secret not in everything(stranger, table)
        me.play_first(table)
    me.play(table, "nonsense")
    assert secret not in caplog.text
    now = me.play_out(table)
    assert now["over"]["seed"] == secret
    assert now["seed_hash"] == said
    replay = me.get(f"/api/tables/{table}/events").json()
    assert (replay["seed"], replay["seed_hash"], replay["checked"]) == (secret, said, True)
    assert secret not in caplog.text
    assert me.key
    assert me.key not in caplog.text


def test_a_record_proves_its_deals_when_the_game_is_over(
    server: ThreadServer, me: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    table = me.open("me", "friend", game="azul-mini")
    secret, path = secret_of(server, table), tmp_path / "game.txt"
    me.play_first(table)
    with me.watch(table) as line:
        line.send("takeback")
        line.settle()
    running = me.get(f"/api/tables/{table}/record").text
    assert secret not in running
    assert f"secret hash: {hashlib.sha256(secret.encode()).hexdigest()}" in running
    assert read_record(running).secret is None
    me.play_out(table)
    over = me.get(f"/api/tables/{table}/record").text
    assert f"secret: {secret}" in over
    assert read_record(over).follows_from_secret()
    path.write_text(over, encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    path.write_text(over.replace(f"secret: {secret}", f"secret: {secret[::-1]}"), encoding="utf-8")
    assert main(["replay", str(path)]) != 0
    assert "the secret does not produce the published hash" in capsys.readouterr().err


def test_keys_are_told_to_nobody_and_kept_as_hashes(server_database: str, me: Person, stranger: Person):
    table = me.open("me", "friend")
    assert me.key
    told = everything(stranger, table) + everything(me, table)
    assert me.key not in told
    assert hashlib.sha256(me.key.encode()).hexdigest() not in told
    with closing(open_reader(server_database)) as reader:
        kept = str([reader.read(f"select * from {name}") for name in ("tables", "seats", "events", "service")])
    assert hashlib.sha256(me.key.encode()).hexdigest() in kept
    assert me.key not in kept


def test_a_client_cannot_choose_the_deal(person: Callable[[], Person]):
    deals = set()
    for _ in range(8):
        someone = person()
        deals.add(someone.read(someone.open("me", "friend"))["events"][0])
    assert len(deals) == 8
