"""puzzles: the file it writes, what it tells on the way, and what it says about bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.cli.main import main
from tilewright.cli.puzzles import progress_line
from tilewright.insight.mining_run import MiningProgress
from tilewright.insight.puzzle import read_puzzles


def test_puzzles_are_mined_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "mined.txt"
    command = ["puzzles", "azul", "--number", "1", "--workers", "0", "--output", str(path)]
    assert main(command) == 0
    printed = capsys.readouterr()
    puzzles = read_puzzles(path.read_text(encoding="utf-8"))
    assert puzzles
    assert f"{path}: {len(puzzles)} puzzles from" in printed.out
    assert "CPU seconds" in printed.out
    assert f"{len(puzzles)}/1 puzzles from" in printed.err
    assert main(command) == 0
    assert "now" not in capsys.readouterr().out, "nothing was left to do"
    assert main([*command, "--seed", "9"]) == 2
    assert "is not a file of this run" in capsys.readouterr().err


def test_progress_says_what_a_puzzle_costs_and_how_long_it_will_take():
    assert progress_line(MiningProgress(games=3), 10) == "0/10 puzzles from 3 games  0:00"
    progress = MiningProgress(games=9, puzzles=8, played_now=5, found_now=4, elapsed=60.0, cpu_seconds=100.0)
    assert progress_line(progress, 10) == "8/10 puzzles from 9 games  1:00  25.0 CPU seconds each  about 0:30 left"
    assert progress_line(progress, None) == "8 puzzles from 9 games  1:00  25.0 CPU seconds each"
