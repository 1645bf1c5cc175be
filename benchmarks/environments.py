"""How fast the environments are compared with others: one table, one run, equal numbers of games at once.

``python benchmarks/environments.py`` prints it, ``--json`` prints the same figures for a program, ``--only vector``
measures one family and the baseline. A step is one decision of a player (in Gymnasium: of the agent, including the
replies of its opponents). What is not installed, or does not run, is left out, and the table says so.

On one thread seconds are CPU time, so that other programs hardly affect the figures. On several threads they are wall
time. Each family runs in a process of its own that is pinned to as many cores as it has threads.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import islice
from time import perf_counter, process_time
from typing import Any

from contenders import FAMILIES, Contender, Steps
from step_times import Limit, Share, measure_limits

TRIES = 10
"""Every figure is the best of these: whatever disturbs a measurement only ever makes it slower."""
FIRST_TURNS = 30
"""Steps after the first, which compiles, and before anything is measured, so that the games are at different moves.
Fewer if that would take longer than the measurement."""
BASE = ("pettingzoo", "connect_four")


@dataclass
class Speed:
    """The measurement of a contender."""

    family: str
    name: str
    ours: bool
    batch: int
    threads: int
    clock: str
    """``processor`` for CPU time or ``wall``."""
    steps_per_second: float | None
    """None if it is not installed."""
    cores: float | None
    """How many cores it used while it was measured: on a busy machine fewer than it has threads."""
    ratio: float | None = None
    """How many times as fast as the baseline."""


# ---------------------------------------------------------------------------------------------- Measuring


def rate(steps: Steps, batch: int, seconds: float, now: Callable[[], float]) -> tuple[float, float]:
    """Steps of single games per second, the best of a few tries, and how many cores were used."""
    many = max(1, 64 // batch)
    next(steps)
    begin = now()
    for _ in islice(steps, FIRST_TURNS):
        if now() - begin > seconds:
            break
    best = 0.0, 0.0
    for _ in range(TRIES):
        begin, worked, passed, count = now(), process_time(), perf_counter(), 0
        while (took := now() - begin) < seconds / TRIES:
            for _ in islice(steps, many):
                count += batch
        best = max(best, (count / took, (process_time() - worked) / (perf_counter() - passed)))
    return best


def measure(contender: Contender, seconds: float) -> Speed:
    """How fast one contender is, if it is installed."""
    now = process_time if contender.threads == 1 else perf_counter
    found = cores = None
    try:
        import_module(contender.needs)
        found, cores = rate(contender.start(), contender.batch, seconds, now)
    except ModuleNotFoundError:
        pass
    except Exception as error:  # packages have errors of their own for what they lack, and some fail on import
        if contender.ours:
            raise
        print(f"{contender.family}, {contender.name}: {error}", file=sys.stderr)
    clock = "processor" if contender.threads == 1 else "wall"
    shown = (contender.family, contender.name, contender.ours, contender.batch, contender.threads)
    return Speed(*shown, clock, found, cores)


def measure_here(family: str, name: str | None, threads: int, seconds: float) -> list[Speed]:
    """A family, or one of it, in this process, which keeps to as many cores as there are threads."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    warnings.simplefilter("ignore")  # of other packages
    import_module("tilewright.envs")
    return [measure(contender, seconds) for contender in FAMILIES[family](threads) if name in (None, contender.name)]


def ask(arguments: list[str]) -> Any:
    """The answer of this program run as a process of its own."""
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sys.stderr.write(done.stderr)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed")
    return json.loads(done.stdout.splitlines()[-1])


def measure_all(families: list[str], seconds: float) -> list[Speed]:
    """These families, on one core and on two, and the baseline in any case."""
    wanted = [(family, threads) for family in families for threads in (1, 2)]
    asked = [["--child", family, "--threads", str(threads)] for family, threads in wanted]
    if BASE[0] not in families:
        asked.append(["--child", BASE[0], "--name", BASE[1]])
    speeds = [Speed(**found) for words in asked for found in ask([*words, "--seconds", str(seconds)])]
    baseline = next(speed.steps_per_second for speed in speeds if is_base(speed))
    for speed in speeds:
        if baseline and speed.steps_per_second:
            speed.ratio = speed.steps_per_second / baseline
    return speeds


def is_base(speed: Speed) -> bool:
    """Whether this is the baseline of the ratios."""
    return (speed.family, speed.name) == BASE


# ---------------------------------------------------------------------------------------------- The report


def as_table(speeds: list[Speed], shares: list[Share], limits: list[Limit]) -> str:
    """Everything, for people."""
    lines = [
        f"{'family':<12}{'game':<28}{'games':>7}{'threads':>9}{'clock':>11}{'cores':>7}{'steps/s':>14}{'ratio':>10}"
    ]
    for speed in speeds:
        own = "* " if speed.ours else ""
        steps = "not installed" if speed.steps_per_second is None else f"{speed.steps_per_second:,.0f}"
        cores = "" if speed.cores is None else f"{speed.cores:.2f}"
        ratio = "" if speed.ratio is None else f"{speed.ratio:,.2f}"
        lines.append(
            f"{speed.family:<12}{own + speed.name:<28}{speed.batch:>7}{speed.threads:>9}{speed.clock:>11}"
            f"{cores:>7}{steps:>14}{ratio:>10}"
        )
    lines.append(f"* ours; ratio: compared with {BASE[0]}'s {BASE[1]}")
    if limits:
        lines += ["", "one game of a vector, one thread, nanoseconds of CPU time"]
    for limit in limits:
        parts = [share for share in shares if (share.game, share.batch) == (limit.game, limit.batch)]
        shown = ", ".join(f"{share.part} {share.nanoseconds:.0f}" for share in parts)
        all_parts = sum(share.nanoseconds for share in parts)
        lines.append(
            f"{limit.game}, {limit.batch} games: {shown}; together {all_parts:.0f}; "
            f"a bare copy of the {limit.bytes_per_step} bytes {limit.copy_nanoseconds:.0f}"
        )
    return "\n".join(lines)


def as_json(speeds: list[Speed], shares: list[Share], limits: list[Limit]) -> str:
    """Everything, for a program."""
    figures = {"speeds": speeds, "shares": shares, "limits": limits}
    return json.dumps({name: [asdict(one) for one in these] for name, these in figures.items()}, indent=1)


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="How fast the environments are, compared with others.")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long to measure each line of the table")
    parser.add_argument("--only", nargs="+", choices=list(FAMILIES), default=list(FAMILIES), help="these families")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--child", choices=list(FAMILIES), help=argparse.SUPPRESS)  # one family in a process
    parser.add_argument("--name", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    wanted = read_arguments()
    if wanted.child:
        speeds = measure_here(wanted.child, wanted.name, wanted.threads, wanted.seconds)
        print(json.dumps([asdict(speed) for speed in speeds]))
        return
    speeds = measure_all(wanted.only, wanted.seconds)
    limits = measure_limits(wanted.seconds) if "vector" in wanted.only else ([], [])
    report = as_json if wanted.json else as_table
    print(report(speeds, *limits))


if __name__ == "__main__":
    main()
