"""How long people wait in the first minute: each thing that somebody does first, in a process of its own.

    python benchmarks/first_minute.py               # as installed: with the machine code of a wheel or of earlier runs
    python benchmarks/first_minute.py --repeat 3    # the best of three tries
    python benchmarks/first_minute.py --cold        # with empty caches: everything is compiled
    python benchmarks/first_minute.py --functions   # CPU seconds of the compiler by function

Times include starting Python and all imports. On a busy machine the CPU seconds say more than the clock; on Windows
they are not known. Tasks that need a package that is not installed are left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple

IMPORT = "import tilewright"
MOVE = """
import tilewright as tw
position = tw.make_game({game!r}).start(seed=7)
position.push(next(iter(position.legal_moves)))
"""
ANSWER = """
import tilewright as tw
from tilewright.bots.registry import make_bot
make_bot({bot!r}).choose(tw.make_game({game!r}).start(seed=7))
"""
STEP = """
import tilewright as tw
from tilewright.envs import Vector
vector = Vector(tw.make_game({game!r}), 1024, seed=7)
vector.step(vector.random_moves())
"""
PETTINGZOO = """
from tilewright.envs import pettingzoo
env = pettingzoo.env({game!r})
env.reset(seed=7)
env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
"""
GAMES = ("azul", "azul-mini", "summer-pavilion")
TASKS = {
    "import": IMPORT,
    "first move": MOVE,
    "first step of a Vector": STEP,
    "first step in PettingZoo": PETTINGZOO,
    "first answer of level 2": ANSWER.replace("{bot!r}", "'level2'"),
    "first answer of level 4": ANSWER.replace("{bot!r}", "'level4'"),
    "first answer of level 6": ANSWER.replace("{bot!r}", "'level6'"),
}


class Taken(NamedTuple):
    """How long a process took."""

    seconds: float
    cpu_seconds: float


def run(program: str, environment: dict[str, str]) -> Taken:
    """Run a program in a process of its own."""
    begun, before = time.perf_counter(), _children()
    subprocess.run([sys.executable, "-c", program], env={**os.environ, **environment}, check=True)
    return Taken(time.perf_counter() - begun, _children() - before)


def _children() -> float:
    used = os.times()
    return used.children_user + used.children_system


@contextmanager
def caches(cold: bool) -> Iterator[dict[str, str]]:
    """The caches as they are, or empty ones: then nothing that came with the package is used either."""
    if not cold:
        yield {}
        return
    with tempfile.TemporaryDirectory() as folder:
        yield {"NUMBA_CACHE_DIR": folder, "TILEWRIGHT_NATIVE": "1"}


def measure(cold: bool, games: list[str], tasks: list[str], repeat: int) -> None:
    """A line for each task and game, with the best of several tries."""
    load = f"   load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{'':<50}{'seconds':>10}{'CPU seconds':>14}{load}")
    for task in tasks:
        for game in games if "{game" in TASKS[task] else [""]:
            tries = [measure_once(TASKS[task].format(game=game), cold) for _ in range(repeat)]
            seconds, cpu_seconds = (min(column) for column in zip(*tries, strict=True))
            print(f"{f'{task} {game}':<50}{seconds:>10.2f}{cpu_seconds:>14.2f}", flush=True)


def measure_once(program: str, cold: bool) -> Taken:
    """One try, which finds nothing that an earlier one compiled if the caches are to be empty."""
    with caches(cold) as environment:
        return run(program, environment)


# ------------------------------------------------------------------------------------ Where the time goes


def measure_functions(game: str, task: str) -> None:
    """CPU seconds of the compiler for each function of a task, without those of the functions that it calls."""
    from numba.core import event

    spent: dict[str, float] = {}
    running: list[list[float]] = []

    class Stopwatch(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            running.append([time.thread_time(), 0.0])

        def on_end(self, event: Any) -> None:
            begun, inside = running.pop()
            took = time.thread_time() - begun
            name = event.data["dispatcher"].py_func.__qualname__
            spent[name] = spent.get(name, 0.0) + took - inside
            if running:
                running[-1][1] += took

    event.register("numba:compile", Stopwatch())
    exec(TASKS[task].format(game=game), {})
    print(f"{task}, {game}: {sum(spent.values()):.1f} CPU seconds in {len(spent)} functions")
    for name, seconds in sorted(spent.items(), key=lambda item: -item[1])[:25]:
        print(f"{seconds:>8.2f}  {name}")


def _can_run(task: str) -> bool:
    return TASKS[task] is not PETTINGZOO or find_spec("pettingzoo") is not None


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description="How long people wait in the first minute.")
    parser.add_argument("--cold", action="store_true", help="with empty caches")
    parser.add_argument("--functions", action="store_true", help="CPU seconds by function, with empty caches")
    parser.add_argument("--repeat", type=int, default=1, help="the best of this many tries")
    parser.add_argument("--game", choices=GAMES, action="append", help="only this game")
    parser.add_argument("--task", choices=list(TASKS), action="append", help="only this task")
    arguments = parser.parse_args()
    games, tasks = arguments.game or list(GAMES), arguments.task or [task for task in TASKS if _can_run(task)]
    if not arguments.functions:
        measure(arguments.cold, games, tasks, arguments.repeat)
        return
    if "NUMBA_CACHE_DIR" not in os.environ:  # Numba reads it when it is imported
        with caches(cold=True) as environment:
            done = subprocess.run([sys.executable, *sys.argv], env={**os.environ, **environment}, check=False)
        sys.exit(done.returncode)
    for task in tasks:
        for game in games:
            measure_functions(game, task)


if __name__ == "__main__":
    main()
