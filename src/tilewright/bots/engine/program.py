"""Another program, running: lines to it, lines from it, and an end to it when it takes too long."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from tilewright.bots.engine.protocol import BadLine, as_bytes, next_line, sentence

_POLITE_SECONDS = 1.0
_TAIL = 300


class ProgramFailed(Exception):
    """The program died, hung or sent an invalid answer; the message says which."""


class Program:
    """A child process. It has a session of its own, so that Ctrl-C in the terminal is not meant for it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed by _end)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as error:
            self._errors.close()
            raise ProgramFailed(f"it cannot be started: {error.strerror or error}") from None
        self._last_line = ""
        self._too_late = False
        self._end = weakref.finalize(self, _end, self._process, self._errors, os.getpid())

    @property
    def process_id(self) -> int:
        """The process id."""
        return self._process.pid

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """A time limit for what is sent and received in this context; beyond it the program is killed.

        Killing it ends every pending read or write, on all systems alike.
        """
        timer = threading.Timer(seconds, self._kill_late)
        timer.daemon = True
        timer.start()
        try:
            yield
        except ProgramFailed:
            if self._too_late:
                raise ProgramFailed(f"it gave no answer in {seconds:g} seconds{self._said()}") from None
            raise
        finally:
            timer.cancel()

    def tell(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(as_bytes(line))
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._died() from None

    def hear(self) -> str:
        """The next line that it sends."""
        assert self._process.stdout is not None
        try:
            line = next_line(self._process.stdout)  # type: ignore[arg-type]
        except BadLine as error:
            raise ProgramFailed(f"it sent an unreadable line: {error}") from None
        if line is None:
            raise self._died()
        self._last_line = line
        return line

    def invalid(self, why: str) -> ProgramFailed:
        """The error for an answer that cannot be used."""
        return ProgramFailed(f"{why}{self._said()}")

    def kill(self) -> None:
        """End it at once."""
        _kill(self._process)
        self.close()

    def close(self) -> None:
        """Ask it to quit, and end it if it does not."""
        self._end()

    def _kill_late(self) -> None:
        self._too_late = True
        _kill(self._process)

    def _died(self) -> ProgramFailed:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_POLITE_SECONDS)
        code = self._process.returncode
        if code is None:
            return ProgramFailed(f"it closed its output{self._said()}")
        how = f"ended with code {code}" if code >= 0 else f"was killed by signal {-code}"
        return ProgramFailed(f"it {how}{self._said()}")

    def _said(self) -> str:
        """Its last output, to help find the reason."""
        last = f"; its last line was {sentence(self._last_line)[:_TAIL]!r}" if self._last_line else ""
        errors = sentence(self._last_errors())
        return last + (f"; on standard error it said: {errors}" if errors else "")

    def _last_errors(self) -> str:
        with suppress(OSError, ValueError):
            end = self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, end - _TAIL))
            return self._errors.read(_TAIL).decode("utf-8", errors="replace")
        return ""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The program and what it started in turn: a script's child would keep the pipes open."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _end(process: subprocess.Popen[bytes], errors: IO[bytes], owner: int) -> None:
    """Also called when the program object is garbage collected, and when Python exits; not in forked copies."""
    if os.getpid() != owner:
        return
    with suppress(OSError, ValueError):
        assert process.stdin is not None
        process.stdin.write(as_bytes("quit"))
        process.stdin.flush()
    with suppress(OSError):
        assert process.stdin is not None
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_POLITE_SECONDS)
    _kill(process)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
    errors.close()
