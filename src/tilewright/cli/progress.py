"""A line at the bottom of the terminal that says how far a match is and how long it will take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from tilewright.arena.match import Listener, Progress
from tilewright.cli.terminal import screen_width

_BETWEEN = 0.1
"""Seconds between two drawings: more would only flicker."""
_CLEAR = "\r\x1b[K"


@contextmanager
def progress_bar(stream: Any) -> Iterator[Listener | None]:
    """Draws while a match is played and leaves nothing behind; silent where nobody looks."""
    if stream is None or not stream.isatty():
        yield None
        return
    drawn_at = 0.0

    def draw(progress: Progress) -> None:
        nonlocal drawn_at
        if perf_counter() - drawn_at >= _BETWEEN:
            drawn_at = perf_counter()
            stream.write(_CLEAR + progress_line(progress, screen_width() - 1))
            stream.flush()

    try:
        yield draw
    finally:
        stream.write(_CLEAR)
        stream.flush()


def progress_line(progress: Progress, width: int) -> str:
    """The line: a bar, the games, the workers, the pace, the time left, and the sequential test if there is one."""
    told = f" {progress.games}/{progress.wanted} games"
    if progress.workers > 1:
        told += f"  {progress.workers} workers"
    if progress.elapsed > 0:
        told += f"  {progress.played_now / progress.elapsed:.1f}/s"
    if progress.seconds_left is not None:
        told += f"  {duration(progress.seconds_left)} left"
    if progress.sprt is not None:
        test = progress.sprt.test
        told += f"  LLR {progress.sprt.llr:+.2f} ({test.lower:.2f}, {test.upper:.2f})"
    return bar(progress.games / progress.wanted, told, width)


def bar(done: float, told: str, width: int) -> str:
    """A bar for the share that is done, followed by a text; the bar is left out where there is no room.

    >>> bar(0.5, " 3/6 games", 21)
    '[####.....] 3/6 games'
    """
    room = min(40, width - len(told) - 2)
    if room < 5:
        return told.strip()[:width]
    full = int(room * done)
    return f"[{'#' * full}{'.' * (room - full)}]{told}"


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(7), duration(83), duration(7380)
    ('0:07', '1:23', '2:03:00')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
