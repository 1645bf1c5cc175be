"""Where the server listens, and what it says about that."""

from __future__ import annotations

import argparse
import contextlib
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from real_server import free_port

from tilewright.cli.parser import parse
from tilewright.cli.serve import play_in_browser
from tilewright.server import run
from tilewright.server.database import CannotServe
from tilewright.server.options import add_options, settings_of
from tilewright.server.settings import Settings
from tilewright.server.store import Store


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The settings that servers were started with; they end at once."""
    chosen: list[Any] = []

    class Server:
        def __init__(self, config: Any, state: Any, drain: float) -> None:
            self.state = state

        def run(self, sockets: list[socket.socket]) -> None:
            self.state.store.close()
            chosen.append(self.state.settings)
            for one in sockets:
                one.close()

    def make_app(store: Store, settings: Settings) -> SimpleNamespace:
        return SimpleNamespace(state=SimpleNamespace(store=store, settings=settings))

    monkeypatch.setattr(run, "DrainingServer", Server)
    monkeypatch.setattr(run, "make_app", make_app)
    monkeypatch.setattr(run, "_show", lambda address: None)
    monkeypatch.setattr(run, "limit_logging", lambda: None)  # for later tests, which read the log
    return chosen


def test_all_interfaces_are_announced_with_the_address_in_the_network(
    started: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(run, "network_address", lambda: "192.168.1.7")
    port = free_port()
    run.serve("0.0.0.0", port, tmp_path / "a.db")
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"Tilewright is at http://127.0.0.1:{port}/ ")
    assert told[1:] == [f"Friends on the same network can reach it at http://192.168.1.7:{port}/"]
    assert started[0].network == f"http://192.168.1.7:{port}/"


@pytest.mark.parametrize(("host", "found"), [("127.0.0.1", "192.168.1.7"), ("0.0.0.0", None)])
def test_without_a_network_only_this_machine_is_announced(
    host: str,
    found: str | None,
    started: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(run, "network_address", lambda: found)
    run.serve(host, free_port(), tmp_path / "a.db")
    assert len(capsys.readouterr().out.splitlines()) == 1
    assert started[0].network is None


def test_playing_is_open_to_the_network_unless_a_host_says_otherwise(
    started: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    heard: list[str] = []
    listen = run.listen
    monkeypatch.setattr(run, "listen", lambda host, port: (heard.append(host), listen("127.0.0.1", port))[1])
    monkeypatch.setattr("tilewright.cli.serve.default_database", lambda: tmp_path / "a.db")
    monkeypatch.setattr("tilewright.cli.serve.PORT", free_port())
    assert play_in_browser() == 0
    assert play_in_browser("127.0.0.1") == 0
    assert heard == ["0.0.0.0", "127.0.0.1"]
    assert started[1].network is None


def test_every_setting_has_an_option(capsys: pytest.CaptureFixture[str]):
    parser = argparse.ArgumentParser()
    add_options(parser)
    usual = settings_of(parser.parse_args([]))
    assert usual == Settings()
    words = ["--thinking", "1", "--absent", "2", "--limits", "3", "--keep-finished", "4", "--keep-abandoned", "5"]
    words += ["--drain", "6"]
    chosen = settings_of(parser.parse_args(words))
    assert chosen == Settings(thinking=1, absent=2, limits=3, keep_finished=4, keep_abandoned=5, drain=6)
    for option in ("--keep-finished", "--thinking"):
        for wrong in ("-1", "soon", "nan", "inf", "1e99"):
            with pytest.raises(SystemExit):
                parser.parse_args([option, wrong])
            assert f"'{wrong}' must be a number from 0 to 1000000" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "wrong", "right"),
    [
        ("--behind-proxy", ["proxy.example.org", "10.0.0.0/8x", ""], ["127.0.0.1", "10.0.0.0/8,fd00::/8", "*"]),
        ("--traces", ["collector:4318", "", "grpc://collector"], ["http://collector:4318"]),
    ],
)
def test_options_that_could_not_work_are_refused(
    option: str, wrong: list[str], right: list[str], capsys: pytest.CaptureFixture[str]
):
    parser = argparse.ArgumentParser()
    add_options(parser)
    for value in wrong:
        with pytest.raises(SystemExit):
            parser.parse_args([option, value])
        assert "must be" in capsys.readouterr().err
    for value in right:
        parser.parse_args([option, value])


@pytest.mark.parametrize(
    ("typed", "whole", "one"), [("10.0.0.1/8", "10.0.0.0/8", "10.0.0.1"), ("::1,fd00::1/8", "fd00::/8", "fd00::1")]
)
def test_an_address_with_the_size_of_a_network_is_one_or_the_other(
    typed: str, whole: str, one: str, capsys: pytest.CaptureFixture[str]
):
    parser = argparse.ArgumentParser()
    add_options(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--behind-proxy", typed])
    assert f"must be {whole}, the whole network, or {one}, one address" in capsys.readouterr().err


def test_the_port_of_the_metrics_is_another_one(tmp_path: Path):
    port = str(free_port())
    words = ["serve", "--port", port, "--metrics", port, "--database", str(tmp_path / "a.db")]
    done = subprocess.run([sys.executable, "-m", "tilewright", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"tilewright: --port and --metrics are both {port}: give one of them another number\n"


def test_an_address_may_have_the_brackets_that_it_has_in_urls():
    for typed in ("::1", "[::1]"):
        for command in (["serve"], ["play"]):
            assert parse([*command, "--host", typed]).host == "::1"


def test_a_damaged_database_is_served_only_if_the_host_says_so(started: list[Any], tmp_path: Path):
    database = tmp_path / "a.db"
    Store(database).close()
    with contextlib.closing(sqlite3.connect(database)) as connection:
        page = connection.execute("select rootpage from sqlite_schema where name = 'events'").fetchone()[0]
    content = bytearray(database.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096  # the schema stays readable
    database.write_bytes(content)
    with pytest.raises(CannotServe, match="it is damaged"):
        run.serve("127.0.0.1", free_port(), database)
    run.serve("127.0.0.1", free_port(), database, ignore_damage=True)
    assert len(started) == 1


def test_a_port_in_use_is_passed_over(monkeypatch: pytest.MonkeyPatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for host in ("127.0.0.1", "0.0.0.0"):
            assert run.free_port(host, port) > port
        with pytest.raises(CannotServe, match=f"cannot listen on 127.0.0.1, port {port}"):
            run.listen("127.0.0.1", port)


def test_a_port_in_use_makes_no_database(tmp_path: Path):
    """A restore to that file would be refused."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        for database in (tmp_path / "other.db", tmp_path / "missing" / "other.db"):
            with pytest.raises(CannotServe, match=f"cannot listen on 127.0.0.1, port {port}"):
                run.serve("127.0.0.1", port, database)
        assert list(tmp_path.iterdir()) == []
        with contextlib.closing(Store(tmp_path / "own.db")), pytest.raises(CannotServe, match="is in use"):
            run.serve("127.0.0.1", port, tmp_path / "own.db")


def test_a_host_that_is_not_ours_is_refused_in_words():
    port = run.free_port("192.0.2.99", 8765)
    with pytest.raises(CannotServe, match=r"cannot listen on 192\.0\.2\.99"):
        run.listen("192.0.2.99", port)


def test_a_home_that_cannot_be_written_to_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "home").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    with pytest.raises(CannotServe, match=r"home.*which cannot be created: Not a directory; .*--database FILE"):
        run.default_database()


def test_the_address_in_the_network_is_none_that_only_this_machine_knows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run, "_SOMEWHERE", ("127.0.0.1", 9))
    assert run.network_address() is None

    class Unplugged(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("network is unreachable")

    monkeypatch.setattr(run.socket, "socket", Unplugged)
    assert run.network_address() is None
