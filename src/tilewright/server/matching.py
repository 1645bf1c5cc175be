"""Who plays against whom in a quick match: those whose ratings are close, and after a while those who are there.

Everybody who looks for an opponent has a table with an open seat and says every few seconds that they are still there.
They only ever join tables that are older than their own, so two who look at the same moment do not pass each other.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import NamedTuple

from tilewright.bots.levels import LEVEL_NAMES
from tilewright.bots.registry import USUAL_OPPONENT
from tilewright.game.game import Game
from tilewright.server.rating import bot_rating
from tilewright.server.ratings import rating_of
from tilewright.server.store import Store

PLAYERS = 2
WINDOW, WIDENING = 150.0, 10.0
"""How far apart two ratings may be at first, and by how much more for every second that one of the two has waited."""
LOST = 8.0
"""Seconds after which somebody who has not asked again no longer waits."""
LONGEST = 3600.0
_CONSIDERED = 50


class Seeker(NamedTuple):
    """Somebody who waits at a table."""

    table: str
    rating: int
    since: float

    def waited(self, now: float) -> float:
        """For how many seconds."""
        return max(0.0, now - self.since)


def is_match(one: Seeker, other: Seeker, now: float) -> bool:
    """Whether two seekers may play against each other, whoever asks."""
    widest = WINDOW + WIDENING * max(one.waited(now), other.waited(now))
    return one.table != other.table and abs(one.rating - other.rating) <= widest


def choose(me: Seeker, others: Sequence[Seeker], now: float) -> list[Seeker]:
    """The seekers whom one may join, the best first: the closest rating, then the longest wait."""
    older = [other for other in others if (other.since, other.table) < (me.since, me.table)]
    found = [other for other in older if is_match(me, other, now)]
    return sorted(found, key=lambda other: (abs(other.rating - me.rating), other.since, other.table))


def seekers(store: Store, game: Game, rated: bool, held: str, now: float) -> list[Seeker]:
    """Everybody else who looks for an opponent in a game by its usual rules."""
    rows = store.database.read(
        "select tables.id, created, key_hash from tables join seekers on seekers.table_id = tables.id"
        " join seats on seats.table_id = tables.id and kind = 'human'"
        " where public = 1 and result is null and created > ? and seekers.at > ? and game = ? and players = ?"
        " and rated = ? and options = ? and key_hash <> ?"
        " and exists (select 1 from seats where table_id = tables.id and kind = 'open') order by created limit ?",
        (now - LONGEST, now - LOST, game.name, PLAYERS, int(rated), json.dumps(dict(game.options)), held, _CONSIDERED),
    )
    return [
        Seeker(table, rating_of(store, key_hash, game.name, PLAYERS).shown, created)
        for table, created, key_hash in rows
    ]


def note_seeker(store: Store, table_id: str) -> None:
    """Somebody still waits at a table."""
    with store.transaction() as database:
        database.execute(
            "insert into seekers (table_id, at) values (?, ?) on conflict (table_id) do update set at = excluded.at",
            (table_id, time.time()),
        )


def forget_seeker(store: Store, table_id: str) -> None:
    """Nobody looks for an opponent at a table any more."""
    with store.transaction() as database:
        database.execute("delete from seekers where table_id = ?", (table_id,))


def bot_for(game: str, rating: int) -> str:
    """The bot whose strength is closest to a rating; the usual opponent where none was measured."""
    measured = {bot: known.shown for bot in LEVEL_NAMES if (known := bot_rating(game, PLAYERS, bot)) is not None}
    return min(measured, key=lambda bot: abs(measured[bot] - rating), default=USUAL_OPPONENT)
