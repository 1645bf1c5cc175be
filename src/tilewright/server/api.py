"""The JSON interface: create and join tables, read positions, play moves.

A program holds a seat by a key, which it sends as ``Authorization: Bearer <key>``; a browser's key is in its
cookie. ``POST /api/tables`` and ``POST /api/tables/{id}/join`` return a new key if the request has none.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.responses import PlainTextResponse

from tilewright.bots.registry import OFFERED, USUAL_OPPONENT
from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import BadOption
from tilewright.game.registry import GAMES, make_game
from tilewright.game.validation import echo
from tilewright.server import messages
from tilewright.server.audience import owner_of
from tilewright.server.errors import Forbidden, NotFound
from tilewright.server.limits import address_of
from tilewright.server.names import bot_title, clean_name, names_of
from tilewright.server.profiles import profile_of
from tilewright.server.rating import bot_rating
from tilewright.server.requests import JoinRequest, MoveRequest, SeatRequest, TableRequest
from tilewright.server.responses import (
    ErrorBody,
    GameInfo,
    MoveAccepted,
    SeatsLeft,
    SeatsReturned,
    SeatTaken,
    TableCreated,
    TableInfo,
    TableSummary,
)
from tilewright.server.reviews import ReviewedGame, Reviews
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.web import give_key, key_of, language_of, new_key

LONGEST_WAIT = 25.0
ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorBody, "description": "Not possible, for instance an illegal move"},
    401: {"model": ErrorBody, "description": "A key of fewer than 16 characters"},
    403: {"model": ErrorBody, "description": "Not allowed, for instance to move for another player"},
    404: {"model": ErrorBody, "description": "Unknown table"},
    422: {"model": ErrorBody, "description": "Malformed request"},
    429: {"model": ErrorBody, "description": "Too many requests: wait a second"},
    500: {"model": ErrorBody, "description": "A fault of the server, or of a game from another package"},
    503: {"model": ErrorBody, "description": "The database cannot be reached, or a table's game is not installed here"},
}
router = APIRouter(prefix="/api", tags=["tables"], responses=ERRORS)

TableId = Annotated[str, PathParameter(pattern="^[0-9a-f]{20}$", description="The unguessable id of a table")]


async def room_of(request: Request, table_id: str) -> Room:
    """The live table with an id."""
    rooms: Rooms = request.app.state.rooms
    room = await rooms.get(table_id)
    if room is None:
        raise NotFound("no_table")
    await request.app.state.daily.check_viewer(room.table, key_of(request))
    return room


async def reviewed_game(request: Request, review_id: str) -> ReviewedGame:
    """A game that can be reviewed, for somebody who may see it."""
    reviews: Reviews = request.app.state.reviews
    game = await reviews.game(review_id)
    if game.table is not None:
        await request.app.state.daily.check_viewer(game.table, key_of(request))
    return game


@router.get("/games", summary="The games, their options and the bots")
async def games() -> list[GameInfo]:
    """The values that `POST /api/tables` accepts for `game`, `options` and `bot`."""
    return [
        GameInfo(
            name=name,
            title=kind.spec.title,
            players=list(kind.spec.players),
            options={option.name: list(option.choices) for option in kind.spec.options},
            bots=list(OFFERED),
        )
        for name, kind in GAMES.items()
    ]


@router.post("/tables", status_code=201, summary="Open a table and sit down")
async def open_table(body: TableRequest, request: Request, response: Response) -> TableCreated:
    """The game begins when every seat is taken. A request without a key gets one in the response, and as a cookie."""
    for field in ("name", "players"):
        if field in body.options:
            raise BadOption(f"{echo(field)} is not an option of a game")
    game = make_game(body.game, players=body.players, **body.options)
    if len(body.seats) != game.players:
        raise BadOption(f"{game.players} players need {game.players} seats, not {len(body.seats)}")
    if body.clock is not None and body.days is not None:
        raise BadOption("a table has a clock or days for each move, not both")
    if body.rated and body.days is not None:
        raise Forbidden("rated_days")
    if body.rated:
        check_rated(body.game, body.players, body.seats)
    given = key_of(request)
    key = given or new_key()
    name = await usual_name(request, key)
    stored = StoredTable(
        id=new_id(),
        game=game.name,
        players=game.players,
        options=dict(game.options),
        secret=SecretDealer().secret,
        minutes=body.clock.minutes if body.clock else None,
        increment=body.clock.increment if body.clock else None,
        days=body.days,
        rated=body.rated,
        public=any(seat.kind == "open" for seat in body.seats),
        seats=[_seat(seat, key, name) for seat in _in_turn_order(body)],
    )
    room = await request.app.state.rooms.create(stored)
    request.app.state.shared_limits.opened(stored.id, address_of(request))
    if given is None:
        give_key(request, response, key)
    return _created(room, key, None if given else key)


def check_rated(game: str, players: int, seats: Sequence[SeatRequest]) -> None:
    """Raise ``Forbidden`` for seats that a rated game cannot have."""
    if players < 2 or sum(seat.kind in ("me", "friend") for seat in seats) != 1:
        raise Forbidden("rated_one_seat")
    for seat in seats:
        bot = seat.bot or USUAL_OPPONENT
        if seat.kind == "bot" and bot_rating(game, players, bot) is None:
            raise Forbidden("rated_bot", bot=partial(bot_title, bot) if bot in OFFERED else echo(bot))


def _in_turn_order(body: TableRequest) -> list[SeatRequest]:
    """The seats as they follow each other, from the one that starts."""
    first = secrets.randbelow(len(body.seats)) if body.starter == "random" else body.starter - 1
    if first >= len(body.seats):
        raise BadOption(f"seat {body.starter} cannot start: there are {len(body.seats)} seats")
    return body.seats[first:] + body.seats[:first]


async def usual_name(request: Request, key: str) -> str:
    """The name in a person's profile, for those who type none at a table; empty if they have none there either."""
    rooms: Rooms = request.app.state.rooms
    return (await rooms.read(lambda store: profile_of(store, hash_key(key)))).name


