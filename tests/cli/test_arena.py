"""``tilewright arena``: what it prints, for people and for programs, and what it says about bad input."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tilewright.arena.match import Progress
from tilewright.arena.sprt import Sprt, SprtRun
from tilewright.cli.main import main
from tilewright.cli.progress import progress_bar, progress_line

MATCH = ["arena", "random", "random", "--games", "4", "--seed", "1", "--workers", "0"]
BROKEN_BOT = "class Broken:\n    def choose(self, position):\n        raise KeyError('lost')\n"


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return json.loads(captured.out)


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 1) -> str:
    assert main(list(arguments)) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_json(capsys: pytest.CaptureFixture[str]):
    told = json_of(capsys, *MATCH)
    assert told["bots"] == ["random", "random"]
    assert (told["game"], told["players"], told["seed"], told["games"]) == ("azul", 2, 1, 4)
    assert told["options"] == {"wall": "coloured", "jokers": False}
    assert told["elo_low"] <= told["elo"] <= told["elo_high"]
    assert {"win_rate", "margin", "scores", "rounds", "moves_per_second", "seconds_per_move"} <= told.keys()
    assert told["sprt"] is None


def test_options_of_the_game(capsys: pytest.CaptureFixture[str]):
    told = json_of(capsys, *MATCH, "--game", "summer-pavilion", "--players", "3", "--side", "grey")
    assert (told["game"], told["players"], told["options"]) == ("summer-pavilion", 3, {"side": "grey"})
    assert told["games"] == 6
    assert told["fair_share"] == pytest.approx(1 / 3)


def test_the_table(capsys: pytest.CaptureFixture[str]):
    assert main([*MATCH, "--sprt", "0", "10"]) == 0
    told = capsys.readouterr().out
    assert "4 games: 2 deals, each played with 2 rotations of the seats" in told
    assert "random wins" in told
    assert "random (2)" in told
    assert "SPRT: undecided" in told
    assert "pairs of games won 0, ½, 1, 1½, 2:" in told


def test_a_league_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    league = tmp_path / "bots.txt"
    league.write_text("# ours\nrandom\n\nrandom  # again\n")
    assert main(["arena", "random", "--league", str(league), "--games", "6", "--seed", "1", "--workers", "0"]) == 0
    told = capsys.readouterr().out
    assert "random (3)" in told
    assert "won against, or finished ahead of:" in told


def test_the_folder_and_the_report(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    folder, report = tmp_path / "match", tmp_path / "report.html"
    first = json_of(capsys, *MATCH, "--folder", str(folder), "--report", str(report))
    assert "<svg" in report.read_text(encoding="utf-8")
    assert len(list(folder.glob("game-*.txt"))) == 4
    without_seed = ["arena", "random", "random", "--games", "4", "--workers", "0", "--folder", str(folder)]
    again = json_of(capsys, *without_seed, "--report", str(report))
    assert again["seed"] == 1
    assert again["scores"] == first["scores"]
    assert "has seed 1, not 2" in complaint(capsys, *without_seed, "--seed", "2", code=2)


def test_nothing_is_overwritten(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    thesis = tmp_path / "thesis.html"
    thesis.write_text("precious")
    assert "is not a report of the arena" in complaint(capsys, *MATCH, "--report", str(thesis), code=2)
    assert "there is no folder" in complaint(capsys, *MATCH, "--report", str(tmp_path / "no" / "r.html"), code=2)
    assert thesis.read_text() == "precious"


def test_one_game_again(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    json_of(capsys, *MATCH, "--folder", str(tmp_path / "match"))
    assert main([*MATCH, "--only", "3"]) == 0
    assert capsys.readouterr().out == (tmp_path / "match" / "game-000003.txt").read_text()
    without_seed = ["arena", "random", "random", "--only", "3"]
    assert "needs the --seed" in complaint(capsys, *without_seed, code=2)
    assert main([*without_seed, "--folder", str(tmp_path / "match")]) == 0


def test_a_wrong_name_is_told_before_anything_is_compiled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def compiled(_: object) -> None:
        raise AssertionError("the rules were loaded first")

    monkeypatch.setattr("tilewright.cli.arena.load_rules", compiled)
    assert "no bot is called 'nobody'" in complaint(capsys, "arena", "random", "nobody", code=2)


def test_a_bot_that_fails(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "broken_bots.py").write_text(BROKEN_BOT)
    monkeypatch.syspath_prepend(tmp_path)
    bots = ["arena", "random", "broken_bots:Broken", "--workers", "0"]
    told = complaint(capsys, *bots, "--seed", "4")
    assert told.count("\n") == 1
    assert "game 0 of the match: 'broken_bots:Broken' as player 2: choosing a move raised KeyError: 'lost'" in told
    assert "in the position 'azul players=2 " in told
    assert "--seed 4 --only 0" in told
    again = complaint(capsys, *bots, "--seed", "4", "--only", "0")
    assert "Traceback" in again
    assert "broken_bots.py" in again


@pytest.mark.parametrize(
    ("arguments", "told", "code"),
    [
        (["random"], "name two or more bots", 2),
        (["random", "nobody"], "no bot is called 'nobody'", 2),
        (["random", "random", "--side", "grey"], "Azul has no --side", 2),
        (["random", "random", "--sprt", "5", "0"], "between a lower and a higher Elo", 2),
        (["random", "--league", "nowhere.txt"], "nowhere.txt", 1),
    ],
)
def test_bad_input(capsys: pytest.CaptureFixture[str], arguments: list[str], told: str, code: int):
    said = complaint(capsys, "arena", *arguments, code=code)
    assert told in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "0"],
        ["--workers", "-1"],
        ["--sprt", "0"],
        ["--sprt", "0", "much"],
        ["--alpha", "0.7"],
        ["--game", "chess"],
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str]):
    assert main(["arena", "random", "random", *arguments]) == 2
    assert "usage: tilewright arena" in capsys.readouterr().err


def test_the_progress_line_fits():
    run = SprtRun(Sprt(0, 5))
    progress = Progress(games=30, wanted=120, played_now=10, workers=1, elapsed=5.0, sprt=None)
    assert progress.seconds_left == 45
    assert progress_line(progress, 80) == "[##########..............................] 30/120 games  2.0/s  0:45 left"
    for width in (10, 40, 80, 200):
        for one in (progress, Progress(1, 120, 0, 0, 0.0, run), Progress(120, 120, 120, 8, 9000.0, run)):
            assert len(progress_line(one, width)) <= width


def test_the_progress_bar_is_for_terminals_only():
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen, pipe = Screen(), io.StringIO()
    with progress_bar(pipe) as nobody:
        assert nobody is None
    with progress_bar(screen) as draw:
        assert draw is not None
        draw(Progress(1, 2, 1, 1, 0.5, None))
    assert "1/2 games" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")
