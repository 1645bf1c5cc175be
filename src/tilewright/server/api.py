"""The JSON interface: create and join tables, read positions, play moves.

A program holds a seat by a key, which it sends as ``Authorization: Bearer <key>``; a browser's key is in its
cookie. ``POST /api/tables`` and ``POST /api/tables/{id}/join`` give a new key to who sends none.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.responses import PlainTextResponse

from tilewright.bots.registry import OFFERED, USUAL_OPPONENT
from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import BadOption
from tilewright.game.registry import GAMES, make_game
from tilewright.server import messages
from tilewright.server.answers import (
    Complaint,
    GameOffered,
    Joined,
    Played,
    Returned,
    TableListed,
    TableMade,
    TableRead,
)
from tilewright.server.limits import Limits
from tilewright.server.names import clean_name, names_of
from tilewright.server.refusals import Missing, NotAllowed
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.store import StoredSeat, StoredTable
from tilewright.server.table import hash_key, new_id
from tilewright.server.web import give_key, key_of, language_of, new_key
from tilewright.server.wishes import JoinWish, MoveWish, SeatWish, TableWish

LONGEST_WAIT = 25.0
_REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Complaint, "description": "Not possible, for instance a move that is not legal here"},
    401: {"model": Complaint, "description": "A key of fewer than 16 characters"},
    403: {"model": Complaint, "description": "Not yours to do, for instance another player's move"},
    404: {"model": Complaint, "description": "There is no such table"},
    422: {"model": Complaint, "description": "The request cannot be read"},
    429: {"model": Complaint, "description": "Too many requests: wait a second"},
}
router = APIRouter(prefix="/api", tags=["tables"], responses=_REFUSALS)

TableId = Annotated[str, PathParameter(pattern="^[0-9a-f]{20}$", description="The unguessable name of a table")]


def limit(kind: str, request: Request) -> None:
    """Refuse who asks for one thing without end."""
    limits: Limits = request.app.state.limits
    limits.check(kind, request)


async def room_of(request: Request, table_id: str) -> Room:
    """The live table of an address."""
    rooms: Rooms = request.app.state.rooms
    room = await rooms.get(table_id)
    if room is None:
        raise Missing("no_table")
    return room


@router.get("/games", summary="The games, their options and the bots")
async def games() -> list[GameOffered]:
    """What `POST /api/tables` takes as `game`, `options` and `bot`."""
    return [
        GameOffered(
            name=name,
            title=kind.spec.title,
            players=list(kind.spec.players),
            options={option.name: list(option.choices) for option in kind.spec.options},
            bots=list(OFFERED),
        )
        for name, kind in GAMES.items()
    ]


@router.post("/tables", status_code=201, summary="Open a table and sit down")
async def open_table(wish: TableWish, request: Request, response: Response) -> TableMade:
    """The game begins when no seat is free any more. Who sends no key is given one in the answer, and as a cookie."""
    limit("tables", request)
    for word in ("name", "players"):
        if word in wish.options:
            raise BadOption(f"{word!r} is not an option of a game")
    game = make_game(wish.game, players=wish.players, **wish.options)
    if len(wish.seats) != game.players:
        raise BadOption(f"{game.players} players need {game.players} seats, not {len(wish.seats)}")
    given = key_of(request)
    key = given or new_key()
    stored = StoredTable(
        id=new_id(),
        game=game.name,
        players=game.players,
        options=dict(game.options),
        secret=SecretDealer().secret,
        minutes=wish.clock.minutes if wish.clock else None,
        increment=wish.clock.increment if wish.clock else None,
        seats=[_seat(seat, key) for seat in wish.seats],
    )
    room = await request.app.state.rooms.create(stored)
    if given is None:
        give_key(request, response, key)
    return _made(room, key, None if given else key)


def _seat(wish: SeatWish, key: str) -> StoredSeat:
    if wish.kind in ("me", "friend"):
        return StoredSeat("human", clean_name(wish.name), hash_key(key))
    if wish.kind == "bot":
        bot = wish.bot or USUAL_OPPONENT
        if bot not in OFFERED:
            raise BadOption(f"no bot is called {bot!r}; the bots are {', '.join(OFFERED)}")
        return StoredSeat("bot", clean_name(wish.name), bot=bot)
    return StoredSeat(wish.kind)


def _made(room: Room, key: str | None, new: str | None = None) -> TableMade:
    seats = [seat + 1 for seat in room.table.seats_of(key)]
    return TableMade(id=room.table.id, url=f"/t/{room.table.id}", seats=seats, key=new)


@router.get("/tables", summary="Tables that anybody may join")
async def list_open_tables(request: Request) -> list[TableListed]:
    """The newest first, of the last 24 hours; those opened with a seat of the kind `open`."""
    limit("views", request)
    rooms: Rooms = request.app.state.rooms
    return await summarise(rooms, await rooms.in_store(lambda store: store.open_tables()), language_of(request))


async def summarise(rooms: Rooms, ids: list[str], language: str) -> list[TableListed]:
    """Tables in a list, those that are over with their results."""
    tables = await rooms.in_store(lambda store: [store.table(table_id) for table_id in ids])
    for stored in tables:
        if stored is not None and stored.over and stored.result is None:
            await _find_result(rooms, stored)
    return [
        TableListed(
            id=stored.id,
            game=stored.game,
            title=GAMES[stored.game].spec.title,
            options=stored.options,
            players=names_of(stored.seats, language),
            status="over" if stored.over else "playing",
            url=f"/t/{stored.id}",
            scores=stored.result.scores if stored.result else None,
            winners=stored.result.winners if stored.result else None,
            ended=stored.ended,
        )
        for stored in tables
        if stored is not None
    ]


async def _find_result(rooms: Rooms, stored: StoredTable) -> None:
    """Older versions kept no results: such a game is replayed once, and its result kept."""
    room = await rooms.get(stored.id)
    result = stored.result = room.table.result() if room else None
    if result:
        await rooms.in_store(lambda store: store.set_result(stored.id, result))


@router.get("/tables/{table_id}", summary="Position, turn, legal moves, and the events after a number")
async def read_table(
    table_id: TableId,
    request: Request,
    after: Annotated[int | None, Query(ge=0, description="The last event that you have seen")] = None,
    wait: Annotated[
        float, Query(ge=0, description=f"Seconds to wait for something after `after`, at most {LONGEST_WAIT:.0f}")
    ] = 0,
) -> TableRead:
    """Anybody who knows the table may read it. With `wait` the answer comes when something happens after event
    `after`, or when the time is over; a program needs no other call to follow a game.
    """
    limit("reads", request)
    room = await room_of(request, table_id)
    key = key_of(request)
    room.heard_of(key)
    waited = 0.0
    while after is not None and room.table.event <= after and waited < min(wait, LONGEST_WAIT):
        await asyncio.sleep(0.1)
        waited += 0.1
    table, language = room.table, language_of(request)
    turn = table.position.turn
    return TableRead.model_validate(
        {
            "id": table.id,
            "game": table.game.name,
            "players": table.game.players,
            "options": table.game.options,
            "seats": room.seats(language, table.owned_by(key)),
            "event": table.event,
            "events": table.lines[after or 0 :],
            "position": table.position.to_text(),
            "phase": table.position.phase,
            "turn": turn + 1 if turn is not None else None,
            "legal": [{"number": int(move), "text": str(move)} for move in table.position.legal_moves],
            "scores": list(table.position.scores),
            "over": messages.outcome_of(table, language),
            "seed_hash": table.commitment,
        }
    )


@router.post("/tables/{table_id}/join", summary="Take a free seat")
async def join_table(table_id: TableId, wish: JoinWish, request: Request, response: Response) -> Joined:
    """Who sends no key is given one in the answer, and as a cookie. Who sits here already keeps the seat."""
    limit("moves", request)
    room = await room_of(request, table_id)
    given = key_of(request)
    key = given or new_key()
    seat = await room.sit(key, wish.name, wish.seat - 1 if wish.seat else None)
    if given is None:
        give_key(request, response, key)
    return Joined(seat=seat + 1, key=None if given else key)


@router.post("/tables/{table_id}/moves", summary="Play a move")
async def play_move(table_id: TableId, wish: MoveWish, request: Request) -> Played:
    """For the seat to move, which your key must hold. The answer comes when the move is on the server's disk."""
    limit("moves", request)
    room = await room_of(request, table_id)
    key = key_of(request)
    room.heard_of(key)
    return Played(event=await room.play(key, wish.move, wish.after))


