"""The pages that people see."""

from __future__ import annotations

import hashlib
from functools import cache, partial
from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, PackageLoader, select_autoescape

import tilewright
from tilewright.bots.registry import BOTS
from tilewright.game.library import GAMES, make_game
from tilewright.server.api import TableId, games, room_of, summarise
from tilewright.server.rooms import Rooms
from tilewright.server.table import hash_key
from tilewright.server.web import give_key, key_of, language_of, new_key
from tilewright.view.language import LANGUAGES, say, texts
from tilewright.view.picture import compose
from tilewright.view.picture.style import stylesheet

router = APIRouter(include_in_schema=False)
HERE = Path(__file__).parent
PICTURE_SEED = 1510
PALETTE = "palette.css"


@cache
def _templates() -> Environment:
    return Environment(loader=PackageLoader("tilewright.server"), autoescape=select_autoescape(), trim_blocks=True)


@cache
def _static(path: str) -> str:
    """The address of a static file, with a stamp of its content."""
    content = stylesheet().encode() if path == PALETTE else (HERE / "static" / path).read_bytes()
    return f"/static/{path}?v={hashlib.sha256(content).hexdigest()[:10]}"


@router.get(f"/static/{PALETTE}")
async def palette() -> Response:
    """The colours of the drawings, for the pages too: they are written once, in Python."""
    return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": "no-cache"})


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page in the reader's language."""
    language = language_of(request)
    theme = request.cookies.get("theme", "auto")
    html = (
        _templates()
        .get_template(template)
        .render(
            say=partial(say, language),
            language=language,
            languages=LANGUAGES,
            theme=theme if theme in ("light", "dark") else "auto",
            version=tilewright.__version__,
            static=_static,
            words={key.removeprefix("page."): text for key, text in texts(language).items() if key.startswith("page.")},
            **context,
        )
    )
    response = HTMLResponse(html, status_code=status)
    if key_of(request) is None:
        give_key(request, response, new_key())
    return response


def error_page(request: Request, status: int) -> HTMLResponse:
    """Something was not found, or went wrong."""
    return page(request, "error.html", status, error_status=status)


@router.get("/")
async def home(request: Request) -> HTMLResponse:
    """Choose a game, or go on with one."""
    rooms: Rooms = request.app.state.rooms
    language = language_of(request)
    held = hash_key(key_of(request) or "")
    open_ids = await rooms.in_store(lambda store: store.open_tables())
    my_ids = await rooms.in_store(lambda store: store.tables_of(held, over=False))
    over_ids = await rooms.in_store(lambda store: store.tables_of(held, over=True))
    described = [{**game, "picture": f"/picture/{game['name']}.svg"} for game in await games()]
    bots = [
        {"name": bot, "label": say(language, f"bots.{bot}"), "hint": say(language, f"bots.{bot}_hint")} for bot in BOTS
    ]
    return page(
        request,
        "home.html",
        games=described,
        bots=bots,
        open_tables=[await summarise(rooms, table) for table in open_ids if table not in my_ids],
        my_tables=[await summarise(rooms, table) for table in my_ids],
        finished=[await summarise(rooms, table) for table in over_ids],
    )


@router.get("/t/{table_id}")
async def table(table_id: TableId, request: Request) -> HTMLResponse:
    """A table."""
    room = await room_of(request, table_id)
    game = room.table.game
    return page(request, "table.html", table_id=table_id, title=game.title, game=game.name)


@router.get("/t/{table_id}/replay")
async def replay(table_id: TableId, request: Request) -> HTMLResponse:
    """A game move by move."""
    room = await room_of(request, table_id)
    return page(request, "replay.html", table_id=table_id, title=room.table.game.title)


@router.get("/api")
async def interface(request: Request) -> HTMLResponse:
    """What programs can do here, from the OpenAPI description."""
    schema = request.app.openapi()
    calls = [
        {"method": method.upper(), "path": path, **call}
        for path, methods in schema["paths"].items()
        for method, call in methods.items()
    ]
    return page(request, "api.html", calls=calls)


@router.get("/picture/{name}.svg")
async def picture(name: str, request: Request) -> Response:
    """A picture of a game in play."""
    if name not in GAMES:
        raise HTTPException(404, "there is no such game")
    svg = _picture(name, language_of(request))
    return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=3600"})


@cache
def _picture(name: str, language: str) -> str:
    """A game that somebody has begun well."""
    from tilewright.bots.registry import make_bot

    position = make_game(name, players=2).start(seed=PICTURE_SEED)
    bot = make_bot("playouts", seed=1)
    for _ in range(30):
        position.push(bot.choose(position))
    return compose.draw_svg(position, language=language)
