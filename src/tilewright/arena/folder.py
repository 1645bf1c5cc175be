"""A match on disk: what is played, a line of JSON for each game, and the games' records. Any of it may be cut short.

A game counts once its line and its record are there. The line is written after the record, so a kill in between
costs that game only. Lines that are damaged, half a line at the end for instance, are dropped when the match
continues, and their games are played again. One arena at a time may play in a folder.
"""

from __future__ import annotations

import json
import logging
import os
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tilewright.arena.play import GameResult, PlayedGame
from tilewright.arena.schedule import Fixture, Match
from tilewright.arena.settings import settings_object
from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.outcome import Outcome
from tilewright.game.record import write_record

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

logger = logging.getLogger(__name__)

SETTINGS = "match.json"
RESULTS = "results.jsonl"


class MatchFolder:
    """The folder of a match: made when it is new, checked and read when the match continues, locked until ``close``."""

    def __init__(self, path: Path, match: Match) -> None:
        self.path = path
        self._match = match
        self._results = path / RESULTS
        if read_settings(path) is None:
            self._make()
        self.close = _lock(path, self)
        try:
            saved = read_settings(path)  # once more: another arena may have begun meanwhile
            if saved is None:
                self._write(SETTINGS, json.dumps(settings_object(match), indent=2) + "\n")
            else:
                self._check(saved)
            self._played = self._read()
        except BaseException:
            self.close()
            raise

    def _make(self) -> None:
        unfinished = self.path / f".{SETTINGS}"
        if self.path.exists() and (not self.path.is_dir() or set(self.path.iterdir()) - {unfinished}):
            raise BadOption(f"{self.path} already exists and is not the folder of a match; choose a new one")
        self.path.mkdir(parents=True, exist_ok=True)

    def _write(self, name: str, text: str) -> None:
        """A whole file or none."""
        unfinished = self.path / f".{name}"
        unfinished.write_text(text, encoding="utf-8")
        os.replace(unfinished, self.path / name)

    def _check(self, saved: dict[str, Any]) -> None:
        for name, now in settings_object(self._match).items():
            if saved.get(name) != now:
                raise BadOption(
                    f"the match in {self.path} has {name} {json.dumps(saved.get(name))}, not {json.dumps(now)}; "
                    "continue with the same settings, or choose a new folder"
                )

    def _read(self) -> dict[int, GameResult]:
        """The games that count. If the file holds anything else, it is rewritten without it."""
        text = self._results.read_text(encoding="utf-8", errors="replace") if self._results.exists() else ""
        lines, played = text.removesuffix("\n").split("\n") if text else [], {}
        for line in lines:
            result = _read_result(line, self._match)
            if result is not None and _is_kept(record_path(self.path, result.fixture.number)):
                played[result.fixture.number] = line, result
        good = "".join(f"{line}\n" for line, _ in played.values())
        if good != text:
            self._write(RESULTS, good)
        if left_out := len(lines) - len(played):
            told = f"{left_out} line{'s' if left_out > 1 else ''} of {self._results} left out"
            logger.warning("%s: damaged, duplicate or without the game's record; missing games are played again", told)
        return {number: result for number, (_, result) in played.items()}

    def results(self) -> dict[int, GameResult]:
        """The games that had been played when the folder was opened, by number."""
        return dict(self._played)

    def add(self, game: PlayedGame) -> None:
        """Keep a game; from now on it survives whatever happens to this program."""
        assert game.record is not None, "workers of a match with a folder write records"
        write_record(record_path(self.path, game.result.fixture.number), game.record)
        line = json.dumps(result_object(game.result, self._match)) + "\n"
        with self._results.open("ab") as file:
            file.write(line.encode())


def record_path(folder: Path, number: int) -> Path:
    """Where the record of a game is kept."""
    return folder / f"game-{number:06}.txt"


def read_settings(path: Path) -> dict[str, Any] | None:
    """What the match in a folder plays; None if there is none."""
    try:
        saved = json.loads((path / SETTINGS).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:
        raise TilewrightError(f"{path / SETTINGS} is damaged: {error}") from None
    if not isinstance(saved, dict):
        raise TilewrightError(f"{path / SETTINGS} is damaged: it holds no settings")
    return saved


def result_object(result: GameResult, match: Match) -> dict[str, Any]:
    """A game in one line. Players count from 1, as in records; lists have an entry for each player."""
    return {
        "game": result.fixture.number,
        "set": result.fixture.set_number,
        "bots": [match.bots[bot] for bot in result.fixture.seats],
        "deal_seed": result.fixture.deal_seed,
        "winners": [seat + 1 for seat in result.outcome.winners],
        "scores": list(result.outcome.scores),
        "points": [dict(points) for points in result.outcome.points],
        "rounds": result.rounds,
        "moves": list(result.moves),
        "thinking": [round(seconds, 6) for seconds in result.thinking],
        "seconds": round(result.seconds, 6),
    }


def _read_result(line: str, match: Match) -> GameResult | None:
    """The game that a line tells; None for one that is damaged or of another schedule."""
    try:
        told = json.loads(line)
        fixture = match.fixture(told["game"])
        outcome = Outcome(tuple(player - 1 for player in told["winners"]), tuple(told["scores"]), tuple(told["points"]))
        if told["bots"] != [match.bots[bot] for bot in fixture.seats] or told["deal_seed"] != fixture.deal_seed:
            return None
        moves, thinking = tuple(told["moves"]), tuple(told["thinking"])
        if not _is_possible(outcome, fixture) or not len(moves) == len(thinking) == len(fixture.seats):
            return None
        if min(moves) < 1 or min(thinking) < 0 or not told["seconds"] > 0 or told["rounds"] < 1:
            return None
        return GameResult(fixture, outcome, told["rounds"], moves, thinking, told["seconds"])
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None


def _is_possible(outcome: Outcome, fixture: Fixture) -> bool:
    """Whether the numbers of a game agree: points add up to scores, and nobody has more than the winners."""
    if not len(outcome.scores) == len(outcome.points) == len(fixture.seats) or not outcome.winners:
        return False
    most = max(outcome.scores)
    return all(outcome.scores[seat] == most for seat in outcome.winners) and all(
        sum(points.values()) == score for points, score in zip(outcome.points, outcome.scores, strict=True)
    )


def _is_kept(record: Path) -> bool:
    try:
        return record.stat().st_size > 0
    except OSError:
        return False


def _lock(path: Path, owner: MatchFolder) -> Callable[[], Any]:
    """Two arenas in one folder would play the same games. Returns what ends the lock; it ends with its owner too."""
    if fcntl is None:
        return lambda: None
    folder = os.open(path, os.O_RDONLY)
    unlock = weakref.finalize(owner, os.close, folder)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        unlock()
        raise TilewrightError(
            f"another match is being played in {path}; wait for it to end, or choose a new folder"
        ) from None
    except OSError:
        logger.info("the file system of %s does not support locks", path)
    return unlock
