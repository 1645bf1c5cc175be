"""The kernels that make a game: what its rules define, by name. For readers and type checkers; nothing runs here.

A position is one row of ``POSITION``, a NumPy structured dtype whose size is a multiple of 8 bytes. Engines read
these fields of it: ``players``, ``turn``, ``phase``, ``round_number`` and ``score`` (an array by seat). Everything
else belongs to the game. Kernels allocate nothing, raise nothing and print nothing.
"""

from __future__ import annotations

from typing import Any, Protocol

from tilewright.kernels.compile import Cells, Row

# ------------------------------------------------------------------------------------ What a game must have

POSITION: Any
"""The dtype of a position."""


class SetUp(Protocol):
    """Make a row the position before the first draw or move; a number follows for each option of the game."""

    def __call__(self, position: Row, players: int, *options: int) -> None:
        """Set up the position."""


set_up: SetUp


def is_over(position: Row) -> bool:
    """Whether the game has ended."""
    raise NotImplementedError


def count_actions(position: Row) -> int:
    """The size of the action space of this rule set."""
    raise NotImplementedError


def count_moves(position: Row) -> int:
    """How many moves are legal."""
    raise NotImplementedError


def nth_move(position: Row, n: int) -> int:
    """The n-th legal move, for n below ``count_moves``, in whatever order is quick."""
    raise NotImplementedError


def apply_move(position: Row, move: int) -> None:
    """Play a legal move."""
    raise NotImplementedError


# ------------------------------------------------------------------- What has a default (see defaults.py)

KINDS: int


def awaits_draw(position: Row) -> bool:
    """Whether the next event is a draw."""
    raise NotImplementedError


def draw_weight(position: Row, kind: int) -> int:
    """How many tiles of a kind the next draw is made from."""
    raise NotImplementedError


def draw(position: Row, kind: int) -> None:
    """One tile of a known kind is drawn."""
    raise NotImplementedError


def pick_kind(position: Row, generator: Cells) -> int:
    """The kind of one tile drawn blindly."""
    raise NotImplementedError


def deal(position: Row, generator: Cells) -> None:
    """Draw by chance until a player must decide."""
    raise NotImplementedError


def beats(position: Row, seat: int, other: int) -> bool:
    """Whether a seat is placed before another in a finished game."""
    raise NotImplementedError


def refresh(position: Row) -> None:
    """Compute the fields that follow from the others."""
    raise NotImplementedError


def is_legal(position: Row, move: int) -> bool:
    """Whether a move is legal."""
    raise NotImplementedError


def mark_moves(position: Row, legal: Cells) -> None:
    """Mark every legal move in an array over the action space that was cleared before."""
    raise NotImplementedError


def canonicalise(position: Row) -> None:
    """Bring what is interchangeable into its canonical order."""
    raise NotImplementedError
