"""Quick match: the calls by which pages and programs look for an opponent."""

from __future__ import annotations

import secrets
import time

from fastapi import APIRouter, Request, Response

from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.registry import make_game
from tilewright.server.api import ERRORS, TableId, room_of, usual_name
from tilewright.server.errors import Forbidden
from tilewright.server.limits import address_of
from tilewright.server.matching import PLAYERS, Seeker, bot_for, choose, forget_seeker, note_seeker, seekers
from tilewright.server.names import clean_name
from tilewright.server.person import rooms_of
from tilewright.server.profile_pages import key_or_new
from tilewright.server.rating import Rating, bot_rating
from tilewright.server.ratings import rating_of
from tilewright.server.requests import MatchRequest
from tilewright.server.responses import MatchInfo
from tilewright.server.room import Room
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.web import key_of

router = APIRouter(prefix="/api/match", tags=["tables"], responses=ERRORS)

BOT_AFTER = 12.0
"""Seconds after which a bot is offered."""


@router.post("", summary="Look for an opponent")
async def look(body: MatchRequest, request: Request, response: Response) -> MatchInfo:
    """For two players, by the usual rules of a game. Ask again every two seconds to stay in the queue."""
    game, key = make_game(body.game, players=PLAYERS), key_or_new(request, response)
    rating, name = await _rating(request, key, game.name), body.name or await usual_name(request, key)
    own = await _own_room(request, body.table, key)
    if own is not None and not own.table.waits_for_players:
        return _found(own)
    now = time.time()
    me = Seeker(own.table.id, rating.shown, own.table.stored.created) if own else Seeker("", rating.shown, now)
    others = await rooms_of(request).read(lambda store: seekers(store, game, body.rated, hash_key(key), now))
    for other in choose(me, others, now):
        if own is not None and not await own.seating.withdraw(key):
            return _found(own)  # somebody came at this very moment
        own = None
        if (joined := await _join(request, other.table, key, name)) is not None:
            return _found(joined)
    own = own or await _open(request, game, key, name, rated=body.rated)
    await rooms_of(request).write(lambda store: note_seeker(store, own.table.id))
    waited = max(0.0, now - own.table.stored.created)
    bot = bot_for(game.name, rating.shown) if waited >= BOT_AFTER else None
    if body.rated and bot is not None and bot_rating(game.name, PLAYERS, bot) is None:
        bot = None
    return MatchInfo(status="waiting", table=own.table.id, url=f"/t/{own.table.id}", waited=round(waited, 1), bot=bot)


@router.post("/{table_id}/bot", summary="Play against a bot instead of waiting")
async def play_bot(table_id: TableId, request: Request) -> MatchInfo:
    """The bot is about as strong as you are."""
    room, key = await room_of(request, table_id), key_of(request)
    stored = room.table.stored
    bot = bot_for(stored.game, (await _rating(request, key or "", stored.game)).shown)
    if stored.rated and bot_rating(stored.game, stored.players, bot) is None:
        raise Forbidden("rated_bot", bot=bot)
    await room.seating.seat_bots(key, bot)
    await rooms_of(request).write(lambda store: forget_seeker(store, table_id))
    return _found(room)


@router.post("/{table_id}/end", status_code=204, summary="Stop looking for an opponent")
async def end(table_id: TableId, request: Request) -> Response:
    """The table is no longer listed. If the game has begun, nothing happens."""
    room = await room_of(request, table_id)
    await room.seating.withdraw(key_of(request))
    await rooms_of(request).write(lambda store: forget_seeker(store, table_id))
    return Response(status_code=204)


async def _rating(request: Request, key: str, game: str) -> Rating:
    return await rooms_of(request).read(lambda store: rating_of(store, hash_key(key), game, PLAYERS))


async def _own_room(request: Request, table_id: str | None, key: str) -> Room | None:
    """The table where somebody waits, if it is still theirs."""
    room = await rooms_of(request).get(table_id) if table_id else None
    return room if room is not None and room.table.owned_by(key) else None


async def _join(request: Request, table_id: str, key: str, name: str) -> Room | None:
    """Sit down at the table of somebody who waits; None if it is no longer free."""
    room = await rooms_of(request).get(table_id)
    if room is None:
        return None
    try:
        await room.seating.sit(key, name, None)
    except Forbidden:
        return None
    if room.table.waits_for_players and await room.seating.withdraw(key):  # whoever waited there has left a moment ago
        return None
    await rooms_of(request).write(lambda store: forget_seeker(store, table_id))
    return room


async def _open(request: Request, game: Game, key: str, name: str, *, rated: bool) -> Room:
    """A table for the first of two who meet."""
    if PLAYERS not in game.spec.players:
        raise BadOption(f"{game.title} cannot be played by {PLAYERS} players")
    request.app.state.limits.charge("tables", request)
    seats = [StoredSeat("human", clean_name(name), hash_key(key)), StoredSeat("open")]
    stored = StoredTable(
        id=new_id(),
        game=game.name,
        players=PLAYERS,
        options=dict(game.options),
        secret=SecretDealer().secret,
        rated=rated,
        public=True,
        seats=seats if secrets.randbelow(PLAYERS) else seats[::-1],
    )
    request.app.state.shared_limits.opened(stored.id, address_of(request))
    room: Room = await rooms_of(request).create(stored)
    return room


def _found(room: Room) -> MatchInfo:
    return MatchInfo(status="found", table=room.table.id, url=f"/t/{room.table.id}", waited=0.0, bot=None)
