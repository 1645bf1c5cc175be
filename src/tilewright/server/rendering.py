"""HTML from templates, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, select_autoescape

import tilewright
from tilewright.game.registry import find_spec
from tilewright.server.static_files import static_url
from tilewright.server.warming import told_to
from tilewright.server.web import language_of, renew_key, theme_of, tiles_of
from tilewright.view.game_texts import GameTexts, listed_titles
from tilewright.view.language import LANGUAGES, say, texts
from tilewright.view.picture.palette import DARK, LIGHT
from tilewright.view.picture.png import can_draw_png
from tilewright.view.picture.tile_sets import GLAZED, TILE_SETS

HERE = Path(__file__).parent
TEMPLATES = HERE / "templates"


@cache
def _templates() -> Environment:
    return Environment(loader=PackageLoader("tilewright.server"), autoescape=select_autoescape(), trim_blocks=True)


def render(
    template: str, language: str, theme: str, areas: Sequence[str] = (), tiles: str = GLAZED, **context: Any
) -> str:
    """A template filled in; its scripts know the texts for every page, and those of further areas."""
    known = texts(language)
    shown = {key.removeprefix("page."): text for key, text in known.items() if key.startswith("page.")}
    shown |= {key: text for key, text in known.items() if key.partition(".")[0] in areas}
    return (
        _templates()
        .get_template(template)
        .render(
            say=partial(say, language),
            game_texts=lambda name: GameTexts(find_spec(name), language),
            listed_titles=listed_titles(language),
            language=language,
            languages=LANGUAGES,
            theme=theme,
            tiles=tiles,
            tile_sets=TILE_SETS,
            version=tilewright.__version__,
            static=static_url,
            apple_icon=can_draw_png(),
            top_colours={"light": LIGHT["plaster"], "dark": DARK["plaster"]},
            texts=shown,
            **context,
        )
    )


def page(request: Request, template: str, **context: Any) -> HTMLResponse:
    """A page in the reader's language, for them alone: it has their key and perhaps the address they asked for."""
    settings = {"tiles": tiles_of(request), "compiling": told_to(request)}
    html = render(template, language_of(request), theme_of(request), **settings, **context)
    response = HTMLResponse(html, headers={"Cache-Control": "private"})
    renew_key(request, response)
    return response


def page_for_everybody(request: Request, template: str, **context: Any) -> HTMLResponse:
    """A page in the reader's language that a service worker may keep: it follows the system's theme and sets no key.

    The worker writes the reader's theme and tiles over these.
    """
    html = render(template, language_of(request), "auto", **context)
    return HTMLResponse(html, headers={"Cache-Control": "no-cache"})


@lru_cache(maxsize=256)
def error_html(language: str, theme: str, tiles: str, status: int, said: str) -> str:
    """The page for something that was not found, went wrong or was refused; kept, since a flood gets it many times."""
    return render("error.html", language, theme, tiles=tiles, error_status=status, said=said)
