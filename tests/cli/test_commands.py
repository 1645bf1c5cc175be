"""show, replay, perft, bench, version: what they print, and what they say about bad input."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.bots.random import RandomBot
from tilewright.cli.commands import COMMANDS
from tilewright.cli.main import main
from tilewright.game.registry import read_position
from tilewright.installed import installed_games
from tilewright.view.text_drawing import draw_text

DOCS = Path(__file__).parents[2] / "docs"


def played(game: tw.Game, moves: int = 1000, seed: int = 3) -> tw.Position:
    position = game.start(seed)
    bot = RandomBot(seed)
    while moves and not position.is_over:
        position.push(bot.choose(position))
        moves -= 1
    return position


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    played(tw.Azul(players=2)).record(["Anna", "Paul"]).save(path)
    return path


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 1) -> str:
    assert main(list(arguments)) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("tilewright: ")
    return captured.err


def test_the_games_are_known_before_they_are_loaded():
    assert list(tw.GAMES) == list(installed_games())


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_show_reads_what_it_writes(game: tw.Game, capsys: pytest.CaptureFixture[str]):
    position = played(game, moves=30)
    assert read_position(position.to_text()) == position
    shown = json_of(capsys, "show", position.to_text())
    assert shown["text"] == position.to_text()
    assert shown["turn"] == (None if position.turn is None else position.turn + 1)
    assert [move["number"] for move in shown["legal_moves"]] == [int(move) for move in position.legal_moves]
    assert main(["show", position.to_text()]) == 0
    assert capsys.readouterr().out.rstrip("\n") == str(position)


def test_show_a_record(record: Path, capsys: pytest.CaptureFixture[str]):
    shown = json_of(capsys, "show", str(record))
    assert shown["over"]
    assert shown["names"] == ["Anna", "Paul"]
    assert shown["outcome"]["scores"] == shown["scores"]
    assert json_of(capsys, "show", str(record), "--move", "0")["phase"] == "fill"
    first = json_of(capsys, "show", str(record), "--move", "1")
    assert first["phase"] == "draft"
    assert "events, so --move goes from 0" in complaint(capsys, "show", str(record), "--move", "9999", code=2)


def test_show_from_input(record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    for text in (record.read_text(), tw.Azul(players=3).start(seed=1).to_text() + "\n"):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert json_of(capsys, "show", "-")["game"] == "azul"


def test_show_with_and_without_colour(record: Path, capsys: pytest.CaptureFixture[str]):
    main(["show", str(record), "--colour", "always"])
    assert "\x1b[" in capsys.readouterr().out
    main(["show", str(record)])
    assert "\x1b[" not in capsys.readouterr().out


def test_show_complains(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert "there is no file 'nowhere.txt'" in complaint(capsys, "show", "nowhere.txt")
    assert "begins with a game" in complaint(capsys, "show", "chess; white to move")
    assert "a position of Azul has 5 sections" in complaint(capsys, "show", "azul; round=1")
    text = tw.Azul(players=2).start(seed=1).to_text()
    assert "round=x should be a number" in complaint(capsys, "show", text.replace("round=1", "round=x"))
    assert "--move needs a record" in complaint(capsys, "show", text, "--move", "3", code=2)
    assert complaint(capsys, "show", str(tmp_path))
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "not a text file" in complaint(capsys, "show", str(binary))


def test_replay(record: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["replay", str(record)]) == 0
    told = capsys.readouterr().out
    position = tw.load_record(record).replay()
    assert told.count("After round") == position.round
    assert "Anna" in told
    assert "Game over" in told
    moves = [event for event in position.events if isinstance(event, tw.Move)]
    assert all(f"({move})" in told for move in moves)
    assert main(["replay", str(record), "--tables"]) == 0
    assert capsys.readouterr().out.count("Factories") >= len(moves) - 1


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_replay_as_json(game: tw.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "game.txt"
    position = played(game)
    position.record().save(path)
    told = json_of(capsys, "replay", str(path))
    assert [event["text"] for event in told["events"]] == [str(event) for event in position.events]
    assert told["events"][-1]["scores"] == list(position.scores) == told["outcome"]["scores"]
    assert all(event["description"] for event in told["events"])
    assert told["options"] == game.options


def test_a_corrupt_record_names_the_line(record: Path, capsys: pytest.CaptureFixture[str]):
    lines = record.read_text().splitlines()
    first_move = next(number for number, line in enumerate(lines) if line.startswith("1 "))
    lines[first_move] = "1 9b2"
    record.write_text("\n".join(lines))
    told = complaint(capsys, "replay", str(record))
    assert f"line {first_move + 1}:" in told
    assert "game.txt" in told


@pytest.mark.parametrize("language", ["fr", "it"])
def test_show_and_replay_in_other_languages(
    language: str, record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    assert main(["show", str(record), "--language", language]) == 0
    drawing = capsys.readouterr().out
    assert drawing.rstrip("\n") == draw_text(tw.load_record(record).replay(), ["Anna", "Paul"], language=language)
    monkeypatch.setenv("LC_ALL", f"{language}.UTF-8")
    assert main(["replay", str(record)]) == 0
    told = capsys.readouterr().out
    assert told.rstrip("\n").endswith(drawing.rstrip("\n"))
    assert "takes" not in told
    assert "takes" in json_of(capsys, "replay", str(record))["events"][1]["description"]
    translated = json_of(capsys, "replay", str(record), "--language", language)["events"][1]["description"]
    assert translated in told
    assert "takes" not in translated
    labels = re.findall(r"^ +\d+ +20 \w+ [^:]+:", told, re.M)
    assert labels
    assert all(label.endswith("\u202f:") == (language == "fr") for label in labels)


def test_perft(capsys: pytest.CaptureFixture[str]):
    told = json_of(capsys, "perft", "azul", "--seed", "7", "--depth", "3", "--divide")
    position = tw.Azul(players=2).start(seed=7)
    assert told["depths"][0]["nodes"] == len(position.legal_moves)
    nodes = [depth["nodes"] for depth in told["depths"]]
    assert nodes == sorted(nodes)
    assert sum(told["divide"].values()) == nodes[-1]
    assert list(told["divide"]) == [move.text for move in position.legal_moves]
    again = json_of(capsys, "perft", "--position", position.to_text(), "--depth", "3")
    assert [depth["nodes"] for depth in again["depths"]] == nodes
    assert main(["perft", "summer-pavilion", "--divide"]) == 0
    assert "nodes/s" in capsys.readouterr().out


def test_perft_counts_draws(capsys: pytest.CaptureFixture[str]):
    told = json_of(capsys, "perft", "--position", tw.Azul(players=2).set_up().to_text(), "--depth", "2", "--divide")
    assert [depth["nodes"] for depth in told["depths"]] == [5, 25]
    assert told["divide"] == dict.fromkeys(("blue", "yellow", "red", "black", "white"), 5)


def test_perft_complains(capsys: pytest.CaptureFixture[str]):
    assert "which game?" in complaint(capsys, "perft", code=2)
    assert "leave the game out" in complaint(capsys, "perft", "azul", "--position", "azul; ;", code=2)


@pytest.mark.parametrize("threads", ["1", "2"])
def test_bench(threads: str, capsys: pytest.CaptureFixture[str]):
    told = json_of(capsys, "bench", "azul", "--seconds", "0.2", "--threads", threads, "--seed", "1")
    assert told["game"] == "azul"
    assert told["threads"] == int(threads)
    assert told["games"] >= 200 * int(threads)
    assert told["games_per_second"] == pytest.approx(told["games"] / told["seconds"])
    assert told["moves_per_game"] == pytest.approx(70.35, abs=3)
    assert told["rounds_per_game"] == pytest.approx(6.6, abs=0.4)
    assert main(["bench", "summer-pavilion", "--side", "grey", "--seconds", "0.05"]) == 0
    assert "games/s" in capsys.readouterr().out


def test_bench_of_games_in_lockstep(capsys: pytest.CaptureFixture[str]):
    told = json_of(capsys, "bench", "azul", "--batch", "128", "--threads", "2", "--seconds", "0.05", "--seed", "1")
    assert (told["device"], told["batch"], told["threads"]) == ("cpu", 128, 2)
    assert told["steps"] % 128 == 0
    assert told["steps_per_second"] == pytest.approx(told["steps"] / told["seconds"])
    assert told["bytes_seen_a_step"] == 171 * 4 + 180
    assert main(["bench", "azul", "--batch", "2", "--seconds", "0.01"]) == 0
    assert "steps/s" in capsys.readouterr().out


@pytest.mark.parametrize("batch", [[], ["--batch", "8"]])
def test_bench_without_a_card_says_what_is_missing(batch: list[str], capsys: pytest.CaptureFixture[str]):
    from numba import cuda

    if cuda.is_available():
        pytest.skip("there is a GPU")
    assert main(["bench", "azul", "--device", "cuda", *batch]) == 1
    assert "no CUDA device was found" in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]):
    told = json_of(capsys, "version")
    assert told["tilewright"] == tw.__version__
    assert set(told) == {"tilewright", "python", "numpy", "numba"}
    assert main(["version"]) == 0
    assert tw.__version__ in capsys.readouterr().out


def test_options_that_a_game_does_not_have(capsys: pytest.CaptureFixture[str]):
    assert "Summer Pavilion has no --wall" in complaint(capsys, "bench", "summer-pavilion", "--wall", "grey", code=2)
    assert "Azul Mini has no --jokers; it has --wall" in complaint(capsys, "perft", "azul-mini", "--jokers", code=2)
    assert "--wall of Azul must be coloured or grey, not 'blue'" in complaint(
        capsys, "bench", "azul", "--wall", "blue", code=2
    )
    assert "Azul is for 2, 3 or 4 players, not 5" in complaint(capsys, "bench", "azul", "--players", "5", code=2)


def test_options_of_a_game_stand_anywhere(capsys: pytest.CaptureFixture[str]):
    for words in (
        ["--wall", "grey", "--jokers", "azul"],
        ["azul", "--wall=grey", "--jokers"],
        ["azul", "--jok", "--wal=grey"],
    ):
        told = json_of(capsys, "perft", *words, "--depth", "1")
        assert told["options"] == {"wall": "grey", "jokers": True}


@pytest.mark.parametrize("name", list(tw.GAMES))
def test_the_help_with_a_game_has_its_options(name: str, capsys: pytest.CaptureFixture[str]):
    assert main(["bench", name, "--help"]) == 0
    told = capsys.readouterr().out
    everything = {option.name for game in tw.GAMES.values() for option in game.spec.options}
    own = {option.name for option in tw.GAMES[name].spec.options}
    assert {option for option in everything if f"--{option}" in told} == own


def test_the_help_names_pages_of_the_site(capsys: pytest.CaptureFixture[str]):
    named = set()
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
        named |= set(re.findall(r"https://tilewright\.github\.io/tilewright/([\w-]+)/", capsys.readouterr().out))
    assert named >= {"bots", "arena", "review", "training"}
    assert all((DOCS / f"{page}.md").is_file() for page in named)


def test_an_unknown_option_is_answered_with_the_known_ones(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "azul", "--colours", "5"]) == 2
    assert "; those of azul: --wall, --jokers" in capsys.readouterr().err
    assert main(["play", "--port", "8790"]) == 2
    assert "unknown option --port; the options are --color, --host, --language" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["bench"],
        ["bench", "chess"],
        ["perft", "azul", "--depth", "0"],
        ["bench", "azul", "--players", "many"],
        ["bench", "azul", "--seconds", "-1"],
        ["bench", "azul", "--seed", str(1 << 64)],
        ["bench", "azul", "--threads", "257"],
        ["bench", "azul", "--device", "tpu"],
        ["bench", "azul", "--batch", "0"],
        ["bench", "azul", "--threads", "٣"],
        ["perft", "azul", "--depth", "9" * 5000],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(arguments) == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["serve"], ["database", "check"], ["backup", "copy.db"]])
def test_a_database_without_its_option_is_recognised(command: list[str], capsys: pytest.CaptureFixture[str]):
    assert main([*command, "club.db"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"usage: tilewright {' '.join(command[:1])}")
    assert "unrecognized arguments: club.db (if that is where the games are: --database club.db)" in error
    assert main([*command, "club.db", "more.db"]) == 2
    assert capsys.readouterr().err.endswith("unrecognized arguments: club.db more.db\n")


def test_numbers_out_of_range_name_the_range(capsys: pytest.CaptureFixture[str]):
    for option, number, told in (
        ("--seed", "9" * 5000, "from 0 to 2**64 - 1"),
        ("--seed", str(1 << 64), "from 0 to 2**64 - 1"),
        ("--threads", "100000", "from 1 to 256"),
        ("--threads", "0", "from 1 to 256"),
    ):
        assert main(["bench", "azul", option, number]) == 2
        error = capsys.readouterr().err.splitlines()[-1]
        assert told in error
        assert option in error
        assert len(error) < 200


def test_a_picture_replaces_only_a_picture(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    picture = tmp_path / "table.svg"
    for _ in range(2):
        assert main(["show", str(record), "--svg", str(picture)]) == 0
    assert picture.read_text().startswith("<svg")
    before = record.read_text()
    assert "is not an SVG picture" in complaint(capsys, "show", str(record), "--svg", str(record), code=2)
    assert record.read_text() == before


def test_nothing_to_show(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    assert "there is nothing to show" in complaint(capsys, "show", "")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert "there is nothing to show" in complaint(capsys, "show", "-")
    assert "there is no file" in complaint(capsys, "show", "x" * 5000)


def test_complaints_are_fit_to_be_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert "\x1b" not in complaint(capsys, "replay", str(tmp_path / "\x1b[31m"))


def test_a_narrow_terminal(record: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "45")
    assert main(["show", str(record), "--move", "5"]) == 0
    assert max(len(line) for line in capsys.readouterr().out.splitlines()) <= 45


def test_an_interrupted_command_leaves_no_traceback(monkeypatch: pytest.MonkeyPatch):
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("tilewright.cli.version.run", interrupted)
    assert main(["version"]) == 130
