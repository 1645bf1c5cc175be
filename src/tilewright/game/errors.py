"""What can go wrong with input. Every error says what was wrong, where, and what would be right."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.game.illegal_reason import IllegalReason
    from tilewright.game.moves import Move
    from tilewright.game.position import Position


class TilewrightError(ValueError):
    """The base class: catch it to catch every error that bad input causes."""


class BadOption(TilewrightError):
    """An unknown game or bot, or an option or value that it does not have."""


class BadMove(TilewrightError):
    """A move cannot be played; the subclasses say why. The position is unchanged."""


class UnreadableMove(BadMove):
    """Not a move of this game at all, whatever the position."""


class IllegalMove(BadMove):
    """A move of this game that the rules do not allow in this position."""


class AmbiguousMove(BadMove):
    """A text that fits several legal moves."""


class BadDraw(TilewrightError):
    """A tile cannot be drawn here. The position is unchanged."""


class BadPosition(TilewrightError):
    """The text of a position cannot be read, or a text or row describes a position that cannot occur."""

    reason: IllegalReason | None = None
    """Which rule the position contradicts, if its text can be read; it can be translated."""


class RecordFault(StrEnum):
    """What kind of mistake a record contains, for translations."""

    NOT_A_RECORD = "not_a_record"
    HEADER = "header"
    INCOMPLETE_HEADER = "incomplete_header"
    NOT_AN_EVENT = "not_an_event"
    ILLEGAL_MOVE = "illegal_move"
    WRONG_PLAYER = "wrong_player"
    BAD_DRAW = "bad_draw"
    VARIATION = "variation"
    UNFINISHED = "unfinished"
    RESULT = "result"
    SECRET = "secret"
    EMPTY = "empty"


class BadRecord(TilewrightError):
    """A game record is wrong: ``reason`` says what, and ``line`` in which line, counted from 1."""

    illegal: tuple[Position, Move] | None = None
    """The move that is not legal, and where it was to be played, if that is the fault."""
    missing: str = ""
    """The name of the line that the header lacks, if that is the fault."""

    def __init__(self, reason: str, line: int, fault: RecordFault = RecordFault.HEADER) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line
        self.fault = fault


class GameFault(TilewrightError):
    """The code of a game raised an error or contradicts itself: its package is at fault, not its input."""

    def __init__(self, title: str, fault: str) -> None:
        super().__init__(f"{title} has a fault: {fault}")
        self.title = title
        self.fault = fault

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.title, self.fault)


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""Numba writes its errors for a terminal."""


def describe_error(error: BaseException) -> str:
    """An error in somebody else's code, in one line."""
    told = " ".join(_COLOURS.sub("", str(error)).split())
    return f"{type(error).__name__}: {told}" if told else type(error).__name__
