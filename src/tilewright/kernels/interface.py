"""The kernels that make a game: what the modules of its rules define, by name.

This module is for readers and type checkers; nothing in it runs. A game defines these names in one or more modules and
hands them over with ``Kernels("my_game", rules, moves)``.

A position is one row of ``POSITION``, a NumPy structured dtype with aligned fields (list the widest types first), whose
size is a multiple of 8 bytes (add a field ``_padding`` if necessary). Engines read five of its fields: ``players``,
``turn`` (a seat), ``phase`` (an index into the phases of the spec), ``round_number`` and ``score`` (an array by seat,
long enough for the largest number of players). All other fields are the game's own. Kernels allocate nothing, raise
nothing and print nothing.
"""

from __future__ import annotations

from typing import Any, Protocol

from tilewright.kernels.compile import Cells, Row

# ------------------------------------------------------------------------------------------------ Required

POSITION: Any
"""The dtype of a position."""


class SetUp(Protocol):
    """Set a row to the position before the first draw or move.

    ``options`` has a number for each option of the spec: the index of the choice.
    """

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
    """The n-th legal move, for n below ``count_moves``, in any order."""
    raise NotImplementedError


def apply_move(position: Row, move: int) -> None:
    """Play a legal move."""
    raise NotImplementedError


# -------------------------------------------------------------------------- Optional (see defaults.py)

KINDS: int
"""How many kinds of tile can be drawn."""

BY_SEAT: tuple[str, ...]
"""The fields that are arrays by seat, so that the default observation can begin with the observer's own. If it is not
defined, these are the fields whose first axis is as long as that of ``score``."""

SIGNED: tuple[str, ...]
"""The fields that may become negative, besides ``score`` and those that are negative at the start of a game. The
default text of a position refuses negative numbers in all others."""


def awaits_draw(position: Row) -> bool:
    """Whether the next event is a draw."""
    raise NotImplementedError


def draw_weight(position: Row, kind: int) -> int:
    """How many tiles of a kind the next draw may be; kinds are drawn in proportion to this."""
    raise NotImplementedError


def draw(position: Row, kind: int) -> None:
    """Draw one tile of a given kind."""
    raise NotImplementedError


def pick_kind(position: Row, generator: Cells) -> int:
    """The kind of a tile drawn at random."""
    raise NotImplementedError


def deal(position: Row, generator: Cells) -> None:
    """Draw at random until a player must decide."""
    raise NotImplementedError


def beats(position: Row, seat: int, other: int) -> bool:
    """Whether a seat ranks above another in a finished game."""
    raise NotImplementedError


def refresh(position: Row) -> None:
    """Recompute the fields that are derived from others."""
    raise NotImplementedError


def is_legal(position: Row, move: int) -> bool:
    """Whether a move is legal."""
    raise NotImplementedError


def mark_moves(position: Row, legal: Cells) -> None:
    """Mark every legal move in an array over the action space; the caller has cleared it."""
    raise NotImplementedError


def canonicalise(position: Row) -> None:
    """Put interchangeable things into their canonical order (the option ``canonical`` of environments)."""
    raise NotImplementedError
