"""The rules pages: texts in Markdown, one a game and language, and pictures of positions reached by real play.

A text refers to a picture as ``![what is seen](picture:take)``; what is drawn is defined here once for all
languages, by draws and moves as they would be typed in at a table, so that every picture is a legal position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tilewright.game.library import make_game
from tilewright.game.moves import Draw
from tilewright.game.position import Position
from tilewright.game.record import read_record
from tilewright.rules.summer_pavilion_board import BLUE, CENTRE_STAR, GREEN, PURPLE, RED, YELLOW, space
from tilewright.view.picture.plate import ARROW, DOWN, Piece, draw_plate

NAMES = ("Anna", "Ben")
THEMES = ("light", "dark")
WIDEST, TALLEST = 780, 430
"""Of a picture on a page."""
_TEXTS = files("tilewright.server").joinpath("learn")
_PICTURE = "picture:"

Plate = Sequence[Piece | str]
MARKET, ANNA, BEN = 0, 1, 2
"""The panels that are shown."""


def play(game: str, script: str, **options: str | bool) -> Position:
    """A two-player game as far as a script goes: moves and draws, with semicolons between them."""
    position = make_game(game, players=2, **options).set_up()
    for event in script.split(";"):
        _happen(position, event.strip())
    return position


def _happen(position: Position, event: str) -> None:
    if event.startswith("draw "):
        position.draw(event.removeprefix("draw "))
    else:
        position.push(event)


@cache
def model_game(game: str) -> list[Position]:
    """Every position of a whole game that two bots played."""
    rules = "azul" if game == "azul-mini" else game
    record = read_record(_TEXTS.joinpath(f"{rules}.txt").read_text(encoding="utf-8"))
    position = make_game(game, players=2).set_up()
    moments = []
    for event in record.events:
        _happen(position, f"draw {event}" if isinstance(event, Draw) else str(event))
        moments.append(position.copy())
    return moments


# ---------------------------------------------------------------------------------------------------- Azul

_OPENING = "draw bbyw kkkr yyrw rrbw ykww"
_FIRST_TURNS = f"{_OPENING}; 1b2; 5k1"
_HALFWAY = f"{_FIRST_TURNS}; cw3; 2k3; 3y4; 4r2"
_ALL_TAKEN = f"{_HALFWAY}; cy4; cr4; cb1"
_ROUND_TWO = f"{_ALL_TAKEN}; cw5; draw kkrb yyrk bwyr wkby rwkb; 1k3; 4b1"
_LINES, _WALL, _FLOOR = "p1-line", "p1-wall", "p1-floor"


def _azul_table(game: str) -> Plate:
    position = play(game, _OPENING)
    return [Piece(position, MARKET), Piece(position, ANNA)]


def _azul_take(game: str) -> Plate:
    before, after = play(game, _OPENING), play(game, f"{_OPENING}; 1b2")
    return [
        Piece(before, MARKET, around=("factory-1", "centre"), rings=(("factory-1-b",),)),
        ARROW,
        Piece(after, MARKET, around=("factory-1", "centre"), rings=(("centre-y", "centre-w"),)),
        Piece(after, ANNA, around=(_LINES,), rings=(("p1-line-2",),)),
    ]


def _azul_marker(game: str) -> Plate:
    before, after = play(game, _FIRST_TURNS), play(game, f"{_FIRST_TURNS}; cw3")
    return [
        Piece(before, MARKET, around=("centre",), rings=(("centre-w", "centre-marker"),)),
        ARROW,
        Piece(after, ANNA, rings=(("p1-line-3", "p1-floor-0"),)),
    ]


def _azul_overflow(game: str) -> Plate:
    after = play(game, f"{_HALFWAY}; cy1")
    return [Piece(after, ANNA, rings=(("p1-line-1", "p1-floor-1"),))]


def _azul_choices(game: str) -> Plate:
    position = play(game, _ROUND_TWO)
    lines = ("p1-line-1", "p1-line-2", "p1-line-5")
    return [
        Piece(position, MARKET, around=("factory-2",), rings=(("factory-2-y",),)),
        Piece(position, ANNA, rings=(lines, ("p1-wall-4-5",))),
    ]


def _azul_tiling(game: str) -> Plate:
    before, after = play(game, _ALL_TAKEN), play(game, f"{_ALL_TAKEN}; cw5")
    full = ("p1-line-1-0", "p1-line-2-0", "p1-line-3-0", "p1-line-4-0")
    cells = ("p1-wall-1-1", "p1-wall-2-2", "p1-wall-3-2", "p1-wall-4-5")
    return [Piece(before, ANNA, rings=(full,)), ARROW, Piece(after, ANNA, rings=(cells,))]


def _azul_score(game: str) -> Plate:
    after = next(moment for moment in model_game(game) if moment.round == 5)
    across = tuple(f"p2-wall-2-{column}" for column in (1, 3, 4))
    return [Piece(after, BEN, around=("p2-wall",), rings=(("p2-wall-2-2",), across, ("p2-wall-1-2",)))]


def _azul_floor(game: str) -> Plate:
    position = play(game, f"{_HALFWAY}; cyf; cb4; cwf")
    return [Piece(position, ANNA, around=(_FLOOR,))]


def _azul_end(game: str) -> Plate:
    return [Piece(model_game(game)[-1], ANNA)]


def _azul_grey(game: str) -> Plate:
    position = play(game, f"{_ALL_TAKEN}; cw5; w12", wall="grey")
    cells = tuple(f"p1-wall-2-{column}" for column in (1, 3, 4, 5))
    return [Piece(position, ANNA, rings=(("p1-line-2",), cells))]


def _azul_jokers(game: str) -> Plate:
    opening = "draw bbjy kkkr yyrw rjbw ykww"
    before, after = play(game, opening, jokers=True), play(game, f"{opening}; 1bj3:1", jokers=True)
    return [
        Piece(before, MARKET, around=("factory-1",), rings=(("factory-1-b", "factory-1-j"),)),
        ARROW,
        Piece(after, ANNA, rings=(("p1-line-3",), ("p1-wall-3-3",))),
    ]


# ------------------------------------------------------------------------------------------ Summer Pavilion

_DEAL = "draw pgoybr pgoy rrpy ggbb rroy bbpo yygp"
_CENTRE = f"{_DEAL}; 1r; 2g"
_DRAFTED = f"{_CENTRE}; cb; 3o; 4b; cy; cr; 5y; cg; co"
_PAYING = f"{_DRAFTED}; r2; y3; r1; g2"
_HAND, _SUPPLY = "p1-hand", "supply"


def _spaces(*spaces: int) -> tuple[str, ...]:
    return tuple(f"p1-space-{n}" for n in spaces)


_RED_STAR = _spaces(*(space(RED, ring) for ring in range(1, 7)))


def _pavilion_table(game: str) -> Plate:
    position = play(game, _DEAL)
    return [Piece(position, MARKET), Piece(position, ANNA)]


def _pavilion_take(game: str) -> Plate:
    before, after = play(game, _DEAL), play(game, f"{_DEAL}; 1r")
    return [
        Piece(before, MARKET, around=("factory-1",), rings=(("factory-1-r", "factory-1-p"),)),
        DOWN,
        Piece(after, ANNA, around=(_HAND,), rings=(("p1-hand-r", "p1-hand-p"),)),
    ]


def _pavilion_centre(game: str) -> Plate:
    before, after = play(game, _CENTRE), play(game, f"{_CENTRE}; cb")
    return [
        Piece(before, MARKET, around=("centre",), rings=(("centre-b", "centre-marker"),)),
        DOWN,
        Piece(after, ANNA, around=("p1-marker", "p1-corner-0", "p1-corner-1"), rings=(("p1-marker",),)),
    ]


def _pavilion_pay(game: str) -> Plate:
    before, after = play(game, _PAYING), play(game, f"{_PAYING}; r3+2")
    three = space(RED, 3)
    return [
        Piece(before, ANNA, rings=(("p1-hand-r", "p1-hand-p"), _spaces(three))),
        ARROW,
        Piece(after, ANNA, around=_RED_STAR, rings=(_spaces(three, three - 1, three - 2),)),
    ]


def _pavilion_features(game: str) -> Plate:
    pillar = _spaces(space(RED, 2), space(RED, 3), space(CENTRE_STAR, 1), space(CENTRE_STAR, 2))
    statue = _spaces(space(YELLOW, 1), space(YELLOW, 2), space(GREEN, 3), space(GREEN, 4))
    window = _spaces(space(PURPLE, 5), space(PURPLE, 6))
    return [Piece(play(game, _DEAL), ANNA, rings=(pillar, statue, window))]


def _pavilion_bonus(game: str) -> Plate:
    position = next(moment for moment in model_game(game) if moment.phase == "bonus")
    red = _spaces(space(RED, 2), space(RED, 3), space(CENTRE_STAR, 1), space(CENTRE_STAR, 2))
    return [
        Piece(position, ANNA, around=(*_RED_STAR, *_spaces(*range(36, 42))), rings=(red,)),
        DOWN,
        Piece(position, MARKET, around=(_SUPPLY,)),
    ]


def _pavilion_keep(game: str) -> Plate:
    position = play(game, f"{_PAYING}; r3+2; y1; pass; keep gbbb")
    return [Piece(position, ANNA, rings=(("p1-corner",),))]


def _pavilion_end(game: str) -> Plate:
    return [Piece(model_game(game)[-1], ANNA)]


def _pavilion_grey(game: str) -> Plate:
    position = play(game, f"{_DRAFTED}; s21r; s11y; s22r; s12y; s11b; s31o; s12g+1", side="grey")
    uniform = _spaces(*(space(BLUE, ring) for ring in range(1, 7)))
    return [Piece(position, ANNA, rings=(uniform, _RED_STAR))]


# ------------------------------------------------------------------------------------------------- Pictures

_AZUL: dict[str, Callable[[str], Plate]] = {
    "table": _azul_table,
    "take": _azul_take,
    "marker": _azul_marker,
    "overflow": _azul_overflow,
    "choices": _azul_choices,
    "tiling": _azul_tiling,
    "score": _azul_score,
    "floor": _azul_floor,
    "end": _azul_end,
    "grey": _azul_grey,
}
PLATES: dict[str, dict[str, Callable[[str], Plate]]] = {
    "azul": {**_AZUL, "jokers": _azul_jokers},
    "azul-mini": _AZUL,
    "summer-pavilion": {
        "table": _pavilion_table,
        "take": _pavilion_take,
        "centre": _pavilion_centre,
        "pay": _pavilion_pay,
        "features": _pavilion_features,
        "bonus": _pavilion_bonus,
        "keep": _pavilion_keep,
        "end": _pavilion_end,
        "grey": _pavilion_grey,
    },
}
"""The pictures of each game by name."""


@cache
def picture(game: str, name: str, language: str, theme: str) -> str:
    """A picture as SVG."""
    return draw_plate(PLATES[game][name](game), NAMES, language, theme)


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


def source(game: str, language: str) -> str:
    """The Markdown of a game's rules."""
    return _TEXTS.joinpath(language, f"{game}.md").read_text(encoding="utf-8")


