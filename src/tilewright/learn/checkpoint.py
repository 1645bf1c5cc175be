"""Checkpoints, from which training is resumed, and exported weights, with which the network is played.

A checkpoint holds the weights, their average, the moments of the optimiser, the configuration and the counters. It is
small: moments are stored in half precision, and games and replay buffer are left out, so that a resumed run begins with
new games and learns again as soon as enough of them have ended. A *complete* checkpoint has everything, and a run that
is resumed from it on a CPU is, bit for bit, the run that was never interrupted.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch

from tilewright.envs.move_classes import MoveClasses
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.registry import every_rule_set
from tilewright.learn.configuration import Configuration
from tilewright.learn.network import Network
from tilewright.learn.training import Trainer
from tilewright.learn.transfer import transfer
from tilewright.search.packing import FORMAT, read_arrays, write_weights
from tilewright.search.rule_sets import slug


def save(trainer: Trainer, path: Path, complete: bool = False) -> None:
    """Write a checkpoint. A process that is killed meanwhile leaves the checkpoint before it intact."""
    saved: dict[str, Any] = {
        "format": FORMAT,
        "rule_set": slug(trainer.game),
        "configuration": trainer.configuration.as_dict(),
        "steps": trainer.steps,
        "updates": trainer.updates,
        "seconds": trainer.seconds,
        "origin": trainer.origin,
        "network": trainer.network.state_dict(),
        "average": trainer.average.state_dict(),
        "optimiser": trainer.optimiser.state_dict(),
    }
    if complete:
        saved["tensors"] = trainer.self_play.tensors
        saved["torch_generator"] = torch.get_rng_state()
    else:
        saved["optimiser"] = _with_small_moments(saved["optimiser"])
    unfinished = path.with_suffix(".unfinished")
    torch.save(saved, unfinished)
    os.replace(unfinished, path)


def _with_small_moments(optimiser: dict[str, Any]) -> dict[str, Any]:
    """The state of the optimiser with its moments in half precision; loading makes them single again."""

    def small(name: str, value: Any) -> Any:
        return value.to(torch.bfloat16) if name.startswith("exp_avg") else value

    state = {n: {name: small(name, value) for name, value in of.items()} for n, of in optimiser["state"].items()}
    return {**optimiser, "state": state}


def resume(game: Game, path: Path, device: str = "cpu", **changes: Any) -> Trainer:
    """Go on from a checkpoint, with its configuration except for the ``changes``."""
    saved = _read(path, device)
    if saved["rule_set"] != slug(game):
        raise BadOption(f"{path} is a checkpoint of {saved['rule_set']!r}, not of {slug(game)!r}")
    configuration = Configuration.from_dict(saved["configuration"])
    for name in ("width", "blocks"):
        if changes.get(name, getattr(configuration, name)) != getattr(configuration, name):
            had = getattr(configuration, name)
            told = f"the network in {path} has {name} {had}, which cannot become {changes[name]}"
            raise BadOption(f"{told}; begin a new run in another folder")
    trainer = Trainer(game, replace(configuration, **changes), device)
    trainer.network.load_state_dict(saved["network"])
    trainer.average.load_state_dict(saved["average"])
    trainer.optimiser.load_state_dict(saved["optimiser"])
    for group in trainer.optimiser.param_groups:
        group["lr"] = trainer.learning_rate
    trainer.inference.refresh(trainer.average)
    for name in ("steps", "updates", "seconds", "origin"):
        setattr(trainer, name, saved[name])
    trainer.begin_games()
    if "tensors" in saved:
        for name, tensor in saved["tensors"].items():
            trainer.self_play.tensors[name].copy_(tensor)
        torch.set_rng_state(saved["torch_generator"].cpu())
    return trainer


def _read(path: Path, device: str) -> dict[str, Any]:
    """What a checkpoint holds."""
    try:
        saved: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    except (UnpicklingError, RuntimeError, EOFError) as error:
        raise BadOption(f"{path} is not a checkpoint") from error
    if saved.get("format") != FORMAT:
        raise BadOption(f"{path} is not a checkpoint that this version of Tilewright can read")
    return saved


def seconds_trained(path: Path) -> float:
    """How long the run of a checkpoint has been trained; 0 if there is no checkpoint."""
    return float(_read(path, "cpu")["seconds"]) if path.exists() else 0.0


def export(trainer: Trainer, path: Path, precision: str = "float16") -> None:
    """Write the averaged weights, and where they come from."""
    about = {
        "rule_set": slug(trainer.game),
        "players": trainer.game.players,
        "configuration": trainer.configuration.as_dict(),
        "steps": trainer.steps,
        "seconds": round(trainer.seconds, 1),
        "origin": trainer.origin,
    }
    weights = {name: value.cpu().numpy() for name, value in trainer.average.state_dict().items()}
    unfinished = path.with_name(f"unfinished-{path.name}")
    write_weights(unfinished, weights, about, precision)
    os.replace(unfinished, path)


def start_from(trainer: Trainer, path: Path) -> None:
    """Begin with exported weights, of this rule set or of a relative; the optimiser begins afresh."""
    network, rule_set = read_network(path), read_arrays(path)[1]["rule_set"]
    settings = trainer.configuration
    if (network.width, len(network.blocks)) != (settings.width, settings.blocks):
        raise BadOption(
            f"{path} has width {network.width} and {len(network.blocks)} blocks, "
            f"not {settings.width} and {settings.blocks}"
        )
    if rule_set == slug(trainer.game):
        trainer.take_weights(network.state_dict())
    else:
        trainer.take_weights(transfer(_rule_set(rule_set, path), network, trainer.game))
    trainer.origin = origin_of(path)


def origin_of(path: Path) -> dict[str, Any]:
    """What a run that begins with exported weights remembers of them."""
    about = read_arrays(path)[1]
    return {name: about.get(name, {}) for name in ("rule_set", "seconds", "origin")}


def _rule_set(name: str, path: Path) -> Game:
    """The installed rule set whose weights a file holds."""
    for game in every_rule_set():
        if slug(game) == name:
            return game
    raise BadOption(f"{path} holds a network for {name!r}, a rule set that is not installed")


def read_network(path: Path) -> Network:
    """Exported weights as a PyTorch module."""
    arrays, about = read_arrays(path)
    width, inputs = arrays["first.weight"].shape
    classes = MoveClasses(*(arrays[f"class_{name}"] for name in MoveClasses._fields))
    blocks = sum(name.startswith("blocks.") and name.endswith(".weight") for name in arrays)
    network = Network(inputs, classes, about["players"], width, blocks)
    network.load_state_dict({name: torch.from_numpy(values) for name, values in arrays.items()})
    return network.eval()
