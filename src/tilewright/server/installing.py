"""What makes the pages an application that can be installed: its manifest and icons, its service worker, and the pages
that the worker keeps for when the server is slow or cannot be reached.

What the worker keeps is the same for everybody: those pages are rendered without a key and set no cookie.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from tilewright.server.errors import NotFound
from tilewright.server.rendering import TEMPLATES, page_for_everybody
from tilewright.server.static_files import STATIC, static_digest, static_names, static_url
from tilewright.server.web import language_of
from tilewright.view.game_texts import listed_titles
from tilewright.view.language import LANGUAGES, say, texts
from tilewright.view.picture.icon import draw_icon
from tilewright.view.picture.palette import LIGHT
from tilewright.view.picture.png import can_draw_png, to_png

router = APIRouter(include_in_schema=False)
WORKER = "service_worker.js"
ADDITIONS = ("push-worker.js",)
"""Scripts that the service worker runs as well, if they are there."""
SIZES = (180, 192, 512)
"""Pixels: what iOS, Android and its splash screen ask for."""
SHORTCUTS = {"daily.title": "/daily", "puzzles.title": "/puzzles", "page.learn": "/learn"}
_DAY = {"Cache-Control": "public, max-age=86400"}
_FRESH = {"Cache-Control": "no-cache"}


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """The application as a phone or a desktop lists it, in the reader's language."""
    language = language_of(request)
    content = {
        "id": "/",
        "name": f"Tilewright · {say(language, 'page.tagline')}",
        "short_name": "Tilewright",
        "description": say(language, "page.description", games=listed_titles(language)),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": LIGHT["table"],
        "theme_color": LIGHT["plaster"],
        "categories": ["games"],
        "icons": _icons(),
        "shortcuts": [{"name": say(language, key), "url": url} for key, url in SHORTCUTS.items()],
    }
    return Response(json.dumps(content, ensure_ascii=False), media_type="application/manifest+json", headers=_FRESH)


def _icons() -> list[dict[str, str]]:
    """The icon whole and as one that a system may cut to a shape; without the PNG packages there is only SVG."""
    found = []
    for purpose in ("any", "maskable"):
        found.append({"src": f"/icon/{purpose}.svg", "sizes": "any", "type": "image/svg+xml", "purpose": purpose})
        for size in SIZES if can_draw_png() else ():
            sizes, address = f"{size}x{size}", f"/icon/{purpose}-{size}.png"
            found.append({"src": address, "sizes": sizes, "type": "image/png", "purpose": purpose})
    return found


@router.get("/icon/{purpose}.svg")
async def icon(purpose: Literal["any", "maskable"]) -> Response:
    """The icon."""
    return Response(draw_icon(maskable=purpose == "maskable"), media_type="image/svg+xml", headers=_DAY)


@router.get("/icon/{purpose}-{size}.png")
def icon_as_png(purpose: Literal["any", "maskable"], size: int) -> Response:
    """The icon for systems that read no SVG."""
    if size not in SIZES or not can_draw_png():
        raise NotFound("no_picture")
    return Response(_png(purpose, size), media_type="image/png", headers=_DAY)


@cache
def _png(purpose: str, size: int) -> bytes:
    return to_png(draw_icon(maskable=purpose == "maskable"), size)


@router.get("/offline")
async def offline(request: Request) -> HTMLResponse:
    """The page that stands in for any other while the server cannot be reached."""
    return page_for_everybody(request, "offline.html")


@router.get("/service-worker.js")
async def service_worker() -> Response:
    """The service worker of this version. At the root, since it serves every page."""
    return Response(_worker(), media_type="text/javascript", headers=_FRESH)


@cache
def _worker() -> str:
    """The script, after what it has to know; browsers replace a worker as soon as a byte of it changes."""
    additions = [static_url(name) for name in ADDITIONS if name in static_names()]
    build: dict[str, Any] = {
        "version": _version(),
        "languages": list(LANGUAGES),
        "files": [static_url(name) for name in static_names() if name not in (WORKER, *ADDITIONS)],
        "additions": additions,
    }
    return f"const BUILD = {json.dumps(build)};\n{(STATIC / WORKER).read_text(encoding='utf-8')}"


def _version() -> str:
    """What changes with the static files, and with the templates and texts of the pages that the worker keeps."""
    content = hashlib.sha256(json.dumps([texts(language) for language in LANGUAGES]).encode())
    for template in sorted(TEMPLATES.iterdir()):
        content.update(template.read_bytes())
    return f"{static_digest()}-{content.hexdigest()[:8]}"
