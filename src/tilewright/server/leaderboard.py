"""The leaderboard of this server: people by their ratings, and the bots at their measured strength among them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from tilewright.bots.registry import OFFERED
from tilewright.game.registry import GAMES
from tilewright.server.api import ERRORS
from tilewright.server.errors import NotFound
from tilewright.server.names import bot_title
from tilewright.server.person import held_by, rooms_of
from tilewright.server.rating import Rating, bot_rating
from tilewright.server.ratings import Standing, leaders
from tilewright.server.rendering import page
from tilewright.server.requests import MAX_PLAYERS
from tilewright.server.responses import Leaderboard, LeaderboardEntry
from tilewright.server.web import language_of
from tilewright.view.language import say

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", tags=["person"], responses=ERRORS)

SHOWN = 50

GameName = Annotated[str, Query(max_length=50, description="A name from `GET /api/games`; the first one if empty")]
PlayerCount = Annotated[int, Query(ge=1, le=MAX_PLAYERS, description="How many players the game has")]


@router.get("/leaderboard")
async def leaderboard_page(request: Request, game: GameName = "", players: PlayerCount = 2) -> HTMLResponse:
    """The leaderboard of a game."""
    board = await leaderboard(request, game, players)
    choices = [
        (name, kind.spec.title, count) for name, kind in GAMES.items() for count in kind.spec.players if count > 1
    ]
    return page(request, "leaderboard.html", board=board, choices=choices)


@api.get("/leaderboard", summary="The strongest players of this server")
async def leaderboard(request: Request, game: GameName = "", players: PlayerCount = 2) -> Leaderboard:
    """Whoever has played a rated game is listed; bots have no rank."""
    name = game or next(iter(GAMES))
    if name not in GAMES or players not in GAMES[name].spec.players:
        raise NotFound("no_game")
    held, language = held_by(request), language_of(request)
    found = await rooms_of(request).read(lambda store: leaders(store, name, players, SHOWN))
    people = [_entry(rank, one, held, language) for rank, one in enumerate(found, start=1)]
    everybody = sorted([*people, *_bots(name, players, language)], key=lambda one: -one.rating)
    return Leaderboard(game=name, title=GAMES[name].spec.title, players=players, entries=everybody)


def described(rating: Rating) -> dict[str, Any]:
    """A rating as responses show it."""
    return {
        "rating": rating.shown,
        "deviation": rating.deviation,
        "provisional": rating.is_provisional,
        "games": rating.games,
    }


def _entry(rank: int, standing: Standing, held: str, language: str) -> LeaderboardEntry:
    return LeaderboardEntry(
        rank=None if standing.rating.is_provisional else rank,
        name=standing.name or say(language, "page.learner"),
        avatar=standing.avatar,
        bot=None,
        you=standing.key_hash == held,
        **described(standing.rating),
    )


def _bots(game: str, players: int, language: str) -> list[LeaderboardEntry]:
    rated = [(bot, rating) for bot in OFFERED if (rating := bot_rating(game, players, bot)) is not None]
    return [
        LeaderboardEntry(
            rank=None, name=bot_title(bot, language), avatar=None, bot=bot, you=False,
            **described(rating) | {"provisional": False},
        )
        for bot, rating in rated
    ]  # fmt: skip
