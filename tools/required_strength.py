"""The champion's required matches against the search, as a table for docs/training.md: how many it won, and must win.

    python tools/required_strength.py --folder matches --workers 14
    python tools/required_strength.py azul-3-coloured summer-pavilion-2-grey --limit 9

One champion with 0.1 seconds a move plays one ``search:300ms``, or as many as there are other seats. Every game is
saved in the folder, and the same command goes on there: a limit in minutes divides the matches between sessions.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from champion_recipe import rule_sets

import tilewright as tw
from tilewright.arena import play_match
from tilewright.search.rule_sets import slug

CHAMPION, SEARCH = "champion:100ms", "search:300ms"
ENOUGH_FOR_MANY = 1.8
"""Times the fair share, with three and four players."""
GAMES_AT_ONCE = 48
"""With a limit: games before the next look at the clock."""


def required(game: tw.Game) -> tuple[int, float] | None:
    """The games of a rule set's match and the share that must be won, if there is such a match."""
    if slug(game) == "azul-2-coloured":
        return 400, 0.92
    if game.players == 2:
        return 200, 0.80
    if slug(game).removesuffix("-coloured") in {f"{name}-{game.players}" for name in ("azul", "summer-pavilion")}:
        return 150, ENOUGH_FOR_MANY / game.players
    return None


def main() -> int:
    """Print a row for each match; 1 if one was lost or is not over."""
    matches = {slug(game): (game, *found) for game in rule_sets() if (found := required(game)) is not None}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rule_sets", nargs="*", metavar="RULE_SET", help=f"of {', '.join(matches)} (default: all)")
    parser.add_argument("--folder", type=Path, default=Path("matches"), help="where games are saved (default matches)")
    parser.add_argument("--limit", type=float, default=float("inf"), help="minutes after which no more games begin")
    parser.add_argument("--workers", type=int, help="worker processes (default: one per core)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.rule_sets) - set(matches)):
        parser.error(f"unknown rule sets {', '.join(unknown)}; they are {', '.join(matches)}")
    ends, missed = time.monotonic() + 60 * arguments.limit, 0
    at_once = 10**9 if arguments.limit == float("inf") else GAMES_AT_ONCE
    print("| rule set | games | won | required | margin |\n|---|---|---|---|---|")
    for name in arguments.rule_sets or matches:
        game, games, share = matches[name]
        played, result = 0, None
        while played < games and (time.monotonic() < ends or result is None):
            played = min(games, played + at_once)
            result = play_match([CHAMPION, SEARCH], game, games=played, seed=arguments.seed, workers=arguments.workers,
                                folder=arguments.folder / name)  # fmt: skip
        assert result is not None
        best = result.first
        won, margin = best.win_rate, best.margin
        played = len(result.games)
        missed += won.value < share or played < games
        told = f"{played} of {games}" if played < games else f"{played}"
        print(f"| {name} | {told} | {won.value:.1%} ± {won.error:.1%} | {share:.0%} "
              f"| {margin.value:+.1f} ± {margin.error:.1f} |", flush=True)  # fmt: skip
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
