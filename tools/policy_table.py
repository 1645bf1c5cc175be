"""How strong the policies of the shipped networks are by themselves, as a table for docs/training.md.

    python tools/policy_table.py --opponent search:200 --deals 30

The policy plays its first choice, without any search, against copies of a bot; every deal is played from each seat.
"""

from __future__ import annotations

import argparse

from champion_recipe import rule_sets

import tilewright as tw
from tilewright.learn.evaluation import evaluate
from tilewright.search.rule_sets import slug

Z95 = 1.96


def main() -> None:
    """Print a row for each rule set as soon as it has been played."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opponent", default="search:200", help="a bot (default search:200)")
    parser.add_argument("--deals", type=int, default=30, help="deals of each rule set (default 30)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"| rule set | games | wins against {arguments.opponent} |\n|---|---|---|")
    for game in rule_sets():
        share = evaluate(game, tw.load_network(game), arguments.opponent, arguments.deals, arguments.seed)
        games = arguments.deals * game.players
        print(f"| {slug(game)} | {games} | {share.value:.0%} ± {Z95 * share.error:.0%} |", flush=True)


if __name__ == "__main__":
    main()
