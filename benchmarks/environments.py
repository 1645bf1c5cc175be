"""How fast the environments are, beside those of others: one table, one run, equal numbers of games at once.

``python benchmarks/environments.py`` prints it, ``--json`` gives the same figures to a program, ``--only vector``
measures one family and the base. Everybody plays uniformly random legal moves, and every observation and every mask
of legal moves is made in every step. A step is one decision of a player (in Gymnasium: of the agent, the answers of
its opponents included). What is not installed is left out, and the table says so.

On one thread seconds are processor time, so that other programs disturb the figures little. On several threads they
are those of the clock. Each family runs in a process of its own that may use as many cores as threads are asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from importlib import import_module
from itertools import islice
from random import Random
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numba import njit

import tilewright as tw
from tilewright.envs import stepping
from tilewright.envs.vector import Vector, kernels_for

SEED = 1510
ROUNDS = 10
"""Every figure is the best of so many tries: what disturbs a measurement only ever makes it slower."""
BATCHES = (1, 64, 1024, 4096, 16384)
FIRST_TURNS = 30
"""Steps after the first, which compiles, and before the clock runs: the games are to be at different moves. Fewer where
that would take longer than the measurement."""
BASE = ("pettingzoo", "connect_four")
GAMES = {"Azul": tw.Azul(players=2), "Summer Pavilion": tw.SummerPavilion(players=2)}

Steps = Iterator[None]
"""Plays on for ever; each ``next`` is a step of every game."""


@dataclass(frozen=True)
class Contender:
    """Something that plays."""

    family: str
    name: str
    start: Callable[[], Steps]
    needs: str
    """The module without which it is not installed."""
    batch: int = 1
    threads: int = 1
    ours: bool = False


@dataclass
class Speed:
    """What was measured of a contender."""

    family: str
    name: str
    ours: bool
    batch: int
    threads: int
    clock: str
    """Whether seconds are of the processor or of the clock on the wall."""
    steps_per_second: float | None
    """None where it is not installed."""
    cores: float | None
    """How many cores worked for it while it was measured: on a busy machine fewer than it has threads."""
    ratio: float | None = None
    """How many times as fast as the base."""


# ------------------------------------------------------------------------------------------------ Playing


def choose(mask: Any, luck: Random) -> int:
    """A random legal move, for environments that play one game."""
    legal = np.flatnonzero(mask)
    return int(legal[int(luck.random() * len(legal))])


@njit(nogil=True)
def choose_each(masks: Any, luck: Any, moves: Any) -> None:
    """A random legal move in each of many games, read from the masks as an agent would; luck is from 0 to 1."""
    for i in range(len(masks)):
        left = int(luck[i] * masks[i].sum())
        for move in range(masks.shape[1]):
            left -= masks[i, move]
            if left < 0:
                moves[i] = move
                break


def play_pettingzoo(name: str) -> Steps:
    """The bare environment: wrappers would only slow it down."""
    import pettingzoo

    env, luck = pettingzoo.make("aec", name).unwrapped, Random(SEED)
    while True:
        env.reset(seed=luck.randrange(1 << 30))
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else choose(observation["action_mask"], luck))
            if not over:
                yield


def play_gymnasium(name: str) -> Steps:
    """One agent; the game plays the other seats."""
    import gymnasium

    env, luck = gymnasium.make(name).unwrapped, Random(SEED)
    while True:
        _, info = env.reset(seed=luck.randrange(1 << 30))
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(choose(info["action_mask"], luck))
            over = terminated or truncated
            yield


def play_gymnasium_vector(name: str, batch: int, options: dict[str, Any]) -> Steps:
    """One agent in many games."""
    import gymnasium

    envs, luck = gymnasium.make_vec(name, num_envs=batch, **options), np.random.default_rng(SEED)
    _, infos = envs.reset(seed=SEED)
    moves = np.zeros(batch, np.int64)
    while True:
        choose_each(infos["action_mask"], luck.random(batch), moves)
        _, _, _, _, infos = envs.step(moves)
        yield


def play_openspiel(name: str) -> Steps:
    """Observations in arrays, legal moves as the list that OpenSpiel's algorithms take; draws are not counted."""
    import open_spiel.python.games  # noqa: F401  # registers those written in Python
    import pyspiel
    from open_spiel.python.observation import make_observation

    game, luck = pyspiel.load_game(name), Random(SEED)
    observation = make_observation(game)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                kinds, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(luck.choices(kinds, chances)[0])
                continue
            observation.set_from(state, state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(luck.random() * len(legal))])
            yield


