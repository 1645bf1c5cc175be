"""The options of ``tilewright play``: who sits where, terminal or browser, and input that is not fit for a terminal."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import numba
import pytest

import tilewright as tw
from cli.output import wait_for_output
from cli.player import Player
from tilewright.cli import terminal
from tilewright.cli.main import main
from tilewright.cli.seats import seats_as_saved, seats_as_typed
from tilewright.kernels.compile import INTERPRETED


@pytest.mark.parametrize(
    "arguments",
    [
        ["azul"],
        ["--seat", "Anna"],
        ["--players", "3"],
        ["--wall", "grey"],
        ["--jokers"],
        ["--side", "grey"],
        ["--seed", "1"],
        ["--terminal"],
        ["--resume", "a.txt"],
        ["--colour", "never"],
    ],
)
@pytest.mark.usefixtures("own_folder")
def test_options_are_for_the_terminal(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    tw.Azul(players=2).start(seed=1).record(["Anna", "random bot"]).save("a.txt")
    monkeypatch.setattr("tilewright.cli.serve.play_in_browser", lambda host: pytest.fail("opened the browser"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", *arguments]) == 0
    assert capsys.readouterr().out


def test_play_alone_opens_the_browser(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    opened: list[str | None] = []
    monkeypatch.setattr("tilewright.cli.serve.play_in_browser", lambda host: opened.append(host) or 0)
    assert main(["play"]) == 0
    assert main(["play", "--host", "127.0.0.1"]) == 0
    assert opened == [None, "127.0.0.1"]
    assert main(["play", "azul", "--host", "127.0.0.1"]) == 2
    assert "--host is for the browser" in capsys.readouterr().err


@pytest.mark.usefixtures("own_folder")
def test_wrong_seats_and_files(capsys: pytest.CaptureFixture[str]):
    def complaint(*arguments: str, code: int = 2) -> str:
        assert main(["play", "--terminal", *arguments]) == code
        return capsys.readouterr().err

    assert "3 seats for 2 players" in complaint("azul", "--players", "2", *["--seat", "me"] * 3)
    for five in (complaint("azul", *["--seat", "me"] * 5), complaint(*["--seat", "me"] * 5)):
        assert "at most 4 can play" in five
        assert "--players" not in five
    assert "too much like 'random'" in complaint("azul", "--seat", "randon")
    assert "nowhere.txt: No such file" in complaint("--resume", "nowhere.txt", code=1)
    assert "leave out --seat" in complaint("--resume", "nowhere.txt", "--seat", "me")
    assert "leave out azul" in complaint("azul", "--resume", "nowhere.txt")
    assert "--resume needs the name of a file" in complaint("--resume", "")
    assert "Summer Pavilion has no --wall; it has --side" in complaint("summer-pavilion", "--wall", "grey")


def test_seats_go_into_a_record_and_come_back():
    seats = seats_as_typed(["Anna", "random", "level1", "random"], 4, seed=1)
    names = [seat.name for seat in seats]
    assert names == ["Anna", "random bot", "level1 bot", "random bot 2"]
    again = seats_as_saved(names, seed=1)
    assert [type(seat.bot) for seat in again] == [type(seat.bot) for seat in seats]
    threads = seats_as_typed(["champion:50ms:2threads", "me"], 2, seed=1)
    assert threads[0].name == "champion:50ms:2threads bot"
    assert type(seats_as_saved([threads[0].name], seed=1)[0].bot) is type(threads[0].bot)
    assert seats_as_typed([], 2, seed=1)[0].bot is None
    assert seats_as_typed(["me", "me"], 2, seed=1)[1].name == "Player 2"


def test_names_are_fit_to_be_printed(player: Player):
    bad = "An\x1b[31mna\x07\x9b\udc80"
    story = player.play("azul", "--seat", bad, "--seat", "\x00", "--seed", "1", typing=["1", "save a.txt"])
    assert "An [31mna, your move" in story
    assert "Player 2" in story
    assert tw.load_record("a.txt").names == ["An [31mna", "Player 2"]
    Path("a.txt").write_text(Path("a.txt").read_text().replace("An [31mna", "An\x1b[31mna\x07"))
    again = player.play("--resume", "a.txt", typing=["1", "1", "save"])
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", story + again)
    assert tw.load_record("a.txt").names == ["An [31mna", "Player 2"]


def run(command: str, typing: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in a shell of its own, which can close its streams."""
    script = f"exec {shlex.quote(sys.executable)} -m tilewright {command}"
    return subprocess.run(["bash", "-c", script], input=typing, capture_output=True, check=False)


@pytest.mark.slow
def test_closed_streams_and_bytes_that_are_no_text(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    seats = "--seat $'\\xc3\\xa9' --seat random --seed 7"
    garbage = run(f"play azul {seats}", b"\xff\xfe\nsave a\xffb\nmoves \xc3\xa9\n1\nquit\n")
    assert garbage.returncode == 0
    assert b"Traceback" not in garbage.stderr  # a busy machine may tell of compiling
    assert b"Not saved: " in garbage.stdout
    assert b"--seed 7 starts the same game again" in garbage.stdout
    for closed in ("<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"):
        done = run(f"play azul --seed 7 {closed}")
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr
    assert run("version >&-").returncode == 0
    assert run("show - <&-").returncode == 1


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_the_compiling_notice_comes_only_if_something_is_compiled_and_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def successor(n: int) -> int:
        return n + 1

    with terminal.compiling_notice():
        numba.njit(successor)(1)
    assert not any(isinstance(thread, threading.Timer) for thread in threading.enumerate()), "it does not come late"
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    with terminal.compiling_notice():
        pass
    assert capsys.readouterr().err == ""
    with terminal.compiling_notice():
        numba.njit(successor)(1)
        assert "Compiling the rules" in wait_for_output(capsys).err
