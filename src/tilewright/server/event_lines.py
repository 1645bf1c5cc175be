"""The lines in which the events of a table are stored: those of a game record, and a few of the server's own."""

from __future__ import annotations

import sys

from tilewright.game.moves import Draw
from tilewright.game.position import Position

DRAW, TAKEBACK = "draw", "takeback"
PRACTICE, HELP = "practice", "help"
"""Lines that change nothing on the table: what comes before was played in another game; a seat asked for a hint."""
HELP_FOR_ALL = f"{HELP} all"
"""Everybody has agreed to hints."""
BAR = "bar"
"""What follows ``help N`` if seat N has looked at the evaluation bar."""


def shared_line(line: str) -> str:
    """The same string for the same move at every table; deals are all different."""
    return line if line.startswith(DRAW) else sys.intern(line)


def draw_line(position: Position) -> list[str]:
    """The line of the draw that followed the last move, if there was one."""
    last = position.events[-1]
    return [f"{DRAW} {last}"] if isinstance(last, Draw) else []


def apply_line(position: Position, line: str) -> None:
    """Let a line happen in a position. No takeback reaches beyond a draw, so each event undone is a move."""
    first, _, rest = line.partition(" ")
    if first == DRAW:
        position.draw(rest)
    elif first == TAKEBACK:
        for _ in range(int(rest)):
            position.pop()
    elif first not in (PRACTICE, HELP):
        position.push(position.game.move(rest))


def is_takeback(line: str) -> bool:
    """Whether a line takes events back."""
    return line.startswith(TAKEBACK)
