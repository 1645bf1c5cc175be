"""The page of the analysis board, and what it asks for. The tree of variations is in the page, not on the server."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from tilewright.game.errors import BadRecord
from tilewright.game.record import FIRST_LINE, Record, read_header
from tilewright.game.registry import game_of_position, make_game
from tilewright.game.study import Study, read_study
from tilewright.server import analysis_messages as told
from tilewright.server.analysis_requests import (
    AboutRequest,
    AnalysisRequest,
    DraftRequest,
    MomentRequest,
    OpenRequest,
    PlayRequest,
    StudyRequest,
    WhatIfRequest,
)
from tilewright.server.api import ERRORS, games, reviewed_game
from tilewright.server.audience import owner_of
from tilewright.server.bad_record import bad_record
from tilewright.server.errors import RequestError
from tilewright.server.explorer import Explorer
from tilewright.server.person import check_may_analyse
from tilewright.server.pictures import ReviewId
from tilewright.server.rendering import page
from tilewright.server.reviews import check_over
from tilewright.server.web import language_of
from tilewright.view import narrator

router = APIRouter(include_in_schema=False)
public = APIRouter(prefix="/api/analysis", tags=["reviews"], responses=ERRORS)
api = APIRouter(prefix="/api/analysis", include_in_schema=False)
DEAL = "deal"
"""In place of an event: a random deal."""


# Pages ------------------------------------------------------------------------------------------------------


@router.get("/analysis")
async def analysis_page(request: Request) -> HTMLResponse:
    """The board, with a choice of what to put on it."""
    return await _page(request, "")


@router.get("/analysis/{review_id}")
async def analysis_of_game(review_id: ReviewId, request: Request) -> HTMLResponse:
    """The board with a game that is over; ``#17`` is the position after its 17th event."""
    await reviewed_game(request, review_id)
    return await _page(request, review_id)


async def _page(request: Request, review_id: str) -> HTMLResponse:
    areas = ("analysis", "editor", "review")
    return page(
        request, "analysis.html", areas=areas, review_id=review_id, games=[game.model_dump() for game in await games()]
    )


# For programs -----------------------------------------------------------------------------------------------


@public.post("", summary="Analyse a position")
async def analyse(body: AnalysisRequest, request: Request) -> dict[str, Any]:
    """Everybody's win chances and margins, and the moves that the search tried, best first, as `tilewright
    analyse --json` prints them. It takes a few seconds.
    """
    position = told.position_of(body.position)
    await check_may_analyse(request)
    request.app.state.limits.charge_analysis(request)
    explorer: Explorer = request.app.state.explorer
    return (await explorer.analyse(position, owner_of(request), body.lines)).to_dict()


# What to put on the board -----------------------------------------------------------------------------------


@api.get("/games/{review_id}")
async def open_game(review_id: ReviewId, request: Request) -> dict[str, Any]:
    """A game that is over, or a record that was uploaded for review."""
    game, language = await reviewed_game(request, review_id), language_of(request)
    record = Record(game.record.game, game.record.events, game.names(language), start=game.record.start)
    return await asyncio.to_thread(told.board_message, Study.of(record), language)


@api.post("/open")
async def open_text(body: OpenRequest, request: Request) -> dict[str, Any]:
    """A record with or without variations, a position, or a new game before its first deal."""
    return await asyncio.to_thread(_opened, body, language_of(request))


def _opened(body: OpenRequest, language: str) -> dict[str, Any]:
    if body.text is None:
        game = make_game(body.game or "", body.players, **body.options)
        return told.board_message(_blank(Record.of(game.set_up()), language), language)
    text = body.text.strip().removeprefix("\ufeff")
    if not text.startswith(FIRST_LINE.rsplit(" ", 1)[0]):
        start = told.position_of(text)
        record = Record.of(start.game.set_up())
        record.start = start
        return told.board_message(_blank(record, language), language)
    try:
        record, _ = read_header(text)
        check_over(record)
        return told.board_message(read_study(text), language)
    except BadRecord as error:
        raise bad_record(error) from None


def _blank(record: Record, language: str) -> Study:
    record.names = narrator.player_names(record.game, None, language)
    return Study(record)


# The board --------------------------------------------------------------------------------------------------


@api.post("/moment")
async def moment(body: MomentRequest, request: Request) -> dict[str, Any]:
    """A position, and what can be done there."""
    position = told.position_of(body.position)
    return told.moment_message(position, _names(body.names, position), language_of(request))


@api.post("/play")
async def play(body: PlayRequest, request: Request) -> dict[str, Any]:
    """Play an event in a position: what it is called, and the position after it."""
    position, language = told.position_of(body.position), language_of(request)
    before = position.copy()
    event = position.deal() if body.event == DEAL else told.play(position, body.event)
    node = told.node_message(before, event, language)
    return {"node": node, "moment": told.moment_message(before, _names(body.names, before), language)}


@api.post("/about")
async def about(body: AboutRequest, request: Request) -> dict[str, Any]:
    """What a move would do, or why it is not legal."""
    return told.about_move(told.position_of(body.position), body.move, language_of(request))


@api.post("/what-if")
async def what_if(body: WhatIfRequest, request: Request) -> dict[str, Any]:
    """The best move for whoever takes these tiles."""
    position = told.position_of(body.position)
    await check_may_analyse(request)
    moves = told.moves_from(position, body.spot)
    if len(moves) > 1:
        request.app.state.limits.charge_analysis(request)
    explorer: Explorer = request.app.state.explorer
    best = await explorer.best_of(position, moves, owner_of(request))
    return {"event": str(position.game.moves[best])}


@api.post("/record")
async def record(body: StudyRequest) -> dict[str, str]:
    """The text of a record with variations."""
    study = await asyncio.to_thread(told.study_of, body.start, body.names, body.comment, body.nodes)
    return {"text": await asyncio.to_thread(study.to_text), "name": f"{study.record.game.name}-analysis.txt"}


@api.post("/draft")
async def draft(body: DraftRequest, request: Request) -> dict[str, Any]:
    """A position that is being set up by hand, after a change."""
    change = (body.act, body.name, body.value) if body.act else ()
    game = game_of_position(body.game)
    if len(body.names) != game.players:
        raise RequestError("bad_study", exactly=f"a study needs {game.players} names, not {len(body.names)}")
    return told.draft_message(game, body.text, change, body.names, language_of(request))


def _names(names: list[str], position: Any) -> list[str]:
    return names if len(names) == position.game.players else [f"{seat + 1}" for seat in range(position.game.players)]
