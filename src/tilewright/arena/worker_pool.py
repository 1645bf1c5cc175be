"""A pool of workers that share the games of a match, wherever the workers run.

A worker that dies costs the game it was playing and no other: that game is played again. Only the pool hands results
to the match, so a game is counted once, however often it had to be started.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from tilewright.arena.play import Failure, GameFailed, PlayedGame
from tilewright.game.errors import TilewrightError

ATTEMPTS = 2
"""A game in which a bot fails is played again once, by a fresh worker; then the match stops and says why."""
MOST_DEATHS = 3
"""Workers that may die in one game before the match stops: a lost machine is not the bots' fault."""


@dataclass(frozen=True)
class Ready:
    """What a worker sends once it has loaded the game and the bots."""


@dataclass(frozen=True)
class WorkerDied:
    """What is received from a worker that is gone."""

    reason: str


class Worker(Protocol):
    """Plays one game at a time: it sends ``Ready`` first, then an answer for every game it is assigned."""

    def assign(self, number: int) -> None:
        """Let it play a game of the match."""

    def receive(self) -> Ready | PlayedGame | Failure | WorkerDied:
        """Its next message; blocks unless the backend's ``wait`` has returned this worker."""

    def stop(self) -> None:
        """End it, whatever it is doing."""


WorkerType = TypeVar("WorkerType", bound=Worker)


class Backend(Protocol[WorkerType]):
    """Where workers run: on this machine or on a cluster."""

    @property
    def capacity(self) -> int:
        """How many workers play at the same time."""

    def spawn(self) -> WorkerType:
        """A new worker, which begins to load."""

    def wait(self, workers: Sequence[WorkerType]) -> Iterable[WorkerType]:
        """Those of the workers, at least one, that have sent something. Blocks until there is one."""

    def close(self) -> None:
        """Release everything; all workers have been stopped."""


class NoWorkers(TilewrightError):
    """Workers die before they can play."""


class WorkerPool(Generic[WorkerType]):
    """The workers of a backend; any that is free gets the next game."""

    def __init__(self, backend: Backend[WorkerType], numbers: Iterable[int], seed: int) -> None:
        self._backend, self._seed = backend, seed
        self._waiting = deque(numbers)
        self._loading: list[WorkerType] = []
        self._playing: dict[WorkerType, int] = {}
        self._failures: Counter[tuple[type, int]] = Counter()
        self._failed_starts = 0

    def __len__(self) -> int:
        """How many are playing."""
        return len(self._playing)

    def results(self) -> Generator[PlayedGame, None, None]:
        """The games in the order in which they end. Closing the iterator stops the workers."""
        try:
            self._grow_to(1)  # the others follow when the first has compiled what was not compiled yet
            while self._waiting or self._playing:
                for worker in self._backend.wait([*self._loading, *self._playing]):
                    yield from self._receive(worker)
        finally:
            self._stop_all()

    def _receive(self, worker: WorkerType) -> Iterator[PlayedGame]:
        message = worker.receive()
        if isinstance(message, PlayedGame):
            del self._playing[worker]
            self._assign_next(worker)
            yield message
        elif isinstance(message, Ready):
            self._failed_starts = 0
            self._loading.remove(worker)
            self._assign_next(worker)
            self._grow_to(self._backend.capacity)
        else:
            worker.stop()
            self._replace(worker, message)

    def _grow_to(self, size: int) -> None:
        """Spawn workers up to a size of the pool, but no more than there are games waiting."""
        while len(self._loading) < len(self._waiting) and len(self._loading) + len(self._playing) < size:
            self._loading.append(self._backend.spawn())

    def _assign_next(self, worker: WorkerType) -> None:
        """Only a ready worker is assigned a game: one may wait for a CPU of the cluster until the match is over."""
        if self._waiting:
            self._playing[worker] = self._waiting.popleft()
            worker.assign(self._playing[worker])
        else:
            worker.stop()

    def _replace(self, worker: WorkerType, failure: Failure | WorkerDied) -> None:
        number = self._playing.pop(worker, None)
        if number is None:
            self._loading.remove(worker)
            self._count_failed_start(failure)
        else:
            self._count_failure(number, failure)
            self._waiting.appendleft(number)
        self._grow_to(len(self._loading) + len(self._playing) + 1)

    def _count_failure(self, number: int, failure: Failure | WorkerDied) -> None:
        self._failures[type(failure), number] += 1
        if isinstance(failure, WorkerDied) and self._failures[WorkerDied, number] >= MOST_DEATHS:
            raise GameFailed(Failure(number, self._seed, f"the worker that played it died: {failure.reason}"))
        if isinstance(failure, Failure) and self._failures[Failure, number] >= ATTEMPTS:
            raise GameFailed(failure)

    def _count_failed_start(self, failure: Failure | WorkerDied) -> None:
        """All workers that load at the same time may die together, with their machine; that is one attempt."""
        self._failed_starts += 1
        if self._failed_starts >= ATTEMPTS + len(self._loading):
            why = failure.reason if isinstance(failure, WorkerDied) else str(failure)
            raise NoWorkers(f"workers die before they can play: {why}")

    def _stop_all(self) -> None:
        for worker in [*self._loading, *self._playing]:
            worker.stop()
        self._backend.close()
