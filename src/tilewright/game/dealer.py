"""Who draws the tiles: a seed and the number of tiles drawn so far. Not part of a position."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any, Self

import numpy as np

from tilewright.game.errors import BadOption
from tilewright.game.validation import echo, is_whole_number
from tilewright.kernels.chance import STEP
from tilewright.kernels.playing import Kernels

_WORDS = 1 << 64
_NOTES = 64
"""Tiles drawn in one call of the kernel."""


def check_seed(seed: object) -> int:
    """A seed as every game, bot, match and environment takes it."""
    if not is_whole_number(seed) or not 0 <= seed < _WORDS:
        raise BadOption(f"a seed is a whole number from 0 to 2**64 - 1, not {echo(seed)}")
    return int(seed)


def choose_seed(seed: int | None) -> int:
    """The seed that was given, checked, or a random one."""
    return secrets.randbits(63) if seed is None else check_seed(seed)


def check_secret(secret: object) -> str:
    """A secret that every program hashes to the same bytes, and that a line of a record can hold."""
    if not isinstance(secret, str) or not secret.isascii() or not secret.isprintable():
        raise BadOption(f"the secret of a dealer is a text of ASCII characters in one line, not {echo(secret)}")
    return secret


def _check_drawn(drawn: object) -> int:
    if not is_whole_number(drawn) or drawn < 0:
        raise BadOption(f"the number of tiles drawn is a whole number from 0, not {echo(drawn)}")
    return int(drawn)


class Dealer:
    """Deals from a seed. The n-th tile depends on the seed, on n and on what is in the bag, and on nothing else.

    >>> Dealer(7).generator
    array([7], dtype=uint64)
    """

    def __init__(self, seed: int | None = None, drawn: int = 0) -> None:
        self._first_word = choose_seed(seed)
        self.seed: int | None = self._first_word
        self.generator = np.empty(1, dtype=np.uint64)
        self.rewind(drawn)

    __hash__ = None  # type: ignore[assignment]  # it changes with every tile

    @property
    def drawn(self) -> int:
        """How many tiles this dealer has drawn."""
        return (int(self.generator[0]) - self._first_word) * pow(int(STEP), -1, _WORDS) % _WORDS

    def rewind(self, drawn: int) -> None:
        """Go back to when this number of tiles had been drawn."""
        self.generator[0] = (self._first_word + _check_drawn(drawn) * int(STEP)) % _WORDS

    def deal(self, kernels: Kernels, states: np.ndarray[Any, Any]) -> tuple[int, ...]:
        """Draw until a player must decide; the kinds of the tiles drawn."""
        kinds: list[int] = []
        notes = np.empty(_NOTES, dtype=np.int64)
        while count := kernels.deal_at(states, 0, self.generator, notes):
            kinds += notes[:count].tolist()
        return tuple(kinds)

    def _twin(self, **changed: Any) -> Self:
        """A dealer like this one, with some fields of its own; what was checked once is not checked again."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self), **changed)
        return twin

    def copy(self) -> Dealer:
        """An independent dealer that will draw the same tiles."""
        return self._twin(generator=self.generator.copy())


class SecretDealer(Dealer):
    """Deals from a secret that nobody can infer from the tiles, so that anybody can verify the deals afterwards.

    The n-th tile, counted from 0, is number ``SHA-256("<secret>:<n>") mod tiles`` of what is in the bag, sorted
    by kind. ``commitment`` may be published before the game: it binds the dealer and reveals nothing.

    >>> SecretDealer("00").commitment[:16]
    'f1534392279bddbf'
    """

    def __init__(self, secret: str | None = None, drawn: int = 0) -> None:
        self.secret = secrets.token_hex(32) if secret is None else check_secret(secret)
        self.seed = None
        self.rewind(drawn)

    @property
    def commitment(self) -> str:
        """The hash that is published before the game."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    @property
    def drawn(self) -> int:
        """How many tiles this dealer has drawn."""
        return self._drawn

    def rewind(self, drawn: int) -> None:
        """Go back to when this number of tiles had been drawn."""
        self._drawn = _check_drawn(drawn)

    def deal(self, kernels: Kernels, states: np.ndarray[Any, Any]) -> tuple[int, ...]:
        """Draw until a player must decide; the kinds of the tiles drawn."""
        kinds: list[int] = []
        weights = np.zeros(int(kernels.names["KINDS"]), np.int64)
        while True:
            kernels.draw_weights_at(states, 0, weights)
            bag = np.repeat(np.arange(len(weights)), weights).tolist()
            if not bag:
                return tuple(kinds)
            digest = hashlib.sha256(f"{self.secret}:{self._drawn}".encode()).digest()
            kinds.append(bag[int.from_bytes(digest) % len(bag)])
            kernels.draw_at(states, 0, kinds[-1])
            self._drawn += 1

    def copy(self) -> SecretDealer:
        """An independent dealer that will draw the same tiles."""
        return self._twin()
