"""Put trained networks into the package, small enough to be shipped.

    python tools/ship_networks.py runs
    python tools/ship_networks.py runs --policy-temperature 3

Every run in the folder replaces the network of its rule set: with two players in float16, with more in int8, which
halves the file and moves win probabilities by about a percentage point. A policy temperature above 1 makes priors
flatter, for networks that are too sure of their first choice.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from champion_recipe import rule_sets

from tilewright.learn.run import WEIGHTS
from tilewright.search.packing import Arrays, read_arrays, write_weights
from tilewright.search.rule_sets import network_file, slug

LARGEST = 10 * 10**6
"""Bytes of all networks together."""
HIGHEST_TEMPERATURE = 100


def flatten_policy(weights: Arrays, temperature: float) -> Arrays:
    """The same network with its logits divided by a temperature: its first choice stays, but it is less sure of it."""
    logits = ("policy.weight", "policy.bias", "classes.weight", "classes.bias")
    return {**weights, **{name: weights[name] / temperature for name in logits}}


def read_temperature(text: str) -> float:
    """A temperature that somebody typed."""
    temperature = float(text)
    if not 0 < temperature <= HIGHEST_TEMPERATURE:
        raise argparse.ArgumentTypeError(f"a temperature is above 0 and at most {HIGHEST_TEMPERATURE}, not {text}")
    return temperature


def main() -> None:
    """Write the networks of all runs, and say how large the networks of the package are now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of the runs")
    parser.add_argument(
        "--policy-temperature",
        type=read_temperature,
        default=1.0,
        metavar="T",
        help="divides the logits (default 1)",
    )
    arguments = parser.parse_args()
    folder, temperature = arguments.folder, arguments.policy_temperature
    total = 0
    for game in rule_sets():
        source, target = folder / slug(game) / WEIGHTS, network_file(game)
        if source.exists():
            weights, about = read_arrays(source)
            about = {**about, "policy_temperature": temperature * about.get("policy_temperature", 1.0)}
            flattened = flatten_policy(weights, temperature)
            write_weights(target, flattened, about, "float16" if game.players == 2 else "int8")
            print(f"{target}: {about['seconds']} s of training")
        total += target.stat().st_size
    print(f"{total / 1e6:.1f} MB in all")
    if total > LARGEST:
        raise SystemExit(f"too large: at most {LARGEST / 1e6:.0f} MB are shipped")


if __name__ == "__main__":
    main()
