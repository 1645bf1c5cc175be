"""Whole matches: fair to the bots, the same whoever plays them, and able to go on after anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import arena_bots
import tilewright as tw
from tilewright.arena import GameFailed, Match, Sprt, play_game, play_match
from tilewright.arena.folder import RESULTS
from tilewright.arena.worker_pool import NoWorkers
from tilewright.bots.random import RandomBot

AZUL = tw.Azul(players=2)


def outcomes(result: Any) -> list[Any]:
    return [(game.fixture, game.outcome, game.rounds, game.moves) for game in result.games]


@pytest.fixture(scope="module")
def alone() -> Any:
    return play_match(["arena_bots:Tidy", "random"], AZUL, 40, seed=5, workers=0)


def test_the_better_bot_wins(alone: Any):
    told = alone.to_object()
    assert told["games"] == 40
    assert told["sets"] == sum(told["pairs"]) == 20
    assert told["win_rate"] > 0.8
    assert told["elo_low"] < told["elo"] <= told["elo_high"]
    assert told["elo_low"] > 0
    assert told["margin"] > 5
    assert told["margin"] == pytest.approx(told["scores"][0] - told["scores"][1])
    assert [standing["bot"] for standing in told["standings"]] == ["arena_bots:Tidy", "random"]
    assert told["standings"][1]["win_rate"] == pytest.approx(1 - told["win_rate"])
    assert told["crosstable"][0][0] is None
    assert told["crosstable"][0][1] == pytest.approx(told["win_rate"])
    assert told["moves_per_second"] > 0
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_points_have_sources(alone: Any):
    for standing in alone.standings:
        assert sum(standing.points.values()) == pytest.approx(standing.score.value)


def test_the_number_of_workers_changes_nothing(alone: Any):
    told = []
    together = play_match(["arena_bots:Tidy", "random"], AZUL, 40, seed=5, workers=3, progress=told.append)
    assert outcomes(together) == outcomes(alone)
    assert [progress.games for progress in told] == list(range(41)), "at the beginning, and after every game"
    assert told[0].seconds_left is None
    assert told[-1].seconds_left == 0


def test_another_seed_is_another_match(alone: Any):
    other = play_match(["arena_bots:Tidy", "random"], AZUL, 4, seed=6, workers=0)
    assert outcomes(other) != outcomes(alone)[:4]


@pytest.mark.parametrize(
    "game", [tw.Azul(players=4), tw.AzulMini(players=3, wall="grey"), tw.SummerPavilion(players=3)], ids=repr
)
def test_every_game_and_number_of_players(game: tw.Game):
    told = play_match([RandomBot, "random"], game, 1, seed=2, workers=0).to_object()
    assert told["games"] == game.players
    assert told["fair_share"] == 1 / game.players
    assert told["pairs"] is None
    assert sum(standing["games"] for standing in told["standings"]) == game.players**2


def test_a_league():
    bots = ["random", "arena_bots:Tidy", "random"]
    told = play_match(bots, AZUL, 60, seed=3, workers=0).to_object()
    ratings = [standing["elo"] for standing in told["standings"]]
    assert ratings[1] > 100
    assert sum(ratings) == pytest.approx(0, abs=0.01)
    assert [standing["bot"] for standing in told["standings"]] == ["random", "arena_bots:Tidy", "random (2)"]
    assert {standing["games"] for standing in told["standings"]} == {40}
    assert told["standings"][1]["openskill"]["mu"] > told["standings"][0]["openskill"]["mu"]


def test_no_bot_sees_the_dealer_or_can_change_the_game():
    match = Match(AZUL, ("arena_bots:Peeks", "random"), seed=1)
    honest = Match(AZUL, ("arena_bots:Tidy", "random"), seed=1)
    assert play_game(match, 0).outcome == play_game(honest, 0).outcome


def test_bots_are_dismissed_after_each_game():
    before = arena_bots.Closes.closed
    play_game(Match(AZUL, ("arena_bots:Closes", "random")), 0)
    assert arena_bots.Closes.closed == before + 1


# What goes wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    ("bot", "complaint"),
    [("arena_bots:Raises", "RuntimeError: no idea what to play"), ("arena_bots:Cheats", "is not legal")],
)
def test_a_bot_that_cannot_play_stops_the_match(bot: str, complaint: str, workers: int):
    with pytest.raises(GameFailed, match=complaint) as caught:
        play_match(["random", bot], AZUL, 4, seed=1, workers=workers)
    failure = caught.value.failure
    assert (failure.bot, failure.seed) == (bot, 1)
    assert failure.position is not None
    assert AZUL.position(failure.position).turn == failure.seat
    assert f"game {failure.number} of the match: {bot!r} as player" in str(caught.value)


def test_a_killed_worker_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(arena_bots.FOLDER, str(tmp_path))
    result = play_match(["arena_bots:DiesOnce", "random"], AZUL, 12, seed=5, workers=2)
    assert (tmp_path / "died").exists()
    expected = play_match(["arena_bots:Tidy", "random"], AZUL, 12, seed=5, workers=0)
    assert outcomes(result) == outcomes(expected)


def test_a_game_that_always_kills_its_worker_stops_the_match():
    with pytest.raises(GameFailed, match="killed by SIGKILL"):
        play_match(["arena_bots:Dies", "random"], AZUL, 2, seed=5, workers=1)


def test_workers_that_cannot_start_stop_the_match():
    with pytest.raises(NoWorkers, match="die before they can play: its process ended \\(killed by SIGKILL\\)"):
        play_match(["arena_bots:DiesAtOnce", "random"], AZUL, 2, seed=5, workers=2)


def test_wrong_settings_are_told_before_anything_is_played(tmp_path: Path):
    with pytest.raises(tw.BadOption, match="no bot is called 'rndom'"):
        play_match(["random", "rndom"], AZUL, folder=tmp_path / "new")
    assert not (tmp_path / "new").exists()
    with pytest.raises(tw.BadOption, match="compares two bots, not 3"):
        play_match(["random"] * 3, AZUL, sprt=Sprt(0, 5))
    with pytest.raises(tw.BadOption, match="workers must be a whole number"):
        play_match(["random"] * 2, AZUL, workers=-1)


# The sequential test ------------------------------------------------------------------------------------


def test_a_match_stops_when_its_test_has_decided():
    test = Sprt(0, 100)
    alone = play_match(["arena_bots:Tidy", "random"], AZUL, 400, seed=5, workers=0, sprt=test)
    together = play_match(["arena_bots:Tidy", "random"], AZUL, 400, seed=5, workers=3, sprt=test)
    assert outcomes(alone) == outcomes(together)
    told = alone.to_object()
    assert told["games"] == 2 * told["sprt"]["sets"] < 200
    assert told["sprt"]["decision"] == "H1"
    assert told["sprt"]["llr"] >= told["sprt"]["upper"]


# The folder ---------------------------------------------------------------------------------------------


def test_every_game_is_kept_as_a_record_and_a_line(tmp_path: Path):
    folder = tmp_path / "match"
    result = play_match(["arena_bots:Tidy", "random"], AZUL, 6, seed=5, workers=0, folder=folder)
    for number, game in enumerate(result.games):
        record = tw.load_record(folder / f"game-{number:06}.txt")
        assert record.names == [("arena_bots:Tidy", "random")[bot] for bot in game.fixture.seats]
        assert record.seed == game.fixture.deal_seed
        assert record.replay().outcome() == game.outcome
    lines = [json.loads(line) for line in (folder / RESULTS).read_text().splitlines()]
    assert [line["game"] for line in lines] == list(range(6))
    assert lines[1]["bots"] == ["random", "arena_bots:Tidy"]
    assert lines[0]["winners"] == [seat + 1 for seat in result.games[0].outcome.winners]


def test_a_match_goes_on_where_it_stopped(tmp_path: Path, alone: Any):
    folder, played = tmp_path / "match", []
    play_match(["arena_bots:Tidy", "random"], AZUL, 10, seed=5, workers=0, folder=folder)
    results = folder / RESULTS
    results.write_text("".join(results.read_text().splitlines(keepends=True)[:7]) + '{"game": 7, "set"')
    longer = play_match(["arena_bots:Tidy", "random"], AZUL, 40, workers=0, folder=folder, progress=played.append)
    assert outcomes(longer) == outcomes(alone)
    assert [played[1].games, played[1].played_now, len(played)] == [8, 1, 34]
    again = play_match(["arena_bots:Tidy", "random"], AZUL, 40, workers=0, folder=folder, progress=played.append)
    assert outcomes(again) == outcomes(alone)
    assert len(played) == 34
    told, told_again = longer.to_object(), again.to_object()
    for different in ("elapsed", "seconds_per_move", "moves_per_second", "standings"):
        del told[different], told_again[different]
    assert told == told_again


@pytest.mark.parametrize(
    ("bots", "game", "seed", "complaint"),
    [
        (["random", "random"], AZUL, 6, "has seed 5, not 6"),
        (["random", "arena_bots:Tidy"], AZUL, 5, 'has bots .* not .*"arena_bots:Tidy"'),
        (["random", "random"], tw.Azul(players=3), 5, "has players 2, not 3"),
        (["random", "random"], tw.Azul(players=2, wall="grey"), 5, "has options"),
    ],
)
def test_a_folder_belongs_to_one_match(tmp_path: Path, bots: list[str], game: tw.Game, seed: int, complaint: str):
    folder = tmp_path / "match"
    play_match(["random", "random"], AZUL, 2, seed=5, workers=0, folder=folder)
    with pytest.raises(tw.BadOption, match=complaint):
        play_match(bots, game, 2, seed=seed, workers=0, folder=folder)


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(tw.BadOption, match="is not the folder of a match"):
        play_match(["random", "random"], AZUL, 2, workers=0, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
