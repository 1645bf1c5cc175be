"""Bots of somebody's own that fail, cheat, or cannot be made: a clear line, and no game is lost."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import tilewright as tw
from cli.output import wait_for_output
from tilewright.bots import registry
from tilewright.bots.engine.client import EngineBot
from tilewright.cli import terminal
from tilewright.cli.main import main
from tilewright.cli.terminal import Terminal

EXAMPLES = Path(__file__).parents[2] / "examples"
BOTS = """
import sys
from tilewright.bots.bot import Bot

class First(Bot):
    def choose(self, position):
        return next(iter(position.legal_moves))

class Talks(First):
    def choose(self, position):
        print("the bot says hello")
        return str(super().choose(position))

class Raises(Bot):
    def choose(self, position):
        raise RuntimeError("boom\\nsecond line")

class Nothing(Bot):
    def choose(self, position):
        return None

class Illegal(Bot):
    def choose(self, position):
        return next(move for move in position.game.moves if move not in position.legal_moves)

class Exits(Bot):
    def choose(self, position):
        sys.exit(3)

class Interrupts(Bot):
    def choose(self, position):
        raise KeyboardInterrupt

class Tampers(First):
    def choose(self, position):
        assert position.dealer is None, "the dealer can be seen"
        move = super().choose(position)
        position.states["score"][0] = 100
        return move

class Unfinished(Bot):
    pass

class NoBot:
    pass

class Explodes(First):
    def __init__(self):
        raise ValueError("no fuel")

class Leaves(First):
    def __init__(self):
        sys.exit("gone")

class Greedy(First):
    def __init__(self, network, depth):
        pass

def function(position):
    return next(iter(position.legal_moves))
