"""What is stored of a table, as values, and the rows of the database that hold them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any, NamedTuple

from tilewright.server.damage import Damage, Kinds, read_options, read_result, unreadable_column
from tilewright.server.database import Row

FREE = ("invite", "open")
"""The kinds of seats that nobody has taken yet."""


@dataclass(frozen=True, slots=True)
class StoredSeat:
    """Who sits in a seat; ``key_hash`` belongs to the browser or program that holds it, or for which it is kept free.

    The name is as it was typed, and empty for bots, free seats and people who typed none.
    """

    kind: str
    name: str = ""
    key_hash: str | None = None
    bot: str | None = None
    substitute: str | None = None
    """The bot that plays for the person who holds the seat."""
    timed_out: bool = False
    """The person's clock has run out: the substitute plays to the end."""


class StoredEvent(NamedTuple):
    """A line of a game, when it was stored, and the seconds it took off the clock of the player to move."""

    number: int
    """From 1, without a gap."""
    line: str
    at: float
    spent: float


@dataclass(frozen=True, slots=True)
class NewEvents:
    """The events of one move, numbered from ``first``, at a table whose seats are as they were known."""

    table_id: str
    first: int
    lines: Sequence[str]
    seating: int
    at: float
    spent: float
    """The seconds that the first of them took off a clock."""

    @property
    def rows(self) -> list[Row]:
        """Their values, and the table and the seating that they follow."""
        return [
            (self.table_id, self.first + n, line, self.at, 0.0 if n else self.spent, self.table_id, self.seating)
            for n, line in enumerate(self.lines)
        ]


class WaitingTable(NamedTuple):
    """A table with an open seat, and the hash of the key of whoever sits there first."""

    id: str
    opener: str | None


