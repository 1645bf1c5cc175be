"""What a person has achieved in the games that are stored: results by game and opponent, and the grades of reviews."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from tilewright.bots.registry import OFFERED
from tilewright.insight.grades import Grade
from tilewright.server.rooms import Rooms
from tilewright.server.store import Library
from tilewright.server.stored import StoredTable

LATEST = 200
"""How many games are counted, the newest ones: a profile is about how somebody plays today."""
_AT_ONCE = 10
"""How many are counted in one read: each review takes a millisecond or two."""
PEOPLE = "people"
"""The opponents of a game with other people, whichever bots sit there as well."""


@dataclass
class Results:
    """The finished games of a person against opponents of one kind."""

    game: str
    players: int
    opponents: str
    """``people``, or the strongest bot at the table."""
    games: int = 0
    won: int = 0
    """Shared wins count."""
    points: int = 0
    best: int = 0

    @property
    def mean(self) -> float:
        """Points in a game, on average."""
        return self.points / self.games

    def add(self, score: int, is_won: bool) -> None:
        """Count a game."""
        self.games += 1
        self.won += is_won
        self.points += score
        self.best = max(self.best, score)


@dataclass
class Mistakes:
    """The grades of a person's moves in the reviewed games of one kind."""

    game: str
    reviewed: int = 0
    grades: Counter[Grade] = field(default_factory=Counter)

    @property
    def moves(self) -> int:
        """All graded moves."""
        return self.grades.total()


@dataclass(frozen=True)
class Achievements:
    """Everything on the profile that is counted from games."""

    results: list[Results]
    mistakes: list[Mistakes]


class Count:
    """Counts games of a person; not those with a coach, and those where they played several seats."""

    def __init__(self, key_hash: str) -> None:
        self._key_hash = key_hash
        self._results: dict[tuple[str, int, str], Results] = {}
        self._mistakes: dict[str, Mistakes] = {}

    def add(self, library: Library, tables: Iterable[StoredTable]) -> None:
        """Count some finished games, and the grades in their reviews."""
        for table in tables:
            own = [seat for seat, stored in enumerate(table.seats) if stored.key_hash == self._key_hash]
            if table.guided or len(own) != 1 or table.result is None:
                continue
            opponents = _opponents(table, own[0])
            key = (table.game, table.players, opponents)
            found = self._results.setdefault(key, Results(*key))
            found.add(table.result.scores[own[0]], own[0] + 1 in table.result.winners)
            mistakes = self._mistakes.setdefault(table.game, Mistakes(table.game))
            _add_grades(mistakes, library.review(table.id), own[0])

    def achievements(self) -> Achievements:
        """What was counted."""
        return Achievements(
            sorted(self._results.values(), key=lambda one: (one.game, one.players, _rank(one.opponents))),
            [one for one in self._mistakes.values() if one.reviewed],
        )


async def achievements_of(rooms: Rooms, key_hash: str) -> Achievements:
    """Count the latest games of a person, a few at a time so that others may read in between: reviews are long."""
    count = Count(key_hash)
    tables = await rooms.read(lambda store: store.tables_of(key_hash, over=True, limit=LATEST))
    for first in range(0, len(tables), _AT_ONCE):
        await rooms.read(partial(count.add, tables=tables[first : first + _AT_ONCE]))
    return count.achievements()


def _opponents(table: StoredTable, own: int) -> str:
    others = [seat for n, seat in enumerate(table.seats) if n != own]
    if any(seat.kind == "human" for seat in others):
        return PEOPLE
    return max((str(seat.bot) for seat in others), key=_rank, default=PEOPLE)


def _rank(opponents: str) -> int:
    """Bots from the weakest to the strongest, then people."""
    return _strongest_last().index(opponents) if opponents in _strongest_last() else len(OFFERED)


def _strongest_last() -> list[str]:
    return sorted(OFFERED, key=lambda bot: (bot.startswith("level"), bot))


def _add_grades(mistakes: Mistakes, review: str | None, seat: int) -> None:
    """Count the grades of a seat, if its game has been reviewed to the end."""
    seats: Iterable[dict[str, dict[str, int]]] | None = json.loads(review).get("seats") if review else None
    if not seats:
        return
    mistakes.reviewed += 1
    for grade, number in list(seats)[seat]["grades"].items():
        mistakes.grades[Grade(grade)] += number
