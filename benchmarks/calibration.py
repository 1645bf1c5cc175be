"""Do win chances come true? Predicted against actual wins in games of the champion against itself.

    python benchmarks/calibration.py azul "azul players=3" --games 4000 --share 0.1 --workers 16

Positions of the games are evaluated without calibration. For each decile of the predicted chance, the table shows how
often the player really won, before and after calibration; the exponent is the one with the smallest log loss. For the
second table each half of the games is calibrated with the exponent that fits the other half. Positions of one game are
not independent, so errors are computed from whole games. ``--keep`` keeps every game; the same command continues the
file.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import tilewright as tw
from reviewed_games import compile_reviews, rule_set, spread_and_keep
from tilewright.bots.champion import ChampionBot
from tilewright.insight.calibration import Calibration
from tilewright.insight.expectation import Expectation
from tilewright.insight.network_evaluator import NetworkEvaluator
from tilewright.search.rule_sets import slug

EXPONENTS = np.arange(0.70, 2.01, 0.02)
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """Positions of games: which game, what was predicted for each seat, and what came true."""

    games: NDArray[np.int64]
    predicted: Numbers
    actual: Numbers


class Job(NamedTuple):
    """A game of the champion against itself, and how it is evaluated."""

    rules: str
    seed: int
    simulations: int
    evaluation_budget: str
    share: float
    """Of the decisions that are evaluated."""


class Decile(NamedTuple):
    """Predictions that are about equal."""

    predicted: float
    won: float
    error: float
    """The standard error of what was won."""
    positions: int


def evaluated(job: Job) -> tuple[list[tuple[float, ...]], tuple[float, ...]]:
    """What was predicted in a game, and what came true."""
    evaluator, bot = _evaluator(job.rules), ChampionBot(tw.Budget(simulations=job.simulations), seed=job.seed)
    position, predicted, luck = evaluator.game.start(seed=job.seed), [], Random(job.seed)
    while not position.is_over:
        if luck.random() < job.share:
            budget = tw.Budget.read(job.evaluation_budget)
            predicted.append(evaluator.evaluate(position, budget, tw.Cancellation()).expectation.chances)
        position.push(bot.choose(position))
    return predicted, Expectation.of_outcome(position).chances


@cache
def _evaluator(rules: str) -> NetworkEvaluator:
    return NetworkEvaluator(rule_set(rules), calibration=Calibration(1.0))


def play(jobs: list[Job], workers: int, path: Path | None) -> Sample:
    """All games."""
    rows: list[tuple[int, tuple[float, ...], tuple[float, ...]]] = []
    for job, (predicted, result) in spread_and_keep(evaluated, jobs, workers, path):
        rows += [(job.seed, chances, result) for chances in predicted]
    numbers, predictions, results = zip(*rows, strict=True)
    return Sample(np.array(numbers), np.array(predictions), np.array(results))


def calibrated(predicted: Numbers, exponent: float) -> Numbers:
    """All predictions with an exponent, as ``Calibration`` does it for one."""
    powers = np.maximum(predicted, 0.0) ** exponent
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def log_loss(sample: Sample, exponent: float) -> float:
    """The mean over all positions."""
    chances = np.clip(calibrated(sample.predicted, exponent), 1e-4, 1)
    return float(-(sample.actual * np.log(chances)).sum(axis=1).mean())


def fit(sample: Sample) -> float:
    """The exponent with the smallest log loss."""
    return float(EXPONENTS[int(np.argmin([log_loss(sample, exponent) for exponent in EXPONENTS]))])


def error_of(sample: Sample, resamples: int = 40) -> float:
    """The standard error of the exponent: games are drawn again with replacement."""
    generator = np.random.default_rng(1)
    names = np.unique(sample.games)
    rows = {name: np.flatnonzero(sample.games == name) for name in names}
    fitted = []
    for _ in range(resamples):
        drawn = np.concatenate([rows[name] for name in generator.choice(names, len(names))])
        fitted.append(fit(Sample(sample.games[drawn], sample.predicted[drawn], sample.actual[drawn])))
    return float(np.std(fitted))


def cross_calibrated(sample: Sample) -> Numbers:
    """All predictions, each half of the games with the exponent that fits the other half."""
    found = np.empty_like(sample.predicted)
    for half in (0, 1):
        own = sample.games % 2 == half
        other = Sample(sample.games[~own], sample.predicted[~own], sample.actual[~own])
        found[own] = calibrated(sample.predicted[own], fit(other))
    return found


def deciles(sample: Sample, predicted: Numbers) -> list[Decile]:
    """By decile of a prediction, how often it came true."""
    flat, true = predicted.ravel(), sample.actual.ravel()
    games = np.repeat(sample.games, predicted.shape[1])
    found = []
    for n in range(10):
        inside = (flat >= n / 10) & ((flat < (n + 1) / 10) | (n == 9))
        if inside.sum() >= 20:
            won = float(true[inside].mean())
            _, which = np.unique(games[inside], return_inverse=True)
            surprises = np.bincount(which, true[inside] - won)
            error = float(np.sqrt((surprises**2).sum()) / inside.sum())
            found.append(Decile(float(flat[inside].mean()), won, error, int(inside.sum())))
    return found


def draw(curves: dict[str, list[Decile]], path: Path) -> None:
    """Predicted against actual, with the diagonal."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "tilewright", "font.size": 10}):
        figure = Figure(figsize=(5, 4.4), layout="constrained")
        axes = figure.add_subplot()
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        for (name, points), marker in zip(curves.items(), "os^D", strict=False):
            predicted, won, errors, _ = zip(*points, strict=True)
            axes.errorbar(predicted, won, errors, marker=marker, capsize=2, label=name)
        axes.set_xlabel("predicted win chance")
        axes.set_ylabel("games won")
        axes.legend(frameon=False)
        figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Play, fit, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", nargs="+", help='rule sets, such as "azul" or "azul players=3 wall=grey"')
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, default=200, help="of the champion, a move")
    parser.add_argument("--evaluation-budget", default="2000", help="the budget of each evaluation")
    parser.add_argument("--share", type=float, default=0.25, help="of the decisions that are evaluated")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="keep every game in this file, a line each")
    parser.add_argument("--out", type=Path, help="write the plot of a single rule set to this file")
    arguments = parser.parse_args()
    for rules in arguments.rules:
        calibrate(rules, arguments)


def calibrate(rules: str, arguments: argparse.Namespace) -> None:
    """One rule set."""
    compile_reviews(game := rule_set(rules))
    seeds = range(arguments.first, arguments.first + arguments.games)
    jobs = [Job(rules, seed, arguments.simulations, arguments.evaluation_budget, arguments.share) for seed in seeds]
    sample = play(jobs, arguments.workers, arguments.keep)
    exponent, error = fit(sample), error_of(sample)
    print(f"\n{slug(game)}: {arguments.games} games, {len(sample.games)} positions")
    print(
        f"exponent {exponent:.2f} ± {error:.2f}; log loss {log_loss(sample, 1):.4f} -> {log_loss(sample, exponent):.4f}"
    )
    curves = {
        "as searched": deciles(sample, sample.predicted),
        "calibrated": deciles(sample, cross_calibrated(sample)),
    }
    for name, points in curves.items():
        print(f"\n{name}\n predicted  won             positions")
        for one in points:
            print(f"   {one.predicted:6.1%}  {one.won:6.1%} ± {one.error:.1%}  {one.positions:9}", flush=True)
    if arguments.out:
        draw(curves, arguments.out)


if __name__ == "__main__":
    main()
