"""Everything that decides how a network is trained; it is stored with the weights."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from tilewright.game.errors import BadOption


@dataclass(frozen=True)
class Configuration:
    """How a network is built, plays against itself and learns.

    >>> Configuration(games=64).games
    64
    """

    # The network
    width: int = 256
    blocks: int = 2
    # Self-play
    games: int = 16_384
    """Games in progress at once."""
    simulations: int = 64
    """Of each search."""
    candidates: int = 16
    """Moves that the root considers."""
    exploration: float = 1.5
    caution: float = 0.1
    root_scale: float = 15.0
    target_visits: float = 30.0
    target_scale: float = 0.3
    trace: float = 0.98
    """How much of a value target comes from what happened later, per decision; 1 means the result alone."""
    # Learning
    buffer: int = 128
    """Samples that are kept of each game in progress and its predecessors."""
    batch: int = 16_384
    updates: int = 4
    """Steps of the optimiser for each decision that every game makes."""
    learning_rate: float = 1e-3
    last_learning_rate: float = 5e-5
    weight_decay: float = 1e-4
    averaging: float = 0.02
    """The share of the newest weights in the averaged ones, for each decision of the games."""
    win_loss_weight: float = 2.0
    margin_loss_weight: float = 1.0
    afterstate_weight: float = 3.0
    """How much more than a decision the end of a round counts in the value losses."""
    seed: int = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("blocks", "updates", "caution", "weight_decay", "seed"):
                if value < 0:
                    raise BadOption(f"{field.name} is not negative, as {value!r} is")
            elif not value > 0:
                raise BadOption(f"{field.name} is more than 0, not {value!r}")
        if self.candidates > 32:
            raise BadOption(f"the root considers at most 32 candidates, not {self.candidates}")

    def as_dict(self) -> dict[str, Any]:
        """For a file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Configuration:
        """From a file; names that are not known are refused."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise BadOption(f"a configuration has no {', '.join(unknown)}; it has {', '.join(sorted(known))}")
        return cls(**values)
