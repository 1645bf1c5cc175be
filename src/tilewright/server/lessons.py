"""The pages to learn from: an overview, the rules of each game with pictures, and guided first games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi import Path as PathParameter
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from tilewright.game.dealer import SecretDealer
from tilewright.game.registry import GAMES, make_game
from tilewright.server import learning
from tilewright.server.coach import OPPONENT
from tilewright.server.errors import NotFound
from tilewright.server.names import clean_name
from tilewright.server.rendering import page
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.web import give_key, key_of, language_of, new_key, tiles_of
from tilewright.view.language import say

router = APIRouter(prefix="/learn", include_in_schema=False)
GameName = Annotated[str, PathParameter(max_length=50)]
_SEE_OTHER = 303


def _known(game: str) -> str:
    if game not in GAMES:
        raise NotFound("no_game")
    return game


@router.get("")
def overview(request: Request) -> HTMLResponse:
    """Which game would you like to learn?"""
    language = language_of(request)
    games = [
        {"name": name, "title": kind.spec.title, "figure": learning.overview_figure(name, language)}
        for name, kind in GAMES.items()
    ]
    return page(request, "learn.html", games=games)


@router.get("/{game}")
def rules(game: GameName, request: Request) -> HTMLResponse:
    """The rules of a game."""
    found = learning.rules_page(_known(game), language_of(request))
    return page(
        request, "rules.html", game=game, title=GAMES[game].spec.title, lead=found.lead, sections=found.sections
    )


@router.get("/picture/{game}/{name}.svg")
def picture(game: GameName, name: str, request: Request, theme: str = "light") -> Response:
    """A picture of the rules, in the colours of a theme."""
    if game not in GAMES or not learning.has_picture(game, name) or theme not in learning.THEMES:
        raise NotFound("no_picture")
    svg = learning.picture(game, name, language_of(request), theme, tiles_of(request)).svg
    headers = {"Cache-Control": "private, max-age=3600", "Vary": "Cookie, Accept-Language"}
    return Response(svg, media_type="image/svg+xml", headers=headers)


@router.get("/{game}/first-game")
async def ask_for_first_game(game: GameName) -> RedirectResponse:
    """Following a link opens no table; the rules page has the button that does."""
    return RedirectResponse(f"/learn/{_known(game)}", _SEE_OTHER)


@router.post("/{game}/first-game")
async def open_first_game(game: GameName, request: Request, name: str = "") -> RedirectResponse:
    """A table against bots, with a coach; the deal is as honest as any."""
    key = key_of(request) or new_key()
    rules = make_game(_known(game))
    learner = clean_name(name) or say(language_of(request), "page.learner")
    opponents = [StoredSeat("bot", bot=OPPONENT) for _ in range(rules.players - 1)]
    stored = StoredTable(
        id=new_id(),
        game=rules.name,
        players=rules.players,
        options=dict(rules.options),
        secret=SecretDealer().secret,
        guided=True,
        seats=[StoredSeat("human", learner, hash_key(key)), *opponents],
    )
    await request.app.state.rooms.create(stored)
    response = RedirectResponse(f"/t/{stored.id}", _SEE_OTHER)
    if key_of(request) is None:
        give_key(request, response, key)
    return response
