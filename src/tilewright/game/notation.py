"""The moves and positions of a game in text. A game says what its moves are; the rest has defaults."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from tilewright.game import plain_text
from tilewright.game.illegal_reason import NOT_ALLOWED, IllegalReason

if TYPE_CHECKING:
    from tilewright.game.game import Game
    from tilewright.game.moves import Move, MoveLike
    from tilewright.game.position import Position
    from tilewright.kernels.compile import Cells

_EXAMPLES = 3
RETURNS: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "normalise": (str,),
        "complete": (str, SupportsIndex),
        "candidates": (Sequence,),
        "examples": (str,),
        "why_unreadable": (str,),
        "why_illegal": (IllegalReason, str),
        "write_position": (str,),
        "read_position": (np.ndarray,),
    }
)
"""The types of what methods return, which are checked whenever they are called."""


class Notation(ABC):
    """How a game is written and read."""

    @abstractmethod
    def actions(self, game: Game) -> Sequence[Any]:
        """Every move of the action space, by number: a value with typed fields each, whose ``str()`` is its text."""

    def normalise(self, game: Game, text: str) -> str:
        """What a person typed, in the spelling that moves have."""
        return " ".join(text.lower().split())

    def complete(self, position: Position, text: str) -> MoveLike:
        """Completes a text that leaves out what only one legal move can mean; other texts stay as they are."""
        return text

    def candidates(self, game: Game, text: str) -> Sequence[Move]:
        """The moves that an incomplete text may mean, legal or not."""
        return ()

    def examples(self, game: Game) -> str:
        """A few moves, for error messages and help."""
        texts = [move.text for move in game.moves]
        step = max(1, len(texts) // _EXAMPLES)
        return ", ".join(repr(text) for text in texts[::step][:_EXAMPLES])

    def why_unreadable(self, game: Game, text: str) -> str:
        """What is wrong with a text that is not a move at all."""
        return f"moves look like {game.spec.notation.examples(game)}"  # which checks that it is a text

    def why_illegal(self, position: Position, move: Move) -> IllegalReason | str:
        """Which rule a move breaks; an ``IllegalReason`` can be translated."""
        return NOT_ALLOWED

    def check_position(self, position: Position) -> None:  # noqa: B027  # there is nothing to check by default
        """Raise ``BadPosition`` if a position that was read field by field cannot occur in play."""

    def write_position(self, position: Position) -> str:
        """A position in one line of text."""
        return plain_text.write(position)

    def read_position(self, game: Game, text: str) -> Cells:
        """The row that a line of text describes, after checking it."""
        return plain_text.read(game, text)