@router.post("/tables/{table_id}/return", summary="Take your seat back from a bot")
async def return_to_seat(table_id: TableId, request: Request) -> Returned:
    """If the others let a bot play on for you while you were away. If your clock ran out it plays to the end."""
    limit("moves", request)
    room = await room_of(request, table_id)
    return Returned(seats=[seat + 1 for seat in await room.come_back(key_of(request))])


@router.get(
    "/tables/{table_id}/record",
    summary="The game as a plain text record",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"example": "tilewright record 1\ngame: azul\nplayers: 2\n..."}}}},
)
async def read_record(table_id: TableId, request: Request) -> PlainTextResponse:
    """With the hash of the dealer's secret, and when the game is over with the secret: `tilewright replay FILE`
    checks the game and its deals.
    """
    limit("views", request)
    room = await room_of(request, table_id)
    text = room.table.record(language_of(request)).to_text()
    name = f"{room.table.game.name}-{table_id[:6]}.txt"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/tables/{table_id}/view", summary="Everything that the page draws with")
async def view_table(table_id: TableId, request: Request) -> dict[str, Any]:
    """Drawings of the panels, the seats, and `state` as in the live stream. For pages; it may change."""
    limit("views", request)
    room = await room_of(request, table_id)
    owned = room.table.owned_by(key_of(request))
    language = language_of(request)
    return {
        **messages.table_frame(room.table, language),
        "seats": room.seats(language, owned),
        "state": room.state(language, owned),
    }


