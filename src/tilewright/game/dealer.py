"""Who draws the tiles: a seed and the number of tiles drawn so far. Not part of a position."""

from __future__ import annotations

import secrets

import numpy as np

from tilewright.game.errors import BadOption
from tilewright.rules.chance import STEP

_WORDS = 1 << 64


class Dealer:
    """Deals from a seed. The n-th tile depends on the seed, on n and on what is in the bag, nothing else.

    >>> Dealer(7).generator
    array([7], dtype=uint64)
    """

    def __init__(self, seed: int | None = None, drawn: int = 0) -> None:
        if seed is None:
            seed = secrets.randbits(63)
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < _WORDS:
            raise BadOption(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
        self.seed = int(seed)
        self.generator = np.empty(1, dtype=np.uint64)
        self.rewind(drawn)

    @property
    def drawn(self) -> int:
        """How many tiles this dealer has drawn."""
        return (int(self.generator[0]) - self.seed) * pow(int(STEP), -1, _WORDS) % _WORDS

    def rewind(self, drawn: int) -> None:
        """Go to the moment when so many tiles had been drawn."""
        self.generator[0] = (self.seed + drawn * int(STEP)) % _WORDS

    def copy(self) -> Dealer:
        """A dealer of its own that will draw the same tiles."""
        return Dealer(self.seed, self.drawn)
