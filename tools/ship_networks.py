"""Put trained networks into the package, small enough to be shipped.

    python tools/ship_networks.py runs

Every run in the folder replaces the network of its rule set: with two players in float16, with more in int8, which
halves the file and moves win probabilities by about a percentage point.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from champion_recipe import rule_sets

from tilewright.learn.run import WEIGHTS
from tilewright.search.packing import read_arrays, write_weights
from tilewright.search.rule_sets import network_file, slug

LARGEST = 10 * 10**6
"""Bytes of all networks together."""


def main() -> None:
    """Write the networks of all runs, and say how large the networks of the package are now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of the runs")
    folder = parser.parse_args().folder
    total = 0
    for game in rule_sets():
        source, target = folder / slug(game) / WEIGHTS, network_file(game)
        if source.exists():
            weights, about = read_arrays(source)
            write_weights(target, weights, about, "float16" if game.players == 2 else "int8")
            print(f"{target}: {about['seconds']} s of training")
        total += target.stat().st_size
    print(f"{total / 1e6:.1f} MB in all; at most {LARGEST / 1e6:.0f} are shipped")


if __name__ == "__main__":
    main()
