"""Everything that decides how a network is trained; it is stored with the weights."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from tilewright.game.errors import BadOption

_MAY_BE_ZERO = ("blocks", "updates", "diversion", "opening_share", "fpu_reduction", "weight_decay", "seed")
_MOST_CANDIDATES = 32


@dataclass(frozen=True)
class Configuration:
    """How a network is built, plays against itself and learns.

    >>> Configuration(games=64).games
    64
    """

    # The network
    width: int = 256
    """Units of each hidden layer."""
    blocks: int = 2
    """Residual layers after the first layer."""
    # Self-play
    games: int = 16_384
    """Games in progress at once, in each process."""
    simulations: int = 64
    """Simulations of each search."""
    candidates: int = 16
    """Moves that the Gumbel root considers."""
    exploration: float = 1.5
    """The weight of priors in PUCT, c_puct."""
    fpu_reduction: float = 0.1
    """First-play urgency: how far below the value of its node the value of an unvisited move is taken."""
    root_scale: float = 15.0
    """The scale of values against Gumbel noise and logits during sequential halving."""
    target_visits: float = 30.0
    """c_visit of Gumbel MuZero: the policy target follows values by (c_visit + most visits) * c_scale."""
    target_scale: float = 0.3
    """c_scale of Gumbel MuZero."""
    target_temperature: float = 1.0
    """Divides the logits in the policy target. Above 1, the policy stays flatter and neglected moves return."""
    diversion: float = 0.0
    """The share of decisions after which a random candidate is played, to reach positions that good play avoids."""
    openings: str = ""
    """A file of positions before a deal, one in each line: games may begin there (see ``learn/openings.py``)."""
    opening_share: float = 0.5
    """The share of games that begin with one of the openings, if there are any."""
    td_lambda: float = 0.98
    """The share of a value target that comes from later searches and the result, per decision; 1: the result alone."""
    # Learning
    buffer: int = 128
    """Samples in the replay buffer for each game in progress and its predecessors; a whole game should fit."""
    batch: int = 16_384
    """Samples in each update, in each process."""
    updates: int = 4
    """Optimiser updates after each step, a step being one decision in every game."""
    learning_rate: float = 1e-3
    """At the beginning of a run; it falls linearly."""
    last_learning_rate: float = 5e-5
    """The rate does not fall below this."""
    warm_up: int = 100
    """Updates over which the rate rises to its first value, while the optimiser's moments are new."""
    weight_decay: float = 1e-4
    averaging: float = 0.02
    """The share of the newest weights in the exponential moving average, per step."""
    win_loss_weight: float = 2.0
    margin_loss_weight: float = 1.0
    afterstate_weight: float = 3.0
    """The weight of an afterstate in the value losses, relative to a decision."""
    seed: int = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str):
                continue
            if field.name in _MAY_BE_ZERO and value < 0:
                raise BadOption(f"{field.name} must not be negative, but is {value!r}")
            if field.name not in _MAY_BE_ZERO and not value > 0:
                raise BadOption(f"{field.name} must be greater than 0, not {value!r}")
        if self.candidates > _MOST_CANDIDATES:
            raise BadOption(f"the root considers at most {_MOST_CANDIDATES} candidates, not {self.candidates}")

    def as_dict(self) -> dict[str, Any]:
        """The settings by name, as they are stored."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Configuration:
        """A configuration from stored settings; unknown names are refused."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise BadOption(f"a configuration has no {', '.join(unknown)}; it has {', '.join(sorted(known))}")
        return cls(**values)
