"""Worker processes: they play games side by side, and one that dies costs the game it was playing and no other."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context
from pathlib import Path
from typing import Any

from tilewright.arena.play import Failure, GameFailed, GameResult, play_game, warm_up
from tilewright.arena.schedule import Match

ATTEMPTS = 2
"""A game that fails is played again once, by a fresh process; then the match stops and says why."""
_READY = "ready"
_LAST_BREATH = 5.0
"""Seconds that a process may take to end after its pipe did."""
_SPAWN = get_context("spawn")


def play_here(match: Match, numbers: Iterable[int], folder: Path | None) -> Iterator[GameResult]:
    """The games one after the other in this process: for short matches and for debugging."""
    warm_up(match)
    for number in numbers:
        yield play_game(match, number, folder)


def play_side_by_side(match: Match, numbers: Iterable[int], folder: Path | None, workers: int) -> Iterator[GameResult]:
    """The games in parallel processes, in the order in which they finish. Closing the iterator ends the processes."""
    crew = _Crew(match, numbers, folder, workers)
    try:
        yield from crew.results()
    finally:
        crew.dismiss()


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


class _Worker:
    """A process and the game that it is playing."""

    def __init__(self, match: Match, folder: Path | None, number: int) -> None:
        self.pipe, far_end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(far_end, match, folder), daemon=True)
        with _ctrl_c_held_back():
            self.process.start()
        far_end.close()  # the worker has its own; once that is gone the pipe ends, and so we hear of its death
        self.seed = match.seed
        self.give(number)

    def give(self, number: int) -> None:
        self.number = number
        with suppress(OSError):  # it has died; its pipe will tell
            self.pipe.send(number)

    def hear(self) -> Any:
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self.process.join(_LAST_BREATH)
            return Failure(self.number, self.seed, self._death())

    def _death(self) -> str:
        code = self.process.exitcode or 0
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"the process that played it ended ({how})"

    def end(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join()


class _Crew:
    """Workers that share the games out among them; each takes the next one when it is free."""

    def __init__(self, match: Match, numbers: Iterable[int], folder: Path | None, size: int) -> None:
        self._match, self._folder, self._size = match, folder, size
        self._numbers = iter(numbers)
        self._again: deque[int] = deque()
        self._failures: dict[int, int] = {}
        self._workers: list[_Worker] = []

    def results(self) -> Iterator[GameResult]:
        self._hire(1)  # the others come when the first has compiled what was not compiled yet
        while self._workers:
            for pipe in connection.wait([worker.pipe for worker in self._workers]):
                worker = next(worker for worker in self._workers if worker.pipe is pipe)
                heard = worker.hear()
                if heard == _READY:
                    self._hire(self._size)
                elif isinstance(heard, GameResult):
                    self._give_next(worker)
                    yield heard
                else:
                    self._replace(worker, heard)

    def dismiss(self) -> None:
        while self._workers:
            self._workers.pop().end()

    def _hire(self, size: int) -> None:
        while len(self._workers) < size and (number := self._next()) is not None:
            self._workers.append(_Worker(self._match, self._folder, number))

    def _next(self) -> int | None:
        return self._again.popleft() if self._again else next(self._numbers, None)

    def _give_next(self, worker: _Worker) -> None:
        number = self._next()
        if number is not None:
            worker.give(number)
        else:
            self._workers.remove(worker)
            worker.end()

    def _replace(self, worker: _Worker, failure: Failure) -> None:
        self._workers.remove(worker)
        worker.end()
        failures = self._failures[failure.number] = self._failures.get(failure.number, 0) + 1
        if failures >= ATTEMPTS:
            raise GameFailed(failure)
        self._again.append(failure.number)
        self._hire(len(self._workers) + 1)


def _work(pipe: Any, match: Match, folder: Path | None) -> None:
    """The life of a worker: play what the pipe says until the pipe ends. Ctrl-C is for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _leave_standard_output()
    with suppress(KeyboardInterrupt):  # a bot's own
        warm_up(match)
    with suppress(EOFError, OSError):  # the parent is gone
        pipe.send(_READY)
        answer: GameResult | Failure | None = None
        while not isinstance(answer, Failure):
            answer = _attempt(match, pipe.recv(), folder)
            pipe.send(answer)


def _leave_standard_output() -> None:
    """It is the parent's: what bots print here, and what programs that they start print, goes to standard error."""
    sys.stdout = sys.stderr
    with suppress(OSError):  # closed, one of them
        os.dup2(2, 1)


def _attempt(match: Match, number: int, folder: Path | None) -> GameResult | Failure:
    try:
        return play_game(match, number, folder)
    except GameFailed as failed:
        return failed.failure
    except OSError as error:
        return Failure(number, match.seed, f"its record could not be saved: {error}")
