"""Saving games in the terminal, leaving them, and playing on later."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

import tilewright as tw
from cli.player import Player, moves_in, options_of
from rule_sets import IDS, RULE_SETS
from tilewright.cli.main import main
from tilewright.view.text_drawing import draw_text


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_save_and_resume(game: tw.Game, player: Player):
    bots = ["--seat", "random"] * (game.players - 1)
    typing = ["1"] * 15
    options = [*options_of(game), "--seat", "Anna", *bots, "--seed", "5"]
    saved = player.play(*options, typing=[*typing, "save half.txt"])
    assert "tilewright play --resume half.txt" in saved
    record = tw.load_record("half.txt")
    assert record.game == game
    assert record.names[:2] == ["Anna", "random bot"]
    story = player.play("--resume", "half.txt", typing=["undo", "1", "save", *["1"] * 2000])
    assert draw_text(record.replay(), record.names) in story
    assert "Game over" in story
    assert tw.load_record("half.txt").events[:2] == record.events[:2]


def test_a_resumed_game_deals_the_same_tiles_also_after_undo(player: Player):
    people = ["--seat", "Anna", "--seat", "Paul"]
    player.play("azul", *people, "--seed", "3", typing=[*["1"] * 30, "save whole.txt"])
    player.play("azul", *people, "--seed", "3", typing=[*["1"] * 25, "save part.txt"])
    player.play("--resume", "part.txt", typing=[*["undo"] * 10, "save"])
    missing = len(moves_in("whole.txt")) - len(moves_in("part.txt"))
    assert missing > 10
    player.play("--resume", "part.txt", typing=[*["1"] * missing, "save"])
    assert Path("part.txt").read_text() == Path("whole.txt").read_text()


def test_a_game_that_is_over_can_be_resumed(player: Player):
    position = tw.Azul(players=2).start(seed=1)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    position.record(["Anna", "search bot"]).save("done.txt")
    assert "Game over" in player.play("--resume", "done.txt", typing=[])


@pytest.mark.parametrize("name", ["my game.txt", "-o", "it's.txt", "$HOME;ls"])
def test_the_printed_command_resumes(name: str, player: Player, capsys: pytest.CaptureFixture[str]):
    story = player.play("azul", "--seat", "Anna", "--seat", "random", typing=["1", f"save {name}", "quit"])
    commands = re.findall(r"To continue later: tilewright (.*)", story)
    assert len(commands) == 2
    assert main(shlex.split(commands[0])) == 0
    assert "Anna, your move" in capsys.readouterr().out


def test_leaving(player: Player, monkeypatch: pytest.MonkeyPatch):
    story = player.play("azul", "--seed", "7", typing=["1"])
    assert "Left without saving. --seed 7 starts the same game again." in story
    assert "To continue later" in player.play("azul", "--seed", "7", typing=["1", "save a.txt", "quit"])
    assert "To continue from the last save: tilewright play --resume a.txt" in player.play(
        "--resume", "a.txt", typing=["1", "quit"]
    )

    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Keyboard("1\nquit\n\n"))
    assert main(["play", "--terminal", "azul"]) == 0
    assert Path("azul-1.txt").exists()


def test_saving_spares_other_files(player: Player):
    Path("thesis.txt").write_text("do not lose me")
    story = player.play("azul", typing=["save thesis.txt", "save nowhere/game.txt", "save", "1", "save"])
    assert "Not saved: thesis.txt already exists" in story
    assert "Not saved: there is no folder nowhere; create it first" in story
    assert Path("thesis.txt").read_text() == "do not lose me"
    assert sorted(path.name for path in Path().iterdir()) == ["azul-1.txt", "thesis.txt"]


def test_another_game_is_never_overwritten(player: Player):
    people = ["azul", "--seat", "Anna", "--seat", "Paul"]
    player.play(*people, "--seed", "1", typing=["1", "save a.txt"])
    first = Path("a.txt").read_text()
    other_tiles = player.play(*people, "--seed", "2", typing=["1", "save a.txt"])
    other_people = player.play("azul", "--seat", "Eve", "--seat", "Paul", "--seed", "1", typing=["1", "save a.txt"])
    other_game = player.play("azul-mini", "--seat", "Anna", "--seat", "Paul", typing=["save a.txt"])
    other_move = player.play(*people, "--seed", "1", typing=["2", "save a.txt"])
    for story in (other_tiles, other_people, other_game, other_move):
        assert "Not saved: a.txt already exists and holds another game" in story
    assert Path("a.txt").read_text() == first
    player.play(*people, "--seed", "1", typing=["1", "1", "save a.txt", "undo", "undo", "2", "save a.txt"])
    assert Path("a.txt").read_text() != first
    Path("torn.txt").write_text(first[:150])
    assert "Not saved: torn.txt" in player.play(*people, "--seed", "1", typing=["1", "save torn.txt"])


@pytest.mark.parametrize(
    ("language", "told"), [("fr", "le dossier nowhere n’existe"), ("it", "la cartella nowhere non")]
)
def test_a_missing_folder_in_other_languages(language: str, told: str, player: Player):
    assert told in player.play("azul", "--language", language, typing=["save nowhere/game.txt"])


def test_names_of_files_that_cannot_be(player: Player):
    names = ["a\0b", "a\x1b[31m", "a\ufffdb", "a\udc80b", "x" * 5000, "."]
    story = player.play("azul", typing=[f"save {name}" for name in names] + ["save good.txt"])
    assert story.count("Not saved: ") == len(names)
    assert story.count("has a character that cannot be printed") == 4
    assert "Not saved: File name too long" in story
    assert "\x1b" not in story
    assert [path.name for path in Path().iterdir()] == ["good.txt"]