"""
MODULES = {
    "failing_bots": BOTS,
    "failing_syntax": "class Bot:\n    def choose(self position):\n",
    "failing_import": "import no_such_thing_anywhere\n",
    "failing_raises": "1 / 0\n",
    "failing_exits": "import sys\nsys.exit(5)\n",
}
CANNOT_BE_MADE = [
    ("failing_bots:Unfinished", "'failing_bots:Unfinished' is not a bot: it has no method 'choose'"),
    ("failing_bots:NoBot", "'failing_bots:NoBot' is not a bot: it has no method 'choose'"),
    ("failing_bots:Explodes", "the bot 'failing_bots:Explodes' cannot be made: ValueError: no fuel"),
    ("failing_bots:Leaves", "the bot 'failing_bots:Leaves' cannot be made: SystemExit: gone"),
    (
        "failing_bots:Greedy",
        "cannot be made: its class requires network, depth; only seed, budget and threads are passed",
    ),
    ("failing_bots:function", "is a function, not a bot; a bot is a class with a method 'choose'"),
    ("failing_bots:BOT", "the module 'failing_bots' has no 'BOT'"),
    ("failing_bots:sys", "failing_bots:sys is not a class of bots"),
    ("failing_syntax:Bot", "the bot failing_syntax:Bot cannot be imported: SyntaxError"),
    ("failing_import:Bot", "cannot be imported: No module named 'no_such_thing_anywhere'"),
    ("failing_raises:Bot", "cannot be imported: ZeroDivisionError: division by zero"),
    ("failing_exits:Bot", "cannot be imported: SystemExit: 5"),
    ("astray", "the bot astray cannot be imported: No module named 'no_such_module_of_ours'"),
]


@pytest.fixture(autouse=True)
def with_these_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    for name, text in MODULES.items():
        Path(f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
    entry = EntryPoint("astray", "no_such_module_of_ours:Bot", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "named_elsewhere", lambda: {"astray": entry})
    monkeypatch.setattr("tilewright.cli.seats.named_elsewhere", lambda: {"astray": entry})
    yield
    for name in MODULES:
        sys.modules.pop(name, None)


def play(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, bot: str, typing: str = "", code: int = 0
) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typing))
    assert main(["play", "azul", "--seat", "me", "--seat", bot, "--seed", "7"]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


# In the terminal ----------------------------------------------------------------------------------------


def test_a_bot_may_answer_with_a_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    assert "Game over" in play(capsys, monkeypatch, "failing_bots:Talks", "1\n" * 200)


def test_a_bot_can_neither_see_nor_change_the_game(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    honest = play(capsys, monkeypatch, "failing_bots:First", "1\n" * 200)
    tampered = play(capsys, monkeypatch, "failing_bots:Tampers", "1\n" * 200)
    moves = [re.findall(r" bot takes .*\((\w+)\)$", story, re.MULTILINE) for story in (honest, tampered)]
    assert moves[0] == moves[1] != []
    assert honest.split()[-20:] == tampered.split()[-20:], "the points at the end"


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        (
            "failing_bots:Raises",
            "failing_bots:Raises bot failed: choosing a move raised RuntimeError: boom second line",
        ),
        ("failing_bots:Nothing", "failing_bots:Nothing bot failed: its move is refused: a move is a Move"),
        ("failing_bots:Illegal", "failing_bots:Illegal bot failed: its move is refused: "),
        ("failing_bots:Exits", "failing_bots:Exits bot failed: choosing a move raised SystemExit: 3"),
        ("run:sh -c 'exit 3'", "the program \"sh -c 'exit 3'\" failed: it ended with code 3"),
    ],
)
def test_a_bot_that_fails_costs_no_game(
    bot: str, told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    story = play(capsys, monkeypatch, bot, "1\n", code=1)
    assert f"The game cannot continue: {told}" in story
    assert story.endswith("Left without saving. --seed 7 starts the same game again.\n")


def test_the_game_can_be_saved_when_a_bot_has_failed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Keyboard("1\ny\n"))
    assert main(["play", "azul", "--seat", "me", "--seat", "failing_bots:Raises", "--seed", "7"]) == 1
    assert "Saved. To continue later: tilewright play --resume azul-1.txt" in capsys.readouterr().out
    assert len(tw.load_record("azul-1.txt").replay().events) == 2


def test_long_thoughts_are_announced_where_somebody_looks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(terminal, "THINKING_PATIENCE", 0.0)
    with Terminal(False).patience("Anna is thinking ..."):
        time.sleep(0.2)
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(terminal, "_is_terminal", lambda stream: True)
    monkeypatch.setenv("TERM", "xterm")
    with Terminal(False).patience("Anna is thinking ..."):
        assert wait_for_output(capsys).out == "Anna is thinking ..."
    assert capsys.readouterr().out == "\r\x1b[K"
    monkeypatch.setattr(terminal, "THINKING_PATIENCE", 600.0)
    with Terminal(False).patience("Paul is thinking ..."):
        pass
    assert capsys.readouterr().out == ""


# Everywhere ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bot", "told"), CANNOT_BE_MADE)
@pytest.mark.parametrize(
    "command", [["arena", "random"], ["play", "azul", "--seat", "me", "--seat"], ["engine"]], ids=lambda words: words[0]
)
def test_a_bot_that_cannot_be_made(command: list[str], bot: str, told: str, capsys: pytest.CaptureFixture[str]):
    assert main([*command, bot]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("tilewright: ")
    assert told in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["arena", "search:", "random"], "'search:': the budget after the colon is missing, as in search:100ms"),
        (["arena", "level0", "random"], "the levels are 1 to 6"),
        (["arena", "genius", "random"], "level1 to level6, module:Class for a class of your own, 'run:COMMAND'"),
        (["arena", "random", "random", "--alpha", "0.1"], "--alpha belongs to a sequential test"),
        (["arena", "random", "random", "--beta", "0.1"], "--beta belongs to a sequential test"),
        (["arena", "random", "random", "--folder", ""], "--folder needs a name; it was empty"),
        (["arena", "random", "random", "--report", ""], "--report needs a name; it was empty"),
        (["play", "azul", "--seat", ""], "--seat needs a name, 'me' or a bot"),
        (["play", "azul", "--seat", "me", "--seat", "level9"], "the levels are 1 to 6"),
        (["play", "azul", "--seat", "me", "--seat", "search:"], "the budget after the colon is missing"),
    ],
)
def test_what_was_surely_not_meant(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


# In the arena -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("failing_bots:Exits", "'failing_bots:Exits' as player 2: choosing a move raised SystemExit: 3"),
        ("failing_bots:Interrupts", "'failing_bots:Interrupts' as player 2: choosing a move raised KeyboardInterrupt"),
    ],
)
def test_what_ends_processes_ends_no_worker(bot: str, told: str):
    command = [sys.executable, "-m", "tilewright", "arena", "random", bot, "--games", "2", "--seed", "1"]
    done = subprocess.run([*command, "--workers", "1"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    *compiling, line = done.stderr.splitlines()
    assert told in line
    assert all(other.startswith("Compiling") for other in compiling)


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_bots_print_does_not_spoil_the_json(workers: str):
    command = [sys.executable, "-m", "tilewright", "arena", "random", "failing_bots:Talks", "--games", "2", "--json"]
    done = subprocess.run([*command, "--workers", workers], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["games"] == 2
    assert "the bot says hello" in done.stderr


def test_a_program_is_not_charged_for_its_start(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """By a clock that moves only when a program is started, by an hour."""
    started: list[EngineBot] = []
    greet = EngineBot._greet
    monkeypatch.setattr(EngineBot, "_greet", lambda bot, program: (started.append(bot), greet(bot, program)))
    monkeypatch.setattr("tilewright.arena.play.perf_counter", lambda: 3600.0 * len(started))
    program = f"run:sh {EXAMPLES / 'first_move.sh'}"
    assert main(["arena", program, "random", "--games", "2", "--seed", "1", "--workers", "0", "--json"]) == 0
    assert len(started) >= 2, "one for each game at least"
    assert json.loads(capsys.readouterr().out)["seconds_per_move"] == [0.0, 0.0]


def test_a_program_that_cannot_get_ready(capsys: pytest.CaptureFixture[str]):
    bots = ["arena", "random", "run:sh -c 'exit 3'", "--games", "2", "--seed", "1", "--workers", "0"]
    assert main(bots) == 1
    assert re.search(r"as player 2: the program .* failed: it ended with code 3", capsys.readouterr().err)
    bot = EngineBot(["sh", "-c", "exit 3"])
    with pytest.raises(tw.TilewrightError, match="ended with code 3"):
        bot.prepare(tw.Azul(players=2))
    assert bot.process_id is None


def test_one_deal(capsys: pytest.CaptureFixture[str]):
    assert main(["arena", "random", "random", "--games", "1", "--seed", "1", "--workers", "0"]) == 0
    assert "2 games: 1 deal played with 2 rotations of the seats" in capsys.readouterr().out
