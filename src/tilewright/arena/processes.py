"""Games on this machine: one after the other in this process, or side by side in processes of their own."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context
from typing import Any

from tilewright.arena.play import Failure, PlayedGame, play_fixture, warm_up
from tilewright.arena.player import Player
from tilewright.arena.schedule import Match
from tilewright.arena.worker_pool import Ready, WorkerDied

_EXIT_TIMEOUT = 5.0
"""Seconds that a process may take to end after its pipe did."""
_SPAWN = get_context("spawn")


def play_here(match: Match, numbers: Iterable[int], recorded: bool) -> Generator[PlayedGame, None, None]:
    """The games one after the other in this process: for short matches and for debugging."""
    warm_up(match)
    for number in numbers:
        yield play_fixture(match, number, recorded)


class ThisMachine:
    """The backend on this machine: a process for each worker."""

    def __init__(self, match: Match, recorded: bool, capacity: int) -> None:
        self._match, self._recorded = match, recorded
        self.capacity = capacity

    def spawn(self) -> WorkerProcess:
        """Start a process."""
        return WorkerProcess(self._match, self._recorded)

    def wait(self, workers: Sequence[WorkerProcess]) -> list[WorkerProcess]:
        """Those whose pipes can be read or have ended."""
        ready = connection.wait([worker.pipe for worker in workers])
        return [worker for worker in workers if worker.pipe in ready]

    def close(self) -> None:
        """Nothing is left but the processes, and each has been stopped."""


class WorkerProcess:
    """A process that plays; a pipe carries the numbers of games there and the games back."""

    def __init__(self, match: Match, recorded: bool) -> None:
        self.pipe, far_end = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(far_end, match, recorded), daemon=True)
        with _ctrl_c_held_back():
            self._process.start()
        far_end.close()  # the worker has its own; once that is gone the pipe ends, which is how we notice that it died

    def assign(self, number: int) -> None:
        """Send the number of a game."""
        with suppress(OSError):  # it has died; reading from its pipe will say how
            self.pipe.send(number)

    def receive(self) -> Ready | PlayedGame | Failure | WorkerDied:
        """What came through the pipe, or how the process ended."""
        try:
            message: Ready | PlayedGame | Failure = self.pipe.recv()
            return message
        except (EOFError, OSError):
            self._process.join(_EXIT_TIMEOUT)
            return WorkerDied(self._exit_reason())

    def _exit_reason(self) -> str:
        code = self._process.exitcode or 0
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"its process ended ({how})"

    def stop(self) -> None:
        """End the process."""
        self.pipe.close()
        self._process.terminate()
        self._process.join()


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Processes started meanwhile never hear Ctrl-C, not even while they load; we hear it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Any, match: Match, recorded: bool) -> None:
    """The life of a worker: play what the pipe says until the pipe ends."""
    player = Player(match, recorded)
    with suppress(EOFError, OSError):  # the parent is gone
        pipe.send(Ready())
        answer: PlayedGame | Failure | None = None
        while not isinstance(answer, Failure):
            answer = player.play(pipe.recv())
            pipe.send(answer)
