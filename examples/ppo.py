"""PPO learns Azul by playing against itself, in one file, on ``Vector``.

pip install "tilewright[train]"
python examples/ppo.py                              # half a minute on an idle core
python examples/ppo.py --updates 100 --plot curve.svg
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from time import process_time

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import tilewright as tw

GAMES, STEPS, EPOCHS, MINIBATCH = 512, 64, 3, 4096
LAMBDA, CLIP, ENTROPY, LEARNING_RATE = 0.95, 0.2, 0.01, 1e-3
POINTS = 20
"""The reward is the final margin divided by this: PPO learns best from rewards near 1."""


class Agent(nn.Module):
    """A policy over the legal moves, and how many points the player to move will be ahead at the end."""

    def __init__(self, game: tw.Game, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(game.observer.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )  # fmt: skip
        self.policy, self.value = nn.Linear(width, game.actions), nn.Linear(width, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The policy and the value."""
        hidden = self.body(observations)
        return Categorical(logits=self.policy(hidden).masked_fill(~masks, -1e9)), self.value(hidden).squeeze(-1)


def see(vector: tw.Vector) -> tuple[torch.Tensor, torch.Tensor]:
    """What the players to move observe, and their legal moves; copies, because each step overwrites the arrays."""
    return torch.from_numpy(vector.observations.copy()), torch.from_numpy(vector.masks.copy())


@torch.no_grad()
def play(agent: Agent, vector: tw.Vector) -> list[torch.Tensor]:
    """The agent plays both seats; returns observations, masks, moves, log probabilities, advantages and returns."""
    every, steps = np.arange(len(vector)), []
    for _ in range(STEPS):
        observations, masks = see(vector)
        policy, values = agent(observations, masks)
        moves = policy.sample()
        vector.step(moves.numpy())
        rewards = torch.from_numpy(vector.rewards[every, vector.movers] / POINTS)
        # The next value counts as it is if the same seat moves again, and with the opposite sign if the other does.
        sign = torch.from_numpy(np.where(vector.turns == vector.movers, 1, -1) * ~vector.dones)
        steps.append((observations, masks, moves, policy.log_prob(moves), values, rewards, sign))
    advantages, advantage, following = [], torch.zeros(len(vector)), agent(*see(vector))[1]
    for *_, values, rewards, sign in reversed(steps):
        advantage = rewards + sign * following - values + LAMBDA * sign * advantage
        advantages.append(advantage)
        following = values
    observations, masks, moves, log_probs, values, _, _ = (torch.cat(column) for column in zip(*steps, strict=True))
    gained = torch.cat(advantages[::-1])
    return [observations, masks, moves, log_probs, gained, gained + values]


def learn(agent: Agent, optimiser: torch.optim.Optimizer, batch: list[torch.Tensor]) -> None:
    """The clipped objective of PPO."""
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(batch[0])).split(MINIBATCH):
            observations, masks, moves, log_probs, gained, returns = (column[chosen] for column in batch)
            policy, values = agent(observations, masks)
            ratio = (policy.log_prob(moves) - log_probs).exp()
            gained = (gained - gained.mean()) / (gained.std() + 1e-8)
            clipped = torch.minimum(ratio * gained, ratio.clamp(1 - CLIP, 1 + CLIP) * gained).mean()
            loss = -clipped + 0.5 * (values - returns).square().mean() - ENTROPY * policy.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


@torch.no_grad()
def win_rate(agent: Agent, game: tw.Game, games: int = 1000, seed: int = 1) -> float:
    """The share of games that the agent's likeliest moves win against random ones, half from each seat."""
    vector, wins = tw.Vector(game, games, seed, autoreset=False), np.zeros(games)
    seats = np.arange(games) % 2
    while not vector.over.all():
        best = agent(*see(vector))[0].probs.argmax(dim=1).numpy()
        vector.step(np.where(vector.over, -1, np.where(vector.turns == seats, best, vector.random_moves())))
        wins += (vector.rewards[np.arange(games), seats] + vector.dones) / 2
    return float(wins.mean())


def main(arguments: Sequence[str] | None = None) -> list[tuple[float, float]]:
    """Learn; returns and prints CPU seconds and win rates."""
    parser = argparse.ArgumentParser(description="PPO learns Azul by self-play.")
    parser.add_argument("--updates", type=int, default=20, help=f"each learns from {GAMES * STEPS:,} moves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", help="draw the learning curve into this file")
    given = parser.parse_args(arguments)
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)  # the network is small: threads would only wait for each other
    game = tw.Azul(players=2)
    vector, agent = tw.Vector(game, GAMES, given.seed, reward="margin"), Agent(game)
    optimiser = torch.optim.Adam(agent.parameters(), LEARNING_RATE)
    curve, spent = [(0.0, win_rate(agent, game))], 0.0
    for update in range(1, given.updates + 1):
        before = process_time()
        learn(agent, optimiser, play(agent, vector))
        spent += process_time() - before
        curve.append((spent, win_rate(agent, game)))
        print(f"{update * GAMES * STEPS:9,} moves, {spent:5.1f} s: wins {curve[-1][1]:.1%} against random", flush=True)
    if given.plot:
        draw(curve, given.plot)
    return curve


def draw(curve: list[tuple[float, float]], file: str) -> None:
    """The learning curve as a picture."""
    from matplotlib import pyplot as plt

    plt.rcParams["svg.hashsalt"] = "tilewright"  # the same curve makes the same file
    _, axes = plt.subplots(figsize=(6, 3.2))
    axes.plot(*zip(*curve, strict=True), marker="o", markersize=3)
    axes.set(xlabel="seconds of CPU time on one core", ylabel="games won against random", ylim=(0, 1.02))
    axes.grid(alpha=0.3)
    plt.savefig(file, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
