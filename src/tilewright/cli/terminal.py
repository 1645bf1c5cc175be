"""The person at the keyboard: printing, asking, waiting."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 1.5
"""Seconds after which somebody wonders what is going on; machine code from the cache is there sooner."""


class Left(Exception):
    """The person is gone: end of input, or Ctrl-C."""


def wants_colour(choice: str) -> bool:
    """Whether to use colours: as asked, or in a terminal that shows them, unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Terminal:
    """Where a game is played: a person's terminal, or a pipe that pretends to be one."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour
        self.interactive = sys.stdin.isatty()

    @property
    def columns(self) -> int:
        """The width for lists; drawings are 80 columns wide anyway."""
        return max(60, min(120, shutil.get_terminal_size().columns))

    def say(self, text: str = "") -> None:
        """Print a line or more."""
        print(text, flush=True)

    def ask(self, prompt: str) -> str:
        """A line that the person types. A pipe's answers are printed, so that the story can be read."""
        try:
            answer = input(f"{prompt} ").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            raise Left from None
        if not self.interactive:
            print(answer)
        return answer

    def confirm(self, question: str, default: bool) -> bool:
        """A question with yes and no for answers; anything unclear is the default."""
        answer = self.ask(f"{question} [{'Y/n' if default else 'y/N'}]").lower()
        return default if answer[:1] not in ("y", "n") else answer[:1] == "y"


@contextmanager
def compiling_notice() -> Iterator[None]:
    """Says that the rules are being compiled, but only if that really takes a while."""
    line = "Compiling the rules, only this once: about half a minute ..."
    timer = threading.Timer(PATIENCE, lambda: print(line, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
