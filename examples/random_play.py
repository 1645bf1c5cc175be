"""Random play through PettingZoo: the loop in which every agent of yours will run.

python examples/random_play.py --game summer-pavilion --players 3 --games 5
python examples/random_play.py --games 500 --quiet          # how fast is it?
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import process_time

import numpy as np
import pettingzoo

import tilewright.envs  # noqa: F401  # registers the ids


def play(env: pettingzoo.AECEnv, chooser: np.random.Generator) -> tuple[dict[str, float], int]:
    """One game; what each agent got in the end, and how many moves it took."""
    rewards, moves = {}, 0
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            rewards[agent] = reward
            env.step(None)
        else:
            legal = np.flatnonzero(observation["action_mask"])
            env.step(legal[chooser.integers(len(legal))])
            moves += 1
    return rewards, moves


def main(arguments: Sequence[str] | None = None) -> list[dict[str, float]]:
    """Play some games and print how they ended."""
    parser = argparse.ArgumentParser(description="Random play through PettingZoo.")
    parser.add_argument("--game", default="azul", choices=["azul", "azul-mini", "summer-pavilion"])
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reward", default="win", choices=["win", "margin", "score"])
    parser.add_argument("--quiet", action="store_true", help="print nothing about single games")
    parser.add_argument("--render", action="store_true", help="print the table after every move")
    given = parser.parse_args(arguments)

    env = pettingzoo.make(
        "aec",
        f"tilewright/{given.game}-v0",
        players=given.players,
        reward=given.reward,
        render_mode="human" if given.render else None,
    )
    chooser = np.random.default_rng(given.seed)
    env.reset()
    env.step(int(env.last()[0]["action_mask"].argmax()))  # the first step loads compiled code: do not measure that
    results, moves, start = [], 0, process_time()
    for game in range(given.games):
        env.reset(seed=given.seed + game)
        rewards, length = play(env, chooser)
        results.append(rewards)
        moves += length
        if not given.quiet:
            print(f"game {game + 1}: {env.unwrapped.position.outcome()}, rewards {rewards}")
    print(f"{moves:,} moves, {moves / (process_time() - start):,.0f} a second of processor time")
    return results


if __name__ == "__main__":
    main()