class Result(NamedTuple):
    """How a game ended, by seat; winners count from 1."""

    scores: list[int]
    winners: list[int]


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it is stored."""

    id: str
    game: str
    players: int
    options: Mapping[str, Any]
    secret: str
    minutes: float | None = None
    increment: float | None = None
    created: float = field(default_factory=time.time)
    guided: bool = False
    """A first game, in which a coach helps."""
    seating: int = 0
    """How often the seats have changed."""
    result: Result | None = None
    """How the game ended, stored so that lists of games need not replay them; None while it is being played."""
    ended: float | None = None
    rematch: str | None = None
    daily: str | None = None
    """The day whose deals are played, as in 2026-01-31; None for ordinary tables."""
    rated: bool = False
    """Whether the result counts for the ratings of the players."""
    public: bool = False
    """Whether anybody may find the game in the lobby: it was opened with a seat for anybody."""
    days: int | None = None
    """Days for each move of a correspondence game; None for other games."""
    seats: Sequence[StoredSeat] = ()

    @property
    def is_contest(self) -> bool:
        """Whether the result is compared with those of others, so that nobody gets help or takes a move back."""
        return self.rated or self.daily is not None

    def with_seats(self, changed: Mapping[int, StoredSeat]) -> StoredTable:
        """The same table with other people or bots in some seats."""
        seats = tuple(changed.get(n, seat) for n, seat in enumerate(self.seats))
        return replace(self, seats=seats, seating=self.seating + 1)


class StoredRows(NamedTuple):
    """A table, its seats and its events as rows, even if they are damaged."""

    table: Row
    seats: list[Row]
    events: list[Row]


class StoredGame(NamedTuple):
    """A table and its events at one moment, and since when there has been a server without interruption."""

    table: StoredTable
    events: list[StoredEvent]
    up_since: float
    away: tuple[float, ...] = ()
    """At a correspondence game: for each seat until when its holder is on vacation, or 0."""
    due: float | None = None
    """At a correspondence game: when the time of the player to move is over."""

    @property
    def missing(self) -> int | None:
        """The first event that is not there; None if all are."""
        return next((n for n, event in enumerate(self.events, start=1) if event.number != n), None)


class Version(NamedTuple):
    """What changes whenever a table does."""

    seating: int
    event: int
    rematch: str | None


class KeptSince(NamedTuple):
    """When the oldest games that are kept ended or, if they are not over, when their last move was played."""

    finished: float
    abandoned: float


TABLE_COLUMNS = (
    "id, game, players, options, secret, minutes, increment, created, guided, seating, result, ended, rematch, daily,"
    " rated, public, days"
)
TABLE_PLACEHOLDERS = ", ".join("?" for _ in TABLE_COLUMNS.split(","))
SEAT_COLUMNS = "kind, name, key_hash, bot, substitute, timed_out"
_TEXT, _OPTIONAL_TEXT = str, (str, NoneType)
_NUMBER, _OPTIONAL_NUMBER = (int, float), (int, float, NoneType)
_TABLE_KINDS: Kinds = {
    "id": _TEXT,
    "game": _TEXT,
    "players": int,
    "options": _TEXT,
    "secret": _TEXT,
    "minutes": _OPTIONAL_NUMBER,
    "increment": _OPTIONAL_NUMBER,
    "created": _NUMBER,
    "guided": int,
    "seating": int,
    "result": _OPTIONAL_TEXT,
    "ended": _OPTIONAL_NUMBER,
    "rematch": _OPTIONAL_TEXT,
    "daily": _OPTIONAL_TEXT,
    "rated": int,
    "public": int,
    "days": (int, NoneType),
}
_SEAT_KINDS: Kinds = {
    "kind": _TEXT,
    "name": _TEXT,
    "key_hash": _OPTIONAL_TEXT,
    "bot": _OPTIONAL_TEXT,
    "substitute": _OPTIONAL_TEXT,
    "timed_out": int,
}
_EVENT_KINDS: Kinds = {"number": int, "line": _TEXT, "at": _NUMBER, "spent": _NUMBER}


def read_table(row: Row, seats: Iterable[Row]) -> StoredTable:
    """A table from its row and those of its seats; raises Damage if they cannot be read."""
    if (column := unreadable_column(row, _TABLE_KINDS)) is not None:
        raise Damage(row[0], f"its column {column} cannot be read")
    table_id, game, players, options, secret, minutes, increment, created, guided, seating, result, *rest = row
    ended, rematch, daily, rated, public, days = rest
    return StoredTable(
        table_id,
        game,
        players,
        read_options(table_id, options),
        secret,
        minutes,
        increment,
        created,
        bool(guided),
        seating,
        Result(*read_result(table_id, result, players)) if result is not None else None,
        ended,
        rematch,
        daily,
        bool(rated),
        bool(public),
        days,
        tuple(read_seat(seat, table_id, number) for number, seat in enumerate(seats, start=1)),
    )


def table_values(table: StoredTable) -> Row:
    """The row of a table, by ``TABLE_COLUMNS``."""
    return (
        table.id,
        table.game,
        table.players,
        json.dumps(dict(table.options)),
        table.secret,
        table.minutes,
        table.increment,
        table.created,
        int(table.guided),
        table.seating,
        json.dumps(table.result) if table.result else None,
        table.ended,
        table.rematch,
        table.daily,
        int(table.rated),
        int(table.public),
        table.days,
    )


def read_seat(row: Row, table_id: str = "", number: int = 0) -> StoredSeat:
    """A seat from its row, by ``SEAT_COLUMNS``; raises Damage if it cannot be read."""
    if (column := unreadable_column(row, _SEAT_KINDS)) is not None:
        raise Damage(table_id, f"the {column} of its seat {number} cannot be read")
    kind, name, key_hash, bot, substitute, timed_out = row
    return StoredSeat(kind, name, key_hash, bot, substitute, bool(timed_out))


def seat_values(seat: StoredSeat) -> Row:
    """The row of a seat, by ``SEAT_COLUMNS``."""
    return (seat.kind, seat.name, seat.key_hash, seat.bot, seat.substitute, int(seat.timed_out))


def read_events(table_id: str, rows: Iterable[Row]) -> list[StoredEvent]:
    """Events from their rows; raises Damage if one cannot be read."""
    events = [StoredEvent(*row) for row in rows]
    for event in events:
        if unreadable_column(event, _EVENT_KINDS) is not None:
            raise Damage(table_id, f"its event {event.number} cannot be read")
    return events
