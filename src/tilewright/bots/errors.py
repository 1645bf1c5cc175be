"""Errors of bots that play."""

from __future__ import annotations

from tilewright.game.errors import TilewrightError


class BotFailed(TilewrightError):
    """A bot raised an error or chose an illegal move, or its program died, hung or gave an invalid answer."""
