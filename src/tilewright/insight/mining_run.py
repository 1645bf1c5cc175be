"""A run of the miner: games side by side in processes, and the file that grows while they are played.

Games are written in the order of their numbers, so the file does not depend on the number of processes, and a run that
was interrupted continues after the last game that is whole.
"""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import active_children, get_context
from pathlib import Path
from time import perf_counter

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.insight.mining import MinedGame, Miner, MiningSettings
from tilewright.insight.puzzle import FIRST_LINE, read_puzzles

_GAME = "# game "
"""Before the number of a game, in the line that ends what it gave."""


@dataclass
class MiningProgress:
    """What a run has done so far."""

    games: int = 0
    """Games in the file, earlier runs included."""
    puzzles: int = 0
    played_now: int = 0
    found_now: int = 0
    elapsed: float = 0.0
    cpu_seconds: float = 0.0
    passed: Counter[str] = field(default_factory=Counter)
    """How many positions of this run passed each sieve."""

    def note(self, file: PuzzleFile, mined: MinedGame, elapsed: float) -> None:
        """Another game is in the file."""
        self.games, self.puzzles, self.elapsed = file.games, file.puzzles, elapsed
        self.played_now += 1
        self.found_now += len(mined.puzzles)
        self.cpu_seconds += mined.cpu_seconds
        self.passed += mined.passed


class PuzzleFile:
    """The file of a run: puzzles, and a remark after each game that is complete."""

    def __init__(self, path: Path, game: Game, seed: int) -> None:
        self._path = path
        rules = game.set_up().to_text().partition(";")[0].strip()
        self._head = f"{FIRST_LINE}\n# {rules}, seed {seed}\n"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if text and not text.startswith(self._head):
            raise BadOption(f"{path} is not a file of this run, which would begin with {self._head.splitlines()[1]!r}")
        last = text.rfind(f"\n{_GAME}", 0, text.rfind("\n")) + 1  # a line that was cut off does not count
        whole = text[: text.index("\n", last) + 1] if last else self._head
        self.games = int(text[last:].removeprefix(_GAME).partition(":")[0]) + 1 if last else 0
        self.puzzles = len(read_puzzles(whole, str(path)))
        if whole != text:
            path.write_text(whole, encoding="utf-8")

    def add(self, mined: MinedGame) -> None:
        """Write what a game gave, all of it at once."""
        blocks = "".join(f"\n{puzzle.to_text()}" for puzzle in mined.puzzles)
        told = f"{_GAME}{mined.number}: {len(mined.puzzles)} puzzles, {mined.cpu_seconds:.1f} CPU seconds\n"
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{blocks}\n{told}" if blocks else told)
        self.games += 1
        self.puzzles += len(mined.puzzles)


def mine(
    game: Game,
    path: Path,
    seed: int = 0,
    number: int | None = None,
    minutes: float | None = None,
    workers: int = 0,
    listener: Callable[[MiningProgress], None] | None = None,
    settings: MiningSettings | None = None,
) -> MiningProgress:
    """Add puzzles to a file until it has enough of them or the time is over; games that have begun are finished.

    Without workers the games are played in this process.
    """
    file, began = PuzzleFile(path, game, seed), perf_counter()
    progress = MiningProgress(file.games, file.puzzles)

    def is_done() -> bool:
        is_late = minutes is not None and perf_counter() - began >= 60 * minutes
        return is_late or (number is not None and file.puzzles >= number)

    for mined in _games(Work(game, seed, settings), file.games, workers, is_done):
        file.add(mined)
        progress.note(file, mined, perf_counter() - began)
        if listener is not None:
            listener(progress)
    return progress


@dataclass(frozen=True)
class Work:
    """What a process needs to know to play."""

    game: Game
    seed: int
    settings: MiningSettings | None

    def miner(self) -> Miner:
        """A miner, with everything loaded."""
        return Miner(self.game, self.seed, self.settings)


def _games(work: Work, first: int, workers: int, is_done: Callable[[], bool]) -> Iterator[MinedGame]:
    """The games in order, until the caller has enough; those that other processes have begun come as well."""
    if not workers:
        miner = work.miner()
        for number in count(first):
            if is_done():
                return
            yield miner.mine(number)
    numbers, begun = count(first), deque[Future[MinedGame]]()
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_prepare, initargs=(work,))
    try:
        while True:
            while len(begun) < workers and not is_done():
                begun.append(pool.submit(_mine, next(numbers)))
            if not begun:
                return
            yield begun.popleft().result()
    except BaseException:
        for process in active_children():  # nobody waits for what they would find
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_miners: list[Miner] = []
"""The miner of this process, if it is a worker."""


def _prepare(work: Work) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears Ctrl-C and ends its workers
    _miners.append(work.miner())


def _mine(number: int) -> MinedGame:
    return _miners[0].mine(number)