def play_pgx(name: str, batch: int) -> Steps:
    """Choice, step and a new game after the last one are a single compiled function."""
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def turn(key: Any, state: Any) -> Any:
        key, choice, chance = jax.random.split(key, 3)
        moves = act_randomly(choice, state.legal_action_mask)
        return key, step(state, moves, jax.random.split(chance, batch))

    key, state = jax.random.key(SEED), jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(SEED), batch))
    yield from play_jax(jax.jit(turn), key, state)


def play_jumanji(name: str, batch: int) -> Steps:
    """The same for Jumanji."""
    import jax
    import jumanji
    from jumanji.wrappers import AutoResetWrapper

    env = AutoResetWrapper(jumanji.make(name))

    def turn(key: Any, games: Any) -> Any:
        key, choice = jax.random.split(key)
        state, seen = games
        moves = jax.random.categorical(choice, jax.numpy.log(seen.observation.action_mask.astype(np.float32)))
        return key, jax.vmap(env.step)(state, moves)

    key, games = jax.random.key(SEED), jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.key(SEED), batch))
    yield from play_jax(jax.jit(turn), key, games)


def play_jax(turn: Callable[..., Any], key: Any, games: Any) -> Steps:
    """A compiled turn after the other; each is waited for, as whoever reads what it gives must do."""
    import jax

    while True:
        key, games = jax.block_until_ready(turn(key, games))
        yield


def play_vector(game: tw.Game, batch: int, threads: int) -> Steps:
    """Our own games in lockstep."""
    vector = Vector(game, batch, SEED, threads=threads)
    while True:
        vector.step(vector.random_moves())
        yield


# -------------------------------------------------------------------------------------------- Who takes part


def batches_for(threads: int) -> tuple[int, ...]:
    """Several threads are for many games."""
    return BATCHES if threads == 1 else BATCHES[2:]


def pettingzoo_family(threads: int) -> Iterator[Contender]:
    """Every seat an agent, one game."""
    if threads > 1:
        return
    add = partial(Contender, "pettingzoo")
    for name in ("azul", "summer-pavilion"):
        yield add(name, partial(play_pettingzoo, f"tilewright/{name}-v0"), "pettingzoo", ours=True)
    field = {"connect_four": 3, "tictactoe": 3, "chess": 6, "go": 5, "hanabi": 5, "texas_holdem": 4}
    for name, version in field.items():
        yield add(name, partial(play_pettingzoo, f"classic/{name}-v{version}"), "pygame")


def gymnasium_family(threads: int) -> Iterator[Contender]:
    """One agent; of Gymnasium's own environments only the taxi, which is no board game, tells what is legal."""
    add = partial(Contender, "gymnasium", needs="gymnasium", threads=threads)
    ours = {"azul": "tilewright/Azul-v0", "summer-pavilion": "tilewright/SummerPavilion-v0"}
    if threads == 1:
        for name, number in ours.items():
            yield add(name, partial(play_gymnasium, number), ours=True)
        yield add("taxi", partial(play_gymnasium, "Taxi-v4"))
    for batch in batches_for(threads):
        options = {"threads": threads}
        for name, number in ours.items():
            start = partial(play_gymnasium_vector, number, batch, options)
            yield add(f"{name}, vector", start, batch=batch, ours=True)
        if threads == 1 and batch <= 1024:
            start = partial(play_gymnasium_vector, "Taxi-v4", batch, {})
            yield add("taxi, vector", start, batch=batch)


def openspiel_family(threads: int) -> Iterator[Contender]:
    """OpenSpiel's games in C++ and in Python, driven from Python."""
    if threads > 1:
        return
    add = partial(Contender, "openspiel", needs="pyspiel")
    for name in ("tilewright_azul", "tilewright_summer_pavilion"):
        yield add(name, partial(play_openspiel, name), ours=True)
    for name in ("tic_tac_toe", "connect_four", "backgammon", "chess", "go", "gin_rummy", "python_tic_tac_toe"):
        yield add(name, partial(play_openspiel, name))


def pgx_family(threads: int) -> Iterator[Contender]:
    """Games compiled by JAX for the processor; a step of 16384 games of chess would take it several seconds."""
    for batch in batches_for(threads)[:-1]:
        for name in ("connect_four", "backgammon", "chess", "go_9x9"):
            yield Contender("pgx", name, partial(play_pgx, name, batch), "pgx", batch, threads)