@router.get("/tables/{table_id}/events", summary="The whole game as scenes")
async def replay_events(table_id: TableId, request: Request) -> dict[str, Any]:
    """For the page of the replay; it may change. Programs are better served by `/record`."""
    limit("replays", request)
    room = await room_of(request, table_id)
    return await asyncio.to_thread(messages.replay_of, room.table, language_of(request))


@router.post("/tables/{table_id}/rematch", status_code=201, summary="The same players again")
async def rematch(table_id: TableId, request: Request) -> TableMade:
    """Each one seat further on, so that another one begins. Whoever asks second is led to the same new table."""
    limit("moves", request)
    room = await room_of(request, table_id)
    key = key_of(request)
    if not room.table.owned_by(key):
        raise NotAllowed("rematch_players_only")
    if not room.table.position.is_over:
        raise NotAllowed("game_goes_on")
    async with room.lock:
        if room.table.stored.rematch is None:
            await _open_rematch(request.app.state.rooms, room)
    assert room.table.stored.rematch is not None
    return _made(await room_of(request, room.table.stored.rematch), key)


async def _open_rematch(rooms: Rooms, room: Room) -> None:
    """The table where the players of a finished one meet again; opened once, whoever asks."""
    stored = room.table.stored
    again = StoredTable(
        id=new_id(),
        game=stored.game,
        players=stored.players,
        options=stored.options,
        secret=SecretDealer().secret,
        minutes=stored.minutes,
        increment=stored.increment,
        seats=room.table.seats_for_rematch(),
    )
    await rooms.create(again)
    await rooms.in_store(lambda store: store.set_rematch(stored.id, again.id))
    stored.rematch = again.id
    room.broadcast(lambda language, owned: {"type": "rematch", "url": f"/t/{again.id}"})


@router.get("/paths/{rules}", summary="For every move of a rule set: its text, and the things to click for it")
async def paths(
    rules: Annotated[str, PathParameter(pattern="^[a-z0-9-]{1,60}$")], response: Response
) -> list[dict[str, Any]]:
    """Moves by number. For pages; it may change."""
    game = messages.game_of(rules)
    if game is None:
        raise Missing("no_rule_set")
    response.headers["Cache-Control"] = "public, max-age=3600"
    return messages.paths_of(game)
