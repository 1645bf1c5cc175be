"""The lesson of Summer Pavilion: its pictures here, its text a Markdown file for each language.

A text refers to a picture as ``![what is seen](picture:take)``.
"""

from __future__ import annotations

from tilewright.games.summer_pavilion.board import BLUE, CENTRE_STAR, GREEN, PURPLE, RED, YELLOW, space
from tilewright.view.picture.lesson import ANNA, MARKET, Plate, Plates, end_of_model_game, model_game, play
from tilewright.view.picture.plate import ARROW, DOWN, Piece

_DEAL = "draw pgoybr pgoy rrpy ggbb rroy bbpo yygp"
_CENTRE = f"{_DEAL}; 1r; 2g"
_DRAFTED = f"{_CENTRE}; cb; 3o; 4b; cy; cr; 5y; cg; co"
_PAYING = f"{_DRAFTED}; r2; y3; r1; g2"
_HAND, _SUPPLY = "p1-hand", "supply"


def _spaces(*spaces: int) -> tuple[str, ...]:
    return tuple(f"p1-space-{n}" for n in spaces)


_RED_STAR = _spaces(*(space(RED, ring) for ring in range(1, 7)))


def _table(game: str) -> Plate:
    position = play(game, _DEAL)
    return [Piece(position, MARKET), Piece(position, ANNA)]


def _take(game: str) -> Plate:
    before, after = play(game, _DEAL), play(game, f"{_DEAL}; 1r")
    return [
        Piece(before, MARKET, around=("factory-1",), rings=(("factory-1-r", "factory-1-p"),)),
        DOWN,
        Piece(after, ANNA, around=(_HAND,), rings=(("p1-hand-r", "p1-hand-p"),)),
    ]


def _centre(game: str) -> Plate:
    before, after = play(game, _CENTRE), play(game, f"{_CENTRE}; cb")
    return [
        Piece(before, MARKET, around=("centre",), rings=(("centre-b", "centre-marker"),)),
        DOWN,
        Piece(after, ANNA, around=("p1-marker", "p1-corner-0", "p1-corner-1"), rings=(("p1-marker",),)),
    ]


def _pay(game: str) -> Plate:
    before, after = play(game, _PAYING), play(game, f"{_PAYING}; r3+2")
    three = space(RED, 3)
    return [
        Piece(before, ANNA, rings=(("p1-hand-r", "p1-hand-p"), _spaces(three))),
        ARROW,
        Piece(after, ANNA, around=_RED_STAR, rings=(_spaces(three, three - 1, three - 2),)),
    ]


def _features(game: str) -> Plate:
    pillar = _spaces(space(RED, 2), space(RED, 3), space(CENTRE_STAR, 1), space(CENTRE_STAR, 2))
    statue = _spaces(space(YELLOW, 1), space(YELLOW, 2), space(GREEN, 3), space(GREEN, 4))
    window = _spaces(space(PURPLE, 5), space(PURPLE, 6))
    return [Piece(play(game, _DEAL), ANNA, rings=(pillar, statue, window))]


def _bonus(game: str) -> Plate:
    position = next(moment for moment in model_game(game, __name__) if moment.phase == "bonus")
    red = _spaces(space(RED, 2), space(RED, 3), space(CENTRE_STAR, 1), space(CENTRE_STAR, 2))
    return [
        Piece(position, ANNA, around=(*_RED_STAR, *_spaces(*range(36, 42))), rings=(red,)),
        DOWN,
        Piece(position, MARKET, around=(_SUPPLY,)),
    ]


def _keep(game: str) -> Plate:
    position = play(game, f"{_PAYING}; r3+2; y1; pass; keep gbbb")
    return [Piece(position, ANNA, rings=(("p1-corner",),))]


def _grey(game: str) -> Plate:
    position = play(game, f"{_DRAFTED}; s21r; s11y; s22r; s12y; s11b; s31o; s12g+1", side="grey")
    uniform = _spaces(*(space(BLUE, ring) for ring in range(1, 7)))
    return [Piece(position, ANNA, rings=(uniform, _RED_STAR))]


PLATES: Plates = {
    "table": _table,
    "take": _take,
    "centre": _centre,
    "pay": _pay,
    "features": _features,
    "bonus": _bonus,
    "keep": _keep,
    "end": end_of_model_game(__name__),
    "grey": _grey,
}
"""The pictures by name."""
