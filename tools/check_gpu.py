"""On a machine with an NVIDIA GPU: check that GPU and CPU play the same games, byte by byte.

python tools/check_gpu.py            every rule set, 512 games of each, 400 steps
python tools/check_gpu.py --quick    two rule sets
"""

from __future__ import annotations

import argparse
import sys
from time import perf_counter

import numpy as np

from tilewright.envs.cuda_vector import CudaVector
from tilewright.envs.vector import Vector
from tilewright.game.game import Game
from tilewright.game.registry import every_rule_set

ARRAYS = ("observations", "masks", "rewards", "dones", "scores", "turns", "movers")


def rule_sets(quick: bool) -> list[Game]:
    """Every rule set, or the first and the last."""
    games = list(every_rule_set())
    return [games[0], games[-1]] if quick else games


def compare(game: Game, size: int, steps: int, reward: str, canonical: bool) -> int:
    """Play the same moves on both; returns how many games ended. Exits at the first difference."""
    here = Vector(game, size, 7, reward=reward, canonical=canonical)
    there = CudaVector(game, size, 7, reward=reward, canonical=canonical)
    ended = 0
    for step in range(steps):
        moves = here.random_moves()
        if not (moves == there.random_moves().copy_to_host()).all():
            sys.exit(f"{game!r}: the random moves differ at step {step}")
        here.step(moves)
        there.step(moves)
        if np.asarray(here.states).tobytes() != there.copy_states().tobytes():
            sys.exit(f"{game!r}: the positions differ after step {step}")
        for name in ARRAYS:
            if getattr(here, name).tobytes() != getattr(there, name).copy_to_host().tobytes():
                sys.exit(f"{game!r}: {name} differ after step {step}")
        ended += int(here.dones.sum())
    return ended


def main() -> None:
    """Compare every rule set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--steps", type=int, default=400)
    options = parser.parse_args()
    rewards = ("win", "margin", "score")
    for n, game in enumerate(rule_sets(options.quick)):
        started = perf_counter()
        ended = compare(game, options.games, options.steps, rewards[n % 3], bool(n % 2))
        print(f"{game!r}: {options.games} games, {options.steps} steps, {ended} ended, every byte equal"
              f" ({perf_counter() - started:.0f} s)", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
