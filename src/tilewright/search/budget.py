"""How long a bot may think: in time, simulations or nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isnan

import numpy as np

from tilewright.game.errors import BadOption
from tilewright.game.validation import echo, is_whole_number

_AMOUNT = re.compile(r"(\d{1,20}(?:\.\d{1,20})?)(ms|s|sims?|nodes?|)")
_LONGEST_SECONDS = 3600.0
_MOST = 10**12


@dataclass(frozen=True)
class Budget:
    """The limits of one choice; the first that is reached ends it.

    A budget in simulations or nodes gives the same choice on every machine; a time limit does not.

    >>> Budget.read("250ms")
    Budget(seconds=0.25, simulations=None, nodes=None)
    >>> Budget.read("4000")
    Budget(seconds=None, simulations=4000, nodes=None)
    """

    seconds: float | None = None
    simulations: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None and not _is_number(self.seconds):
            raise BadOption(f"the seconds of a budget are a number, not {echo(self.seconds)}")
        for name, limit in (("simulations", self.simulations), ("nodes", self.nodes)):
            if limit is not None and not is_whole_number(limit):
                raise BadOption(f"the {name} of a budget are a whole number, not {echo(limit)}")
        limits = [limit for limit in (self.seconds, self.simulations, self.nodes) if limit is not None]
        if not limits:
            raise BadOption("a budget needs seconds, simulations or nodes")
        if min(limits) <= 0:
            raise BadOption(f"a budget is greater than 0, not {self}")
        if self.seconds is not None and self.seconds > _LONGEST_SECONDS:
            raise BadOption(f"a budget is at most {_LONGEST_SECONDS:.0f} seconds per move, not {self.seconds:g}")
        if max(self.simulations or 0, self.nodes or 0) > _MOST:
            raise BadOption(f"a budget is at most {_MOST} simulations or nodes")

    @classmethod
    def read(cls, text: str) -> Budget:
        """A budget from its text: ``100ms``, ``1.5s``, ``4000`` or ``4000sims``, ``20000nodes``."""
        found = _AMOUNT.fullmatch(text.strip().lower()) if isinstance(text, str) else None
        if not found:
            raise BadOption(
                f"{echo(text)} is not a budget; budgets look like 100ms, 1.5s, 4000 (simulations), 20000nodes"
            )
        number, unit = found[1], found[2]
        if unit in ("ms", "s"):
            return cls(seconds=float(number) / (1000 if unit == "ms" else 1))
        if "." in number:
            raise BadOption(f"{echo(text)} is not a budget: simulations and nodes are whole numbers")
        return cls(nodes=int(number)) if unit.startswith("node") else cls(simulations=int(number))

    def __str__(self) -> str:
        if self.seconds is not None:
            return f"{self.seconds * 1000:g}ms" if self.seconds < 1 else f"{self.seconds:g}s"
        return f"{self.simulations}" if self.simulations is not None else f"{self.nodes}nodes"


def read_budget(budget: Budget | str) -> Budget:
    """A budget, or its text such as ``1s``."""
    return budget if isinstance(budget, Budget) else Budget.read(budget)


def _is_number(value: object) -> bool:
    """Whether something is a number of seconds; NaN is not."""
    return is_whole_number(value) or (isinstance(value, float | np.floating) and not isnan(value))
