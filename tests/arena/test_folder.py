"""The folder of a match: one arena at a time, and damage that does not last."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from tilewright.arena import Match, play_match
from tilewright.arena.folder import RESULTS, MatchFolder

AZUL = tw.Azul(players=2)
BOTS = ["random", "random"]


def play(folder: Path, games: int = 6) -> Any:
    return play_match(BOTS, AZUL, games, seed=5, workers=0, folder=folder)


def outcomes(result: Any) -> list[Any]:
    return [(game.fixture, game.outcome) for game in result.games]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_two_arenas_do_not_share_a_folder(tmp_path: Path):
    folder = MatchFolder(tmp_path / "match", Match(AZUL, tuple(BOTS), 5))
    with pytest.raises(tw.TilewrightError, match=r"another match is being played in .*match"):
        play(tmp_path / "match")
    folder.close()
    assert len(play(tmp_path / "match").games) == 6
    assert len(play(tmp_path / "match", games=8).games) == 8, "the first one has let go of it"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_a_folder_that_nobody_holds_is_free(tmp_path: Path):
    def begin() -> None:
        MatchFolder(tmp_path / "match", Match(AZUL, tuple(BOTS), 5))

    begin()
    assert len(play(tmp_path / "match").games) == 6
    with pytest.raises(tw.BadOption, match="has seed 5"):
        play_match(BOTS, AZUL, 6, seed=6, workers=0, folder=tmp_path / "match")
    assert len(play(tmp_path / "match").games) == 6, "who was refused holds nothing"


def changed(line: str, **fields: Any) -> str:
    return json.dumps({**json.loads(line), **fields})


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line[:-20],
        lambda line: "",
        lambda line: "\x00" * 40,
        lambda line: "[1, 2]",
        lambda line: changed(line, scores=[1000, 0], winners=[1]),
        lambda line: changed(line, scores=json.loads(line)["scores"][:1]),
        lambda line: changed(line, winners=[]),
        lambda line: changed(line, winners=[7]),
        lambda line: changed(line, winners=[1, 2]),
        lambda line: changed(line, points=[{}, {}]),
        lambda line: changed(line, points=[1, 2]),
        lambda line: changed(line, moves=["many", 30]),
        lambda line: changed(line, thinking=[0.1]),
        lambda line: changed(line, seconds=0),
        lambda line: changed(line, deal_seed=1),
        lambda line: changed(line, game="three"),
    ],
)
def test_a_damaged_line_is_mended(damage: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    folder = tmp_path / "match"
    first, results = play(folder), folder / RESULTS
    lines = results.read_text().splitlines()
    results.write_text("".join(f"{line}\n" for line in [*lines[:3], damage(lines[3]), *lines[4:]]))
    with caplog.at_level(logging.WARNING):
        again = play(folder)
    assert outcomes(again) == outcomes(first)
    found = f"1 line of {results} left out: damaged, duplicate or without the game's record"
    assert [record.getMessage() for record in caplog.records] == [f"{found}; missing games are played again"]
    mended = [json.loads(line) for line in results.read_text().splitlines()]
    assert [line["game"] for line in mended] == [0, 1, 2, 4, 5, 3]
    caplog.clear()
    assert outcomes(play(folder)) == outcomes(first)
    assert caplog.records == []


def test_a_last_line_without_its_end_counts(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    folder = tmp_path / "match"
    play(folder)
    results = folder / RESULTS
    whole = results.read_bytes()
    results.write_bytes(whole[:-1])
    play(folder)
    assert results.read_bytes() == whole
    results.write_bytes(whole + whole.splitlines(keepends=True)[0])
    play(folder)
    assert len(results.read_bytes().splitlines()) == 6
    assert "1 line of" in caplog.text


def test_a_missing_record_is_written_again(tmp_path: Path):
    folder = tmp_path / "match"
    first = play(folder)
    records = {path: path.read_bytes() for path in folder.glob("game-*.txt")}
    (folder / "game-000002.txt").unlink()
    (folder / "game-000004.txt").write_bytes(b"")
    assert outcomes(play(folder)) == outcomes(first)
    assert {path: path.read_bytes() for path in folder.glob("game-*.txt")} == records
    assert sorted(json.loads(line)["game"] for line in (folder / RESULTS).read_text().splitlines()) == list(range(6))


@pytest.mark.parametrize("game", [tw.Azul(players=4, wall="grey"), tw.SummerPavilion(players=3)], ids=repr)
def test_sound_lines_of_other_games_are_sound(game: tw.Game, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    for _ in range(2):
        play_match(BOTS, game, 20, seed=5, workers=0, folder=tmp_path / "match")
    assert caplog.records == []


def test_what_is_no_match():
    with pytest.raises(tw.BadOption, match=r"expected a Game, such as .* not 'azul'"):
        play_match(BOTS, "azul")  # type: ignore[arg-type]
    with pytest.raises(tw.BadOption, match="a list of two or more bots, not 'random'"):
        play_match("random", AZUL)
