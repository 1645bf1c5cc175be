"""What every bot is: something that chooses a move."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.bots.budget import Budget
from tilewright.game.errors import BadMove, BadOption
from tilewright.game.moves import Move
from tilewright.game.position import Position

_WORDS = 1 << 64
_NOT_A_DEALER = 0xB07


@dataclass(frozen=True)
class Thought:
    """A choice and the reasons for it, as far as a bot can tell them."""

    move: Move
    margin: float | None = None
    """Points by which the mover is expected to end ahead of the best other player."""
    winning_chance: float | None = None
    """From 0 to 1, a shared win counting in part."""
    line: tuple[Move, ...] = ()
    """The moves that are expected to follow, the chosen one first."""
    simulations: int = 0
    nodes: int = 0


class Bot(ABC):
    """A player that is a program. It sees what lies on the table, never what the dealer will draw.

    A bot of your own needs nothing but ``choose``:

    >>> import tilewright as tw
    >>> class FirstMove(Bot):
    ...     def choose(self, position):
    ...         return next(iter(position.legal_moves))
    >>> FirstMove().choose(tw.Azul(players=2).start(seed=7))
    Move(30, '1bf')
    """

    @abstractmethod
    def choose(self, position: Position) -> Move:
        """A legal move for the player whose turn it is; the position stays as it was."""

    def think(self, position: Position, budget: Budget | None = None) -> Thought:
        """A choice with its reasons, within another budget than the usual one if one is given.

        Bots that cannot tell reasons, or do not heed budgets, simply choose.
        """
        return Thought(self.choose(position))


def new_generator(seed: int | None) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """A bot's own source of chance. Its words are far from those of a dealer with the same seed."""
    if seed is None:
        seed = secrets.randbits(64)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < _WORDS:
        raise BadOption(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    words = np.random.SeedSequence((int(seed), _NOT_A_DEALER)).generate_state(1, np.uint64)
    return words.astype(np.uint64)


def legal_numbers(position: Position) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The legal moves as numbers; a bot that is asked where nobody can move is told why not."""
    numbers = position.legal_moves.numbers()
    if not len(numbers):
        why = "the game is over" if position.is_over else "tiles must be drawn first"
        raise BadMove(f"a bot cannot choose a move here: {why}")
    return numbers
