"""What can go wrong at the border. Every error says what was wrong, where, and what would be right."""

from __future__ import annotations


class TilewrightError(ValueError):
    """The common ancestor: catch this to catch every complaint of the games."""


class BadOption(TilewrightError):
    """A game was asked for with options that its rulebook does not know."""


class BadMove(TilewrightError):
    """A move cannot be read, or is not legal here. The position is as it was."""


class BadDraw(TilewrightError):
    """A tile cannot be drawn here. The position is as it was."""


class BadPosition(TilewrightError):
    """The text of a position cannot be read, or describes a position that cannot be."""


class BadRecord(TilewrightError):
    """A game record is wrong; ``line`` is the number of the line, counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
