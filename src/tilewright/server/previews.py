"""The pictures of the home page: each game in play, drawn once, in every language, theme and tile set."""

from __future__ import annotations

import asyncio
from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import Response

from tilewright.bots.greedy import GreedyBot
from tilewright.game.position import Position
from tilewright.game.registry import GAMES, make_game
from tilewright.server.errors import NotFound
from tilewright.server.warm import for_each_game
from tilewright.server.web import language_of, tiles_of
from tilewright.view.language import LANGUAGES, say
from tilewright.view.lessons import showpiece
from tilewright.view.picture import compose
from tilewright.view.picture.plate import draw_plate
from tilewright.view.picture.tile_sets import GLAZED

router = APIRouter(include_in_schema=False)
THEMES = ("light", "dark")
_SEED = 1510
_MOVES = 30


@router.get("/picture/{name}.svg")
async def picture(name: str, request: Request, theme: str = "light") -> Response:
    """A picture of a game in play, in the reader's language. Drawing it takes a while, so a thread does it."""
    if name not in GAMES or theme not in THEMES:
        raise NotFound("no_picture")
    await request.app.state.rooms.warming.until_ready(name, "greedy")
    svg = await asyncio.to_thread(_picture, name, language_of(request), theme, tiles_of(request))
    headers = {"Cache-Control": "private, max-age=3600", "Vary": "Cookie, Accept-Language"}
    return Response(svg, media_type="image/svg+xml", headers=headers)


def draw_all() -> None:
    """Draw in advance what visitors will need. The others are drawn on request."""
    for_each_game(_draw_in_advance, "drawing")


def _draw_in_advance(name: str) -> None:
    for language in LANGUAGES:
        _picture(name, language, "light")


@cache
def _game_in_play(name: str) -> Position:
    """A position a good way into a game."""
    position = make_game(name).start(seed=_SEED)
    bot = GreedyBot()
    for _ in range(_MOVES):
        if not position.is_over:
            position.push(bot.choose(position))
    if position.is_over:
        position.pop()
    return position


@cache
def _picture(name: str, language: str, theme: str, tiles: str = GLAZED) -> str:
    position = _game_in_play(name)
    names = [say(language, "page.player", number=seat + 1) for seat in range(position.game.players)]
    if compose.is_laid_out(position.game):
        return draw_plate([showpiece(position)], names, language, theme, tiles).svg
    return compose.draw_svg(position, names, language, theme, tiles=tiles)
