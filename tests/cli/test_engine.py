"""``tilewright engine`` as a real process, and bots of all kinds on the seats of the terminal."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tilewright as tw
from tilewright.bots.engine.client import EngineBot
from tilewright.bots.engine.protocol import fields
from tilewright.cli.main import main
from tilewright.cli.seats import seats_as_saved, seats_as_typed

ROOT = Path(__file__).parents[2]
FIRST_MOVE = f"run:sh {ROOT / 'examples' / 'first_move.sh'}"
START = "position start draw ybwr ryry brbw wwwr wykk"


def engine(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tilewright", "engine", *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def converse(raw: bytes, *arguments: str) -> list[str]:
    with engine(*arguments) as process:
        out, err = process.communicate(raw, timeout=300)
    assert process.returncode == 0
    assert b"Traceback" not in err
    return out.decode().splitlines()


def session_of_the_docs() -> tuple[list[str], list[str], list[str]]:
    """The arguments, what is typed, and what is answered."""
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    found = re.search(r"```text\n\$ tilewright engine (.*?)\n(.*?)```", text, re.S)
    assert found is not None
    lines = found[2].splitlines()
    typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    return found[1].split(), typed, [line for line in lines if not line.startswith("> ")]


def test_the_session_of_the_docs():
    """Word for word but for the thoughts themselves, which change whenever the search gets better."""
    arguments, typed, documented = session_of_the_docs()
    with engine(*arguments) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told = []
        for line in typed:
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
            while line.startswith("go simulations"):  # a host waits for the answer
                told.append(process.stdout.readline().decode().rstrip("\n"))
                if not told[-1] or told[-1].startswith("bestmove"):
                    break
        told += process.stdout.read().decode().splitlines()
        complaints = process.stderr.read() if process.stderr else b""
    assert complaints == b""
    assert [_masked(line) for line in told] == [_masked(line) for line in documented]
    for line, model in zip(told, documented, strict=True):
        if line.startswith(("info", "bestmove")):
            told_fields, model_fields = (set(fields(one.partition(" ")[2])) for one in (line, model))
            assert told_fields - model_fields <= {line.split()[1].rstrip(";")}
    position = tw.read_record(_record(typed)).replay()
    assert next(line for line in told if line.startswith("bestmove")).split()[1].rstrip(";") in position.legal_moves


def _masked(line: str) -> str:
    """Without what may change: thoughts, and the version."""
    return re.sub(r"^(info|bestmove|name tilewright \S+) .*", r"\1", line)


def _record(typed: list[str]) -> str:
    events = next(line for line in typed if line.startswith("position start")).removeprefix("position start ")
    head = "tilewright record 1\ngame: azul\nplayers: 2\nwall: coloured\njokers: no\nplayer 1: a\nplayer 2: b\n"
    return head + "result: unfinished\n" + "\n".join(events.split(", "))


def test_the_strongest_bot_is_the_usual_one():
    assert converse(b"hello 1\n")[0].startswith("name tilewright level6")


def test_rubbish_and_a_proper_session_afterwards():
    chance = random.Random(3)
    raw = b"".join(chance.randbytes(chance.randrange(200)) + b"\n" for _ in range(100))
    raw = re.sub(rb"(?m)^\s*quit\b", b"", raw) + b"x" * 1_000_000 + b"\n\0\n"
    said = converse(raw + f"game azul\n{START}\ngo\n".encode(), "random", "--seed", "1")
    assert all(line.startswith("error ") for line in said[:-2])
    assert len(said) > 50
    assert said[-1].startswith("bestmove ")


def test_quit_ends_a_thought_at_once(tmp_path: Path):
    (tmp_path / "slow.py").write_text("import time\nclass Slow:\n  def choose(self, position):\n    time.sleep(600)\n")
    command = [sys.executable, "-m", "tilewright", "engine", "slow:Slow"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"game azul\n{START}\ngo\nhello 1\n".encode())
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"name ")
        process.stdin.write(b"quit\n")
        process.stdin.flush()
        assert process.wait(120) == 0, "long before the thought would have ended"


def test_what_a_bot_prints_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = (
        "class Loud:\n  def choose(self, position):\n    print('hm')\n    return next(iter(position.legal_moves))\n"
    )
    (tmp_path / "loud_bots.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    said = converse(f"game azul\n{START}\nisready\ngo\n".encode(), "loud_bots:Loud")
    assert said[0] == "readyok"
    assert said[-1] == "bestmove 1bf"
    assert len(said) == 3


def test_a_host_that_goes_away():
    with engine("random") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(b"hello 1\n" * 10)
        process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_from_the_beginning(closed: str):
    command = f'exec "{sys.executable}" -m tilewright engine random {closed}'
    done = subprocess.run(["sh", "-c", command], input=b"hello 1\n", capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_unknown_bot(capsys: pytest.CaptureFixture[str]):
    assert main(["engine", "genius"]) == 2
    captured = capsys.readouterr()
    assert "no bot is called 'genius'" in captured.err
    assert captured.out == ""


# Seats --------------------------------------------------------------------------------------------------


@pytest.fixture
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


def played(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typing: str, *arguments: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typing))
    assert main(["play", "--terminal", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_own_classes_and_programs_play_in_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    Path("our_bots.py").write_text((ROOT / "examples" / "my_bots.py").read_text())
    story = played(capsys, monkeypatch, "", "azul", "--seat", "our_bots:Tidy", "--seat", FIRST_MOVE, "--seed", "1")
    assert "our_bots:Tidy bot takes " in story
    assert f"{FIRST_MOVE} bot takes " in story
    assert "Game over" in story


@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_they_can_be_named_when_asked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    answers = ["azul", "2", "", "", "random", "run:nothing_there", "no_such_module:Bot", "random:1", FIRST_MOVE, ""]
    story = played(capsys, monkeypatch, "\n".join(answers), "--seed", "1")
    assert "there is no program 'nothing_there'" in story
    assert "the bot no_such_module:Bot cannot be imported" in story
    assert "this bot takes no budget" in story
    assert f"{FIRST_MOVE} bot takes " in story


@pytest.mark.usefixtures("in_a_folder_of_its_own")
def test_a_saved_game_runs_nothing():
    names = ["run:touch made bot", "os:system bot"]
    assert [seat.bot for seat in seats_as_saved(names, seed=1)] == [None, None]
    assert [seat.name for seat in seats_as_saved(names, seed=1)] == names
    assert list(Path().iterdir()) == []


def test_names_of_seats():
    seats = seats_as_typed(["Anna", "Random", FIRST_MOVE, FIRST_MOVE], 4, seed=1)
    assert [seat.name for seat in seats] == ["Anna", "random bot", f"{FIRST_MOVE} bot", f"{FIRST_MOVE} bot 2"]
    assert isinstance(seats[3].bot, EngineBot)
    assert (seats[0].bot, seats[3].bot.seed) == (None, 4)
    assert seats_as_typed(["Anna: the first", "Paul"], 2, seed=1)[0].bot is None
    with pytest.raises(tw.BadOption, match="cannot be imported"):
        seats_as_typed(["no_such_module:Bot", "me"], 2, seed=1)
