"""What goes wrong with a bot that plays."""

from __future__ import annotations

from tilewright.game.errors import TilewrightError


class BotFailed(TilewrightError):
    """A bot raised an error or chose what is no legal move; or its program died, hung or answered nonsense."""
