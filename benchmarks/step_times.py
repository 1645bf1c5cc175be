"""Where the time of ``Vector.step`` goes, and how long a bare copy of the bytes it writes would take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

from contenders import GAMES, SEED
from tilewright.envs.stepping import step_settings
from tilewright.envs.vector import Vector, VectorKernels

FIRST_TURNS = 30
"""Steps before anything is measured, so that the games are at different moves."""


@dataclass
class Share:
    """The time of one part of a vector's step, on one thread and for one game."""

    game: str
    batch: int
    part: str
    nanoseconds: float


@dataclass
class Limit:
    """The bytes that a step has to write, and how long a bare copy of them takes."""

    game: str
    batch: int
    bytes_per_step: int
    copy_nanoseconds: float


def parts_of_a_step(vector: Vector) -> dict[str, Callable[[], Any]]:
    """The kernels that ``Vector.step`` calls, one by one and in their order."""
    game, states = vector.game, vector.states
    kernels = VectorKernels(game)
    words = np.random.SeedSequence(SEED).generate_state(2 * len(vector), np.uint64)
    choosers, generators = words[: len(vector)], words[len(vector) :]
    start, moves = game.set_up().states, np.zeros(len(vector), np.int64)
    settings = step_settings("win", "error", canonical=False, autoreset=True)
    results = (vector.movers, vector.rewards, vector.dones, vector.scores)
    copies = vector.observations.copy(), vector.masks.copy()

    def mark() -> None:
        vector.masks.fill(False)
        game.kernels.mark_each(states, vector.masks)

    def copy() -> None:
        np.copyto(copies[0], vector.observations)
        np.copyto(copies[1], vector.masks)

    return {
        "choose": lambda: kernels.choose_each(states, choosers, moves),
        "check": lambda: kernels.find_illegal(states, moves),
        "play": lambda: kernels.step_each(states, start, generators, settings, moves, *results),
        "observe and mask": lambda: kernels.observe_each(
            states, moves, vector.turns, vector.observations, vector.masks
        ),
        "mask": mark,
        "copy": copy,
    }


def measure_parts(name: str, batch: int, seconds: float) -> tuple[list[Share], Limit]:
    """How long each part takes for one game; observing is what remains of ``observe and mask`` without the mask."""
    vector = Vector(GAMES[name], batch, SEED, threads=1)
    parts = parts_of_a_step(vector)
    best = dict.fromkeys(parts, float("inf"))
    begin = process_time()
    turns = 0
    while turns < FIRST_TURNS or process_time() - begin < seconds:
        took = {part: time_of(work) for part, work in parts.items()}
        turns += 1
        if turns > FIRST_TURNS // 2:
            best = {part: min(best[part], took[part]) for part in parts}
    each = {part: 1e9 * took / batch for part, took in best.items()}
    shares = {part: each[part] for part in ("choose", "check", "play")}
    shares |= {"observe": each["observe and mask"] - each["mask"], "mask": each["mask"]}
    written = vector.observations[0].nbytes + vector.masks[0].nbytes
    return [Share(name, batch, *part) for part in shares.items()], Limit(name, batch, written, each["copy"])


def time_of(work: Callable[[], Any]) -> float:
    """The CPU time of a call."""
    begin = process_time()
    work()
    return process_time() - begin


def measure_limits(seconds: float) -> tuple[list[Share], list[Limit]]:
    """Both games, with a batch that fits into the cache and one that does not."""
    shares, limits = [], []
    for name in GAMES:
        for batch in (1024, 16384):
            parts, limit = measure_parts(name, batch, seconds)
            shares += parts
            limits.append(limit)
    return shares, limits
