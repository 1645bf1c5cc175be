"""Mining puzzles: the same games give the same puzzles, in one process or several, at once or with interruptions."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilewright as tw
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.insight.mining import MiningSettings
from tilewright.insight.mining_run import mine
from tilewright.insight.puzzle import read_puzzles

QUICK = MiningSettings(
    playing=16, short=128, long=256, other=256, played_gap=0.0, short_gap=0.0, long_gap=0.02, other_gap=-1.0,
    tries=(1, 1, 1, 1, 1, 1), strongest=64,
)  # fmt: skip
SEED = 4


@pytest.fixture(scope="module")
def game() -> Game:
    return tw.GAMES["azul"]()


def without_times(path: Path) -> list[str]:
    """The lines of a file, except for the CPU seconds."""
    return [line.partition(" puzzles, ")[0] for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def mined(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with at least six puzzles, mined in this process."""
    path = tmp_path_factory.mktemp("mined") / "mined.txt"
    told: list[tuple[int, int]] = []
    done = mine(game, path, SEED, number=6, settings=QUICK, listener=lambda now: told.append((now.games, now.puzzles)))
    assert done.puzzles >= 6
    assert told[-1] == (done.games, done.puzzles)
    assert done.cpu_seconds > 0
    assert done.passed["played"] > done.passed["promising"] >= done.passed["long"] >= done.found_now
    return path


def test_what_is_mined_is_a_file_of_puzzles_with_one_from_a_round(mined: Path):
    puzzles = read_puzzles(mined.read_text(encoding="utf-8"))
    assert len(puzzles) >= 6
    for puzzle in puzzles:
        assert puzzle.position.turn is not None
        assert puzzle.solution.chance > max(answer.chance for answer in puzzle.answers[1:])
        assert puzzle.found[1] == 0, "the second level is greedy, and would have found what is obvious"
    games = mined.read_text(encoding="utf-8").split("# game ")
    for text in games:
        rounds = [puzzle.position.round for puzzle in puzzles if puzzle.id in text]
        assert len(rounds) == len(set(rounds))


def test_an_interrupted_run_continues_after_the_last_whole_game(game: Game, mined: Path, tmp_path: Path):
    whole = mined.read_text(encoding="utf-8")
    cut = tmp_path / "cut.txt"
    second = whole.index("# game 1")
    cut.write_text(whole[: second - 40], encoding="utf-8")  # in the middle of the second game
    done = mine(game, cut, SEED, number=6, settings=QUICK)
    assert without_times(cut) == without_times(mined)
    assert done.played_now < done.games
    assert mine(game, cut, SEED, number=6, settings=QUICK).played_now == 0


@pytest.mark.slow
def test_several_processes_write_the_same_file(game: Game, mined: Path, tmp_path: Path):
    path = tmp_path / "processes.txt"
    mine(game, path, SEED, number=6, workers=2, settings=QUICK)
    lines = without_times(mined)
    assert without_times(path)[: len(lines)] == lines


def test_no_game_begins_when_the_time_is_over(game: Game, tmp_path: Path):
    done = mine(game, tmp_path / "late.txt", SEED, minutes=0.0, settings=QUICK)
    assert (done.games, done.puzzles) == (0, 0)


def test_the_file_of_another_run_is_left_alone(game: Game, mined: Path):
    before = mined.read_text(encoding="utf-8")
    for other, seed in ((game, SEED + 1), (tw.GAMES["azul"](players=3), SEED)):
        with pytest.raises(BadOption, match="not a file of this run"):
            mine(other, mined, seed, number=100, settings=QUICK)
    assert mined.read_text(encoding="utf-8") == before