def _seat(seat: SeatRequest, key: str, usual_name: str) -> StoredSeat:
    if seat.kind in ("me", "friend"):
        name = clean_name(seat.name) or (usual_name if seat.kind == "me" else "")
        return StoredSeat("human", name, hash_key(key))
    if seat.kind == "bot":
        bot = seat.bot or USUAL_OPPONENT
        if bot not in OFFERED:
            raise BadOption(f"unknown bot {echo(bot)}; the bots are {', '.join(OFFERED)}")
        return StoredSeat("bot", clean_name(seat.name), bot=bot)
    return StoredSeat(seat.kind)


def _created(room: Room, key: str | None, new: str | None = None) -> TableCreated:
    seats = [seat + 1 for seat in room.table.seats_of(key)]
    return TableCreated(id=room.table.id, url=f"/t/{room.table.id}", seats=seats, key=new)


@router.get("/tables", summary="Tables that anybody may join")
async def list_open_tables(request: Request) -> list[TableSummary]:
    """Up to 20 tables of the last 24 hours with a free seat of the kind `open`, the newest first. At most two of one
    player are listed, and few from one address while others have tables, too.
    """
    rooms: Rooms = request.app.state.rooms
    tables = await rooms.read(request.app.state.lobby.read)
    return [summary_of(table, language_of(request)) for table in installed(tables)]


def installed(tables: Iterable[StoredTable]) -> list[StoredTable]:
    """The tables whose game is installed here: a package may have been removed since they were opened."""
    return [table for table in tables if table.game in GAMES]


def summary_of(stored: StoredTable, language: str) -> TableSummary:
    """A table in a list, with its result if the game is over."""
    return TableSummary(
        id=stored.id,
        game=stored.game,
        title=GAMES[stored.game].spec.title,
        options=dict(stored.options),
        players=names_of(stored.seats, language),
        rated=stored.rated,
        days=stored.days,
        status="over" if stored.result else "playing",
        url=f"/t/{stored.id}",
        scores=stored.result.scores if stored.result else None,
        winners=stored.result.winners if stored.result else None,
        ended=stored.ended,
    )


@router.get("/tables/{table_id}", summary="Position, turn, legal moves, and the events after a number")
async def read_table(
    table_id: TableId,
    request: Request,
    after: Annotated[int | None, Query(ge=0, description="The last event that you have seen")] = None,
    wait: Annotated[
        float, Query(ge=0, description=f"Seconds to wait for an event after `after`, at most {LONGEST_WAIT:.0f}")
    ] = 0,
) -> TableInfo:
    """Anybody who knows the table may read it. With `wait` the response comes as soon as there is an event after
    `after`, or when the time is up; a program needs no other call to follow a game.
    """
    room = await room_of(request, table_id)
    room.note_request(key_of(request), owner_of(request))
    if after is None or not wait:
        return _table_info(room, request, after)
    await _wait_for_event(room, after, wait, request)
    async with request.app.state.limits.turn(address_of(request)):
        return _table_info(room, request, after)


def _table_info(room: Room, request: Request, after: int | None) -> TableInfo:
    table, language = room.table, language_of(request)
    turn = table.position.turn
    return TableInfo.model_validate(
        {
            "id": table.id,
            "game": table.game.name,
            "players": table.game.players,
            "options": dict(table.game.options),
            "seats": room.seats(language, table.owned_by(key_of(request))),
            "event": table.event,
            "events": table.lines[after or 0 :],
            "position": table.position.to_text(),
            "phase": table.position.phase,
            "turn": turn + 1 if turn is not None else None,
            "legal": [{"number": int(move), "text": str(move)} for move in table.position.legal_moves],
            "scores": list(table.position.scores),
            "over": messages.outcome_of(table, language),
            "seed_hash": table.commitment,
            "clock": room.clock.reading(turn) if room.clock else None,
            "rematch": table.stored.rematch,
        }
    )


