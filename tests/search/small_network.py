"""Networks that have learnt nothing: their priors are nearly equal, so a search with them tries every move."""

from __future__ import annotations

from pathlib import Path

import torch

import tilewright as tw
from rule_sets import file_name
from tilewright.learn import checkpoint
from tilewright.learn.configuration import Configuration
from tilewright.learn.training import Trainer

SMALL = Configuration(width=32, blocks=2, games=2, simulations=2, buffer=4, batch=2)


def small_network(game: tw.Game, folder: Path) -> Path:
    """A file with a small network of random weights, the same for every test in a folder."""
    path = folder / f"{file_name(game)}.npz"
    if not path.exists():
        torch.manual_seed(3)
        checkpoint.export(Trainer(game, SMALL), path)
    return path
