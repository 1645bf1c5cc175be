"""A match on disk: what is played, a line of JSON for each game, and the games' records. Any of it may be cut short.

A game counts once its line is there. The line is written after the record, so a kill in between costs that game
only, and half a line at the end is simply played again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import tilewright
from tilewright.arena.play import GameResult
from tilewright.arena.schedule import Match
from tilewright.game.errors import BadOption
from tilewright.game.outcome import Outcome

SETTINGS = "match.json"
RESULTS = "results.jsonl"


class MatchFolder:
    """The folder of a match: made when it is new, checked and read when the match goes on."""

    def __init__(self, path: Path, match: Match) -> None:
        self.path = path
        self._match = match
        self._results = path / RESULTS
        saved = read_settings(path)
        if saved is None:
            self._begin()
        else:
            self._check(saved)
        self._end_last_line()

    def _begin(self) -> None:
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise BadOption(f"{self.path} is there already and holds no match; choose a new folder")
        self.path.mkdir(parents=True, exist_ok=True)
        unfinished = self.path / f".{SETTINGS}"
        unfinished.write_text(json.dumps(settings_object(self._match), indent=2) + "\n", encoding="utf-8")
        os.replace(unfinished, self.path / SETTINGS)

    def _check(self, saved: dict[str, Any]) -> None:
        for name, now in settings_object(self._match).items():
            if saved.get(name) != now:
                raise BadOption(
                    f"the match in {self.path} has {name} {json.dumps(saved.get(name))}, not {json.dumps(now)}; "
                    "go on with the same settings, or choose a new folder"
                )

    def _end_last_line(self) -> None:
        """Half a line that a kill left behind is closed, so that the next one begins on its own."""
        with self._results.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    file.write(b"\n")

    def results(self) -> dict[int, GameResult]:
        """The games played so far, by number."""
        played: dict[int, GameResult] = {}
        for line in self._results.read_text(encoding="utf-8", errors="replace").splitlines():
            result = _read_result(line, self._match)
            if result is not None:
                played[result.fixture.number] = result
        return played

    def add(self, result: GameResult) -> None:
        """Note a game; from now on it survives whatever happens to this program."""
        line = json.dumps(result_object(result, self._match)) + "\n"
        with self._results.open("ab") as file:
            file.write(line.encode())


def read_settings(path: Path) -> dict[str, Any] | None:
    """What the match in a folder plays; None if there is none."""
    try:
        saved = json.loads((path / SETTINGS).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError as error:
        raise BadOption(f"{path / SETTINGS} is damaged: {error}") from None
    if not isinstance(saved, dict):
        raise BadOption(f"{path / SETTINGS} is damaged: it holds no settings")
    return saved


def settings_object(match: Match) -> dict[str, Any]:
    """What must be the same for games to belong to one match. Their number may grow."""
    return {
        "tilewright": tilewright.__version__,
        "game": match.game.name,
        "players": match.game.players,
        "options": match.game.options,
        "bots": list(match.bots),
        "seed": match.seed,
    }


def result_object(result: GameResult, match: Match) -> dict[str, Any]:
    """A game in one line. Players count from 1, as in records; lists have an entry for each player."""
    return {
        "game": result.fixture.number,
        "set": result.fixture.set_number,
        "bots": [match.bots[bot] for bot in result.fixture.seats],
        "deal_seed": result.fixture.deal_seed,
        "winners": [seat + 1 for seat in result.outcome.winners],
        "scores": list(result.outcome.scores),
        "points": list(result.outcome.points),
        "rounds": result.rounds,
        "moves": list(result.moves),
        "thinking": [round(seconds, 6) for seconds in result.thinking],
        "seconds": round(result.seconds, 6),
    }


def _read_result(line: str, match: Match) -> GameResult | None:
    """The game that a line tells; None for half a line and for one of another schedule."""
    try:
        told = json.loads(line)
        fixture = match.fixture(told["game"])
        outcome = Outcome(tuple(player - 1 for player in told["winners"]), tuple(told["scores"]), tuple(told["points"]))
        if told["bots"] != [match.bots[bot] for bot in fixture.seats] or told["deal_seed"] != fixture.deal_seed:
            return None
        thinking = tuple(told["thinking"])
        return GameResult(fixture, outcome, told["rounds"], tuple(told["moves"]), thinking, told["seconds"])
    except (ValueError, KeyError, TypeError):
        return None
