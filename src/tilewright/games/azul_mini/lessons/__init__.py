"""The lesson of Azul Mini: the pictures of Azul, and a text of its own in each language."""

from __future__ import annotations

from tilewright.games.azul.lessons import BOTH_GAMES as PLATES

__all__ = ["PLATES"]
