"""What the search with a network, and training, need to know of a rule set besides its kernels."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from tilewright.game.game import Game
from tilewright.search.parts import evaluation_of


def network_parts(game: Game) -> tuple[ModuleType, ModuleType]:
    """The modules that define what a network reads (``observe``) and where a search ends (``is_horizon``)."""
    from tilewright.envs.observation import network_input_part

    return network_input_part(game), evaluation_of(game)


def observation_size(game: Game) -> int:
    """How many numbers a network of this rule set reads."""
    from tilewright.envs.observation import NetworkObserver

    return NetworkObserver(game).size


def slug(game: Game) -> str:
    """A rule set's name in files: its rules, its players and its options. Games that share rules share networks."""
    parts = [game.kernels.name.replace("_", "-"), str(game.players)]
    for option, value in game.options.items():
        parts += [value] if isinstance(value, str) else [option] if value else []
    return "-".join(parts)


def network_file(game: Game) -> Path:
    """Where the network of a rule set is, if there is one."""
    return Path(str(game.kernels.rules.__file__)).parent / "networks" / f"{slug(game)}.npz"
