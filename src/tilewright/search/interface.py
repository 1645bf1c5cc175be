"""The kernels that the search asks of a game, by name (parts ``evaluation`` and ``priors``).

For readers and type checkers; nothing runs here.
"""

from __future__ import annotations

from tilewright.kernels.compile import Cells, Row
from tilewright.search.workspace import Knowledge, Pads


def note_features(position: Row, seat: int, features: Cells) -> None:
    """Describe a player's board between two rounds by numbers."""
    raise NotImplementedError


def stage_of(position: Row) -> int:
    """How far the game is: each stage has weights of its own."""
    raise NotImplementedError


def weigh(position: Row, knowledge: Knowledge, pads: Pads) -> None:
    """Before a search: what the takes of this round are worth."""
    raise NotImplementedError


def list_promising(position: Row, knowledge: Knowledge, pads: Pads) -> int:
    """The legal moves, each with its prior; returns how many."""
    raise NotImplementedError


def round_is_over(position: Row) -> bool:
    """Whether the next event is a deal, or the game has ended."""
    raise NotImplementedError


def must_draw(position: Row) -> bool:
    """Whether tiles must be drawn before the round goes on."""
    raise NotImplementedError


def is_nearly_over(position: Row) -> bool:
    """Whether the end of the round may be solved exactly."""
    raise NotImplementedError


def draw_in_mid_round(position: Row, generator: Cells) -> bool:
    """Draw what must be drawn while a round is played; returns whether anything was."""
    raise NotImplementedError
