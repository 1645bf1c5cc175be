"""A whole match: schedule, workers, folder, sequential test, result."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from tilewright.arena.cluster import Cluster, check_address
from tilewright.arena.folder import MatchFolder, read_settings
from tilewright.arena.play import GameResult, PlayedGame, check_bots
from tilewright.arena.processes import ThisMachine, play_here
from tilewright.arena.schedule import Match, bot_text
from tilewright.arena.sprt import Sprt, SprtRun
from tilewright.arena.summary import MatchResult
from tilewright.arena.worker_pool import Backend, WorkerPool
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.validation import echo

_MOST_WORKERS = 1024


@dataclass(frozen=True)
class Progress:
    """How far a match has come; reported at the start and after every game."""

    games: int
    """Games that are finished, including those of earlier runs."""
    wanted: int
    played_now: int
    workers: int
    """Workers that are playing at this moment; on a cluster they come and go."""
    elapsed: float
    """Seconds since this run began to play, not counting loading."""
    sprt: SprtRun | None

    @property
    def seconds_left(self) -> float | None:
        """How much longer it will take at this pace; None before the first game."""
        return None if not self.played_now else self.elapsed / self.played_now * (self.wanted - self.games)


Listener = Callable[[Progress], None]


def play_match(
    bots: Sequence[str | type[Any]],
    game: Game,
    games: int = 100,
    *,
    seed: int | None = None,
    sprt: Sprt | None = None,
    workers: int | None = None,
    ray: str | None = None,
    folder: str | Path | None = None,
    progress: Listener | None = None,
) -> MatchResult:
    """Play a match between bots and report which is stronger, with confidence intervals.

    Every deal is played once for each rotation of the seats; ``games`` is rounded up to whole sets of these. With
    ``sprt`` the match ends as soon as the test has decided. ``workers`` is the number of worker processes: one per
    core by default, 0 to play in this process. With ``ray``, which is "auto", "local" or an address, they run on a Ray
    cluster. With a ``folder``, every game is saved, and an interrupted match continues from there; without a seed it
    uses that of the folder, or a new one.

    >>> import tilewright as tw
    >>> result = play_match(["random", "random"], next(iter(tw.GAMES.values()))(), games=20, seed=1, workers=0)
    >>> len(result.games), 0 <= result.first.win_rate.value <= 1
    (20, True)
    """
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise BadOption(f"a match takes a list of two or more bots, not {echo(bots)}")
    texts = tuple(bot_text(bot) for bot in bots)
    match = Match(game, texts, _chosen_seed(seed, folder))
    wanted = match.whole_sets(games)
    if sprt is not None and len(texts) != 2:
        raise BadOption(f"an SPRT compares two bots, not {len(texts)}")
    options = _WorkerOptions.checked(workers, ray)
    check_bots(texts)
    kept = None if folder is None else MatchFolder(Path(folder), match)
    try:
        running = _RunningMatch(match, wanted, sprt, kept, progress)
        running.play(options)
        return running.result()
    finally:
        if kept is not None:
            kept.close()


def _chosen_seed(seed: int | None, folder: str | Path | None) -> int:
    if seed is not None:
        return seed
    saved = None if folder is None else read_settings(Path(folder))
    return secrets.randbits(32) if saved is None else int(saved.get("seed", 0))


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class _WorkerOptions:
    """How many workers are wanted, and where."""

    workers: int | None
    ray: str | None

    @classmethod
    def checked(cls, workers: int | None, ray: str | None) -> _WorkerOptions:
        number = isinstance(workers, int) and not isinstance(workers, bool) and 0 <= workers <= _MOST_WORKERS
        if workers is not None and not number:
            raise BadOption(
                f"workers must be a whole number from 0 (play in this process) to {_MOST_WORKERS}, not {echo(workers)}"
            )
        if ray is not None and workers == 0:
            raise BadOption("0 workers play in this process, not on a Ray cluster; leave out workers or ray")
        return cls(workers, None if ray is None else check_address(ray))

    def backend(self, match: Match, recorded: bool) -> Backend[Any]:
        if self.ray is not None:
            return Cluster(self.ray, match, recorded, self.workers, _MOST_WORKERS)
        return ThisMachine(match, recorded, self.workers or available_cores())


class _RunningMatch:
    """A match in progress: what is done, and what the test says about it.

    Games end in any order, but the test reads whole sets in the order of the schedule, and the result ends with
    the set that decided. So the same match has the same result with any number of workers.
    """

    def __init__(
        self, match: Match, wanted: int, sprt: Sprt | None, folder: MatchFolder | None, listener: Listener | None
    ) -> None:
        self.match, self.wanted, self.folder, self.listener = match, wanted, folder, listener
        self.sprt = None if sprt is None else SprtRun(sprt, match.game.players)
        saved = {} if folder is None else folder.results()
        self.done = {number: result for number, result in saved.items() if number < wanted}
        self.sets_read = 0
        self.played_now = 0
        self.pool: WorkerPool[Any] | None = None
        self.started = perf_counter()
        self.playing_since = self.started

    def play(self, options: _WorkerOptions) -> None:
        """Play what is missing."""
        self._read_sets()
        missing = [number for number in range(self.wanted) if number not in self.done]
        if self._decided() or not missing:
            return
        self._tell(0.0)
        with closing(self._games(missing, options)) as games:
            for game in games:
                self._take(game)
                if self._decided():
                    return

    def result(self) -> MatchResult:
        """The match as far as it counts."""
        players = self.match.game.players
        counted = self.sets_read * players if self._decided() else self.wanted
        games = [self.done[number] for number in range(counted)]
        return MatchResult(self.match, games, self.sprt, perf_counter() - self.started)

    def _games(self, missing: list[int], options: _WorkerOptions) -> Generator[PlayedGame, None, None]:
        recorded = self.folder is not None
        if options.workers == 0:
            return play_here(self.match, missing, recorded)
        self.pool = WorkerPool(options.backend(self.match, recorded), missing, self.match.seed)
        return self.pool.results()

    def _take(self, game: PlayedGame) -> None:
        if self.folder is not None:
            self.folder.add(game)
        result = game.result
        self.done[result.fixture.number] = result
        if not self.played_now:
            self.playing_since = perf_counter() - result.seconds
        self.played_now += 1
        self._read_sets()
        self._tell(perf_counter() - self.playing_since)

    def _tell(self, elapsed: float) -> None:
        if self.listener is not None:
            workers = min(self.played_now, 1) if self.pool is None else len(self.pool)
            self.listener(Progress(len(self.done), self.wanted, self.played_now, workers, elapsed, self.sprt))

    def _read_sets(self) -> None:
        """Let the test see the sets that have become complete."""
        for games in self._complete_sets():
            self.sets_read += 1
            if self.sprt is not None:
                shares = [game.shares[game.fixture.seats.index(0)] for game in games]
                self.sprt.take(sum(shares) / len(shares))
            if self._decided():
                return

    def _complete_sets(self) -> Iterator[list[GameResult]]:
        players = self.match.game.players
        while True:
            numbers = range(self.sets_read * players, (self.sets_read + 1) * players)
            if not all(number in self.done for number in numbers):
                return
            yield [self.done[number] for number in numbers]

    def _decided(self) -> bool:
        return self.sprt is not None and self.sprt.decided
