"""Golden playthroughs and perft counts: how they are made, and how they are checked.

``python tests/golden.py`` regenerates them. Do that only when a rule was wrong, and look at the difference.
"""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from pathlib import Path
from random import Random

import tilewright as tw
from rule_sets import RULE_SETS, choose, file_name

DATA = Path(__file__).parent / "data"
GOLDEN = DATA / "golden"
DIGESTS = GOLDEN / "digests.json"
PERFT = DATA / "perft.json"


def digest(record: tw.Record) -> str:
    """A fingerprint of every position of a game, of what was legal there, and of the chances of every draw."""
    fingerprint = hashlib.sha256()
    for position in record.positions():
        chances = [f"{name} {chance}" for name, chance in position.chances().items()]
        legal = [f"{int(move)} {move}" for move in position.legal_moves]
        fingerprint.update("\n".join([position.to_text(), *chances, *legal]).encode())
    return fingerprint.hexdigest()


def play_golden_game(game: tw.Game) -> tw.Record:
    """A game that builds something: eager play from a fixed seed."""
    chooser = Random(1510)
    position = game.start(seed=1510)
    while not position.is_over:
        position.push(choose(position, chooser, "eager"))
    return position.record()


def count_sequences(position: tw.Position, depth: int) -> int:
    """Sequences of ``depth`` events from a position, counted by the kernel."""
    stack = position.game.kernels.new_states(depth + 1)
    stack[0] = position.states[0]
    return int(position.game.kernels.count_sequences(stack, depth, 0))


def perft_positions(record: tw.Record) -> list[tw.Position]:
    """The first deal, the middle, the last move before each change of round, and a position near the end."""
    positions = list(record.positions())
    chosen = [next(p for p in positions if p.turn is not None), positions[len(positions) // 2]]
    ends = [before for before, after in pairwise(positions) if before.turn is not None and after.round > before.round]
    chosen += ends[:2]
    return [*chosen, positions[-3]]


def write_all() -> None:
    """Write every golden file."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    digests, perft = {}, []
    for game in RULE_SETS:
        record = play_golden_game(game)
        record.save(GOLDEN / f"{file_name(game)}.txt")
        digests[file_name(game)] = digest(record)
        for position in perft_positions(record):
            depth = 1
            while depth < 6 and count_sequences(position, depth) < 20_000:
                depth += 1
            counts = [count_sequences(position, d) for d in range(1, depth + 1)]
            perft.append({"rules": file_name(game), "position": position.to_text(), "counts": counts})
    DIGESTS.write_text(json.dumps(digests, indent=1) + "\n")
    PERFT.write_text(json.dumps(perft, indent=1) + "\n")


if __name__ == "__main__":
    write_all()
