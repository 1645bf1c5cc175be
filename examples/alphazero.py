"""AlphaZero learns Azul from the rules alone: a search and a network of its own, built on the public API.

pip install "tilewright[train]"
python examples/alphazero.py                        # two minutes on an idle core
python examples/alphazero.py --minutes 10 --simulations 64

The search runs in many games at once: ``Vector.load`` puts positions in, ``step`` plays a move in each, and the arrays
have what a network needs. A move that ends the round leads to a deal, so its node is never expanded: each visit deals
again, and the search cannot plan with tiles that it must not know.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Sequence
from time import process_time

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import tilewright as tw

GAMES, EXPLORATION, NOISE = 64, 1.5, 0.25
MEMORY, MINIBATCH, UPDATES = 20_000, 256, 4
"""The number of moves remembered, the size of a minibatch, and the updates after each move of all games."""
REPORT = 15
"""Seconds of CPU time between two tests of the policy."""
POINTS = 15
"""A margin of this many points counts as three quarters of a win."""


class Network(nn.Module):
    """A policy, and how well the player to move will do: 1 is a clear win, -1 a clear loss."""

    def __init__(self, game: tw.Game, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(game.observer.size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, game.actions), nn.Linear(width, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logarithms of the probabilities of moves, and the value."""
        hidden = self.body(observations)
        logits = self.policy(hidden).masked_fill(~masks, -1e9)
        return logits.log_softmax(dim=1), self.value(hidden).squeeze(-1).tanh()

    @torch.no_grad()
    def evaluate(self, vector: tw.Vector) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The probabilities of moves and the values of the current positions, for the players to move."""
        priors, values = self(torch.from_numpy(vector.observations), torch.from_numpy(vector.masks))
        return priors.exp().numpy() * vector.masks, values.numpy()


class Search:
    """PUCT in many games at once: each game has a tree, which gains one node per simulation."""

    def __init__(self, game: tw.Game, network: Network, simulations: int) -> None:
        self.network, self.simulations = network, simulations
        self.vector = tw.Vector(game, GAMES, reward="margin", autoreset=False)
        self.rows = np.repeat(self.vector.states[:, None], simulations + 1, axis=1)
        shape = (GAMES, simulations + 1, game.actions)
        self.priors, self.totals = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.visits, self.children = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
        self.turns, self.is_leaf = np.zeros(shape[:2], np.int8), np.zeros(shape[:2], np.bool_)
        self.every = np.arange(GAMES)

    def run(self, states: NDArray[np.void], generator: np.random.Generator) -> NDArray[np.int32]:
        """How often each move was tried in each of these positions."""
        self.visits[:], self.totals[:], self.children[:] = 0, 0, 0
        self.vector.load(states)
        self._store(self.every, 0, self.network.evaluate(self.vector)[0])
        noise = generator.gamma(0.3, size=self.priors[:, 0].shape) * self.vector.masks
        self.priors[:, 0] += NOISE * (noise / noise.sum(axis=1, keepdims=True) - self.priors[:, 0])
        for new in range(1, self.simulations + 1):
            self._simulate(new)
        return self.visits[:, 0]

    def _simulate(self, new: int) -> None:
        path = self._descend()
        nodes, moves = path[-1][1:]
        self.vector.load(self.rows[self.every, nodes])
        rounds = self._rounds()
        self.vector.step(moves)
        priors, values = self.network.evaluate(self.vector)
        first = np.where(self.vector.turns == 0, values, -values)  # from the first seat's point of view
        first = np.where(self.vector.dones, np.tanh(self.vector.rewards[:, 0] / POINTS), first)
        for games, at, tried in path:
            gained = np.where(self.turns[games, at] == 0, first[games], -first[games])
            self.totals[games, at, tried] += gained
            self.visits[games, at, tried] += 1
        fresh = np.flatnonzero(self.children[self.every, nodes, moves] == 0)
        self.children[fresh, nodes[fresh], moves[fresh]] = new
        self._store(fresh, new, priors)
        self.is_leaf[:, new] = self.vector.dones | (self._rounds() != rounds)

    def _rounds(self) -> NDArray[np.float32]:
        """In which round the games are; another one means that tiles have been dealt."""
        return self.vector.observer.part(self.vector.observations, "round")[:, 0].copy()

    def _descend(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
        """The steps down the trees, each as games, nodes and moves; in the last one every game reaches a new node."""
        games, nodes, path = self.every, np.zeros(GAMES, np.int64), []
        last_nodes, last_moves = np.zeros(GAMES, np.int64), np.zeros(GAMES, np.int64)
        while len(games):
            visits, priors = self.visits[games, nodes], self.priors[games, nodes]
            means = self.totals[games, nodes] / np.maximum(visits, 1)
            bonus = EXPLORATION * priors * np.sqrt(visits.sum(axis=1, keepdims=True) + 1) / (1 + visits)
            moves = np.where(priors > 0, means + bonus, -np.inf).argmax(axis=1)
            last_nodes[games], last_moves[games] = nodes, moves
            following = self.children[games, nodes, moves]
            goes_on = (following > 0) & ~self.is_leaf[games, following]
            if goes_on.any():
                path.append((games[goes_on], nodes[goes_on], moves[goes_on]))
            games, nodes = games[goes_on], following[goes_on]
        return [*path, (self.every, last_nodes, last_moves)]

    def _store(self, games: NDArray[np.int64], node: int, priors: NDArray[np.float32]) -> None:
        self.rows[games, node] = self.vector.states[games]
        self.priors[games, node] = np.maximum(priors[games], 1e-6 * self.vector.masks[games])
        self.turns[games, node] = self.vector.turns[games]


def learn(network: Network, optimiser: torch.optim.Optimizer, memory: deque, generator: np.random.Generator) -> None:
    """Move the policy towards what the search tried, and the value towards how the game ended."""
    for _ in range(UPDATES):
        chosen = [memory[i] for i in generator.integers(len(memory), size=MINIBATCH)]
        observations, masks, tried, results = (torch.from_numpy(np.stack(c)) for c in zip(*chosen, strict=True))
        log_policy, values = network(observations, masks)
        loss = -(tried * log_policy).sum(dim=1).mean() + (values - results).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


@torch.no_grad()
def win_rate(network: Network, game: tw.Game, games: int = 1000, seed: int = 1) -> float:
    """The share of games that the policy alone, without search, wins against random moves."""
    vector, wins = tw.Vector(game, games, seed, autoreset=False), np.zeros(games)
    seats = np.arange(games) % 2
    while not vector.over.all():
        best = network.evaluate(vector)[0].argmax(axis=1)
        vector.step(np.where(vector.over, -1, np.where(vector.turns == seats, best, vector.random_moves())))
        wins += (vector.rewards[np.arange(games), seats] + vector.dones) / 2
    return float(wins.mean())


def main(arguments: Sequence[str] | None = None) -> list[float]:
    """Learn by self-play; returns and prints how often the policy wins, before and during learning."""
    parser = argparse.ArgumentParser(description="AlphaZero learns Azul.")
    parser.add_argument("--minutes", type=float, default=2.0, help="of CPU time")
    parser.add_argument("--simulations", type=int, default=32, help="per move")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)  # the network is small: threads would only wait for each other
    generator, game = np.random.default_rng(given.seed), tw.Azul(players=2)
    network = Network(game)
    optimiser = torch.optim.Adam(network.parameters(), 1e-3)
    search, vector = Search(game, network, given.simulations), tw.Vector(game, GAMES, given.seed, reward="margin")
    memory: deque = deque(maxlen=MEMORY)
    unfinished: list[list] = [[] for _ in range(GAMES)]
    curve, games, spent = [win_rate(network, game)], 0, 0.0
    print(f"before: the policy wins {curve[0]:.1%} of 1,000 games against random", flush=True)
    while spent < 60 * given.minutes:
        before = process_time()
        visits = search.run(vector.states, generator)
        tried = (visits / visits.sum(axis=1, keepdims=True)).astype(np.float32)
        for i in range(GAMES):
            seen = vector.observations[i].copy(), vector.masks[i].copy(), tried[i]
            unfinished[i].append((*seen, int(vector.turns[i])))
        vector.step([generator.choice(game.actions, p=one / one.sum()) for one in visits.astype(np.float64)])
        for i in np.flatnonzero(vector.dones):
            results = np.tanh(vector.rewards[i] / POINTS)
            memory.extend((*seen, results[seat]) for *seen, seat in unfinished[i])
            unfinished[i] = []
        games += int(vector.dones.sum())
        if len(memory) > MINIBATCH:
            learn(network, optimiser, memory, generator)
        spent += process_time() - before
        if spent > REPORT * len(curve):
            curve.append(win_rate(network, game))
            print(f"{games:6} games, {spent:4.0f} s: the policy wins {curve[-1]:.1%}", flush=True)
    return curve


if __name__ == "__main__":
    main()
