"""``tilewright puzzles``: mine puzzles from self-play."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tilewright.arena.match import available_cores
from tilewright.cli.game_options import chosen_game
from tilewright.cli.progress import duration
from tilewright.cli.terminal import compiling_notice, screen_width
from tilewright.insight.mining_run import MiningProgress, Work, mine
from tilewright.search.rule_sets import slug

_CLEAR = "\r\x1b[K"


def run(arguments: Namespace) -> int:
    """Mine until there are enough puzzles or the time is over, and say what it cost."""
    game = chosen_game(arguments)
    path = Path(arguments.output or f"puzzles-{slug(game)}.txt")
    workers = available_cores() if arguments.workers is None else arguments.workers
    with compiling_notice():
        Work(game, arguments.seed, None).miner()
    with _told(sys.stderr, arguments.number) as listener:
        done = mine(game, path, arguments.seed, arguments.number, arguments.minutes, workers, listener)
    print(f"{path}: {done.puzzles} puzzles from {done.games} games")
    print("\n".join(_costs(done)))
    return 0


def _costs(done: MiningProgress) -> Iterator[str]:
    """What this run took, and where positions were sifted out."""
    if not done.played_now:
        return
    yield f"{done.found_now} puzzles now, in {duration(done.elapsed)}, {done.cpu_seconds:.0f} CPU seconds" + (
        f": {done.cpu_seconds / done.found_now:.1f} for each" if done.found_now else ""
    )
    yield "positions: " + ", ".join(f"{count} {sieve}" for sieve, count in done.passed.items())


@contextmanager
def _told(stream: Any, number: int | None) -> Iterator[Callable[[MiningProgress], None]]:
    """A line that says how far mining is: rewritten in a terminal, one for each game elsewhere."""
    is_terminal = stream.isatty()

    def draw(progress: MiningProgress) -> None:
        line = progress_line(progress, number)
        stream.write(_CLEAR + line[: screen_width() - 1] if is_terminal else line + "\n")
        stream.flush()

    try:
        yield draw
    finally:
        if is_terminal:
            stream.write(_CLEAR)
            stream.flush()


def progress_line(progress: MiningProgress, number: int | None) -> str:
    """How many puzzles there are, what they come from and what each costs; the time left, once it can be estimated."""
    wanted = "" if number is None else f"/{number}"
    told = f"{progress.puzzles}{wanted} puzzles from {progress.games} games  {duration(progress.elapsed)}"
    if progress.found_now:
        told += f"  {progress.cpu_seconds / progress.found_now:.1f} CPU seconds each"
        if number is not None and number > progress.puzzles:
            left = progress.elapsed / progress.found_now * (number - progress.puzzles)
            told += f"  about {duration(left)} left"
    return told
