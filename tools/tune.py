"""Find the weights of the search's evaluation by self-play.

    python tools/tune.py azul --players 2
    python tools/tune.py summer-pavilion --players 3 --option side=grey

In each iteration the rollout policy plays about ten thousand games against itself with the current weights, a third of
them each at a low, a medium and a high temperature, so that bad boards are sampled too. Every board between two rounds
is a sample: its features, and the points that its owner still made. A ridge regression over the samples of the last
iterations, for each stage of the game, gives the next weights, and the scale that turns expected scores into win
probabilities is fitted to the winners.

    python tools/tune.py azul --players 2 --search 150 --games 3000

starts from the existing weights: the search plays itself with 150 simulations a move, and the weights are corrected by
the final scores of its games.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from typing import Any

import numpy as np

from tilewright.game.game import Game
from tilewright.game.registry import read_game
from tilewright.search.budget import Budget
from tilewright.search.parts import evaluation_of
from tilewright.search.searcher import Search
from tilewright.search.self_play import sample_boards, sample_dtype, self_play
from tilewright.search.settings import SETTINGS
from tilewright.search.tree import is_horizon_at
from tilewright.search.weights import initial_weights, weights_file, weights_for

Array = np.ndarray[Any, Any]
TEMPERATURES = (0.5, 1.5, 3.0)
REPLAY_ITERATIONS = 5
RIDGE, FIRM_RIDGE = 30.0, 150.0
EXPLORATION_RATE = 0.1
PART = 20
"""Games that a process plays at a time."""
FEWEST_BOARDS = 200
SCALES = np.geomspace(1, 60, 120)


def play(game: Game, weights: Array, temperature: float, count: int, seed: int) -> Array:
    """Samples from games of the rollout policy against itself."""
    settings = SETTINGS._replace(rollout_temperature=temperature)
    search = Search(game, weights, settings)
    samples = np.zeros(count, sample_dtype(evaluation_of(game).FEATURES))
    generator = np.random.default_rng(seed).integers(1 << 63, size=1).astype(np.uint64)
    written = search.kernel(self_play)(
        search.positions, game.set_up().states, search.evaluator, search.workspace, settings, generator, samples
    )
    return samples[:written]


def play_searching(task: tuple[Game, Array, int, int, int]) -> Array:
    """Samples from games of the search against itself; now and then it explores by sampling from its priors."""
    game, weights, games, simulations, seed = task
    noise = np.random.default_rng(seed)
    deals, thoughts = (noise.integers(1 << 63, size=1).astype(np.uint64) for _ in range(2))
    search = Search(game, weights)
    kernels, budget = game.kernels, Budget(simulations=simulations)
    samples = np.zeros(games * 60 * game.players, sample_dtype(evaluation_of(game).FEATURES))
    drawn = np.zeros(256, np.int64)
    count = 0
    for _ in range(games):
        states, first = game.set_up().states, count
        while game.phases[int(states["phase"][0])] != game.phases[-1]:
            if kernels.awaits_draw_at(states, 0):
                if search.kernel(is_horizon_at)(states, 0):
                    count = search.kernel(sample_boards)(states, search.workspace, samples, count)
                kernels.deal_at(states, 0, deals, drawn)
                continue
            move = search.run(states[0], budget, thoughts).principal_variation[0]
            if noise.random() < EXPLORATION_RATE:
                moves, scores = search.prior_scores(states[0])
                move = int(moves[np.argmax(scores + noise.gumbel(scale=2.0, size=len(moves)))])
            kernels.push_at(states, 0, move)
        samples["final_score"][first:count] = states["score"][0][samples["seat"][first:count]]
    return samples[:count]


def correct(samples: Array, before: Array) -> Array:
    """Fit corrections to the existing weights, firmly regularised; stages with few samples stay as they were."""
    weights = before.copy()
    count = samples["features"].shape[1]
    for stage in range(len(weights)):
        here = samples[samples["stage"] == stage]
        if len(here) < FEWEST_BOARDS:
            continue
        features = here["features"].astype(float)
        residual = here["final_score"] - here["score"] - features @ weights[stage, :count]
        print(f"  stage {stage}: {len(here):6} boards, error {residual.std():.2f}, mean {residual.mean():.2f}", end="")
        change = np.linalg.solve(features.T @ features + FIRM_RIDGE * np.eye(count), features.T @ residual)
        weights[stage, :count] += change
        weights[stage, -1] = fit_scale(here, weights[stage, :count])
        print(f" -> error {(residual - features @ change).std():.2f}, scale {weights[stage, -1]:.2f}", flush=True)
    return weights


def fit(samples: Array, before: Array) -> Array:
    """The weights of each stage, shrunk towards those of all stages together; stages never met stay as they were."""
    features = samples["features"].astype(float)
    points = (samples["final_score"] - samples["score"]).astype(float)
    count = features.shape[1]
    everywhere = np.linalg.solve(features.T @ features + RIDGE * np.eye(count), features.T @ points)
    weights = before.copy()
    for stage in range(len(weights)):
        here = samples["stage"] == stage
        if here.sum() < FEWEST_BOARDS:
            continue
        own, rest = features[here], points[here] - features[here] @ everywhere
        weights[stage, :count] = everywhere + np.linalg.solve(own.T @ own + RIDGE * np.eye(count), own.T @ rest)
        weights[stage, -1] = fit_scale(samples[here], weights[stage, :count])
        error = np.std(points[here] - own @ weights[stage, :count])
        print(
            f"  stage {stage}: {here.sum():7} boards, {points[here].mean():5.1f} points to come, "
            f"error {error:5.2f}, scale {weights[stage, -1]:5.2f}",
            flush=True,
        )
    return weights


def fit_scale(samples: Array, weights: Array) -> float:
    """The maximum-likelihood scale of the win probabilities, softmax(expected score / scale)."""
    players = int(samples["seat"].max()) + 1
    # The boards of one position are consecutive samples.
    expected = (samples["score"] + samples["features"] @ weights).reshape(-1, players)
    final = samples["final_score"].reshape(-1, players)
    won = (final == final.max(axis=1, keepdims=True)).astype(float)
    won /= won.sum(axis=1, keepdims=True)
    expected = expected - expected.max(axis=1, keepdims=True)
    losses = []
    for scale in SCALES:
        probabilities = np.exp(expected / scale)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        losses.append(-(won * np.log(probabilities + 1e-12)).sum(axis=1).mean())
    return float(SCALES[int(np.argmin(losses))])


def tune(game: Game, weights: Array, iterations: int, count: int, seed: int) -> Array:
    """Alternate between playing and fitting.

    The last weights are kept, although those of an earlier iteration may score more in rollout games: in the search
    they are far better (75 % of games in Summer Pavilion), because they were fitted to more kinds of boards.
    """
    replay: list[Array] = []
    for iteration in range(iterations):
        started = time.time()
        samples = [
            play(game, weights, temperature, count // 3, seed + 10 * iteration + n)
            for n, temperature in enumerate(TEMPERATURES)
        ]
        scores = [float(part["final_score"].mean()) for part in samples]
        print(f"{game!r}, iteration {iteration}: mean scores {scores}, {time.time() - started:.0f} s", flush=True)
        replay = [*replay, *samples][-len(TEMPERATURES) * REPLAY_ITERATIONS :]
        weights = fit(np.concatenate(replay), weights)
    return weights


def main() -> None:
    """Read the command line, tune, and write the weights where the bots find them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", default="2")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--iterations", type=int, default=7)
    parser.add_argument("--samples", type=int, default=150_000, help="boards sampled in an iteration")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--continue", dest="go_on", action="store_true", help="start from the existing weights")
    parser.add_argument("--search", type=int, metavar="SIMULATIONS", help="correct the weights by games of the search")
    parser.add_argument("--games", type=int, default=3000, help="with --search")
    given = parser.parse_args()
    game = read_game(given.game, {"players": given.players, **dict(option.split("=", 1) for option in given.option)})
    if given.search:
        weights = weights_for(game)
        tasks = [(game, weights, PART, given.search, given.seed + n) for n in range(given.games // PART)]
        with multiprocessing.get_context("spawn").Pool() as pool:
            samples = np.concatenate(pool.map(play_searching, tasks, chunksize=1))
        print(f"{game!r}: mean score {samples['final_score'].mean():.1f}")
        weights = correct(samples, weights)
    else:
        weights = weights_for(game) if given.go_on else initial_weights(game)
        weights = tune(game, weights, given.iterations, given.samples, given.seed)
    np.savetxt(weights_file(game), weights, fmt="%.4g")


if __name__ == "__main__":
    main()
