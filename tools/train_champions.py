"""Train the networks of all rule sets, one after the other, on one GPU.

    python tools/train_champions.py --minutes 25 --output networks [--only azul-3] [--from src/tilewright/games]

Each entry of the plan gets its share of the time. A rule set whose weights are already in the output folder, or in the
folder given by ``--from``, goes on from them; any other begins with the weights of its relative, or with random ones.
"""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import torch

import tilewright as tw
from tilewright.learn import checkpoint
from tilewright.learn.configuration import Configuration
from tilewright.learn.training import Trainer
from tilewright.learn.transfer import transfer
from tilewright.search.rule_sets import slug

SHORTEST = 10.0
"""Seconds: games of four players take several to end for the first time."""


@dataclass(frozen=True)
class Entry:
    """One rule set: where its weights come from, what share of the time it gets, how it is trained."""

    game: tw.Game
    relative: tw.Game | None
    share: float
    configuration: Configuration


def configuration_for(game: tw.Game, seed: int) -> Configuration:
    """What suited an H200; samples of a whole game must fit into the buffer."""
    if isinstance(game, tw.Azul):
        buffer, trace = {2: (128, 0.98), 3: (160, 0.985), 4: (192, 0.985)}[game.players]
        return Configuration(games=32_768, simulations=64, buffer=buffer, updates=6, trace=trace, seed=seed)
    buffer = {2: 256, 3: 352, 4: 448}[game.players]
    return Configuration(games=16_384, simulations=48, buffer=buffer, updates=4, trace=0.99, seed=seed)


def plan(seed: int) -> Iterator[Entry]:
    """Two players first, then three and four, each from the rule set with one player less."""

    def entry(game: tw.Game, relative: tw.Game | None, share: float) -> Entry:
        return Entry(game, relative, share, configuration_for(game, seed))

    yield entry(tw.Azul(2), None, 4)
    yield entry(tw.SummerPavilion(2), None, 4)
    yield entry(tw.Azul(2, "grey"), tw.Azul(2), 1.5)
    yield entry(tw.Azul(2, "coloured", True), tw.Azul(2), 1.5)
    yield entry(tw.Azul(2, "grey", True), tw.Azul(2, "coloured", True), 1)
    yield entry(tw.SummerPavilion(2, "grey"), tw.SummerPavilion(2), 1.5)
    for players in (3, 4):
        for wall, jokers in product(("coloured", "grey"), (False, True)):
            yield entry(tw.Azul(players, wall, jokers), tw.Azul(players - 1, wall, jokers), 1)
        for side in ("coloured", "grey"):
            yield entry(tw.SummerPavilion(players, side), tw.SummerPavilion(players - 1, side), 1.5)


def find_weights(game: tw.Game, folders: list[Path]) -> Path | None:
    """The newest weights of a rule set, as the order of the folders says."""
    for folder in folders:
        for path in sorted(folder.rglob(f"{slug(game)}.npz")):
            return path
    return None


def begin(entry: Entry, folders: list[Path], device: str) -> Trainer:
    """A trainer with the best weights there are."""
    trainer = Trainer(entry.game, entry.configuration, device)
    own = find_weights(entry.game, folders)
    related = find_weights(entry.relative, folders) if entry.relative is not None else None
    if own is not None:
        checkpoint.import_weights(trainer, own)
    elif related is not None and entry.relative is not None:
        network = checkpoint.read_network(related)
        checkpoint.put_weights(trainer, transfer(entry.relative, network, entry.game))
    return trainer


def train(entry: Entry, seconds: float, output: Path, folders: list[Path], device: str) -> None:
    """Train one rule set and write its weights, its checkpoint and its log."""
    trainer = begin(entry, folders, device)
    name = slug(entry.game)
    with (output / f"{name}.jsonl").open("a", encoding="utf-8") as log:
        trainer.run(seconds=seconds, log=lambda line: print(json.dumps(line), file=log, flush=True))
    checkpoint.save(trainer, output / f"{name}.pt")
    checkpoint.export(trainer, output / f"{name}.npz")
    print(f"{name}: {trainer.steps} decisions a game, {trainer.updates} updates in {seconds:.0f} s", flush=True)


def main() -> None:
    """Train what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=25.0, help="for all of them together (default 25)")
    parser.add_argument("--output", type=Path, default=Path("networks"), help="folder for weights and logs")
    parser.add_argument("--from", dest="source", type=Path, help="a folder with weights to go on from")
    parser.add_argument("--only", default="", help="rule sets whose name begins like this, such as azul-2")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    folders = [arguments.output, *([arguments.source] if arguments.source else [])]
    entries = [entry for entry in plan(arguments.seed) if slug(entry.game).startswith(arguments.only)]
    total = sum(entry.share for entry in entries)
    for entry in entries:
        seconds = max(SHORTEST, 60 * arguments.minutes * entry.share / total)
        train(entry, seconds, arguments.output, folders, arguments.device)
        gc.collect()
        if arguments.device == "cuda":
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
