"""Machine code on disk: it is used again, never when it is stale, and never by another game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HELPERS = """
from tilewright.kernels.compile import kernel

@kernel
def helper(x):
    return x + 1
"""
RULES = """
from helpers import helper
from tilewright.kernels.compile import search_kernel

@search_kernel
def twice(x):
    '''Twice the successor.'''
    return 2 * helper(x)

result = twice(10)
hits = sum(twice.stats.cache_hits.values())
print(result, "from the cache" if hits else "compiled")
"""
TINY_GAME = """
import sys
from types import ModuleType

import numpy as np

from tilewright.kernels.compile import kernel
from tilewright.kernels.playing import Kernels

POSITION = np.dtype([("score", np.int32, 2), ("players", np.int8), ("turn", np.int8), ("phase", np.int8),
                     ("round_number", np.int8), ("spare", np.int32)])

def rules_with(points):
    rules = ModuleType(f"rules_{points}")

    @kernel
    def apply_move(position, move):
        position.score[0] += points

    @kernel
    def is_over(position):
        return position.score[0] > 0

    @kernel
    def nothing(position):
        return 1

    @kernel
    def nth_move(position, n):
        return n

    rules.POSITION, rules.set_up, rules.is_over, rules.count_actions = POSITION, nothing, is_over, nothing
    rules.count_moves, rules.nth_move, rules.apply_move = nothing, nth_move, apply_move
    return rules

for points in map(int, sys.argv[1:]):
    kernels = Kernels("tiny", rules_with(points))
    states = kernels.new_states(1)
    kernels.push_at(states, 0, 0)
    print(states["score"][0, 0])
"""


FACTORIAL = """
from tilewright.kernels.compile import search_kernel

@search_kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

@search_kernel
def successor(n):
    return factorial(n) + 1

print(successor(5), factorial(6))
"""
MEETING = """
import sys
import time
from pathlib import Path

Path(sys.argv[1]).touch()
while not Path(sys.argv[2]).exists():
    time.sleep(0.001)
"""


def start(folder: Path, text: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    """Start a program in a folder with a cache of its own."""
    (folder / "program.py").write_text(text, encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        [sys.executable, "program.py", *arguments],
        cwd=folder,
        env={**inherited, **cache, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output_of(process: subprocess.Popen[str]) -> list[str]:
    told, complaints = process.communicate()
    assert process.returncode == 0, complaints
    return told.splitlines()


@pytest.fixture
def program(tmp_path: Path):
    """Runs a program in a folder with an empty cache of its own."""

    def run(text: str, *arguments: str, **environment: str) -> list[str]:
        return output_of(start(tmp_path, text, *arguments, **environment))

    return run


def test_a_stale_cache_is_never_used(tmp_path: Path, program):
    helpers = tmp_path / "helpers.py"
    helpers.write_text(HELPERS, encoding="utf-8")
    assert program(RULES) == ["22 compiled"]
    assert program(RULES) == ["22 from the cache"]
    assert program(RULES.replace("Twice the successor", "Another docstring")) == ["22 from the cache"]
    helpers.write_text(HELPERS.replace("x + 1", "x + 2"), encoding="utf-8")
    assert program(RULES) == ["24 compiled"]
    assert program(RULES) == ["24 from the cache"]


def test_stale_machine_code_is_removed(tmp_path: Path, program):
    helpers = tmp_path / "helpers.py"
    for added in (1, 2, 3):
        helpers.write_text(HELPERS.replace("x + 1", f"x + {added}"), encoding="utf-8")
        program(RULES)
    assert len(list((tmp_path / "cache").rglob("*twice*.nbc"))) == 1


def test_processes_that_need_a_function_at_the_same_time_compile_it_once(tmp_path: Path):
    (tmp_path / "helpers.py").write_text(HELPERS, encoding="utf-8")
    text = RULES.replace("result =", f"{MEETING}\nresult =")
    both = [start(tmp_path, text, *names) for names in (("one", "other"), ("other", "one"))]
    assert sorted(line for process in both for line in output_of(process)) == ["22 compiled", "22 from the cache"]


@pytest.mark.parametrize("version", ["compiled", "cached"])
def test_a_function_that_calls_itself_is_called_by_python_and_by_kernels(program, version: str):
    if version == "cached":
        program(FACTORIAL)
    assert program(FACTORIAL) == ["121 720"]


def test_two_games_with_the_same_record_do_not_share_machine_code(program):
    assert program(TINY_GAME, "1", "5") == ["1", "5"]
    assert program(TINY_GAME, "5", "1") == ["5", "1"]


def test_the_rules_run_without_compiling(program):
    assert program(TINY_GAME, "3", NUMBA_DISABLE_JIT="1") == ["3"]
