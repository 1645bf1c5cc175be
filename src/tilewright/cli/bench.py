"""``tilewright bench``: how fast random games are played."""

from __future__ import annotations

import json
import secrets
from argparse import Namespace
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

import numpy as np

from tilewright.cli.described import game_object
from tilewright.cli.sources import chosen_game
from tilewright.cli.terminal import compiling_notice
from tilewright.game.game import Game

CHUNK = 200
"""Games between two looks at the clock: a few milliseconds."""


def run(arguments: Namespace) -> int:
    """Measure and report."""
    game = chosen_game(arguments)
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(32)
    with compiling_notice():
        _play(game, seed, 0.0)
    report = measure(game, seed, arguments.threads, arguments.seconds)
    print(json.dumps(report) if arguments.json else _told(game, report))
    return 0


def measure(game: Game, seed: int, threads: int, seconds: float) -> dict[str, Any]:
    """Random games for so long on so many threads; the kernels leave Python's lock free."""
    seeds = [int(word) for word in np.random.SeedSequence(seed).generate_state(threads, np.uint64)]
    started = perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        results = list(pool.map(lambda own: _play(game, own, started + seconds), seeds))
    elapsed = perf_counter() - started
    games = sum(played for played, _ in results)
    moves, rounds, points = (int(total) for total in np.sum([totals for _, totals in results], axis=0))
    return {
        **game_object(game),
        "threads": threads,
        "seed": seed,
        "games": games,
        "seconds": elapsed,
        "games_per_second": games / elapsed,
        "moves_per_second": moves / elapsed,
        "moves_per_game": moves / games,
        "rounds_per_game": rounds / games,
        "mean_score": points / games / game.players,
    }


def _play(game: Game, seed: int, until: float) -> tuple[int, np.ndarray[Any, np.dtype[np.int64]]]:
    """Games in chunks until the time has come, at least one chunk; how many, and their totals."""
    table, start = game.kernels.new_table(1), game.set_up().table
    generator = np.array([seed], dtype=np.uint64)
    totals = np.zeros(3, dtype=np.int64)
    games = 0
    while games == 0 or perf_counter() < until:
        game.kernels.play_games(table, start, generator, CHUNK, totals)
        games += CHUNK
    return games, totals


def _told(game: Game, report: dict[str, Any]) -> str:
    threads = f"{report['threads']} thread" + ("s" if report["threads"] > 1 else "")
    return (
        f"{game!r}, {threads}, {report['seconds']:.1f} s, seed {report['seed']}\n"
        f"  {report['games_per_second']:14,.0f} games/s   ({report['games']:,} games)\n"
        f"  {report['moves_per_second']:14,.0f} moves/s\n"
        f"  {report['moves_per_game']:14.2f} moves a game\n"
        f"  {report['rounds_per_game']:14.2f} rounds a game\n"
        f"  {report['mean_score']:14.2f} mean score"
    )
