"""The daily table: the same deals for everybody on this server, one attempt each, against the same bot.

Underneath it is an ordinary table whose secret is that of the day. The secret is made when the day's first attempt
begins, so before that nobody could know it, and it is published when the day is over. The id of the table follows from
the secret and the player's key: it is the fence that a second attempt does not pass.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from tilewright.game.dealer import SecretDealer
from tilewright.game.game import Game
from tilewright.game.registry import GAMES, make_game
from tilewright.server import days
from tilewright.server.damage import Damage, read_result
from tilewright.server.database import Conflict
from tilewright.server.errors import Forbidden
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.seated_table import hash_key
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table

BOT = "level3"
"""Whom everybody plays against."""
_ID_LENGTH = 20


@dataclass(frozen=True)
class DailyResult:
    """How somebody did."""

    table_id: str
    name: str
    """As it was typed; empty if the person typed none."""
    score: int
    opposing: int
    """The score of the bot."""
    is_won: bool
    ended: float

    @property
    def margin(self) -> int:
        """By how many points the person was ahead; results are ranked by it."""
        return self.score - self.opposing


def daily_game() -> Game:
    """What is played: the first of the games, by its usual rules."""
    return make_game(next(iter(GAMES)))


def secret_of(store: Store, day: str) -> str | None:
    """The secret of a day's deals; None if nobody has played yet."""
    rows = store.database.read("select secret from days where day = ?", (day,))
    return str(rows[0][0]) if rows else None


def make_secret(store: Store, day: str) -> None:
    """Make the secret of a day, unless another process was faster."""
    with store.transaction() as database:
        statement = "insert into days (day, secret) values (?, ?) on conflict (day) do nothing"
        database.execute(statement, (day, SecretDealer().secret))


def results_of(store: Store, day: str) -> list[DailyResult]:
    """Everybody who finished the game of a day before the day was over, the best first."""
    rows = store.database.read(
        "select tables.id, players, seats.name, seats.seat, result, ended"
        " from tables join seats on table_id = tables.id"
        " where daily = ? and result is not null and ended < ? and seats.kind = 'human'",
        (day, days.end_of(day)),
    )
    found = []
    for table_id, players, name, seat, result, ended in rows:
        try:
            scores, winners = read_result(table_id, result, players)
        except Damage:
            continue  # whoever played there hears of it at the table
        others = [score for other, score in enumerate(scores) if other != seat]
        found.append(DailyResult(table_id, name, scores[seat], max(others), winners == [seat + 1], ended))
    return sorted(found, key=lambda one: (not one.is_won, -one.margin, -one.score, one.ended))


class DailyTables:
    """The daily tables of a server."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    async def attempt(self, key: str | None, day: str) -> StoredTable | None:
        """The table at which somebody plays, or has played, on a day; None if they have not begun."""
        secret = await self._rooms.read(lambda store: secret_of(store, day))
        if secret is None or key is None:
            return None
        name = _table_id(secret, key)
        return await self._rooms.read(lambda store: store.table(name))

    async def results(self, day: str) -> list[DailyResult]:
        """Everybody's results on a day, the best first."""
        return await self._rooms.read(lambda store: results_of(store, day))

    async def open(self, key: str, name: str) -> Room:
        """The table of today for somebody; if they have begun already, the one where they have."""
        day = days.today()
        if await self._rooms.read(lambda store: secret_of(store, day)) is None:
            await self._rooms.write(lambda store: make_secret(store, day))
        secret = await self._rooms.read(lambda store: secret_of(store, day))
        assert secret is not None
        table_id = _table_id(secret, key)
        room = await self._rooms.get(table_id)
        if room is not None:
            return room
        try:
            return await self._rooms.create(_table(table_id, day, secret, StoredSeat("human", name, hash_key(key))))
        except Conflict:  # it was opened in another tab at the same moment
            room = await self._rooms.get(table_id)
            assert room is not None
            return room

    async def check_viewer(self, table: Table, key: str | None) -> None:
        """Raise ``Forbidden`` for those who would learn the deals of today before they have played them."""
        if table.stored.daily != days.today() or table.owned_by(key):
            return
        own = await self.attempt(key, table.stored.daily)
        if own is None or not is_done(own, key):
            raise Forbidden("daily_first")


def is_done(own: StoredTable, key: str | None) -> bool:
    """Whether somebody's attempt is over: the game is, or they have left it for good."""
    held = hash_key(key or "")
    return own.result is not None or all(seat.key_hash != held for seat in own.seats)


def _table(table_id: str, day: str, secret: str, person: StoredSeat) -> StoredTable:
    game = daily_game()
    seats = [person, *(StoredSeat("bot", bot=BOT) for _ in range(game.players - 1))]
    first = int(hashlib.sha256(f"{secret}:first".encode()).hexdigest(), 16) % len(seats)
    return StoredTable(
        id=table_id,
        game=game.name,
        players=game.players,
        options=dict(game.options),
        secret=secret,
        daily=day,
        seats=(*seats[first:], *seats[:first]),
    )


def _table_id(secret: str, key: str) -> str:
    """Nobody can work it out without the secret of the day and the key of the person."""
    return hashlib.sha256(f"{secret}:{hash_key(key)}".encode()).hexdigest()[:_ID_LENGTH]
