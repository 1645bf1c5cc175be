"""From the win probabilities of the search to chances that come true as often as they say.

The champion's search is a little timid, because its value of a position averages good replies with the worse ones that
it had to try. Raising probabilities to a power and normalising them stretches the odds by that power; it leaves 0, 1
and even chances as they are. The exponents were measured with ``benchmarks/calibration.py``; docs/review.md has the
table.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tilewright.game.game import Game
from tilewright.insight.expectation import Expectation
from tilewright.search.rule_sets import network_file, slug

CALIBRATION_FILE = "calibration.toml"


@dataclass(frozen=True)
class Calibration:
    """The exponent of a rule set: 1 changes nothing, more makes chances bolder."""

    exponent: float = 1.0

    def chances(self, probabilities: tuple[float, ...]) -> tuple[float, ...]:
        """Calibrated chances, which add up to 1.

        >>> [round(chance, 2) for chance in Calibration(2.0).chances((0.75, 0.25))]
        [0.9, 0.1]
        """
        powers = [max(probability, 0.0) ** self.exponent for probability in probabilities]
        total = sum(powers)
        return tuple(power / total for power in powers)

    def expectation(self, probabilities: tuple[float, ...], margins: tuple[float, ...]) -> Expectation:
        """What the seats can expect, with calibrated chances."""
        return Expectation(self.chances(probabilities), margins)


def calibration_of(game: Game) -> Calibration:
    """The calibration of a rule set, from the file beside its network; without an entry there, none."""
    return Calibration(_exponents(network_file(game).parent / CALIBRATION_FILE).get(slug(game), 1.0))


@cache
def _exponents(path: Path) -> dict[str, float]:
    if not path.exists():
        return {}
    return {name: float(value) for name, value in tomllib.loads(path.read_text(encoding="utf-8")).items()}
