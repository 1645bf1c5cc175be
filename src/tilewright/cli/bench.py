"""``tilewright bench``: how fast random games are played."""

from __future__ import annotations

import json
import secrets
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

import numpy as np

from tilewright.cli.described import game_object
from tilewright.cli.game_options import chosen_game
from tilewright.cli.terminal import compiling_notice
from tilewright.game.game import Game

CHUNK = 200
"""Games between two looks at the clock: a few milliseconds."""
_GAMES_A_THREAD = 100
"""On a GPU, between two looks at the clock: enough that threads which finish early seldom wait."""
_STEPS_A_LOOK = 20


def run(arguments: Namespace) -> int:
    """Measure and report."""
    game = chosen_game(arguments)
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(32)
    if arguments.batch is not None:
        report = measure_steps(game, seed, arguments)
        print(json.dumps(report) if arguments.json else _steps_told(game, report))
        return 0
    if arguments.device == "cuda":
        report = measure_on_gpu(game, seed, arguments.seconds)
    else:
        with compiling_notice():
            _play(game, seed, 0.0)
        report = measure(game, seed, arguments.threads, arguments.seconds)
    print(json.dumps(report) if arguments.json else _told(game, report))
    return 0


def measure(game: Game, seed: int, threads: int, seconds: float) -> dict[str, Any]:
    """Random games for a given time on several threads; the kernels release the GIL."""
    seeds = [int(word) for word in np.random.SeedSequence(seed).generate_state(threads, np.uint64)]
    started = perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        results = list(pool.map(lambda own: _play(game, own, started + seconds), seeds))
    elapsed = perf_counter() - started
    counted = _sums(np.concatenate([totals for _, totals in results]))
    return _report(game, "cpu", threads, seed, sum(played for played, _ in results), counted, elapsed)


def measure_on_gpu(game: Game, seed: int, seconds: float) -> dict[str, Any]:
    """Random games on a GPU: a batch in each of its threads, again and again until the time is up."""
    from tilewright.envs.cuda_play import CudaPlay

    with compiling_notice():
        play = CudaPlay(game, seed)
        play.play(1)
    games, counted = 0, Counter[str]()
    started = perf_counter()
    while games == 0 or perf_counter() < started + seconds:
        counted.update(_sums(play.play(_GAMES_A_THREAD)))
        games += _GAMES_A_THREAD * play.threads
    return _report(game, "cuda", play.threads, seed, games, counted, perf_counter() - started)


def measure_steps(game: Game, seed: int, arguments: Namespace) -> dict[str, Any]:
    """Steps of games in lockstep, each with its deal, what the next player sees and what is legal."""
    from tilewright.envs.cuda_vector import CudaVector
    from tilewright.envs.vector import Vector

    on_gpu = arguments.device == "cuda"
    vector: Vector | CudaVector
    with compiling_notice():
        if on_gpu:
            vector = CudaVector(game, arguments.batch, seed, illegal="loss")
        else:
            vector = Vector(game, arguments.batch, seed, threads=arguments.threads)
        vector.step(vector.random_moves())
    steps, started = 0, perf_counter()
    while steps == 0 or perf_counter() < started + arguments.seconds:
        for _ in range(_STEPS_A_LOOK):
            vector.step(vector.random_moves())
        if isinstance(vector, CudaVector):
            vector.scores[:1].copy_to_host()  # wait for the GPU
        steps += _STEPS_A_LOOK
    elapsed = perf_counter() - started
    return {
        **game_object(game),
        "device": arguments.device,
        "threads": None if on_gpu else arguments.threads,
        "batch": arguments.batch,
        "seed": seed,
        "seconds": elapsed,
        "steps": steps * arguments.batch,
        "steps_per_second": steps * arguments.batch / elapsed,
        "bytes_seen_a_step": vector.observer.size * 4 + game.actions,
    }


def _sums(totals: np.ndarray[Any, Any]) -> dict[str, int]:
    """The sums of what threads have counted, by name."""
    return {name: int(totals[name].sum()) for name in totals.dtype.names or ()}


def _report(
    game: Game, device: str, threads: int, seed: int, games: int, counted: Mapping[str, int], elapsed: float
) -> dict[str, Any]:
    return {
        **game_object(game),
        "device": device,
        "threads": threads,
        "seed": seed,
        "games": games,
        "seconds": elapsed,
        "games_per_second": games / elapsed,
        "moves_per_second": counted["moves"] / elapsed,
        "moves_per_game": counted["moves"] / games,
        "rounds_per_game": counted["rounds"] / games,
        "mean_score": counted["points"] / games / game.players,
    }


def _play(game: Game, seed: int, until: float) -> tuple[int, np.ndarray[Any, Any]]:
    """Play games in chunks until the time is up, at least one chunk; returns their number and their totals."""
    states, start = game.kernels.new_states(1), game.set_up().states
    generator = np.array([seed], dtype=np.uint64)
    totals = game.kernels.new_totals()
    games = 0
    while games == 0 or perf_counter() < until:
        game.kernels.play_games(states, start, generator, CHUNK, totals)
        games += CHUNK
    return games, totals


def _steps_told(game: Game, report: dict[str, Any]) -> str:
    where = "CUDA" if report["device"] == "cuda" else f"{report['threads']} thread(s)"
    return (
        f"{game!r}, {where}, {report['batch']:,} games in lockstep, {report['seconds']:.1f} s, seed {report['seed']}\n"
        f"  {report['steps_per_second']:14,.0f} steps/s   ({report['bytes_seen_a_step']:,} bytes seen after each)"
    )


def _told(game: Game, report: dict[str, Any]) -> str:
    threads = f"{report['threads']:,} thread" + ("s" if report["threads"] > 1 else "")
    if report["device"] == "cuda":
        threads = f"CUDA, {threads}"
    return (
        f"{game!r}, {threads}, {report['seconds']:.1f} s, seed {report['seed']}\n"
        f"  {report['games_per_second']:14,.0f} games/s   ({report['games']:,} games)\n"
        f"  {report['moves_per_second']:14,.0f} moves/s\n"
        f"  {report['moves_per_game']:14.2f} moves per game\n"
        f"  {report['rounds_per_game']:14.2f} rounds per game\n"
        f"  {report['mean_score']:14.2f} mean score"
    )
