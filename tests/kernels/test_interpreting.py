"""Kernels as plain Python: until their machine code is on disk, with the same results, and nothing is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from tilewright.bots.registry import make_bot
from tilewright.kernels.compile import INTERPRETED

HELPERS = """
from tilewright.kernels.compile import kernel

@kernel
def half(n):
    return n // 2
"""
RULES = """
import sys

import helpers
import numpy as np
from tilewright.kernels.compile import search_kernel
from tilewright.kernels.interpreting import interpret_until_compiled

ROW = np.dtype([("count", np.int16)])

@search_kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

@search_kernel
def halve(rows, i):
    rows[i].count = helpers.half(rows[i].count)
    return rows[i].count

@search_kernel
def double(word, factor=np.uint64(2)):
    return word * factor

interpret_until_compiled("interpret" in sys.argv)
rows = np.zeros(1, ROW)
rows["count"] = 14
found = halve(rows, 0)
print(found, type(found).__name__, rows["count"][0], double(np.uint64(1 << 63)), factorial(5), len(halve.signatures))
"""
ROWS = "7 int 7 0 120"
CHOOSING = """
import json, sys
import tilewright as tw
from tilewright.bots.registry import make_bot
from tilewright.kernels.interpreting import interpret_until_compiled

def scores_of(text):
    position = tw.read_position(text)
    found = [str(make_bot(name, seed=5).choose(position)) for name in ("level1", "level2")]
    for name in ("search:1", "champion:1"):
        bot = make_bot(name, seed=5)
        bot.think(position)
        found.append({str(one.move): one.prior for one in bot.search_of(position.game).root_moves()})
    return found

def visits_of(text):
    position = tw.read_position(text)
    found = []
    for name in ("search:20", "champion:60"):
        bot = make_bot(name, seed=5)
        bot.think(position)
        found.append({str(one.move): one.visits for one in bot.search_of(position.game).root_moves() if one.visits})
    return found

interpret_until_compiled("interpret" in sys.argv)
for line in sys.stdin:
    print(json.dumps(globals()[sys.argv[1]](json.loads(line))))
"""
END_OF_ROUND = (
    "azul players=2 wall=coloured jokers=no; round=1 phase=draft turn=2 first=1 marker=1 tiled=no barren=0; "
    "bag=16b13y18r18k15w lid=- centre=yyyykkww 1=byww 2=- 3=- 4=- 5=-; player=1 score=0 wall-points=0 "
    "lines=b,w,-,yy,- wall=...../...../...../...../..... floor=bb; player=2 score=0 wall-points=0 "
    "lines=-,-,r,r,- wall=...../...../...../...../..... floor=-"
)
"""So few tiles that a short search sees the round end, in every order of the last moves."""


def run(text: str, folder: Path, *arguments: str, told: str = "") -> list[str]:
    """Run a program with a cache of its own; any warning is an error."""
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text, *arguments],
        cwd=folder,
        env={**inherited, "NUMBA_CACHE_DIR": str(folder / "cache"), "TILEWRIGHT_NATIVE": "1"},
        input=told,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_kernel_is_interpreted_until_another_process_has_compiled_it(tmp_path: Path):
    (tmp_path / "helpers.py").write_text(HELPERS, encoding="utf-8")
    (tmp_path / "rules.py").write_text(RULES, encoding="utf-8")
    program = "import rules"
    assert run(program, tmp_path, "interpret") == [f"{ROWS} 0"]
    assert not list((tmp_path / "cache").rglob("*.nbc"))
    assert run(program, tmp_path) == [f"{ROWS} 1"]
    assert run(program, tmp_path, "interpret") == [f"{ROWS} 1"]


def positions() -> list[tw.Position]:
    """Early and late in a game of each rule set, with few and many players."""
    found = []
    for name in tw.GAMES:
        for players, moves in ((2, 3), (4, 30)):
            position = tw.make_game(name, players=players).start(seed=moves)
            player = make_bot("level2", seed=1)
            for _ in range(moves):
                position.push(player.choose(position))
            found.append(position)
    return found


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_bots_score_moves_alike_interpreted_and_compiled(tmp_path: Path):
    """But for rounding: machine code computes in double precision where NumPy keeps single."""
    asked = "".join(json.dumps(position.to_text()) + "\n" for position in positions())
    interpreted = [json.loads(line) for line in run(CHOOSING, tmp_path, "scores_of", "interpret", told=asked)]
    assert not list((tmp_path / "cache").rglob("*.nbc"))
    names: dict[str, Any] = {"__name__": "choosing"}
    exec(CHOOSING.partition('interpret_until_compiled("')[0], names)
    for line, (*moves, search, champion) in zip(asked.splitlines(), interpreted, strict=True):
        compiled = names["scores_of"](json.loads(line))
        assert compiled[:2] == moves
        assert compiled[2:] == [pytest.approx(search, abs=1e-4), pytest.approx(champion, abs=1e-4)]


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_searches_visit_the_same_moves_interpreted_and_compiled(tmp_path: Path):
    """Trees keep moves in 32 bits: plain Python must not compute with them in so few."""
    interpreted = run(CHOOSING, tmp_path, "visits_of", "interpret", told=json.dumps(END_OF_ROUND))
    names: dict[str, Any] = {"__name__": "choosing"}
    exec(CHOOSING.partition('interpret_until_compiled("')[0], names)
    compiled = names["visits_of"](END_OF_ROUND)
    assert json.loads(interpreted[0]) == [pytest.approx(visits, abs=2) for visits in compiled]
