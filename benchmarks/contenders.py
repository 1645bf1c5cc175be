"""The environments that ``environments.py`` compares: ours and those of PettingZoo, OpenSpiel, Pgx and others.

Each plays uniformly random legal moves, and computes every observation and every mask of legal moves in every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

import numpy as np
from numba import njit

import tilewright as tw
from tilewright.envs.vector import Vector

SEED = 1510
BATCHES = (1, 64, 1024, 4096, 16384)
GAMES = {"Azul": tw.Azul(players=2), "Summer Pavilion": tw.SummerPavilion(players=2)}

Steps = Iterator[None]
"""Plays for ever; each ``next`` is one step of every game."""


@dataclass(frozen=True)
class Contender:
    """An environment that takes part."""

    family: str
    name: str
    start: Callable[[], Steps]
    needs: str
    """The module without which it is not installed."""
    batch: int = 1
    threads: int = 1
    ours: bool = False


# ------------------------------------------------------------------------------------------------ Playing


def choose(mask: Any, luck: Random) -> int:
    """A random legal move, for environments that play one game."""
    legal = np.flatnonzero(mask)
    return int(legal[int(luck.random() * len(legal))])


@njit(nogil=True)
def choose_each(masks: Any, luck: Any, moves: Any) -> None:
    """A random legal move in each of many games, read from the masks as an agent would; luck is between 0 and 1."""
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
    """Choice, step and automatic reset are a single compiled function."""
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
        state, last = games
        moves = jax.random.categorical(choice, jax.numpy.log(last.observation.action_mask.astype(np.float32)))
        return key, jax.vmap(env.step)(state, moves)

    key, games = jax.random.key(SEED), jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.key(SEED), batch))
    yield from play_jax(jax.jit(turn), key, games)


def play_jax(turn: Callable[..., Any], key: Any, games: Any) -> Steps:
    """One compiled turn after another, waiting for the result of each, as anyone who reads it must."""
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


# ---------------------------------------------------------------------------------------------- Families


def batches_for(threads: int) -> tuple[int, ...]:
    """With several threads only large batches are measured."""
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
    """One agent. Of Gymnasium's own environments only Taxi, not a board game, has action masks."""
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
    """Games compiled by JAX for the CPU; one step of 16384 games of chess would take several seconds."""
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
