"""The ladder of all bots and levels for docs/strength.md: matches between neighbours, and the Elo that they add up to.

    python tools/ladder.py azul --games 200
    python tools/ladder.py summer-pavilion --players 3 --games 60 --bots level1 level2 level3
    python tools/ladder.py azul --wall grey --folder ladders/azul-grey

Every bot plays the one below it. With more than two players, one copy of it sits among copies of the other. Differences
of neighbours are measured well, while a bot far below another never wins; their errors add up towards both ends.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tilewright.arena import play_match
from tilewright.game.game import Game
from tilewright.game.registry import GAMES, find_spec, read_game

BOTS = (
    "random", "level1", "level2", "level3", "level4", "level5", "search:300ms", "champion:100ms", "level6",
)  # fmt: skip


def read_arguments() -> tuple[argparse.Namespace, Game]:
    """What was typed, and the rule set; options of the game are typed by their names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--players", default="2")
    parser.add_argument("--games", type=int, default=200, help="of each match (default 200)")
    parser.add_argument("--bots", nargs="+", default=BOTS, help="from the weakest to the strongest")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, help="worker processes (default: one per core)")
    parser.add_argument("--folder", type=Path, help="save every game there, and continue from there next time")
    known, _ = parser.parse_known_args()
    options = [option.name for option in find_spec(known.game).options]
    for option in options:
        parser.add_argument(f"--{option}")
    arguments = parser.parse_args()
    given = {option: value for option in options if (value := getattr(arguments, option)) is not None}
    return arguments, read_game(arguments.game, {"players": arguments.players, **given})


def main() -> None:
    """Print a row for each bot, as soon as its match is over."""
    arguments, game = read_arguments()
    fair = 1 / game.players
    print(f"{game!r}, {arguments.games} games a match, seed {arguments.seed}\n")
    print(f"| bot | wins against the bot above it in this table (fair: {fair:.0%}) | Elo difference, 95 % | Elo |")
    print("|---|---|---|---|")
    below, total = arguments.bots[0], 0.0
    print(f"| `{below}` |  |  | 0 |", flush=True)
    for bot in arguments.bots[1:]:
        folder = arguments.folder / f"{bot}-{below}".replace(":", "-") if arguments.folder else None
        result = play_match(
            [bot, below], game, games=arguments.games, seed=arguments.seed, workers=arguments.workers, folder=folder
        )
        won, elo = result.standings[0].win_rate, result.elo
        total += elo.value
        low, high = f"{elo.low:+.0f}", f"{elo.high:+.0f}"
        print(f"| `{bot}` | {won.value:.1%} ± {won.error:.1%} | {low} to {high} | {total:.0f} |", flush=True)
        below = bot


if __name__ == "__main__":
    main()
