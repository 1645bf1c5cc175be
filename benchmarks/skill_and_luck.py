"""Do skill and luck add up, and does accuracy mean something? Reviews of games between bots.

    python benchmarks/skill_and_luck.py azul level3 level3 --games 100 --budget 1000

For each bot: accuracy, what it gave away, its luck, the remainder and its results, as means over the games with their
standard errors. Luck must average zero, equal bots must have equal accuracies, and result = start - given away +
received + luck must hold within the error of the remainder. The last lines compare the variance of the result with that
of the luck-adjusted result.
"""

from __future__ import annotations

import argparse

import numpy as np

import tilewright as tw
from tilewright.bots.registry import make_bot
from tilewright.insight.review import SeatReview

TOLD = 5
"""Games between two tables."""
COLUMNS = ("accuracy", "start", "given_away", "received", "luck", "remainder", "result")


def play(game: tw.Game, names: list[str], seed: int) -> tw.Record:
    """A game; the seats rotate with the seed."""
    bots = [make_bot(name, seed=seed * 10 + n) for n, name in enumerate(names)]
    position = game.start(seed=seed // game.players)
    while not position.is_over:
        assert position.turn is not None
        position.push(bots[(position.turn + seed) % game.players].choose(position))
    return position.record()


def main() -> None:
    """Play, review and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=list(tw.GAMES))
    parser.add_argument("bots", nargs="+")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--budget", default="1000")
    arguments = parser.parse_args()
    game = tw.make_game(arguments.game, players=len(arguments.bots))
    found: list[list[SeatReview]] = [[] for _ in arguments.bots]
    for seed in range(arguments.games):
        seats = tw.review(play(game, arguments.bots, seed), arguments.budget, seed=seed).seats
        for seat, totals in enumerate(seats):
            found[(seat + seed) % game.players].append(totals)
        if (seed + 1) % TOLD == 0 or seed + 1 == arguments.games:
            tell(arguments.bots, found)


def tell(names: list[str], found: list[list[SeatReview]]) -> None:
    """The table so far."""
    print(f"{len(found[0])} games\nbot        " + "".join(f"{name:>18}" for name in COLUMNS))
    for name, reviews in zip(names, found, strict=True):
        cells = [_mean([getattr(one, column) for one in reviews], column) for column in COLUMNS]
        print(f"{name:11}" + "".join(f"{cell:>18}" for cell in cells))
    results, luck = (np.array([getattr(one, column) for one in found[0]]) for column in ("result", "luck"))
    if np.var(results):
        slope = float(np.cov(luck, results)[0, 1] / np.var(luck, ddof=1))
        print(f"correlation of luck with the result {np.corrcoef(luck, results)[0, 1]:.2f}, coefficient {slope:.2f}")
        ratio = np.var(results) / np.var(results - luck)
        print(f"variance of the result / of the luck-adjusted result {ratio:.2f}")
    print(flush=True)


def _mean(values: list[float | None], column: str) -> str:
    unit = 1 if column == "accuracy" else 100
    values = [value for value in values if value is not None]
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{unit * np.mean(values):.1f} ± {unit * error:.1f}"


if __name__ == "__main__":
    main()
