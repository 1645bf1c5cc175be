"""Find the weights of the search's evaluation by self-play.

    python tools/tune.py azul --players 2
    python tools/tune.py summer-pavilion --players 3 --option side=grey

Each turn the quick choices of the present weights play some ten thousand games against themselves, a third of them
with little luck, a third with some, a third with much, so that bad boards are met too. Every position between two
rounds is noted as the features of each board and the points that its owner still made. A ridge regression over the
notes of the last turns, for each stage of the game, gives the next weights. Last comes the scale that turns a lead
into a chance to win. The weights that are kept are those of the turn whose games had the best mean score.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from tilewright.bots.search.searcher import SETTINGS, Search
from tilewright.bots.search.self_play import FINAL_SCORE, FIRST_FEATURE, NOTED_SCORE, SEAT, STAGE
from tilewright.bots.search.weights import FOLDER, first_weights, name_of, weights_for
from tilewright.bots.search.workplace import LUCK
from tilewright.game.game import Game
from tilewright.game.library import make_game

Table = np.ndarray[Any, Any]
LUCKS = (0.5, 1.5, 3.0)
REMEMBERED_TURNS = 5
RIDGE = 30.0
FEWEST_BOARDS = 200
SCALES = np.geomspace(1, 60, 120)


def play(game: Game, weights: Table, luck: float, rows: int, seed: int) -> Table:
    """Notes of games of the quick choices against themselves."""
    settings = SETTINGS.copy()
    settings[LUCK] = luck
    search = Search(game, weights, settings)
    start = game.set_up().table
    notes = np.zeros((rows, FIRST_FEATURE + search.kernels.knowledge.FEATURES), np.float32)
    generator = np.random.default_rng(seed).integers(1 << 63, size=1).astype(np.uint64)
    written = search.kernels.self_play(search.table, start, search.knowledge, search.pads, settings, generator, notes)
    return notes[:written]


def fit(notes: Table, before: Table) -> Table:
    """The weights of each stage, pulled towards those of all stages together; stages never met stay as they were."""
    features = notes[:, FIRST_FEATURE:].astype(float)
    points = (notes[:, FINAL_SCORE] - notes[:, NOTED_SCORE]).astype(float)
    count = features.shape[1]
    everywhere = np.linalg.solve(features.T @ features + RIDGE * np.eye(count), features.T @ points)
    weights = before.copy()
    for stage in range(len(weights)):
        here = notes[:, STAGE] == stage
        if here.sum() < FEWEST_BOARDS:
            continue
        own, rest = features[here], points[here] - features[here] @ everywhere
        weights[stage, :count] = everywhere + np.linalg.solve(own.T @ own + RIDGE * np.eye(count), own.T @ rest)
        weights[stage, -1] = fit_scale(notes[here], weights[stage, :count])
        error = np.std(points[here] - own @ weights[stage, :count])
        print(
            f"  stage {stage}: {here.sum():7} boards, {points[here].mean():5.1f} points to come, "
            f"error {error:5.2f}, scale {weights[stage, -1]:5.2f}",
            flush=True,
        )
    return weights


def fit_scale(notes: Table, weights: Table) -> float:
    """The scale of the chances to win, softmax(expected score / scale), that makes what happened most likely."""
    players = int(notes[:, SEAT].max()) + 1
    # The boards of one position were noted one after the other.
    expected = (notes[:, NOTED_SCORE] + notes[:, FIRST_FEATURE:] @ weights).reshape(-1, players)
    final = notes[:, FINAL_SCORE].reshape(-1, players)
    won = (final == final.max(axis=1, keepdims=True)).astype(float)
    won /= won.sum(axis=1, keepdims=True)
    expected = expected - expected.max(axis=1, keepdims=True)
    losses = []
    for scale in SCALES:
        chances = np.exp(expected / scale)
        chances /= chances.sum(axis=1, keepdims=True)
        losses.append(-(won * np.log(chances + 1e-12)).sum(axis=1).mean())
    return float(SCALES[int(np.argmin(losses))])


def tune(game: Game, weights: Table, turns: int, rows: int, seed: int) -> Table:
    """Play and fit by turns; the weights that made the best scores."""
    remembered: list[Table] = []
    best, best_score = weights, -np.inf
    for turn in range(turns):
        begun = time.time()
        notes = [play(game, weights, luck, rows // 3, seed + 10 * turn + n) for n, luck in enumerate(LUCKS)]
        scores = [float(part[:, FINAL_SCORE].mean()) for part in notes]
        print(f"{name_of(game)}, turn {turn}: mean scores {scores}, {time.time() - begun:.0f} s", flush=True)
        if scores[0] > best_score:
            best, best_score = weights, scores[0]
        remembered = [*remembered, *notes][-len(LUCKS) * REMEMBERED_TURNS :]
        weights = fit(np.concatenate(remembered), weights)
    return best


def main() -> None:
    """Read the command line, tune, and write the weights where the bots find them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], help="wall=grey, jokers=yes, side=grey")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--rows", type=int, default=150_000, help="boards noted in a turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", action="store_true", help="begin with the weights that are there")
    given = parser.parse_args()
    options: dict[str, Any] = dict(option.split("=") for option in given.option)
    if "jokers" in options:
        options["jokers"] = options["jokers"] == "yes"
    game = make_game(given.game, players=given.players, **options)
    weights = weights_for(game) if given.go_on else first_weights(game)
    weights = tune(game, weights, given.turns, given.rows, given.seed)
    np.savetxt(FOLDER / f"{name_of(game)}.txt", weights, fmt="%.4g")


if __name__ == "__main__":
    main()
