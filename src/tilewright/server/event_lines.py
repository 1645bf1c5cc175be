"""The lines in which the events of a table are stored: those of a game record, and a few of the server's own."""

from __future__ import annotations

import sys
from typing import NamedTuple

from tilewright.game.moves import Draw
from tilewright.game.position import Position
from tilewright.server.damage import quoted

MOVE = "move"
"""What a line is that begins with the number of a player."""
DRAW, TAKEBACK = "draw", "takeback"
PRACTICE, HELP = "practice", "help"
"""Lines that change nothing on the table: what comes before was played in another game; a seat asked for a hint."""
HELP_FOR_ALL = f"{HELP} all"
"""Everybody has agreed to hints."""
BAR = "bar"
"""What follows ``help N`` if seat N has looked at the evaluation bar."""


class EventLine(NamedTuple):
    """What a line says."""

    what: str
    """``MOVE``, ``DRAW``, ``TAKEBACK``, ``PRACTICE`` or ``HELP``."""
    text: str
    """The move, the tiles, or whatever else follows the first word."""
    seat: int | None = None
    """Whose move it is, from 0; None for any other line."""


def read_line(line: str) -> EventLine:
    """What a stored line says.

    >>> read_line("2 3b2")
    EventLine(what='move', text='3b2', seat=1)
    >>> read_line("draw bbyr wwkk")
    EventLine(what='draw', text='bbyr wwkk', seat=None)
    """
    first, _, rest = line.partition(" ")
    return EventLine(MOVE, rest, int(first) - 1) if first.isdecimal() else EventLine(first, rest)


def tiles_drawn(line: str) -> str | None:
    """The tiles of a line that is a draw; None for any other, which need not be a stored line."""
    first, _, rest = line.partition(" ")
    return rest if first == DRAW else None


def shared_line(line: str) -> str:
    """The same string for the same move at every table; deals are all different."""
    return line if line.startswith(DRAW) else sys.intern(line)


def draw_line(position: Position) -> list[str]:
    """The line of the draw that followed the last move, if there was one."""
    last = position.events[-1]
    return [f"{DRAW} {last}"] if isinstance(last, Draw) else []


def apply_line(position: Position, line: str) -> None:
    """Let a line happen in a position. No takeback reaches beyond a draw, so each event undone is a move."""
    event = read_line(line)
    if event.what == DRAW:
        position.draw(event.text)
    elif event.what == TAKEBACK:
        for _ in range(int(event.text)):
            position.pop()
    elif event.what == MOVE:
        position.push(position.game.move(event.text))
    elif event.what not in (PRACTICE, HELP):
        raise ValueError(f"{quoted(line)} is not a line of a game")


def is_takeback(line: str) -> bool:
    """Whether a line takes events back."""
    return line.startswith(TAKEBACK)
