"""``kill -9`` and Ctrl-C in the middle of a match: only the games that were being played are lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tilewright as tw
from tilewright.arena import play_match
from tilewright.arena.folder import RESULTS

TESTS = Path(__file__).parents[1]
BOTS = ["arena_bots:Slow", "random"]
GAMES = 40


def heed_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start_match(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tilewright", "arena", *BOTS, "--games", str(GAMES), "--seed", "5"]
    return subprocess.Popen(
        [*command, "--workers", "2", "--folder", str(folder), "--json"],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs in the background ignores Ctrl-C, and so would the match.
        preexec_fn=None if sys.platform == "win32" else heed_ctrl_c,  # noqa: PLW1509  # it touches no lock
    )


def lines(folder: Path) -> int:
    results = folder / RESULTS
    return results.read_bytes().count(b"\n") if results.exists() else 0


def wait_for(folder: Path, games: int) -> None:
    until = time.monotonic() + 120
    while lines(folder) < games:
        assert time.monotonic() < until, "the match does not get on"
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_a_killed_match_goes_on(tmp_path: Path):
    folder = tmp_path / "match"
    match = start_match(folder)
    wait_for(folder, 6)
    match.kill()
    match.communicate()
    assert lines(folder) < GAMES
    last = start_match(folder)
    told, _ = last.communicate(timeout=120)
    assert last.returncode == 0
    expected = play_match(["arena_bots:Tidy", "random"], tw.Azul(players=2), GAMES, seed=5, workers=0).to_object()
    assert json.loads(told)["pairs"] == expected["pairs"]
    assert json.loads(told)["scores"] == expected["scores"]
    played = [json.loads(line)["game"] for line in (folder / RESULTS).read_text().splitlines()]
    assert sorted(played) == list(range(GAMES))
    assert all(tw.load_record(folder / f"game-{number:06}.txt").replay().is_over for number in range(GAMES))


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
def test_ctrl_c_says_how_to_go_on(tmp_path: Path):
    folder = tmp_path / "match"
    match = start_match(folder)
    wait_for(folder, 3)
    match.send_signal(signal.SIGINT)
    told, complaint = match.communicate(timeout=60)
    assert match.returncode == 130
    assert told == ""
    assert f"are in {folder}; repeat the command to continue" in complaint
    assert "Traceback" not in complaint
