"""Training that can go on later, and weights that can be played with.

A checkpoint holds all that training needs to go on: weights, averaged weights, the optimiser's state, the
configuration and the count of steps. With the games and the replay buffer in it, which are large, a run that is resumed
on the processor is the run that was never interrupted, bit for bit; without them it begins with new games.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.learn.configuration import Configuration
from tilewright.learn.network import Network
from tilewright.learn.training import Trainer
from tilewright.search.packing import read_arrays, write_weights
from tilewright.search.rule_sets import slug

FORMAT = 1


def save(trainer: Trainer, path: Path, with_games: bool = False) -> None:
    """Write a checkpoint."""
    saved: dict[str, Any] = {
        "format": FORMAT,
        "rule_set": slug(trainer.game),
        "configuration": trainer.configuration.as_dict(),
        "steps": trainer.steps,
        "updates": trainer.updates,
        "seconds": trainer.seconds,
        "network": trainer.network.state_dict(),
        "average": trainer.average.state_dict(),
        "optimiser": trainer.optimiser.state_dict(),
    }
    if with_games:
        saved["tensors"] = trainer.self_play.tensors
        saved["torch_generator"] = torch.get_rng_state()
    torch.save(saved, path)


def resume(game: Game, path: Path, device: str = "cpu", configuration: Configuration | None = None) -> Trainer:
    """Go on from a checkpoint, with its own configuration unless another one of the same network is given."""
    saved = torch.load(path, map_location=device, weights_only=True)
    if saved.get("format") != FORMAT or saved["rule_set"] != slug(game):
        raise BadOption(f"{path} is a checkpoint of {saved.get('rule_set')!r}, not of {slug(game)!r}")
    trainer = Trainer(game, configuration or Configuration.from_dict(saved["configuration"]), device)
    trainer.network.load_state_dict(saved["network"])
    trainer.average.load_state_dict(saved["average"])
    trainer.optimiser.load_state_dict(saved["optimiser"])
    for group in trainer.optimiser.param_groups:
        group["lr"] = trainer.learning_rate
    trainer.inference.refresh(trainer.average)
    trainer.steps, trainer.updates, trainer.seconds = saved["steps"], saved["updates"], saved["seconds"]
    if "tensors" in saved:
        for name, tensor in saved["tensors"].items():
            trainer.self_play.tensors[name].copy_(tensor)
        torch.set_rng_state(saved["torch_generator"].cpu())
    return trainer


def export(trainer: Trainer, path: Path, precision: str = "float16") -> None:
    """Write the averaged weights, with what is needed to know where they come from."""
    about = {
        "format": FORMAT,
        "rule_set": slug(trainer.game),
        "players": trainer.game.players,
        "configuration": trainer.configuration.as_dict(),
        "steps": trainer.steps,
        "seconds": round(trainer.seconds, 1),
    }
    weights = {name: value.cpu().numpy() for name, value in trainer.average.state_dict().items()}
    write_weights(path, weights, about, precision)


def import_weights(trainer: Trainer, path: Path) -> None:
    """Begin with exported weights of the same rule set and size; the optimiser begins afresh."""
    put_weights(trainer, read_network(path).state_dict())


def put_weights(trainer: Trainer, state: dict[str, torch.Tensor]) -> None:
    """Give the network and its average these weights."""
    trainer.network.load_state_dict(state)
    trainer.average.load_state_dict(state)
    trainer.inference.refresh(trainer.average)


def read_network(path: Path) -> Network:
    """Exported weights as a Torch network."""
    arrays, about = read_arrays(path)
    settings = about["configuration"]
    inputs, actions = arrays["first.weight"].shape[1], arrays["policy.weight"].shape[0]
    network = Network(inputs, actions, about["players"], settings["width"], settings["blocks"])
    network.load_state_dict({name: torch.from_numpy(values) for name, values in arrays.items()})
    return network
