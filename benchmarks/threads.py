"""What more threads are worth to the champion's search: ``python benchmarks/threads.py --threads 1 2 4``.

Every number of threads searches the same positions for the same time, in turn, so that a busy machine slows all of them
down alike. Threads get no more cores than there are: the load average at the beginning is printed too.
"""

from __future__ import annotations

import argparse
import os
from time import perf_counter

import tilewright as tw
from tilewright.bots.champion import ChampionBot
from tilewright.bots.greedy import GreedyBot
from tilewright.search.budget import Budget

_MOVES_BETWEEN = 5
"""Positions come from all stages of a game."""


def positions_of(game: tw.Game, number: int) -> list[tw.Position]:
    """Positions from games of a bot that does not look ahead."""
    position, mover, found = game.start(seed=5), GreedyBot(seed=1, temperature=1.0), []
    while len(found) < number:
        if len(position.legal_moves) > 1:
            found.append(position.without_dealer())
        for _ in range(_MOVES_BETWEEN):
            position = game.start(seed=5 + len(found)) if position.is_over else position
            position.push(mover.choose(position))
    return found


def main() -> None:
    """One line for each number of threads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", choices=list(tw.GAMES), default=next(iter(tw.GAMES)))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each search (default 0.5)")
    arguments = parser.parse_args()
    game, budget = tw.make_game(arguments.game, players=arguments.players), Budget(seconds=arguments.seconds)
    bots = {threads: ChampionBot(budget, seed=1, threads=threads) for threads in arguments.threads}
    print(f"{game!r}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}")
    simulations, seconds = dict.fromkeys(bots, 0), dict.fromkeys(bots, 0.0)
    for position in positions_of(game, arguments.positions):
        for threads, bot in bots.items():
            bot.close()
            bot.prepare(game)
            begun = perf_counter()
            simulations[threads] += bot.think(position).simulations
            seconds[threads] += perf_counter() - begun
    rates = {threads: simulations[threads] / seconds[threads] for threads in bots}
    for threads, rate in rates.items():
        print(f"{threads:3} threads: {rate:11,.0f} simulations/s, {rate / rates[arguments.threads[0]]:5.2f} times")


if __name__ == "__main__":
    main()
