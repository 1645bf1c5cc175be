"""The rules pages: texts in Markdown, one per game and language, and pictures of positions reached by real play.

A text refers to a picture as ``![what is seen](picture:take)``; what is drawn is defined here once for all
languages, by draws and moves as they would be typed in at a table, so that every picture is a legal position.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tilewright.game.errors import describe_error
from tilewright.game.registry import find_spec, make_game
from tilewright.view.lessons import markdown_of, plates_of
from tilewright.view.picture.compose import is_laid_out
from tilewright.view.picture.plate import DrawnPlate, draw_plate
from tilewright.view.picture.tile_sets import GLAZED

logger = logging.getLogger("tilewright.server")

NAMES = ("Anna", "Ben")
THEMES = ("light", "dark")
WIDEST, TALLEST = 780, 430
"""Of a picture on a page."""
_PICTURE = "picture:"


def has_picture(game: str, name: str) -> bool:
    """Whether the lesson of a game has a picture of this name."""
    return name in plates_of(find_spec(game))


@cache
def picture(game: str, name: str, language: str, theme: str, tiles: str = GLAZED) -> DrawnPlate:
    """A picture as SVG, and its size."""
    return draw_plate(plates_of(find_spec(game))[name](game), NAMES, language, theme, tiles)


# --------------------------------------------------------------------------------------------------- Texts


@dataclass(frozen=True)
class Section:
    """A heading of the second level and what stands below it."""

    title: str
    html: str


@dataclass(frozen=True)
class Rules:
    """A rules page: what stands before the first heading, and the sections."""

    lead: str
    sections: tuple[Section, ...]


@cache
def rules_page(game: str, language: str) -> Rules:
    """The rules of a game in a language, as HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("image", _image_rule(game, language))
    tokens = markdown.parse(markdown_of(find_spec(game), language))
    starts = [n for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
    lead = markdown.renderer.render(tokens[: starts[0] if starts else None], markdown.options, {})
    sections = []
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        html = markdown.renderer.render(tokens[start + 3 : end], markdown.options, {})
        sections.append(Section(tokens[start + 1].content, _tidied(html)))
    return Rules(_tidied(lead), tuple(sections))


def _tidied(html: str) -> str:
    """Figures stand by themselves, not in paragraphs; wide tables can be scrolled."""
    html = html.replace("<p><figure", "<figure").replace("</figure></p>", "</figure>")
    return html.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")


def _image_rule(game: str, language: str) -> Callable[..., str]:
    def render(renderer: object, tokens: Sequence[Token], index: int, options: object, env: object) -> str:
        token = tokens[index]
        name = str(token.attrs["src"]).removeprefix(_PICTURE)
        return figure(game, name, language, token.content)

    return render


def overview_figure(game: str, language: str) -> str:
    """The picture that stands for a game on the overview; nothing for a game that cannot be drawn."""
    try:
        look = "plate whole" if is_laid_out(make_game(game)) else "plate"
        return figure(game, "end", language, "", look)
    except (Exception, SystemExit) as error:  # of one game, which must not cost the others
        logger.warning("drawing the lesson of the game %r failed: %s", game, describe_error(error))
        return ""


def figure(game: str, name: str, language: str, alt: str, look: str = "plate") -> str:
    """A picture for both themes; the style sheet shows one of them, and browsers fetch only that one."""
    images = ""
    width, height = _shown_size(picture(game, name, language, THEMES[0]))
    for theme in THEMES:
        address = f"/learn/picture/{game}/{name}.svg?language={language}&amp;theme={theme}"
        size = f'width="{width}" height="{height}"'
        images += f'<img class="in-{theme}" src="{address}" alt="{escape(alt)}" loading="lazy" {size}>'
    caption = f'<figcaption aria-hidden="true">{escape(alt)}</figcaption>' if alt else ""
    return f'<figure class="{look}">{images}{caption}</figure>'


def _shown_size(plate: DrawnPlate) -> tuple[int, int]:
    """How large a picture is shown, said beforehand so that the text does not jump when it arrives."""
    scale = min(1.0, WIDEST / plate.width, TALLEST / plate.height)
    return round(plate.width * scale), round(plate.height * scale)
