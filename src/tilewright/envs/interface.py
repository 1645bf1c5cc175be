"""The kernels that environments ask of a game, by name. For readers and type checkers; nothing runs here."""

from __future__ import annotations

from tilewright.kernels.compile import Cells, Row


def observe(position: Row, observer: int, out: Cells) -> None:
    """Write what a seat sees (part ``observation``)."""
    raise NotImplementedError


def describe(position: Row, move: int, out: Cells) -> None:
    """Write what a legal move means and does, into zeros (part ``action_features``)."""
    raise NotImplementedError
