"""What goes wrong with a program that plays."""

from __future__ import annotations

from tilewright.game.errors import TilewrightError


class BotFailed(TilewrightError):
    """A bot's program died, hung or answered nonsense, and starting it again did not help."""
