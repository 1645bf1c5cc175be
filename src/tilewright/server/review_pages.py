"""The pages of reviews, and the same for programs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse

from tilewright.bots.registry import USUAL_OPPONENT
from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import BadRecord
from tilewright.game.moves import Move
from tilewright.insight.review import Review
from tilewright.server import review_messages
from tilewright.server.api import ERRORS, reviewed_game
from tilewright.server.audience import owner_of
from tilewright.server.bad_record import bad_record
from tilewright.server.errors import RequestError
from tilewright.server.event_lines import DRAW, PRACTICE
from tilewright.server.names import clean_name
from tilewright.server.person import check_may_analyse
from tilewright.server.pictures import At, ReviewId, preferred_form, shared
from tilewright.server.rendering import page
from tilewright.server.requests import PracticeRequest, ReviewRequest
from tilewright.server.responses import ReviewFound, TableCreated
from tilewright.server.reviews import ReviewedGame, Reviews
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.web import give_key, key_of, language_of, new_key
from tilewright.view.language import say

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/reviews", tags=["reviews"], responses=ERRORS)


# Pages --------------------------------------------------------------------------------------------------


@router.get("/review")
async def ask_for_record(request: Request) -> HTMLResponse:
    """Paste or upload a record."""
    return page(request, "review_upload.html")


@router.get("/review/{review_id}")
async def review_page(review_id: ReviewId, request: Request, at: At = None) -> HTMLResponse:
    """The review of a game; a link to a moment of it is shared with the picture of that moment."""
    game = await reviewed_game(request, review_id)
    table = game.table.id if game.table else ""
    title = say(language_of(request), "review.title")
    return page(
        request,
        "review.html",
        areas=("review", "insight"),
        review_id=review_id,
        table_id=table,
        title=game.record.game.title,
        shared=await asyncio.to_thread(shared, request, game, title, at),
        picture_form=preferred_form(),
    )


# For programs -------------------------------------------------------------------------------------------


@api.post("", status_code=201, summary="Upload a game record for review")
async def upload(body: ReviewRequest, request: Request) -> ReviewFound:
    """The same record gets the same id. A game that was played here needs no upload: its id is that of the table."""
    reviews: Reviews = request.app.state.reviews
    await check_may_analyse(request)  # it may be the game that is being played, typed in again
    try:
        game = await reviews.upload(body.record)
    except BadRecord as error:
        raise bad_record(error) from None
    return _found(reviews, game)


@api.post("/{review_id}", summary="Review a game")
async def begin(review_id: ReviewId, request: Request) -> ReviewFound:
    """It is made in the background when its turn comes, and is kept. Repeating the request does no harm."""
    reviews, game = request.app.state.reviews, await reviewed_game(request, review_id)
    if reviews.is_needed(game):
        request.app.state.limits.charge_review(request)
        reviews.begin(game, owner_of(request))
    return _found(reviews, game)


@api.get("/{review_id}", summary="A review, as far as it has been made")
async def read(review_id: ReviewId, request: Request) -> dict[str, Any]:
    """As `tilewright review --json` prints it, with every move and deal; `progress` is 1 when it is complete. Of a
    review that has not begun there is only the `record`.
    """
    reviews, game = request.app.state.reviews, await reviewed_game(request, review_id)
    found: dict[str, Any] | None = reviews.latest(game)
    return found or {"record": game.record.to_text(), "progress": reviews.progress(game)}


@api.get("/{review_id}/told", summary="A review in words")
async def told(review_id: ReviewId, request: Request) -> Response:
    """In the reader's language, for our page; it may change."""
    reviews, game, language = request.app.state.reviews, await reviewed_game(request, review_id), language_of(request)
    found = reviews.latest(game)
    if found is None:
        return JSONResponse({"progress": reviews.progress(game)})
    return Response(await asyncio.to_thread(_told, found, game, language), media_type="application/json")


def _told(found: dict[str, Any], game: ReviewedGame, language: str) -> str:
    message = review_messages.review_message(Review.from_dict(found), game.names(language), language)
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


@api.get("/{review_id}/game", summary="The game of a review as scenes")
async def game_of(review_id: ReviewId, request: Request) -> dict[str, Any]:
    """Drawings and every position, for our page; it may change."""
    game, key = await reviewed_game(request, review_id), key_of(request)
    return await asyncio.to_thread(review_messages.game_message, game, key, language_of(request))


@api.post("/{review_id}/practice", status_code=201, summary="Play on from a move of a game")
async def practise(review_id: ReviewId, body: PracticeRequest, request: Request, response: Response) -> TableCreated:
    """A new table for you, in the seat that is to move, against bots. The original game does not change. New tiles are
    drawn, not those of the original game.
    """
    game = await reviewed_game(request, review_id)
    given = key_of(request)
    key = given or new_key()
    lines, seat = _lines_before(game, body.event)
    name = clean_name(body.name) or say(language_of(request), "page.learner")
    rules = game.record.game
    stored = StoredTable(
        id=new_id(),
        game=rules.name,
        players=rules.players,
        options=dict(rules.options),
        secret=SecretDealer().secret,
        seats=[
            StoredSeat("human", name, hash_key(key)) if n == seat else StoredSeat("bot", bot=USUAL_OPPONENT)
            for n in range(rules.players)
        ],
    )
    await request.app.state.rooms.create(stored, copied=lines)
    if given is None:
        give_key(request, response, key)
    return TableCreated(id=stored.id, url=f"/t/{stored.id}", seats=[seat + 1], key=None if given else key)


def _lines_before(game: ReviewedGame, event: int) -> tuple[list[str], int]:
    """The events before a move as a table stores them, with where they come from, and whose move it is."""
    record = game.record
    if record.start is not None:
        raise RequestError("no_practice")
    if event >= len(record.events) or not isinstance(record.events[event], Move):
        raise RequestError("no_move_there")
    lines, seat = [], 0
    for position, happened in zip(record.positions(), record.events[: event + 1], strict=False):
        seat = position.turn or 0
        lines.append(f"{seat + 1} {happened}" if isinstance(happened, Move) else f"{DRAW} {happened}")
    return [*lines[:-1], f"{PRACTICE} {game.id}"], seat


# What they share ----------------------------------------------------------------------------------------


def _found(reviews: Reviews, game: ReviewedGame) -> ReviewFound:
    return ReviewFound(id=game.id, url=f"/review/{game.id}", progress=reviews.progress(game))
