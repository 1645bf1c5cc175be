"""The lesson of Azul: its pictures here, its texts in folders with a Markdown file for each language.

A text refers to a picture as ``![what is seen](picture:take)``.
"""

from __future__ import annotations

from importlib.resources import files

from tilewright.view.picture.lesson import ANNA, BEN, MARKET, Plate, Plates, end_of_model_game, model_game, play
from tilewright.view.picture.plate import ARROW, Piece

RULES = files(__name__)
"""The folder of the text that the lessons of Azul and Azul Mini share."""
TEXTS = (RULES, RULES.joinpath("jokers"))
"""The folders of the texts, in the order of the page."""

_OPENING = "draw bbyw kkkr yyrw rrbw ykww"
_FIRST_TURNS = f"{_OPENING}; 1b2; 5k1"
_HALFWAY = f"{_FIRST_TURNS}; cw3; 2k3; 3y4; 4r2"
_ALL_TAKEN = f"{_HALFWAY}; cy4; cr4; cb1"
_ROUND_TWO = f"{_ALL_TAKEN}; cw5; draw kkrb yyrk bwyr wkby rwkb; 1k3; 4b1"
_LINES, _WALL, _FLOOR = "p1-line", "p1-wall", "p1-floor"


def _table(game: str) -> Plate:
    position = play(game, _OPENING)
    return [Piece(position, MARKET), Piece(position, ANNA)]


def _take(game: str) -> Plate:
    before, after = play(game, _OPENING), play(game, f"{_OPENING}; 1b2")
    return [
        Piece(before, MARKET, around=("factory-1", "centre"), rings=(("factory-1-b",),)),
        ARROW,
        Piece(after, MARKET, around=("factory-1", "centre"), rings=(("centre-y", "centre-w"),)),
        Piece(after, ANNA, around=(_LINES,), rings=(("p1-line-2",),)),
    ]


def _marker(game: str) -> Plate:
    before, after = play(game, _FIRST_TURNS), play(game, f"{_FIRST_TURNS}; cw3")
    return [
        Piece(before, MARKET, around=("centre",), rings=(("centre-w", "centre-marker"),)),
        ARROW,
        Piece(after, ANNA, rings=(("p1-line-3", "p1-floor-0"),)),
    ]


def _overflow(game: str) -> Plate:
    after = play(game, f"{_HALFWAY}; cy1")
    return [Piece(after, ANNA, rings=(("p1-line-1", "p1-floor-1"),))]


def _choices(game: str) -> Plate:
    position = play(game, _ROUND_TWO)
    lines = ("p1-line-1", "p1-line-2", "p1-line-5")
    return [
        Piece(position, MARKET, around=("factory-2",), rings=(("factory-2-y",),)),
        Piece(position, ANNA, rings=(lines, ("p1-wall-4-5",))),
    ]


def _tiling(game: str) -> Plate:
    before, after = play(game, _ALL_TAKEN), play(game, f"{_ALL_TAKEN}; cw5")
    full = ("p1-line-1-0", "p1-line-2-0", "p1-line-3-0", "p1-line-4-0")
    cells = ("p1-wall-1-1", "p1-wall-2-2", "p1-wall-3-2", "p1-wall-4-5")
    return [Piece(before, ANNA, rings=(full,)), ARROW, Piece(after, ANNA, rings=(cells,))]


def _score(game: str) -> Plate:
    after = next(moment for moment in model_game(game, __name__) if moment.round == 5)
    across = tuple(f"p2-wall-2-{column}" for column in (1, 3, 4))
    return [Piece(after, BEN, around=("p2-wall",), rings=(("p2-wall-2-2",), across, ("p2-wall-1-2",)))]


def _floor(game: str) -> Plate:
    position = play(game, f"{_HALFWAY}; cyf; cb4; cwf")
    return [Piece(position, ANNA, around=(_FLOOR,))]


def _grey(game: str) -> Plate:
    position = play(game, f"{_ALL_TAKEN}; cw5; w12", wall="grey")
    cells = tuple(f"p1-wall-2-{column}" for column in (1, 3, 4, 5))
    return [Piece(position, ANNA, rings=(("p1-line-2",), cells))]


def _jokers(game: str) -> Plate:
    opening = "draw bbjy kkkr yyrw rjbw ykww"
    before, after = play(game, opening, jokers=True), play(game, f"{opening}; 1bj3:1", jokers=True)
    return [
        Piece(before, MARKET, around=("factory-1",), rings=(("factory-1-b", "factory-1-j"),)),
        ARROW,
        Piece(after, ANNA, rings=(("p1-line-3",), ("p1-wall-3-3",))),
    ]


BOTH_GAMES: Plates = {
    "table": _table,
    "take": _take,
    "marker": _marker,
    "overflow": _overflow,
    "choices": _choices,
    "tiling": _tiling,
    "score": _score,
    "floor": _floor,
    "end": end_of_model_game(__name__),
    "grey": _grey,
}
"""The pictures that the lessons of Azul and Azul Mini share."""
PLATES: Plates = {**BOTH_GAMES, "jokers": _jokers}
"""The pictures by name."""
