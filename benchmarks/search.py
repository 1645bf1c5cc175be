"""How fast the search is: ``python benchmarks/search.py``.

Nodes are positions reached by a move, in the tree and in rollouts. In the same run, uniformly random play measures how
fast the machine is at that moment; the last column is the ratio. A long search also rolls out through the next deal.
"""

from __future__ import annotations

import time

import numpy as np

import tilewright as tw
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.search import SearchBot
from tilewright.search.budget import Budget
from tilewright.search.searcher import LONG_SIMULATIONS

SHORT, LONG = Budget(simulations=4000), Budget(simulations=LONG_SIMULATIONS)
GAMES: dict[str, tuple[tw.Game, Budget]] = {
    "Azul": (tw.Azul(2), SHORT),
    "Azul, long": (tw.Azul(2), LONG),
    "Azul, grey wall": (tw.Azul(2, "grey"), SHORT),
    "Azul, jokers": (tw.Azul(2, jokers=True), SHORT),
    "Azul, 4 players": (tw.Azul(4), SHORT),
    "Summer Pavilion": (tw.SummerPavilion(2), SHORT),
    "Summer Pavilion, grey side": (tw.SummerPavilion(2, "grey"), SHORT),
    "Summer Pavilion, 4 players": (tw.SummerPavilion(4), SHORT),
}
POSITIONS = 30


def search_rates(game: tw.Game, budget: Budget) -> tuple[float, float]:
    """Simulations and nodes per second of processor time, over positions from all stages of a game."""
    bot, mover = SearchBot(budget, seed=1), GreedyBot(seed=1, temperature=1.0)
    position = game.start(seed=5)
    bot.think(position, Budget(simulations=10))
    simulations = nodes = seen = 0
    spent = 0.0
    while seen < POSITIONS:
        if position.is_over:
            position = game.start(seed=6)
        begun = time.process_time()
        thought = bot.think(position)
        if thought.simulations:
            spent += time.process_time() - begun
            simulations += thought.simulations
            nodes += thought.nodes
            seen += 1
        for _ in range(3):
            if not position.is_over:
                position.push(mover.choose(position))
    return simulations / spent, nodes / spent


def random_rate(game: tw.Game) -> float:
    """Moves per second of uniformly random play."""
    kernels, start = game.kernels, game.start(seed=1).states
    states, totals, generator = kernels.new_states(1), kernels.new_totals(), np.array([1], np.uint64)
    kernels.play_games(states, start, generator, 1, totals)
    totals = kernels.new_totals()
    begun = time.process_time()
    kernels.play_games(states, start, generator, 20_000, totals)
    return float(totals["moves"][0] / (time.process_time() - begun))


def main() -> None:
    """One line for each game."""
    print(f"{'':28} {'simulations/s':>14} {'nodes/s':>12} {'random moves/s':>15} {'ratio':>6}")
    for name, (game, budget) in GAMES.items():
        simulations, nodes = search_rates(game, budget)
        moves = random_rate(game)
        print(f"{name:28} {simulations:14,.0f} {nodes:12,.0f} {moves:15,.0f} {nodes / moves:6.2f}", flush=True)


if __name__ == "__main__":
    main()
