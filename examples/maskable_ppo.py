"""MaskablePPO of sb3-contrib learns to beat the bot that plays at random, in a minute or two on a laptop.

pip install "tilewright[rl,train]"
python examples/maskable_ppo.py                     # 200,000 moves against random
python examples/maskable_ppo.py --minutes 5 --opponent greedy --save azul.zip
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import monotonic

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

import tilewright.envs  # noqa: F401  # makes the ids known

ENVS = 16
ROLLOUT = 256
POINTS = 20
"""Rewards that are points are divided by this: PPO learns best from rewards near 1."""


class StopAfter(BaseCallback):
    """Stops learning when the time is up."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.end = monotonic() + 60 * minutes

    def _on_step(self) -> bool:
        return monotonic() < self.end


def new_model(opponent: str, reward: str, seed: int) -> MaskablePPO:
    """An untrained agent, and sixteen tables at which it learns."""

    def make() -> gymnasium.Env:
        env = gymnasium.make("tilewright/Azul-v0", opponent=opponent, reward=reward)
        return env if reward == "win" else gymnasium.wrappers.TransformReward(env, lambda points: points / POINTS)

    return MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([make] * ENVS),
        n_steps=ROLLOUT,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )


def win_rate(model: MaskablePPO, opponent: str, games: int, seed: int) -> float:
    """The share of games, all played at once, that the agent wins; a shared win counts half."""
    envs = gymnasium.make_vec("tilewright/Azul-v0", num_envs=games, opponent=opponent, reward="win")
    observations, infos = envs.reset(seed=seed)
    wins = np.zeros(games)
    going_on = np.ones(games, dtype=bool)
    while going_on.any():
        actions, _ = model.predict(observations, action_masks=infos["action_mask"], deterministic=True)
        observations, rewards, ended, _, infos = envs.step(actions)
        wins[going_on & ended] = (rewards[going_on & ended] + 1) / 2
        going_on &= ~ended  # another game has begun there, which does not count
    envs.close()
    return float(wins.mean())


def main(arguments: Sequence[str] | None = None) -> tuple[float, float]:
    """Learn, and print how often the agent wins before and after."""
    parser = argparse.ArgumentParser(description="MaskablePPO learns to play Azul.")
    parser.add_argument("--steps", type=int, default=200_000, help="moves of the agent to learn from")
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after at most this many minutes")
    parser.add_argument("--opponent", default="random", help="any bot of docs/bots.md")
    parser.add_argument("--reward", default="margin", choices=["win", "margin", "score"])
    parser.add_argument("--games", type=int, default=500, help="games of each test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", help="a file for the agent")
    given = parser.parse_args(arguments)

    torch.set_num_threads(1)  # the network is small: threads would only wait for each other
    model = new_model(given.opponent, given.reward, given.seed)
    before = win_rate(model, given.opponent, given.games, seed=given.seed)
    print(f"before: wins {before:.1%} of {given.games} games against {given.opponent}")
    start = monotonic()
    model.learn(given.steps, callback=StopAfter(given.minutes))
    print(f"learnt from {model.num_timesteps:,} moves in {monotonic() - start:.0f} s")
    after = win_rate(model, given.opponent, given.games, seed=given.seed + 1)
    print(f"after:  wins {after:.1%} of {given.games} games against {given.opponent}")
    if given.save:
        model.save(given.save)
    return before, after


if __name__ == "__main__":
    main()
