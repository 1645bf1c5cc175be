"""The pages that people see."""

from __future__ import annotations

import asyncio
import math
import time
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, Response

from tilewright.bots.registry import OFFERED, USUAL_OPPONENT
from tilewright.game.errors import TilewrightError
from tilewright.game.registry import make_game
from tilewright.server.api import TableId, games, installed, room_of, summary_of
from tilewright.server.chat import PHRASES
from tilewright.server.interface import described_calls
from tilewright.server.names import bot_title
from tilewright.server.pictures import At, preferred_form, shared
from tilewright.server.ratings import rating_of
from tilewright.server.rendering import page, page_for_everybody
from tilewright.server.responses import TableSummary
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.seated_table import hash_key
from tilewright.server.stored import StoredTable
from tilewright.server.web import key_of, language_of
from tilewright.server.writing import LONGEST
from tilewright.view.language import say
from tilewright.view.picture.compose import is_laid_out
from tilewright.view.picture.icon import draw_icon

router = APIRouter(include_in_schema=False)
WATCHED = 15 * 60.0
"""Seconds without a move after which a game is no longer offered to spectators."""


@router.get("/favicon.ico")
async def icon() -> Response:
    """For browsers that ask before they have read a page, which names the same icon."""
    return Response(draw_icon(), media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


@router.get("/robots.txt")
async def robots() -> PlainTextResponse:
    """Search engines may index public pages; tables belong to those who have their address."""
    rules = (
        "User-agent: *",
        "Disallow: /t/",
        "Disallow: /review/",
        "Disallow: /profile",
        "Disallow: /analysis/",
        "Disallow: /api/tables",
        "Disallow: /learn/*/first-game",
        "Allow: /",
    )
    return PlainTextResponse("\n".join(rules) + "\n", headers={"Cache-Control": "public, max-age=86400"})


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    """Choose a game, or continue one."""
    return page(request, "home.html", **await _choices(language_of(request)), **await _lists(request))


@router.get("/shell")
async def shell(request: Request) -> HTMLResponse:
    """The home page without anybody's games: a service worker keeps it, and it asks for them once it is shown."""
    return page_for_everybody(request, "home.html", shell=True, **await _choices(language_of(request)))


async def _choices(language: str) -> dict[str, Any]:
    """The games to choose from, and the bots to play against."""
    described = [
        {
            **game.model_dump(),
            "picture": f"/picture/{game.name}.svg?theme=light",
            "dark_picture": f"/picture/{game.name}.svg?theme=dark",
            "look": "crop whole" if is_laid_out(make_game(game.name)) else "crop",
        }
        for game in await games()
    ]
    bots = [
        {
            "name": bot,
            "label": bot_title(bot, language),
            "hint": bot_title(f"{bot}_hint", language),
            "usual": bot == USUAL_OPPONENT,
        }
        for bot in OFFERED
    ]
    return {"games": described, "bots": bots}


@router.get("/lists")
async def lists(request: Request) -> HTMLResponse:
    """The lists of the home page as they are now: the page asks for them again and again while somebody looks."""
    response = page(request, "lists.html", **await _lists(request))
    response.headers["Cache-Control"] = "no-store"
    return response


async def _lists(request: Request) -> dict[str, Any]:
    """My games, those that are over, and the tables that anybody may join."""
    rooms: Rooms = request.app.state.rooms
    language = language_of(request)
    held = hash_key(key_of(request) or "")
    open_tables = await rooms.read(request.app.state.lobby.read)
    mine = await rooms.read(lambda store: store.tables_of(held, over=False))
    finished = await rooms.read(lambda store: store.tables_of(held, over=True))
    mine += [table for table in await rooms.read(lambda store: store.correspondence_of(held)) if table not in mine]
    my_ids = {stored.id for stored in mine}
    others = [stored for stored in installed(open_tables) if stored.id not in my_ids]
    watched = await rooms.read(lambda store: store.games_to_watch(time.time() - WATCHED))
    running = await _running(rooms, installed(mine), key_of(request), language)
    return {
        "open_tables": [await _open(rooms, stored, language) for stored in others],
        "to_watch": [summary_of(stored, language) for stored in installed(watched) if stored.id not in my_ids],
        "waiting": [table for table in running if table["mine"]],
        "my_tables": [table for table in running if not table["mine"]],
        "finished": [_finished(summary_of(stored, language)) for stored in installed(finished)],
    }


async def _open(rooms: Rooms, stored: StoredTable, language: str) -> dict[str, Any]:
    """A table to join; that of a rated game with the rating of whoever waits there."""
    summary, held = summary_of(stored, language).model_dump(), [seat.key_hash for seat in stored.seats if seat.key_hash]
    if not stored.rated or not held:
        return summary
    rating = await rooms.read(lambda store: rating_of(store, held[0], stored.game, stored.players))
    return {**summary, "rating": f"{rating.shown}{'?' if rating.is_provisional else ''}"}


def _finished(summary: TableSummary) -> dict[str, Any]:
    """A game that is over, and when it ended; the page shows that in the reader's time zone and format."""
    ended = datetime.fromtimestamp(summary.ended, UTC) if summary.ended else None
    return {**summary.model_dump(), "ended": ended, "leave": "delete"}


async def _running(rooms: Rooms, tables: list[StoredTable], key: str | None, language: str) -> list[dict[str, Any]]:
    """Unfinished games, their scores and whose turn it is; first those where it is your turn, and soonest over."""
    found = []
    for summary in [summary_of(stored, language) for stored in tables]:
        if room := await _sound_room(rooms, summary.id):
            table, turn = room.table, room.table.position.turn
            waits = table.waits_for_players
            mine = not waits and turn in table.seats_of(key)
            name = None if waits or turn is None else table.names(language)[turn]
            progress = {} if waits else {"round": table.position.round, "scores": list(table.position.scores)}
            alone = not table.people - set(table.owned_by(key))
            leave = ("cancel" if alone else "leave") if waits else ("abandon" if alone else "resign")
            if table.stored.rated and not waits:
                if not table.seats_of(key):
                    continue  # the game is lost for you; it is listed again when it is over
                leave = "forfeit"
            due = room.clock.reading(turn).get("due") if room.clock else None
            moment = {"waits": waits, "mine": mine, "turn": name, "leave": leave, "due": due}
            found.append({**summary.model_dump(), **progress, **moment})
    return sorted(found, key=lambda summary: (not summary["mine"], summary["due"] or math.inf))


async def _sound_room(rooms: Rooms, table_id: str) -> Room | None:
    """A table, unless its game can no longer be replayed: its own page says why, and the list leaves it out."""
    try:
        return await rooms.get(table_id)
    except TilewrightError:
        return None


@router.get("/t/{table_id}")
async def table(table_id: TableId, request: Request) -> HTMLResponse:
    """A table."""
    room = await room_of(request, table_id)
    game, language = room.table.game, language_of(request)
    kind = "daily.title" if room.table.stored.daily else "page.rated" if room.table.stored.rated else None
    title = f"{game.title} · {say(language, kind)}" if kind else game.title
    network = request.app.state.rooms.settings.network or ""
    return page(
        request,
        "table.html",
        areas=("review", "chat", "push"),
        table_id=table_id,
        title=title,
        game=game.name,
        network=network,
        phrases=PHRASES,
        longest_text=LONGEST,
    )


@router.get("/t/{table_id}/replay")
async def replay(table_id: TableId, request: Request, at: At = None) -> HTMLResponse:
    """A game move by move; once it is over, a link to a moment is shared with the picture of that moment."""
    room = await room_of(request, table_id)
    context: dict[str, Any] = {"over": room.table.position.is_over}
    if context["over"]:
        game, title = await request.app.state.reviews.game(table_id), say(language_of(request), "page.replay")
        context["shared"] = await asyncio.to_thread(shared, request, game, title, at)
        context["picture_form"] = preferred_form()
    return page(request, "replay.html", table_id=table_id, title=room.table.game.title, areas=("review",), **context)


@router.get("/api")
async def interface(request: Request) -> HTMLResponse:
    """The interface for programs, from the OpenAPI description."""
    state = request.app.state
    if not hasattr(state, "described_calls"):
        state.described_calls = described_calls(request.app)  # it is the same for everybody
    return page(request, "api.html", **state.described_calls)
