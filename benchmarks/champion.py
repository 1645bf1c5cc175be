"""How fast the champion's search is: ``python benchmarks/champion.py``.

Positions from all stages of a game, processor time of one thread. In the same run, the same kernels are compiled with
counted references, in turn with the others; the last column is how many times as fast they are without.
"""

from __future__ import annotations

import time
from random import Random

import numpy as np

import tilewright as tw
from tilewright.search import champion_tree
from tilewright.search.budget import Budget
from tilewright.search.champion import ChampionSearch
from tilewright.search.network import network_weights_for
from tilewright.search.rule_sets import network_parts, slug

GAMES = [
    *(tw.Azul(players) for players in (2, 3, 4)),
    tw.Azul(2, "grey"),
    tw.Azul(2, jokers=True),
    *(tw.SummerPavilion(players) for players in (2, 3, 4)),
    tw.SummerPavilion(2, "grey"),
]
SIMULATIONS, POSITIONS, FEWEST_MOVES = 8000, 12, 12


def positions_of(game: tw.Game) -> list[tw.Position]:
    """Positions with many legal moves, after up to 60 moves by level 2."""
    found: list[tw.Position] = []
    bot, chooser = tw.bot("level2", seed=1), Random(1)
    while len(found) < POSITIONS:
        position = game.start(seed=len(found) + chooser.randrange(10**6))
        for _ in range(chooser.randrange(60)):
            if not position.is_over:
                position.push(bot.choose(position))
        if not position.is_over and len(position.legal_moves) >= FEWEST_MOVES:
            found.append(position)
    return found


def measure(search: ChampionSearch, positions: list[tw.Position]) -> tuple[float, float]:
    """Simulations and evaluations per second."""
    simulations = evaluations = 0
    begun = time.process_time()
    for position in positions:
        found = search.run(position.states[0], Budget(simulations=SIMULATIONS), np.array([5], np.uint64))
        simulations, evaluations = simulations + found.simulations, evaluations + found.nodes
    spent = time.process_time() - begun
    return simulations / spent, evaluations / spent


def main() -> None:
    """One line for each rule set."""
    print(f"{'':28} {'simulations/s':>14} {'evaluations/s':>14} {'ratio':>6}")
    for game in GAMES:
        positions, weights = positions_of(game), network_weights_for(game)
        lean, counting = (ChampionSearch(game, weights, stops_early=False) for _ in range(2))
        counting._simulate = game.kernels.compile(champion_tree.simulate, *network_parts(game))
        for search in (lean, counting):
            measure(search, positions[:1])
        with_counts = measure(counting, positions)
        simulations, evaluations = measure(lean, positions)
        ratio = simulations / with_counts[0]
        print(f"{slug(game):28} {simulations:14,.0f} {evaluations:14,.0f} {ratio:6.2f}", flush=True)


if __name__ == "__main__":
    main()
