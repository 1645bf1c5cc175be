"""``tilewright export``: write a network as an ONNX file."""

from __future__ import annotations

from argparse import Namespace

from tilewright.cli.game_options import chosen_game
from tilewright.learn.loading import export_onnx, load_network
from tilewright.search.rule_sets import slug


def run(arguments: Namespace) -> int:
    """Load the network and write it."""
    game = chosen_game(arguments)
    output = arguments.output or f"{slug(game)}.onnx"
    export_onnx(load_network(game, path=arguments.weights), output)
    print(output)
    return 0
