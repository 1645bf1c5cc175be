"""Find the weights of the search's evaluation by self-play.

    python tools/tune.py azul --players 2
    python tools/tune.py summer-pavilion --players 3 --option side=grey

Each turn the quick choices of the present weights play some ten thousand games against themselves, a third of them
with little luck, a third with some, a third with much, so that bad boards are met too. Every position between two
rounds is noted as the features of each board and the points that its owner still made. A ridge regression over the
notes of the last turns, for each stage of the game, gives the next weights. Last comes the scale that turns a lead
into a chance to win.

    python tools/tune.py azul --players 2 --search 150 --games 3000

goes on from the weights that are there: the search plays itself with so many simulations a move, and the weights are
corrected by what became of its boards.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from typing import Any

import numpy as np

from tilewright.game.game import Game
from tilewright.game.registry import make_game
from tilewright.search.budget import Budget
from tilewright.search.searcher import SETTINGS, Search
from tilewright.search.self_play import FINAL_SCORE, FIRST_FEATURE, NOTED_SCORE, SEAT, STAGE
from tilewright.search.weights import FOLDER, first_weights, name_of, weights_for
from tilewright.search.workspace import LUCK

Table = np.ndarray[Any, Any]
LUCKS = (0.5, 1.5, 3.0)
REMEMBERED_TURNS = 5
RIDGE, FIRM_RIDGE = 30.0, 150.0
EXPLORING = 0.1
PART = 20
"""Games that a process plays at a time."""
FEWEST_BOARDS = 200
SCALES = np.geomspace(1, 60, 120)


def play(game: Game, weights: Table, luck: float, rows: int, seed: int) -> Table:
    """Notes of games of the quick choices against themselves."""
    settings = SETTINGS.copy()
    settings[LUCK] = luck
    search = Search(game, weights, settings)
    start = game.set_up().table
    notes = np.zeros((rows, FIRST_FEATURE + search.kernels.features), np.float32)
    generator = np.random.default_rng(seed).integers(1 << 63, size=1).astype(np.uint64)
    written = search.kernels.self_play(search.table, start, search.knowledge, search.pads, settings, generator, notes)
    return notes[:written]


def play_searching(task: tuple[Game, Table, int, int, int]) -> Table:
    """Notes of games of the search against itself; now and then it plays a move that it tried less often."""
    game, weights, games, simulations, seed = task
    chance = np.random.default_rng(seed)
    deals, thoughts = (chance.integers(1 << 63, size=1).astype(np.uint64) for _ in range(2))
    search = Search(game, weights)
    kernels, budget = game.kernels, Budget(simulations=simulations)
    notes = np.zeros((games * 60 * game.players, FIRST_FEATURE + search.kernels.features), np.float32)
    drawn = np.zeros(256, np.int64)
    count = 0
    for _ in range(games):
        table, begun = game.set_up().table, count
        while game.phases[int(table["phase"][0])] != "over":
            if kernels.drawn_from_at(table, 0):
                if search.kernels.round_is_over_at(table, 0):
                    count = search.kernels.note_boards_at(table, search.pads, notes, count)
                kernels.deal_at(table, 0, deals, drawn)
                continue
            move = search.run(table[0], budget, thoughts).line[0]
            if chance.random() < EXPLORING:
                search.look_at(table[0])
                moves, worth = search.first_impressions()
                move = int(moves[np.argmax(worth + chance.gumbel(scale=2.0, size=len(moves)))])
            kernels.push_at(table, 0, move)
        notes[begun:count, FINAL_SCORE] = table["score"][0][notes[begun:count, SEAT].astype(int)]
    return notes[:count]


def correct(notes: Table, before: Table) -> Table:
    """The weights nearest to those before that fit the boards of the search; stages with few boards stay."""
    weights = before.copy()
    count = notes.shape[1] - FIRST_FEATURE
    for stage in range(len(weights)):
        here = notes[notes[:, STAGE] == stage].astype(float)
        if len(here) < FEWEST_BOARDS:
            continue
        own = here[:, FIRST_FEATURE:]
        wrong = here[:, FINAL_SCORE] - here[:, NOTED_SCORE] - own @ weights[stage, :count]
        print(f"  stage {stage}: {len(here):6} boards, error {wrong.std():.2f}, mean {wrong.mean():.2f}", end="")
        change = np.linalg.solve(own.T @ own + FIRM_RIDGE * np.eye(count), own.T @ wrong)
        weights[stage, :count] += change
        weights[stage, -1] = fit_scale(here, weights[stage, :count])
        print(f" -> error {(wrong - own @ change).std():.2f}, scale {weights[stage, -1]:.2f}", flush=True)
    return weights


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
    """Play and fit by turns.

    The last weights are kept, although those of an earlier turn may score more in quick games: in the search they
    are far better (75 % of games in Summer Pavilion), because they know more kinds of boards.
    """
    remembered: list[Table] = []
    for turn in range(turns):
        begun = time.time()
        notes = [play(game, weights, luck, rows // 3, seed + 10 * turn + n) for n, luck in enumerate(LUCKS)]
        scores = [float(part[:, FINAL_SCORE].mean()) for part in notes]
        print(f"{name_of(game)}, turn {turn}: mean scores {scores}, {time.time() - begun:.0f} s", flush=True)
        remembered = [*remembered, *notes][-len(LUCKS) * REMEMBERED_TURNS :]
        weights = fit(np.concatenate(remembered), weights)
    return weights


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
    parser.add_argument("--search", type=int, metavar="SIMULATIONS", help="correct the weights by games of the search")
    parser.add_argument("--games", type=int, default=3000, help="with --search")
    given = parser.parse_args()
    options: dict[str, Any] = dict(option.split("=") for option in given.option)
    if "jokers" in options:
        options["jokers"] = options["jokers"] == "yes"
    game = make_game(given.game, players=given.players, **options)
    if given.search:
        weights = weights_for(game)
        tasks = [(game, weights, PART, given.search, given.seed + n) for n in range(given.games // PART)]
        with multiprocessing.get_context("spawn").Pool() as pool:
            notes = np.concatenate(pool.map(play_searching, tasks, chunksize=1))
        print(f"{name_of(game)}: mean score {notes[:, FINAL_SCORE].mean():.1f}")
        weights = correct(notes, weights)
    else:
        weights = weights_for(game) if given.go_on else first_weights(game)
        weights = tune(game, weights, given.turns, given.rows, given.seed)
    np.savetxt(FOLDER / f"{name_of(game)}.txt", weights, fmt="%.4g")


if __name__ == "__main__":
    main()
