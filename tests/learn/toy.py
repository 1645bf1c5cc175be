"""Training at toy size, on the CPU."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

import tilewright as tw
from tilewright.learn.configuration import Configuration
from tilewright.learn.training import Trainer

SETTINGS = {
    "width": 16, "blocks": 1, "games": 4, "simulations": 6, "candidates": 4, "buffer": 96, "batch": 32, "updates": 1,
    "warm_up": 1, "seed": 5,
}  # fmt: skip
TOY = Configuration(**SETTINGS)


def toy_trainer(game: tw.Game, **changes: Any) -> Trainer:
    torch.set_num_threads(1)
    return Trainer(game, replace(TOY, **changes))
