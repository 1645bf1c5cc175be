"""Do skill and luck add up, and does accuracy mean something? Reviews of games between bots.

    python benchmarks/skill_and_luck.py azul level4 level4 --games 500 --workers 16

For each bot: accuracy, what it gave away, its luck, the remainder and its results, as means over the games with their
standard errors. Luck must average zero, equal bots must have equal accuracies, and result = start - given away +
received + luck must hold within the error of the remainder. The last lines say how large the remainder of a single game
is, how well start, skill and luck together tell the result, and how much of its variance luck explains. ``--out`` keeps
every game; the same command continues the file.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import tilewright as tw
from reviewed_games import compile_reviews, play, rule_set, spread_and_keep
from tilewright.insight.review import SeatReview

TOLD = 20
"""Games between two tables."""
COLUMNS = ("accuracy", "start", "given_away", "received", "luck", "remainder", "result")


class Game(NamedTuple):
    """A game to play and to review."""

    rules: str
    bots: tuple[str, ...]
    seed: int
    budget: str | None


def totals(game: Game) -> list[dict[str, Any]]:
    """What the review comes to, by bot: each a ``SeatReview`` as a dictionary."""
    rules = rule_set(game.rules)
    seats = tw.review(play(rules, list(game.bots), game.seed), game.budget, seed=game.seed).seats
    return [asdict(seats[(bot - game.seed) % rules.players]) for bot in range(rules.players)]


def main() -> None:
    """Play, review and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", help='a rule set for as many players as there are bots, such as "azul"')
    parser.add_argument("bots", nargs="+")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--budget", help="of the review (default: its own)")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, help="keep every game in this file, a line each")
    arguments = parser.parse_args()
    rules, bots = f"{arguments.rules} players={len(arguments.bots)}", tuple(arguments.bots)
    compile_reviews(rule_set(rules))
    games = [Game(rules, bots, arguments.first + n, arguments.budget) for n in range(arguments.games)]
    found: list[list[SeatReview]] = [[] for _ in bots]
    for number, (_, seats) in enumerate(spread_and_keep(totals, games, arguments.workers, arguments.out), 1):
        for reviews, one in zip(found, seats, strict=True):
            reviews.append(SeatReview(**one))
        if number % TOLD == 0 or number == arguments.games:
            tell(bots, found)


def tell(names: tuple[str, ...], found: list[list[SeatReview]]) -> None:
    """The table so far."""
    print(f"{len(found[0])} games\nbot        " + "".join(f"{name:>18}" for name in COLUMNS))
    for name, reviews in zip(names, found, strict=True):
        cells = [_mean([getattr(one, column) for one in reviews], column) for column in COLUMNS]
        print(f"{name:11}" + "".join(f"{cell:>18}" for cell in cells))
    numbers = {column: _numbers(found[0], column) for column in COLUMNS[1:]}
    if np.var(numbers["result"]):
        _tell_spread(numbers, _numbers(found[0], "remainder_error"))
    print(flush=True)


def _tell_spread(numbers: dict[str, NDArray[np.float64]], stated: NDArray[np.float64]) -> None:
    """How the games differ from one another, for the first bot."""
    result, luck, remainder = (numbers[name] for name in ("result", "luck", "remainder"))
    explained = result - remainder
    print(
        f"remainder of a game: standard deviation {100 * np.std(remainder):.1f}, stated error "
        f"{100 * np.sqrt(np.mean(stated**2)):.1f}, within two stated errors {np.mean(abs(remainder) < 2 * stated):.0%}"
    )
    print(f"correlation of start + skill + luck with the result {_correlation(explained, result):.2f}")
    slope = float(np.cov(luck, result)[0, 1] / np.var(luck, ddof=1))
    print(f"correlation of luck with the result {_correlation(luck, result):.2f}, coefficient {slope:.2f}")
    ratio = np.var(result) / np.var(result - luck)
    print(f"variance of the result / of the luck-adjusted result {ratio:.2f}")


def _numbers(reviews: list[SeatReview], column: str) -> NDArray[np.float64]:
    return np.array([getattr(one, column) for one in reviews])


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.corrcoef(one, other)[0, 1])


def _mean(values: list[float | None], column: str) -> str:
    unit = 1 if column == "accuracy" else 100
    values = [value for value in values if value is not None]
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{unit * np.mean(values):.1f} ± {unit * error:.1f}"


if __name__ == "__main__":
    main()