def jumanji_family(threads: int) -> Iterator[Contender]:
    """The same; its board games are for one player."""
    for batch in batches_for(threads):
        start = partial(play_jumanji, "Game2048-v1", batch)
        yield Contender("jumanji", "2048", start, "jumanji", batch, threads)


def vector_family(threads: int) -> Iterator[Contender]:
    """Our own games in lockstep."""
    for name, game in GAMES.items():
        for batch in batches_for(threads):
            start = partial(play_vector, game, batch, threads)
            yield Contender("vector", name, start, "tilewright", batch, threads, ours=True)


FAMILIES = {
    "pettingzoo": pettingzoo_family,
    "gymnasium": gymnasium_family,
    "openspiel": openspiel_family,
    "vector": vector_family,
    "pgx": pgx_family,
    "jumanji": jumanji_family,
}


# ---------------------------------------------------------------------------------------------- Measuring


def rate(steps: Steps, batch: int, seconds: float, now: Callable[[], float]) -> tuple[float, float]:
    """Steps of single games in a second, the best of a few tries; and how many cores worked meanwhile."""
    many = max(1, 64 // batch)
    next(steps)
    begin = now()
    for _ in islice(steps, FIRST_TURNS):
        if now() - begin > seconds:
            break
    best = 0.0, 0.0
    for _ in range(ROUNDS):
        begin, worked, passed, count = now(), process_time(), perf_counter(), 0
        while (took := now() - begin) < seconds / ROUNDS:
            for _ in islice(steps, many):
                count += batch
        best = max(best, (count / took, (process_time() - worked) / (perf_counter() - passed)))
    return best


def measure(contender: Contender, seconds: float) -> Speed:
    """How fast one contender is, if it is there."""
    now = process_time if contender.threads == 1 else perf_counter
    try:
        import_module(contender.needs)
        found, cores = rate(contender.start(), contender.batch, seconds, now)
    except ModuleNotFoundError:
        found = cores = None
    clock = "processor" if contender.threads == 1 else "wall"
    shown = (contender.family, contender.name, contender.ours, contender.batch, contender.threads)
    return Speed(*shown, clock, found, cores)


def measure_here(family: str, name: str | None, threads: int, seconds: float) -> list[Speed]:
    """A family, or one of it, in this process, which keeps to as many cores as there are threads."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    warnings.simplefilter("ignore")  # what others have to say about their own code
    import_module("tilewright.envs")
    return [measure(contender, seconds) for contender in FAMILIES[family](threads) if name in (None, contender.name)]


def ask(arguments: list[str]) -> Any:
    """The answer of this program run as a process of its own."""
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def measure_all(families: list[str], seconds: float) -> list[Speed]:
    """These families, on one core and on two, and the base in any case."""
    wanted = [(family, threads) for family in families for threads in (1, 2)]
    asked = [["--child", family, "--threads", str(threads)] for family, threads in wanted]
    if BASE[0] not in families:
        asked.append(["--child", BASE[0], "--name", BASE[1]])
    speeds = [Speed(**told) for words in asked for told in ask([*words, "--seconds", str(seconds)])]
    base = next(speed.steps_per_second for speed in speeds if is_base(speed))
    for speed in speeds:
        if base and speed.steps_per_second:
            speed.ratio = speed.steps_per_second / base
    return speeds


def is_base(speed: Speed) -> bool:
    """Whether this is what all others are compared with."""
    return (speed.family, speed.name) == BASE


# ----------------------------------------------------------------------------------- Where the time goes


@dataclass
class Share:
    """What one part of a vector's step takes, on one thread and for one game."""

    game: str
    batch: int
    part: str
    nanoseconds: float


@dataclass
class Limit:
    """What a step must write in any case, and how long a bare copy of as many bytes takes."""

    game: str
    batch: int
    bytes_per_step: int
    copy_nanoseconds: float


def parts_of_a_step(vector: Vector) -> dict[str, Callable[[], Any]]:
    """The kernels that ``Vector.step`` calls, one by one and in their order."""
    game, table = vector.game, vector.table
    kernels = kernels_for(game.kernels.rules, game.kernels.moves)
    words = np.random.SeedSequence(SEED).generate_state(2 * len(vector), np.uint64)
    choosers, generators = words[: len(vector)], words[len(vector) :]
    start, moves = game.set_up().table, np.zeros(len(vector), np.int64)
    options = np.zeros(stepping.OPTIONS, np.int64)
    options[stepping.GOES_ON] = True
    told = (vector.movers, vector.rewards, vector.dones, vector.scores)
    copies = vector.observations.copy(), vector.masks.copy()

    def mark() -> None:
        vector.masks.fill(False)
        game.kernels.mark_each(table, vector.masks)

    def copy() -> None:
        np.copyto(copies[0], vector.observations)
        np.copyto(copies[1], vector.masks)

    return {
        "choose": lambda: kernels.choose_each(table, choosers, moves),
        "check": lambda: kernels.find_illegal(table, moves),
        "play": lambda: kernels.step_each(table, start, generators, options, moves, *told),
        "look": lambda: kernels.look_each(table, moves, vector.turns, vector.observations, vector.masks),
        "mask": mark,
        "copy": copy,
    }


def measure_parts(name: str, batch: int, seconds: float) -> tuple[list[Share], Limit]:
    """How long each part takes for one game; to observe is what is left of looking without the mask."""
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
    told = {part: each[part] for part in ("choose", "check", "play")}
    told |= {"observe": each["look"] - each["mask"], "mask": each["mask"]}
    written = vector.observations[0].nbytes + vector.masks[0].nbytes
    return [Share(name, batch, *part) for part in told.items()], Limit(name, batch, written, each["copy"])


def time_of(work: Callable[[], Any]) -> float:
    """The processor time of a call."""
    begin = process_time()
    work()
    return process_time() - begin


def measure_limits(seconds: float) -> tuple[list[Share], list[Limit]]:
    """Both games, where a batch stays in the cache and where it does not."""
    shares, limits = [], []
    for name in GAMES:
        for batch in (1024, 16384):
            parts, limit = measure_parts(name, batch, seconds)
            shares += parts
            limits.append(limit)
    return shares, limits


# ---------------------------------------------------------------------------------------------- The report


def as_table(speeds: list[Speed], shares: list[Share], limits: list[Limit]) -> str:
    """Everything, for people."""
    lines = [
        f"{'family':<12}{'game':<28}{'games':>7}{'threads':>9}{'clock':>11}{'cores':>7}{'steps/s':>14}{'ratio':>10}"
    ]
    for speed in speeds:
        own = "* " if speed.ours else ""
        steps = "not installed" if speed.steps_per_second is None else f"{speed.steps_per_second:,.0f}"
        cores = "" if speed.cores is None else f"{speed.cores:.2f}"
        ratio = "" if speed.ratio is None else f"{speed.ratio:,.2f}"
        lines.append(
            f"{speed.family:<12}{own + speed.name:<28}{speed.batch:>7}{speed.threads:>9}{speed.clock:>11}"
            f"{cores:>7}{steps:>14}{ratio:>10}"
        )
    lines.append(f"* ours; ratio to {BASE[0]}'s {BASE[1]}")
    if limits:
        lines += ["", "one game of a vector, one thread, nanoseconds of processor time"]
    for limit in limits:
        parts = [share for share in shares if (share.game, share.batch) == (limit.game, limit.batch)]
        told = ", ".join(f"{share.part} {share.nanoseconds:.0f}" for share in parts)
        all_parts = sum(share.nanoseconds for share in parts)
        lines.append(
            f"{limit.game}, {limit.batch} games: {told}; together {all_parts:.0f}; "
            f"a bare copy of the {limit.bytes_per_step} bytes {limit.copy_nanoseconds:.0f}"
        )
    return "\n".join(lines)


def as_json(speeds: list[Speed], shares: list[Share], limits: list[Limit]) -> str:
    """Everything, for a program."""
    told = {"speeds": speeds, "shares": shares, "limits": limits}
    return json.dumps({name: [asdict(one) for one in these] for name, these in told.items()}, indent=1)


def read_arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="How fast the environments are, beside those of others.")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long to measure each line of the table")
    parser.add_argument("--only", nargs="+", choices=list(FAMILIES), default=list(FAMILIES), help="these families")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--child", choices=list(FAMILIES), help=argparse.SUPPRESS)  # one family in a process
    parser.add_argument("--name", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    wanted = read_arguments()
    if wanted.child:
        speeds = measure_here(wanted.child, wanted.name, wanted.threads, wanted.seconds)
        print(json.dumps([asdict(speed) for speed in speeds]))
        return
    speeds = measure_all(wanted.only, wanted.seconds)
    limits = measure_limits(wanted.seconds) if "vector" in wanted.only else ([], [])
    report = as_json if wanted.json else as_table
    print(report(speeds, *limits))


if __name__ == "__main__":
    main()
