"""Ratings as they are stored, by person, game and number of players, and the games that count for them.

A game counts in the transaction that ends it, and leaves a row in ``rated_games``: whichever process comes second finds
the row and changes nothing. Of two games that end at once, the second waits for the ratings that the first has locked.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from tilewright.arena.ratings import Skill
from tilewright.server.profiles import name_newcomer, profile_of
from tilewright.server.rating import PROVISIONAL, Rating, after_game, bot_rating, ranks_of
from tilewright.server.store import Store
from tilewright.server.stored import Result, StoredSeat, StoredTable

_COLUMNS = "mu, sigma, games"


def rating_of(store: Store, key_hash: str, game: str, players: int) -> Rating:
    """The rating of a person; a newcomer's if nothing is stored."""
    query = f"select {_COLUMNS} from ratings where key_hash = ? and game = ? and players = ?"
    rows = store.database.read(query, (key_hash, game, players))
    return _read(*rows[0]) if rows else Rating()


@dataclass(frozen=True)
class OwnRating:
    """A person's rating in a game with a number of players."""

    game: str
    players: int
    rating: Rating


def ratings_of(store: Store, key_hash: str) -> list[OwnRating]:
    """All ratings of a person."""
    query = f"select game, players, {_COLUMNS} from ratings where key_hash = ? order by game, players"
    rows = store.database.read(query, (key_hash,))
    return [OwnRating(game, players, _read(*rest)) for game, players, *rest in rows]


def exported_ratings(store: Store, key_hash: str) -> list[dict[str, Any]]:
    """What is stored of a person's ratings."""
    return [
        {"game": own.game, "players": own.players, "mu": own.rating.skill.mu, "sigma": own.rating.skill.sigma,
         "games": own.rating.games}
        for own in ratings_of(store, key_hash)
    ]  # fmt: skip


def forget_ratings(store: Store, key_hash: str) -> None:
    """Delete the ratings of a person."""
    with store.transaction() as database:
        database.execute("delete from ratings where key_hash = ?", (key_hash,))


@dataclass(frozen=True)
class Standing:
    """A line of the leaderboard."""

    key_hash: str
    name: str
    """Empty if the person has typed none."""
    avatar: str
    rating: Rating


def leaders(store: Store, game: str, players: int, limit: int) -> list[Standing]:
    """The strongest players; those whose rating is provisional come after the others."""
    rows = store.database.read(
        f"select key_hash, {_COLUMNS} from ratings where game = ? and players = ? and games > 0"
        " order by case when sigma > ? then 1 else 0 end, mu desc, key_hash limit ?",
        (game, players, PROVISIONAL, limit),
    )
    return [_standing(store, key_hash, _read(*rest)) for key_hash, *rest in rows]


def _standing(store: Store, key_hash: str, rating: Rating) -> Standing:
    profile = profile_of(store, key_hash)
    return Standing(key_hash, profile.name, profile.avatar, rating)


# Games --------------------------------------------------------------------------------------------------


def is_forfeited(table: StoredTable) -> bool:
    """Whether a rated game is decided before its end, because one of two players has left it or run out of time."""
    return table.rated and table.players == 2 and any(seat.timed_out for seat in table.seats)


def count_game(store: Store, table: StoredTable, result: Result | None) -> bool:
    """Change the ratings of the players of a rated game, once; whether it was done now."""
    now = time.time()
    with store.transaction() as database:
        mark = "insert into rated_games (table_id, at) values (?, ?) on conflict (table_id) do nothing"
        if not database.execute(mark, (table.id, now)):
            return False
        learners = [seat.kind == "human" for seat in table.seats]
        known = _lock(store, table)
        before = [_before(table, seat, known) for seat in table.seats]
        after = after_game(before, ranks_of(table.seats, result), learners)
        changed = [
            (rating.skill.mu, rating.skill.sigma, rating.games, now, seat.key_hash, table.game, table.players)
            for seat, rating in zip(table.seats, after, strict=True)
            if seat.kind == "human" and seat.key_hash is not None
        ]
        database.execute_many(
            "update ratings set mu = ?, sigma = ?, games = ?, at = ? where key_hash = ? and game = ? and players = ?",
            changed,
        )
        people = {seat.key_hash: seat.name for seat in table.seats if seat.kind == "human" and seat.key_hash}
        for key_hash in sorted(people):
            name_newcomer(store, key_hash, people[key_hash])
    return True


def _lock(store: Store, table: StoredTable) -> dict[str, Rating]:
    """The ratings of the people at a table, which nobody else may change now. In one order, so that none deadlock."""
    database, start, found = store.database, Rating(), {}
    insert = (
        "insert into ratings (key_hash, game, players, mu, sigma, games, at) values (?, ?, ?, ?, ?, ?, ?)"
        " on conflict (key_hash, game, players) do nothing"
    )
    query = f"select {_COLUMNS} from ratings where key_hash = ? and game = ? and players = ?{database.for_update}"
    for key_hash in sorted({seat.key_hash for seat in table.seats if seat.kind == "human" and seat.key_hash}):
        player = (key_hash, table.game, table.players)
        database.execute(insert, (*player, start.skill.mu, start.skill.sigma, 0, time.time()))
        found[key_hash] = _read(*database.query(query, player)[0])
    return found


def _before(table: StoredTable, seat: StoredSeat, known: dict[str, Rating]) -> Rating:
    """The rating of a seat before the game; somebody who was forgotten counts as a newcomer."""
    if seat.kind == "bot":
        return bot_rating(table.game, table.players, str(seat.bot)) or Rating()
    return known.get(seat.key_hash or "", Rating())


def _read(mu: float, sigma: float, games: int) -> Rating:
    return Rating(Skill(mu, sigma), games)