async def _wait_for_event(room: Room, after: int, seconds: float, request: Request) -> None:
    """Wait for an event, but no longer than the client does, nor than the server runs."""
    news = asyncio.create_task(room.wait_for_event(after, min(seconds, LONGEST_WAIT)))
    gone = asyncio.create_task(_hung_up(request))
    try:
        await asyncio.wait((news, gone), return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        pass  # the server ends: the client gets what there is
    finally:
        news.cancel()
        gone.cancel()


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


@router.post("/tables/{table_id}/join", summary="Take a free seat")
async def join_table(table_id: TableId, body: JoinRequest, request: Request, response: Response) -> SeatTaken:
    """A request without a key gets one in the response, and as a cookie. A player who has a seat keeps it."""
    room = await room_of(request, table_id)
    given = key_of(request)
    key = given or new_key()
    name = body.name or await usual_name(request, key)
    seat = await room.seating.sit(key, name, body.seat - 1 if body.seat else None)
    if given is None:
        give_key(request, response, key)
    return SeatTaken(seat=seat + 1, key=None if given else key)


@router.post("/tables/{table_id}/moves", summary="Play a move")
async def play_move(table_id: TableId, body: MoveRequest, request: Request) -> MoveAccepted:
    """For the seat to move, which your key must hold. The response is sent when the move is on the server's disk."""
    room = await room_of(request, table_id)
    key = key_of(request)
    room.note_request(key, owner_of(request))
    return MoveAccepted(event=await asyncio.shield(room.playing.play(key, body.move, body.after)))


@router.post("/tables/{table_id}/return", summary="Take your seat back from a bot")
async def return_to_seat(table_id: TableId, request: Request) -> SeatsReturned:
    """For when the others let a bot take over while you were away. If your clock ran out, the bot plays to the end."""
    room = await room_of(request, table_id)
    return SeatsReturned(seats=[seat + 1 for seat in await room.seating.come_back(key_of(request))])


@router.post("/tables/{table_id}/leave", summary="Leave a table for good")
async def leave_table(table_id: TableId, request: Request) -> SeatsLeft:
    """Before the game your seats are free again; during the game a bot plays on in them; after it, the game disappears
    from your list.
    """
    room = await room_of(request, table_id)
    return SeatsLeft(seats=[seat + 1 for seat in await room.seating.give_up(key_of(request))])


@router.get(
    "/tables/{table_id}/record",
    summary="The game as a plain text record",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"example": "tilewright record 1\ngame: NAME\nplayers: 2\n..."}}}},
)
async def read_record(table_id: TableId, request: Request) -> PlainTextResponse:
    """With the hash of the dealer's secret and, when the game is over, the secret itself: `tilewright replay FILE`
    checks the game and its deals.
    """
    room = await room_of(request, table_id)
    text = room.table.record(language_of(request)).to_text()
    name = f"{room.table.game.name}-{table_id[:6]}.txt"
    return PlainTextResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/tables/{table_id}/view", summary="Everything that the page needs to draw the table")
async def view_table(table_id: TableId, request: Request) -> Response:
    """Drawings of the panels, the seats, and `state` as in the live stream. For our pages; it may change."""
    room = await room_of(request, table_id)
    owned = room.table.owned_by(key_of(request))
    language = language_of(request)
    may_join = bool(room.table.free_for(key_of(request)))
    moment = {"seats": room.seats(language, owned), "may_join": may_join, "state": room.state(language, owned)}
    return Response(messages.view_of(room.table, language, **moment), media_type="application/json")


@router.get("/tables/{table_id}/events", summary="The whole game as scenes")
async def replay_events(table_id: TableId, request: Request) -> dict[str, Any]:
    """For the replay page; it may change. Programs should read `/record` instead."""
    room = await room_of(request, table_id)
    return await asyncio.to_thread(messages.replay_of, room.table, language_of(request))


@router.post("/tables/{table_id}/rematch", status_code=201, summary="The same players again")
async def rematch(table_id: TableId, request: Request) -> TableCreated:
    """Everybody moves on one seat, so that another player begins. All players get the same new table. A rated game
    begins when each of them has asked for it.
    """
    room = await room_of(request, table_id)
    key = key_of(request)
    return _created(await room_of(request, await room.seating.rematch(key)), key)


@router.get("/paths/{rules}", summary="For every move of a rule set: its text, and what to click for it")
async def paths(rules: Annotated[str, PathParameter(max_length=200)]) -> Response:
    """Moves by number. For our pages; it may change."""
    game = messages.game_of(rules)
    if game is None:
        raise NotFound("no_rule_set")
    headers = {"Cache-Control": "public, max-age=3600"}
    return Response(messages.paths_of(game), media_type="application/json", headers=headers)
