"""What is stored about a person, who is known by nothing but a key: to be read, and to be deleted."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection

from tilewright.server import days
from tilewright.server.api import ERRORS
from tilewright.server.conversations import lines_by
from tilewright.server.errors import Forbidden
from tilewright.server.passkeys import exported_passkeys, remove_passkeys
from tilewright.server.profiles import exported_profile, forget_profile
from tilewright.server.push.subscriptions import exported_subscriptions, forget_subscriptions
from tilewright.server.ratings import exported_ratings, forget_ratings
from tilewright.server.rooms import Rooms
from tilewright.server.seated_table import hash_key
from tilewright.server.solvers import exported, forget_solver
from tilewright.server.store import Store
from tilewright.server.stored import StoredTable
from tilewright.server.vacations import exported_vacations, forget_vacations
from tilewright.server.web import KEY_COOKIE, key_of

router = APIRouter(prefix="/api", tags=["person"], responses=ERRORS)
BEING_PLAYED = 3600.0
"""Seconds without a move after which a rated game no longer keeps its players from the analysis board."""


class OwnSeat(BaseModel):
    """A seat that you hold."""

    seat: int
    name: str = Field(description="As you typed it; empty if you did not")


class OwnGame(BaseModel):
    """A game in which you take part."""

    id: str
    game: str
    options: dict[str, Any]
    opened: float = Field(description="Seconds since 1970")
    ended: float | None
    seats: list[OwnSeat]
    events: list[str] = Field(description="The lines of the game record")
    written: list[str] = Field(description="What you have written to the others; it is deleted when the game ends")


class OwnData(BaseModel):
    """Everything that is stored about you."""

    profile: dict[str, Any] = Field(description="Your `name` and `avatar`, and when you `linked` another device")
    games: list[OwnGame]
    ratings: list[dict[str, Any]] = Field(description="By game and number of players, as OpenSkill's `mu` and `sigma`")
    vacations: list[dict[str, Any]] = Field(description="When each `began`, and `until` when")
    notifications: list[dict[str, Any]] = Field(description="The `endpoint` of each browser that is notified")
    passkeys: list[dict[str, Any]] = Field(description="The `id` of each, and when it was `made`")
    puzzles: dict[str, Any] = Field(description="`ratings` by game, and the `answers` that you have given")


class Forgotten(BaseModel):
    """What was deleted."""

    deleted: int = Field(description="Games in which no other person takes part")
    left: int = Field(description="Games of other people, from which your name and your key were removed")


@router.get("/person", summary="Everything that is stored about you")
async def export(request: Request) -> OwnData:
    """Whoever holds your key is you: the server knows no more than that."""
    held, rooms = held_by(request), rooms_of(request)
    ids = await rooms.read(lambda store: store.held_by(held)) if held else []
    games = [await rooms.read(partial(_exported, table_id, held)) for table_id in ids]
    puzzles = await rooms.read(lambda store: exported(store, held))
    profile = await rooms.read(lambda store: exported_profile(store, held))
    ratings = await rooms.read(lambda store: exported_ratings(store, held))
    vacations = await rooms.read(lambda store: exported_vacations(store, held))
    notifications = await rooms.read(lambda store: exported_subscriptions(store, held))
    passkeys = await rooms.read(lambda store: exported_passkeys(store, held))
    return OwnData(
        profile=profile,
        ratings=ratings,
        games=[game for game in games if game is not None],
        vacations=vacations,
        notifications=notifications,
        passkeys=passkeys,
        puzzles=puzzles,
    )


@router.delete("/person", summary="Delete what is stored about you")
async def forget(request: Request, response: Response) -> Forgotten:
    """Games with other people continue without your name, and they may let a bot take over your seat."""
    held, rooms = held_by(request), rooms_of(request)
    ids = await rooms.read(lambda store: store.held_by(held)) if held else []
    response.delete_cookie(KEY_COOKIE)
    deleted = [await rooms.forget_person(table_id, held) for table_id in ids]
    await rooms.write(lambda store: forget_solver(store, held))
    await rooms.write(lambda store: forget_profile(store, held))
    await rooms.write(lambda store: forget_ratings(store, held))
    await rooms.write(lambda store: forget_vacations(store, held))
    await rooms.write(lambda store: forget_subscriptions(store, held))
    await rooms.write(lambda store: remove_passkeys(store, held))
    return Forgotten(deleted=sum(deleted), left=len(deleted) - sum(deleted))


async def check_may_analyse(connection: HTTPConnection) -> None:
    """Raise ``Forbidden`` for those whose game is compared with those of others: the engine would help them.

    The daily table has no clock, and can be left and continued: it counts until it is over, or the day is.
    """
    rooms: Rooms = connection.app.state.rooms
    held, since = hash_key(key_of(connection) or ""), time.time() - BEING_PLAYED
    if await rooms.read(lambda store: store.plays_contest(held, since, days.today())):
        raise Forbidden("no_analysis")


def held_by(request: Request) -> str:
    """What the store has of the key of whoever asks; empty if they have none."""
    key = key_of(request)
    return hash_key(key) if key else ""


def rooms_of(request: Request) -> Rooms:
    """The tables of the server."""
    rooms: Rooms = request.app.state.rooms
    return rooms


def _exported(table_id: str, held: str, store: Store) -> OwnGame | None:
    found = store.game(table_id)
    if found is None:
        return None
    table = found.table
    return OwnGame(
        id=table.id,
        game=table.game,
        options=dict(table.options),
        opened=table.created,
        ended=table.ended,
        seats=_seats(table, held),
        events=[event.line for event in found.events],
        written=lines_by(store, table_id, held),
    )


def _seats(table: StoredTable, held: str) -> list[OwnSeat]:
    numbered = enumerate(table.seats, start=1)
    return [OwnSeat(seat=number, name=seat.name) for number, seat in numbered if seat.key_hash == held]
