"""What the benchmarks of reviews share: the rule set as typed, games between bots, and work spread over processes.

Results can be kept in a file, so that a run that was cut off continues, and runs of several machines can be joined.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import tilewright as tw
from tilewright.bots.registry import make_bot
from tilewright.game.registry import read_game

Job = TypeVar("Job")
Result = TypeVar("Result")


@cache
def rule_set(text: str) -> tw.Game:
    """A rule set as positions name it: ``azul``, ``azul players=3 wall=grey``."""
    name, *options = text.split()
    return read_game(name, dict(option.split("=", 1) for option in options))


def play(game: tw.Game, names: list[str], seed: int) -> tw.Record:
    """A game between bots. The seats rotate with the seed.

    Every game has its own deals: if two equal bots played the same ones from both seats, luck would cancel out whatever
    the review says.
    """
    bots = [make_bot(name, seed=seed * 10 + n) for n, name in enumerate(names)]
    position = game.start(seed=seed)
    while not position.is_over:
        assert position.turn is not None
        position.push(bots[(position.turn + seed) % game.players].choose(position))
    return position.record()


def compile_reviews(game: tw.Game) -> None:
    """Compile before any processes start: they find the machine code on disk instead of all compiling it."""
    position = game.start(seed=0)
    position.push(next(iter(position.legal_moves)))
    tw.review(position.record(), budget="20")


def spread(work: Callable[[Job], Result], jobs: Iterable[Job], workers: int) -> Iterator[Result]:
    """The results of all jobs, in their order; with one worker, in this process."""
    if workers == 1:
        yield from map(work, jobs)
        return
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(work, jobs)


def spread_and_keep(
    work: Callable[[Job], Any], jobs: Iterable[Job], workers: int, path: Path | None
) -> Iterator[tuple[Job, Any]]:
    """All jobs with their results, which must be JSON: first those that the file has, then the others, which it gets.

    The file has one line for each job. Lines of other jobs stay there and are not used.
    """
    known = dict(_kept(path)) if path and path.exists() else {}
    missing = [job for job in jobs if json.dumps(job) not in known]
    yield from ((job, known[json.dumps(job)]) for job in jobs if json.dumps(job) in known)
    for job, result in zip(missing, spread(work, missing, workers), strict=True):
        if path:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps([job, result])}\n")
        yield job, result


def _kept(path: Path) -> Iterator[tuple[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        job, result = json.loads(line)
        yield json.dumps(job), result
