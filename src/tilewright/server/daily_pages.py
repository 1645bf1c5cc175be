"""The page of the daily table, and the same for programs."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from tilewright.server import days
from tilewright.server.api import ERRORS
from tilewright.server.daily import BOT, DailyResult, DailyTables, daily_game, is_done
from tilewright.server.names import bot_title, clean_name
from tilewright.server.rendering import page
from tilewright.server.requests import DailyRequest
from tilewright.server.responses import DailyDay, DailyEntry, DailyInfo, TableCreated
from tilewright.server.stored import StoredTable
from tilewright.server.web import give_key, key_of, language_of, new_key
from tilewright.view.language import say

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/daily", tags=["daily"], responses=ERRORS)

SHOWN = 50
"""Results in a list."""


@router.get("/daily")
async def daily_page(request: Request) -> HTMLResponse:
    """Today's table, or how it went, and yesterday's results."""
    info = await daily(request)
    return page(request, "daily.html", areas=("daily",), info=info, bot=bot_title(BOT, language_of(request)))


@api.get("", summary="The daily table: whether you have played, and the results")
async def daily(request: Request) -> DailyInfo:
    """The results of today are shown to those who have finished their own game."""
    tables, key, day = _tables(request), key_of(request), days.today()
    own, game = await tables.attempt(key, day), daily_game()
    status = "open" if own is None else "over" if is_done(own, key) else "playing"
    before = days.day_before(day)
    return DailyInfo(
        day=day,
        game=game.name,
        title=game.title,
        bot=BOT,
        status=status,
        table=None if own is None else own.id,
        today=await _results(request, day, own) if status == "over" else None,
        yesterday=await _results(request, before, await tables.attempt(key, before)),
    )


async def _results(request: Request, day: str, own: StoredTable | None) -> DailyDay:
    results = await _tables(request).results(day)
    mine = "" if own is None else own.id
    listed = [(rank, one) for rank, one in enumerate(results, start=1) if rank <= SHOWN or one.table_id == mine]
    shown = [_entry(rank, one, mine, language_of(request)) for rank, one in listed]
    return DailyDay(day=day, players=len(results), results=shown)


def _entry(rank: int, result: DailyResult, mine: str, language: str) -> DailyEntry:
    return DailyEntry(
        rank=rank,
        name=result.name or say(language, "page.learner"),
        score=result.score,
        opposing=result.opposing,
        won=result.is_won,
        you=result.table_id == mine,
        replay=f"/t/{result.table_id}/replay",
        review=f"/review/{result.table_id}",
    )


@api.post("", status_code=201, summary="Play the daily table")
async def play(body: DailyRequest, request: Request, response: Response) -> TableCreated:
    """Your one attempt of today: whoever has begun gets the same table again."""
    given = key_of(request)
    key, tables = given or new_key(), _tables(request)
    if await tables.attempt(key, days.today()) is None:
        request.app.state.limits.charge_daily(request)
    room = await tables.open(key, clean_name(body.name))
    if given is None:
        give_key(request, response, key)
    seats = [seat + 1 for seat in room.table.owned_by(key)]
    return TableCreated(id=room.table.id, url=f"/t/{room.table.id}", seats=seats, key=None if given else key)


def _tables(request: Request) -> DailyTables:
    tables: DailyTables = request.app.state.daily
    return tables
