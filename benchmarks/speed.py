"""How fast the rules are: every rule set played at random, compiled against the same rules as plain Python.

``python benchmarks/speed.py`` prints a table, ``--json`` the same figures for a program. Moves a second depend
on the machine; the ratio compiled / interpreted, both measured in this run, depends on it much less. All
seconds are CPU time, so that other programs hardly affect the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from time import process_time

import numpy as np

import tilewright as tw

SEED = 1510


@dataclass
class Speed:
    """Random play of one rule set."""

    rules: str
    moves_per_second: float
    games_per_second: float
    interpreted_moves_per_second: float = 0.0

    @property
    def ratio(self) -> float:
        """How many times faster the compiled rules are than the same rules as plain Python."""
        return self.moves_per_second / self.interpreted_moves_per_second


# ---------------------------------------------------------------------------------------------- Random play


def rule_sets() -> Iterator[tw.Game]:
    """Every game, variant and number of players."""
    for players in (2, 3, 4):
        for wall in ("coloured", "grey"):
            yield tw.Azul(players, wall)
            yield tw.Azul(players, wall, jokers=True)
            yield tw.AzulMini(players, wall)
            yield tw.SummerPavilion(players, side=wall)


def play(game: tw.Game, games: int) -> tuple[int, float]:
    """Play random games; returns the number of moves and the CPU time."""
    states, start = game.kernels.new_states(1), game.set_up().states
    totals = game.kernels.new_totals()
    generator = np.array([SEED], dtype=np.uint64)
    begin = process_time()
    game.kernels.play_games(states, start, generator, games, totals)
    return int(totals["moves"][0]), process_time() - begin


def measure(game: tw.Game, seconds: float) -> Speed:
    """Play for about this many seconds, after one game that compiles the rules."""
    play(game, 1)
    games, moves, took = 1, *play(game, 1)
    while took < seconds:
        games = max(games + 1, int(1.1 * games * min(seconds / max(took, 1e-6), 20)))
        moves, took = play(game, games)
    return Speed(repr(game), moves / took, games / took)


def measure_all(seconds: float) -> list[Speed]:
    """Every rule set, in this process: compiled, or interpreted if NUMBA_DISABLE_JIT is set."""
    return [measure(game, seconds) for game in rule_sets()]


def measure_interpreted(seconds: float) -> list[Speed]:
    """Every rule set in a process of its own that runs the rules as plain Python."""
    command = [sys.executable, __file__, "--reference", "--seconds", str(seconds)]
    answer = run(command, {"NUMBA_DISABLE_JIT": "1"})
    return [Speed(**speed) for speed in json.loads(answer)]


def run(command: list[str], environment: dict[str, str]) -> str:
    """The output of a subprocess."""
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[:2])} failed:\n{done.stderr}")
    return done.stdout


# ------------------------------------------------------------------------------------------------ The report


def as_table(speeds: list[Speed]) -> str:
    """For people."""
    lines = [f"{'random play, one thread':<50}{'moves/s':>12}{'games/s':>10}{'interpreted':>13}{'ratio':>8}"]
    for speed in speeds:
        lines.append(
            f"{speed.rules:<50}{speed.moves_per_second:>12,.0f}{speed.games_per_second:>10,.0f}"
            f"{speed.interpreted_moves_per_second:>13,.0f}{speed.ratio:>8,.0f}"
        )
    return "\n".join(lines)


def as_json(speeds: list[Speed]) -> str:
    """For a program."""
    return json.dumps({"random_play": [{**asdict(speed), "ratio": speed.ratio} for speed in speeds]}, indent=1)


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="How fast the rules are, compiled and interpreted.")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long to play each rule set")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--reference", action="store_true", help=argparse.SUPPRESS)  # the interpreted subprocess
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    wanted = read_arguments()
    speeds = measure_all(wanted.seconds)
    if wanted.reference:
        print(json.dumps([asdict(speed) for speed in speeds]))
        return
    for speed, reference in zip(speeds, measure_interpreted(wanted.seconds), strict=True):
        speed.interpreted_moves_per_second = reference.moves_per_second
    report = as_json if wanted.json else as_table
    print(report(speeds))


if __name__ == "__main__":
    main()
