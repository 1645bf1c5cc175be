"""Symmetries of the rules and canonical positions, as the part ``symmetry`` of a game defines them."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption
from tilewright.game.game import Game, check_game
from tilewright.game.moves import MoveLike
from tilewright.game.position import Position
from tilewright.game.validation import echo

Numbers = NDArray[np.int64]


class Symmetry(Protocol):
    """A renaming of what is on the table that changes nothing for the players."""

    @property
    def name(self) -> str:
        """What is renamed."""

    @property
    def game(self) -> Game:
        """The rule set that has this symmetry."""

    @property
    def moves(self) -> Numbers:
        """The new number of every move of the action space."""

    def position(self, position: Position) -> Position:
        """The position under its new names."""

    def move(self, move: MoveLike) -> int:
        """The new number of a move."""


class Identity:
    """The symmetry that changes nothing: the only one of a game without a part ``symmetry``."""

    name = "unchanged"

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves: Numbers = np.arange(game.actions)

    def position(self, position: Position) -> Position:
        """A copy."""
        return position.copy()

    def move(self, move: MoveLike) -> int:
        """The number of a move."""
        return int(self.game.move(move))


def canonical(position: Position) -> tuple[Position, Numbers]:
    """The position with interchangeable things in canonical order, and the number that every move has there.

    A policy for the canonical position serves all positions that share it. The option ``canonical=True`` of the
    environments does the same after each step. Without a part ``symmetry`` every position is canonical.
    """
    if not isinstance(position, Position):
        raise BadOption(f"expected a Position, such as game.start(), not {echo(position)}")
    part: Any = position.game.spec.part("symmetry")
    if part is None:
        return position.copy(), np.arange(position.game.actions)
    found: tuple[Position, Numbers] = part.canonical(position)
    return found


def symmetries(game: Game) -> list[Symmetry]:
    """Every symmetry of a rule set besides those that ``canonical`` removes; the first is the identity.

    >>> import tilewright as tw
    >>> game = next(iter(tw.GAMES.values()))()
    >>> position = game.start(seed=7)
    >>> symmetries(game)[0].position(position) == position
    True
    """
    part: Any = check_game(game).spec.part("symmetry")
    return list(part.symmetries(game)) if part is not None else [Identity(game)]