@cache
def rules_page(game: str, language: str) -> Rules:
    """The rules of a game in a language, as HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("image", _image_rule(game, language))
    tokens = markdown.parse(source(game, language))
    starts = [n for n, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
    lead = markdown.renderer.render(tokens[: starts[0]], markdown.options, {})
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


def figure(game: str, name: str, language: str, alt: str) -> str:
    """A picture for both themes; the style sheet shows one of them, and browsers fetch only that one."""
    images = ""
    width, height = _size(picture(game, name, language, THEMES[0]))
    for theme in THEMES:
        address = f"/learn/picture/{game}/{name}.svg?language={language}&amp;theme={theme}"
        size = f'width="{width}" height="{height}"'
        images += f'<img class="in-{theme}" src="{address}" alt="{escape(alt)}" loading="lazy" {size}>'
    caption = f'<figcaption aria-hidden="true">{escape(alt)}</figcaption>' if alt else ""
    return f'<figure class="plate">{images}{caption}</figure>'


def _size(svg: str) -> tuple[int, int]:
    """How large a picture is shown, said beforehand so that the text does not jump when it arrives."""
    found = re.search(r' width="([\d.]+)" height="([\d.]+)"', svg)
    assert found is not None
    width, height = float(found[1]), float(found[2])
    scale = min(1.0, WIDEST / width, TALLEST / height)
    return round(width * scale), round(height * scale)
