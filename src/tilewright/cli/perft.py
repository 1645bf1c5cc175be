"""``tilewright perft``: count sequences of events, to compare implementations of the rules."""

from __future__ import annotations

import json
from argparse import Namespace
from time import perf_counter
from typing import Any

from tilewright.cli.described import game_object
from tilewright.cli.game_options import chosen_game
from tilewright.cli.terminal import compiling_notice
from tilewright.game.errors import BadOption
from tilewright.game.position import Position
from tilewright.game.registry import read_position


def run(arguments: Namespace) -> int:
    """Count to each depth, and for each first event if asked."""
    if arguments.position is not None and arguments.game is not None:
        raise BadOption("--position already names its game; leave the game out")
    with compiling_notice():
        if arguments.position is not None:
            position = read_position(arguments.position)
        else:
            position = chosen_game(arguments).start(arguments.seed or 0)
        count(position, 1)
        count(position, 2)
    answer: dict[str, Any] = {**game_object(position.game), "position": position.to_text(), "depths": []}
    if not arguments.json:
        print(f"{position.game!r}\n{'depth':>5} {'nodes':>18} {'seconds':>9} {'nodes/s':>15}")
    for depth in range(1, arguments.depth + 1):
        started = perf_counter()
        nodes = count(position, depth)
        seconds = perf_counter() - started
        line = {"depth": depth, "nodes": nodes, "seconds": seconds, "nodes_per_second": nodes / seconds}
        answer["depths"].append(line)
        if not arguments.json:
            print(f"{depth:5} {nodes:18,} {seconds:9.3f} {nodes / seconds:15,.0f}", flush=True)
    if arguments.divide:
        answer["divide"] = divide(position, arguments.depth)
    if arguments.json:
        print(json.dumps(answer))
    elif arguments.divide:
        print("\n".join(f"{event:>10} {nodes:16,}" for event, nodes in answer["divide"].items()))
    return 0


def count(position: Position, depth: int) -> int:
    """How many sequences of a given length begin at a position."""
    kernels = position.game.kernels
    stack = kernels.new_states(depth + 1)
    stack[0] = position.states[0]
    return int(kernels.count_sequences(stack, depth, 0))


def divide(position: Position, depth: int) -> dict[str, int]:
    """The count after each first event."""
    counts: dict[str, int] = {}
    blind = position.without_dealer()  # so that draws are events too
    if blind.awaits_draw:
        for name in blind.chances():
            after = blind.copy()
            after.draw(name)
            counts[name] = count(after, depth - 1)
    for move in blind.legal_moves:
        after = blind.copy()
        after.push(move)
        counts[move.text] = count(after, depth - 1)
    return counts
