"""The page of puzzles, and the same for programs."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from fastapi.responses import HTMLResponse

from tilewright.game.registry import GAMES
from tilewright.insight.puzzle import Puzzle
from tilewright.server.api import ERRORS
from tilewright.server.audience import owner_of
from tilewright.server.errors import BadMessage, RequestError, as_sentence
from tilewright.server.move_preview import move_preview
from tilewright.server.person import held_by
from tilewright.server.puzzle_messages import answer_message, puzzle_message, solver_message
from tilewright.server.puzzles import Answered, Puzzles, find_puzzle, games_with_puzzles
from tilewright.server.rendering import page
from tilewright.server.requests import AnswerRequest
from tilewright.server.responses import PuzzleGame
from tilewright.server.seated_table import hash_key
from tilewright.server.web import give_key, key_of, language_of, new_key
from tilewright.view.narrator import why_illegal

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/puzzles", tags=["puzzles"], responses=ERRORS)

GameName = Annotated[str, PathParameter(max_length=50, description="A name from `GET /api/puzzles`")]
PuzzleId = Annotated[str, PathParameter(pattern="^[0-9a-f]{12}$", description="The id of a puzzle")]
MoveNumber = Annotated[int, Query(ge=0, le=1_000_000, description="The number of a move")]


@router.get("/puzzles")
async def puzzles_page(request: Request, game: str | None = None) -> HTMLResponse:
    """Puzzles, one at a time."""
    offered = [{"name": name, "title": GAMES[name].spec.title} for name in await asyncio.to_thread(games_with_puzzles)]
    chosen = next((one for one in offered if one["name"] == game), offered[0] if offered else None)
    return page(request, "puzzles.html", areas=("puzzles",), offered=offered, chosen=chosen)


@api.get("", summary="The games that have puzzles, and how you do")
async def games(request: Request) -> list[PuzzleGame]:
    """Everybody begins with the same rating, which is unsure at first."""
    puzzles, held = _puzzles(request), held_by(request)
    found = await asyncio.to_thread(games_with_puzzles)
    return [
        PuzzleGame(
            game=name,
            title=GAMES[name].spec.title,
            puzzles=len(known),
            **solver_message(await puzzles.solver(held, name)),
        )
        for name, known in found.items()
    ]


@api.get("/{game}/next", summary="A puzzle to solve")
async def next_puzzle(game: GameName, request: Request, response: Response) -> dict[str, Any]:
    """Near your rating, and the same one until you have answered it. For our page; it may change."""
    key = key_of(request)
    if key is None:
        key = new_key()
        give_key(request, response, key)
    puzzle, solver, is_new = await _puzzles(request).next(hash_key(key), game)
    return await asyncio.to_thread(puzzle_message, puzzle, solver, is_new, language_of(request))


@api.post("/{puzzle_id}/answer", summary="Answer a puzzle")
async def answer_puzzle(puzzle_id: PuzzleId, body: AnswerRequest, request: Request) -> dict[str, Any]:
    """Whether the move is right, and why; the first answer changes your rating. For our page; it may change."""
    puzzle = await _find(puzzle_id)
    answered = await _puzzles(request).answer(puzzle, body.move, held_by(request), owner_of(request))
    return await asyncio.to_thread(_told, answered, language_of(request))


def _told(answered: Answered, language: str) -> dict[str, Any]:
    change = round(answered.after.rating.rating) - round(answered.before.rating.rating)
    return {
        **answer_message(answered.puzzle, answered.played, language),
        "counted": answered.is_counted,
        "change": change if answered.is_counted else 0,
        "solver": solver_message(answered.after),
    }


@api.get("/{puzzle_id}/preview", summary="What a legal move would bring")
async def preview_move(puzzle_id: PuzzleId, move: MoveNumber, request: Request) -> dict[str, Any]:
    """What the rules say about it, not whether it is good. For our page; it may change."""
    position = (await _find(puzzle_id)).position
    known = position.game.move(move)
    if known not in position.legal_moves:
        raise RequestError("illegal_move")
    return {"move": move, **move_preview(position, known, language_of(request))}


@api.get("/{puzzle_id}/why", summary="Which rule forbids a move")
async def explain_move(puzzle_id: PuzzleId, move: MoveNumber, request: Request) -> dict[str, Any]:
    """For moves that are not legal. For our page; it may change."""
    position = (await _find(puzzle_id)).position
    known = position.game.move(move)
    if known in position.legal_moves:
        raise BadMessage("only a move that is not legal can be explained")
    return {"move": move, "said": as_sentence(why_illegal(position, known, language_of(request)))}


async def _find(puzzle_id: str) -> Puzzle:
    return await asyncio.to_thread(find_puzzle, puzzle_id)


def _puzzles(request: Request) -> Puzzles:
    puzzles: Puzzles = request.app.state.puzzles
    return puzzles
