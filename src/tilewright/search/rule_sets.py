"""What the search with a network, and training, need to know of a rule set besides its kernels."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from tilewright.game.errors import BadOption
from tilewright.game.game import Game


def network_parts(game: Game) -> tuple[ModuleType, ModuleType]:
    """The parts of a game that define ``observe``, and where the search evaluates (``is_horizon``)."""
    observation, evaluation = game.spec.part("observation"), game.spec.part("evaluation")
    if observation is None or evaluation is None:
        raise BadOption(f"{game.title} needs the parts 'observation' and 'evaluation' to be played by a network")
    return observation, evaluation


def slug(game: Game) -> str:
    """A rule set's name in files: its rules, its players and its options. Games that share rules share networks."""
    words = [game.kernels.name, str(game.players)]
    for option, value in game.options.items():
        words += [value] if isinstance(value, str) else [option] if value else []
    return "-".join(words)


def network_file(game: Game) -> Path:
    """Where the network of a rule set is, if there is one."""
    return Path(str(game.kernels.rules.__file__)).parent / "networks" / f"{slug(game)}.npz"
