"""A crew of workers that share out the games of a match, wherever the workers are.

A worker that dies costs the game it was playing and no other: that game is played again. Only the crew hands results
to the match, so a game is counted once, however often it had to be begun.
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
DEATHS = 3
"""Workers that one game may lose before the match stops: a lost machine is not the bots' fault."""


@dataclass(frozen=True)
class Ready:
    """What a worker says once it has loaded the game and the bots."""


@dataclass(frozen=True)
class Death:
    """What is heard of a worker that is gone."""

    how: str


class Worker(Protocol):
    """Somebody who plays one game at a time: first ready, then an answer for every game that was given."""

    def give(self, number: int) -> None:
        """Let it play a game of the match."""

    def hear(self) -> Ready | PlayedGame | Failure | Death:
        """What it says; blocks unless the venue has named this worker."""

    def end(self) -> None:
        """Send it home, whatever it is doing."""


Hired = TypeVar("Hired", bound=Worker)


class Venue(Protocol[Hired]):
    """Where games are played: on this machine or on a cluster."""

    @property
    def room(self) -> int:
        """How many workers play at the same time."""

    def hire(self) -> Hired:
        """A new worker, who begins to load."""

    def wait(self, workers: Sequence[Hired]) -> Iterable[Hired]:
        """Those of the workers, at least one, who have something to say. Blocks until there is one."""

    def close(self) -> None:
        """All workers have been sent home."""


class NoWorkers(TilewrightError):
    """Workers die before they can play."""


class Crew(Generic[Hired]):
    """Workers at a venue; whoever is free takes the next game."""

    def __init__(self, venue: Venue[Hired], numbers: Iterable[int], seed: int) -> None:
        self._venue, self._seed = venue, seed
        self._waiting = deque(numbers)
        self._loading: list[Hired] = []
        self._playing: dict[Hired, int] = {}
        self._mishaps: Counter[tuple[type, int]] = Counter()
        self._false_starts = 0

    def __len__(self) -> int:
        """How many are playing."""
        return len(self._playing)

    def results(self) -> Generator[PlayedGame, None, None]:
        """The games in the order in which they end. Closing the iterator sends the workers home."""
        try:
            self._hire(1)  # the others come when the first has compiled what was not compiled yet
            while self._waiting or self._playing:
                for worker in self._venue.wait([*self._loading, *self._playing]):
                    yield from self._listen(worker)
        finally:
            self._dismiss()

    def _listen(self, worker: Hired) -> Iterator[PlayedGame]:
        heard = worker.hear()
        if isinstance(heard, PlayedGame):
            del self._playing[worker]
            self._employ(worker)
            yield heard
        elif isinstance(heard, Ready):
            self._false_starts = 0
            self._loading.remove(worker)
            self._employ(worker)
            self._hire(self._venue.room)
        else:
            worker.end()
            self._replace(worker, heard)

    def _hire(self, size: int) -> None:
        """Bring the crew up to a size, but load nobody for whom there is no game."""
        while len(self._loading) < len(self._waiting) and len(self._loading) + len(self._playing) < size:
            self._loading.append(self._venue.hire())

    def _employ(self, worker: Hired) -> None:
        """Only a worker who is ready is given a game: one may wait for room on a cluster until the match is over."""
        if self._waiting:
            self._playing[worker] = self._waiting.popleft()
            worker.give(self._playing[worker])
        else:
            worker.end()

    def _replace(self, worker: Hired, mishap: Failure | Death) -> None:
        number = self._playing.pop(worker, None)
        if number is None:
            self._loading.remove(worker)
            self._count_false_start(mishap)
        else:
            self._count_mishap(number, mishap)
            self._waiting.appendleft(number)
        self._hire(len(self._loading) + len(self._playing) + 1)

    def _count_mishap(self, number: int, mishap: Failure | Death) -> None:
        self._mishaps[type(mishap), number] += 1
        if isinstance(mishap, Death) and self._mishaps[Death, number] >= DEATHS:
            raise GameFailed(Failure(number, self._seed, f"the worker that played it died: {mishap.how}"))
        if isinstance(mishap, Failure) and self._mishaps[Failure, number] >= ATTEMPTS:
            raise GameFailed(mishap)

    def _count_false_start(self, mishap: Failure | Death) -> None:
        """All who load at the same time may die together, with their machine; that is one attempt."""
        self._false_starts += 1
        if self._false_starts >= ATTEMPTS + len(self._loading):
            why = mishap.how if isinstance(mishap, Death) else str(mishap)
            raise NoWorkers(f"workers die before they can play: {why}")

    def _dismiss(self) -> None:
        for worker in [*self._loading, *self._playing]:
            worker.end()
        self._venue.close()
