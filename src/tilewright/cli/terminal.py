"""The person at the keyboard: printing, asking, waiting. Texts are loaded only when one is needed."""

from __future__ import annotations

import io
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from tilewright.view.languages import DEFAULT

PATIENCE = 1.5
"""Seconds of compiling after which somebody wonders what is going on."""
THINKING_PATIENCE = 0.5
"""Seconds after which somebody wonders whose turn it is."""
LEAVING = ("q", "quit", "exit")
"""What people type to leave."""
_CLEAR = "\r\x1b[K"


class Left(Exception):
    """The person is gone: end of input, or Ctrl-C."""


def wants_colour(choice: str) -> bool:
    """Whether to use colours: as asked, or in a terminal that shows them, unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    return _is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def screen_width() -> int:
    """The columns of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def harmless(text: str) -> str:
    """A text from outside, fit to be printed: anything but letters, signs and spaces becomes a question mark."""
    return "".join(character if character.isprintable() else "?" for character in text)


def plain_number(typed: str) -> int:
    """A number that chooses from a list; 0, which no list has, for everything else."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 6 else 0


def forgive_output() -> None:
    """Print characters that the output's encoding lacks as escapes, instead of ending the game with an error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def forgive_input() -> None:
    """Read bytes that are not valid text as a replacement character, which no move and no file name has."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        with suppress(io.UnsupportedOperation):  # somebody has read from it already
            sys.stdin.reconfigure(errors="replace")


def flush() -> None:
    """Write out what was printed, unless nobody listens."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def _is_terminal(stream: Any) -> bool:
    return stream is not None and not stream.closed and bool(stream.isatty())


@contextmanager
def _if_it_takes(seconds: float, act: Callable[[], None]) -> Iterator[None]:
    """Acts once if the work inside takes longer than that."""
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


class Terminal:
    """Where a game is played: a person's terminal, or a pipe that pretends to be one."""

    def __init__(self, colour: bool, language: str = DEFAULT) -> None:
        self.colour = colour
        self.language = language
        self.interactive = _is_terminal(sys.stdin)
        self._shows = _is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"

    @property
    def columns(self) -> int:
        """The width for lists and drawings."""
        return max(20, min(120, screen_width()))

    def say(self, text: str = "") -> None:
        """Print a line or more."""
        print(text, flush=True)

    def text(self, key: str, **values: object) -> str:
        """A text of the terminal in the person's language."""
        from tilewright.view.language import say

        return say(self.language, f"terminal.{key}", **values)

    def tell(self, key: str, **values: object) -> None:
        """Print a text of the terminal."""
        self.say(self.text(key, **values))

    @contextmanager
    def patience(self, line: str) -> Iterator[None]:
        """Shows a line while something takes a while, and wipes it away; only where somebody looks."""
        if not self._shows:
            yield
            return
        shown = threading.Event()

        def show() -> None:
            shown.set()
            print(line[: screen_width() - 1], end="", flush=True)

        try:
            with _if_it_takes(THINKING_PATIENCE, show):
                yield
        finally:
            if shown.is_set():
                print(_CLEAR, end="", flush=True)

    def ask(self, prompt: str) -> str:
        """A line that the person types. Input from a pipe is echoed, so that the output can be read."""
        try:
            answer = input(f"{prompt} ").strip()
        except (EOFError, KeyboardInterrupt, RuntimeError, ValueError):  # the last two: a stream that is closed
            print()
            raise Left from None
        if not self.interactive:
            print(harmless(answer))
        return answer

    def confirm(self, question: str, default: bool) -> bool:
        """A question with yes and no for answers; anything unclear is the default."""
        yes, no = self.text("yes_letter"), self.text("no_letter")
        answer = self.ask(f"{question} [{yes.upper()}/{no}]" if default else f"{question} [{yes}/{no.upper()}]").lower()
        return answer[:1] in (yes, "y") if answer[:1] in (yes, "y", no) else default


@contextmanager
def compiling_notice(language: str = DEFAULT) -> Iterator[None]:
    """Says that the rules are being compiled, but only if they are, and if that takes a while."""
    from numba.core import event

    from tilewright.view.language import say

    line = say(language, "terminal.compiling")

    class FirstStart(event.Listener):
        def on_start(self, event: Any) -> None:
            if not begun.is_set():
                begun.set()
                running.enter_context(_if_it_takes(PATIENCE, lambda: print(line, file=sys.stderr, flush=True)))

        def on_end(self, event: Any) -> None:
            pass

    begun = threading.Event()
    with ExitStack() as running, event.install_listener("numba:compile", FirstStart()):
        yield
