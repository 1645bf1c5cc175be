"""The lesson of Azul Mini: that of Azul without the Joker tiles, and a sentence about the game in each language."""

from __future__ import annotations

from importlib.resources import files

from tilewright.games.azul.lessons import BOTH_GAMES as PLATES
from tilewright.games.azul.lessons import RULES

__all__ = ["PLATES", "TEXTS"]

TEXTS = (files(__name__), RULES)
"""The folders of the texts, in the order of the page."""
