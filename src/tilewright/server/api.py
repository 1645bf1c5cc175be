"""The JSON interface: create and join tables, read positions, play moves.

A program holds a seat by a key, which it sends as ``Authorization: Bearer <key>``; a browser's key is in its
cookie. ``POST /api/tables`` and ``POST /api/tables/{id}/join`` give a new key to who sends none.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi import Path as PathParameter
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from tilewright.bots.registry import BOTS
from tilewright.game.errors import BadOption
from tilewright.game.library import GAMES, make_game
from tilewright.server import messages
from tilewright.server.rooms import Room, Rooms
from tilewright.server.store import StoredSeat, StoredTable
from tilewright.server.table import NotAllowed, clean_name, hash_key, new_id
from tilewright.server.web import Buckets, give_key, key_of, language_of, new_key
from tilewright.view.language import say

router = APIRouter(prefix="/api", tags=["tables"])
_creations = Buckets(burst=60, rate=2)

TableId = Annotated[str, PathParameter(pattern="^[0-9a-f]{20}$", description="The unguessable name of a table")]


class Strict(BaseModel):
    """Unknown fields are mistakes."""

    model_config = ConfigDict(extra="forbid")


class SeatWish(Strict):
    """Who is to sit somewhere: me, a friend on my device, whoever has the link, anybody, or a bot."""

    kind: Literal["me", "friend", "invite", "open", "bot"]
    name: str = Field("", max_length=200)
    bot: str | None = Field(None, max_length=50)


class ClockWish(Strict):
    """Minutes for the whole game, and seconds added for each move."""

    minutes: float = Field(ge=0.1, le=600)
    increment: float = Field(0, ge=0, le=600)


class TableWish(Strict):
    """A table to open."""

    game: str = Field("azul", max_length=50)
    players: int = Field(2, ge=2, le=4)
    options: dict[str, str | bool] = Field(default_factory=dict, max_length=5)
    seats: list[SeatWish] = Field(min_length=2, max_length=4)
    clock: ClockWish | None = None


class TableMade(BaseModel):
    """A table that was opened: its address, the link to send to friends, and the key that holds your seats."""

    id: str
    url: str
    invite: str
    seats: list[int]
    key: str | None = None


class JoinWish(Strict):
    """A seat to take; the first free one if none is named."""

    name: str = Field("", max_length=200)
    seat: int | None = Field(None, ge=1, le=4)


class Joined(BaseModel):
    """The seat that was taken, and the key that holds it (for programs that sent none)."""

    seat: int
    key: str | None = None


class MoveWish(Strict):
    """A move, by number or text, meant for the table as it was after an event."""

    move: int | str
    after: int | None = Field(None, ge=0)


class Played(BaseModel):
    """The number of the last event."""

    event: int


async def room_of(request: Request, table_id: str) -> Room:
    """The live table of an address."""
    rooms: Rooms = request.app.state.rooms
    room = await rooms.get(table_id)
    if room is None:
        raise HTTPException(404, "there is no such table")
    return room


@router.get("/games")
async def games() -> list[dict[str, Any]]:
    """The games, their options and the bots."""
    found = []
    for name, kind in GAMES.items():
        options = {option: _choices(option) for option in kind(players=2).options}
        found.append({"name": name, "title": kind.title, "players": [2, 3, 4], "options": options, "bots": list(BOTS)})
    return found


def _choices(option: str) -> list[str | bool]:
    return [False, True] if option == "jokers" else ["coloured", "grey"]


def limit_creations(request: Request) -> None:
    """Refuse who opens tables without end."""
    if not _creations.take(request):
        raise HTTPException(429, "too many tables were opened from here; wait a moment")


@router.post("/tables", status_code=201)
async def open_table(wish: TableWish, request: Request, response: Response) -> TableMade:
    """Open a table and sit down."""
    limit_creations(request)
    for word in ("name", "players"):
        if word in wish.options:
            raise BadOption(f"{word!r} is not an option of a game")
    game = make_game(wish.game, players=wish.players, **wish.options)
    if len(wish.seats) != game.players:
        raise BadOption(f"{game.players} players need {game.players} seats, not {len(wish.seats)}")
    given = key_of(request)
    key = given or new_key()
    language = language_of(request)
    seats = [_seat(seat, n, key, language) for n, seat in enumerate(wish.seats)]
    _tell_apart(seats)
    stored = StoredTable(
        id=new_id(),
        game=game.name,
        players=game.players,
        options=dict(game.options),
        secret=_secret(),
        minutes=wish.clock.minutes if wish.clock else None,
        increment=wish.clock.increment if wish.clock else None,
        seats=seats,
    )
    room = await request.app.state.rooms.create(stored)
    if given is None:
        give_key(request, response, key)
    return TableMade(
        id=stored.id,
        url=f"/t/{stored.id}",
        invite=f"{request.url.scheme}://{request.headers.get('host', request.url.netloc)}/t/{stored.id}",
        seats=[seat + 1 for seat in room.table.seats_of(key)],
        key=None if given else key,
    )


def _secret() -> str:
    from tilewright.game.dealer import SecretDealer

    return SecretDealer().secret


def _tell_apart(seats: list[StoredSeat]) -> None:
    """Players of the same name get a number: "Random bot 2"."""
    names = [seat.name for seat in seats]
    for n, seat in enumerate(seats):
        before = names[:n].count(names[n])
        if before and seat.kind in ("human", "bot"):
            seat.name = f"{seat.name} {before + 1}"


def _seat(wish: SeatWish, number: int, key: str, language: str) -> StoredSeat:
    if wish.kind in ("me", "friend"):
        return StoredSeat(
            "human", clean_name(wish.name, say(language, "page.player", number=number + 1)), hash_key(key)
        )
    if wish.kind == "bot":
        bot = wish.bot or next(iter(BOTS))
        if bot not in BOTS:
            raise BadOption(f"no bot is called {bot!r}; the bots are {', '.join(BOTS)}")
        return StoredSeat("bot", clean_name(wish.name, say(language, f"bots.{bot}")), None, bot)
    return StoredSeat(wish.kind, say(language, "page.free_seat"))


@router.get("/tables")
async def list_open_tables(request: Request) -> list[dict[str, Any]]:
    """Tables that anybody may join."""
    rooms: Rooms = request.app.state.rooms
    ids = await rooms.in_store(lambda store: store.open_tables())
    return [summary for table_id in ids if (summary := await summarise(rooms, table_id))]


async def summarise(rooms: Rooms, table_id: str) -> dict[str, Any] | None:
    """A table in a list."""
    stored = await rooms.in_store(lambda store: store.table(table_id))
    if stored is None:
        return None
    return {
        "id": stored.id,
        "game": stored.game,
        "title": GAMES[stored.game].title,
        "options": stored.options,
        "players": [seat.name for seat in stored.seats],
        "status": "over" if stored.over else "playing",
        "url": f"/t/{stored.id}",
    }


@router.get("/tables/{table_id}")
async def read_table(table_id: TableId, request: Request, after: int | None = None, wait: float = 0) -> dict[str, Any]:
    """A table for programs: position, turn, legal moves, and the events after a number.

    With ``wait`` the answer comes when something happens after event ``after``, or after so many seconds.
    """
    room = await room_of(request, table_id)
    waited = 0.0
    while after is not None and room.table.event <= after and waited < min(wait, 25):
        await asyncio.sleep(0.1)
        waited += 0.1
    table = room.table
    seats = table.seats_of(key_of(request))
    turn = table.position.turn
    return {
        "id": table.id,
        "game": table.game.name,
        "players": table.game.players,
        "options": table.game.options,
        "seats": room.seats(seats),
        "event": table.event,
        "events": table.lines[after or 0 :],
        "position": table.position.to_text(),
        "phase": table.position.phase,
        "turn": turn + 1 if turn is not None else None,
        "legal": [{"number": int(move), "text": str(move)} for move in table.position.legal_moves],
        "scores": list(table.position.scores),
        "over": messages.outcome_of(table, language_of(request)),
        "seed_hash": table.commitment,
    }


@router.post("/tables/{table_id}/join")
async def join_table(table_id: TableId, wish: JoinWish, request: Request, response: Response) -> Joined:
    """Take a free seat."""
    room = await room_of(request, table_id)
    given = key_of(request)
    key = given or new_key()
    seat = await room.sit(key, wish.name, wish.seat - 1 if wish.seat else None)
    if given is None:
        give_key(request, response, key)
    return Joined(seat=seat + 1, key=None if given else key)


@router.post("/tables/{table_id}/moves")
async def play_move(table_id: TableId, wish: MoveWish, request: Request) -> Played:
    """Play a move for the seat to move, which your key must hold."""
    room = await room_of(request, table_id)
    return Played(event=await room.play(room.table.seats_of(key_of(request)), wish.move, wish.after))


@router.get("/tables/{table_id}/record", response_class=PlainTextResponse)
async def read_record(table_id: TableId, request: Request) -> PlainTextResponse:
    """The game as a plain text record."""
    room = await room_of(request, table_id)
    text = room.table.record().to_text()
    name = f"{room.table.game.name}-{table_id[:6]}.txt"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/tables/{table_id}/view")
async def view_table(table_id: TableId, request: Request) -> dict[str, Any]:
    """Everything a viewer needs to draw the table and to move on it."""
    room = await room_of(request, table_id)
    seats = room.table.seats_of(key_of(request))
    language = language_of(request)
    return {
        **messages.table_frame(room.table, language),
        "seats": room.seats(seats),
        "state": room.state(language, seats),
    }


@router.get("/tables/{table_id}/events")
async def replay_events(table_id: TableId, request: Request) -> dict[str, Any]:
    """The whole game as scenes, for the replay."""
    room = await room_of(request, table_id)
    return await asyncio.to_thread(messages.replay_of, room.table, language_of(request))


@router.post("/tables/{table_id}/rematch", status_code=201)
async def rematch(table_id: TableId, request: Request) -> TableMade:
    """The same players again, one seat further on, so that another one begins."""
    room = await room_of(request, table_id)
    stored = room.table.stored
    key = key_of(request)
    if not room.table.seats_of(key):
        raise NotAllowed("only players can ask for a rematch")
    if not room.table.position.is_over:
        raise NotAllowed("the game goes on")
    async with room.lock:
        if stored.rematch is None:
            await _open_rematch(request.app.state.rooms, room)
    assert stored.rematch is not None
    new_room = await room_of(request, stored.rematch)
    return TableMade(
        id=stored.rematch,
        url=f"/t/{stored.rematch}",
        invite=f"/t/{stored.rematch}",
        seats=[seat + 1 for seat in new_room.table.seats_of(key)],
    )


async def _open_rematch(rooms: Rooms, room: Room) -> None:
    """The table where the players of a finished one meet again; opened once, whoever asks."""
    stored = room.table.stored
    again = StoredTable(
        id=new_id(),
        game=stored.game,
        players=stored.players,
        options=stored.options,
        secret=_secret(),
        minutes=stored.minutes,
        increment=stored.increment,
        seats=[*stored.seats[1:], stored.seats[0]],
    )
    await rooms.create(again)
    await rooms.in_store(lambda store: store.set_rematch(stored.id, again.id))
    stored.rematch = again.id
    room.broadcast(lambda language, seats: {"type": "rematch", "url": f"/t/{again.id}"})


@router.get("/paths/{rules}")
async def paths(
    rules: Annotated[str, PathParameter(pattern="^[a-z0-9-]{1,60}$")], response: Response
) -> list[dict[str, Any]]:
    """For every move of a rule set: its text, and the things to click for it."""
    game = messages.game_of(rules)
    if game is None:
        raise HTTPException(404, "there is no such rule set")
    response.headers["Cache-Control"] = "public, max-age=3600"
    return messages.paths_of(game)
