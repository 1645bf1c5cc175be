"""The lesson of a game: a text in Markdown for each language, and the pictures that it refers to.

The text is in the folder of the game's part ``lessons``, or in several folders, which the part lists as ``TEXTS``.
A game without a lesson gets a page made from its spec: how many play, what can be chosen, its tiles, its moves and
what the table looks like.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from tilewright.game.errors import describe_error
from tilewright.game.position import Position
from tilewright.game.registry import make_game
from tilewright.game.spec import GameSpec, Option
from tilewright.view.game_texts import GameTexts
from tilewright.view.grammar import unbroken
from tilewright.view.language import DEFAULT, say
from tilewright.view.phrasing import labelled, tile_name
from tilewright.view.picture.compose import picture_of
from tilewright.view.picture.lesson import ANNA, MARKET, Plate, Plates
from tilewright.view.picture.plate import Piece

_SEED = 1
_PLAYED = 20
"""Moves after which the table is shown."""


def plates_of(spec: GameSpec) -> Plates:
    """The pictures of a lesson by name; ``end`` stands for the whole game on the overview."""
    lesson = _lesson_of(spec)
    plates: Plates = lesson.PLATES if lesson else {"table": _start, "end": _in_play}
    return plates


@cache
def _lesson_of(spec: GameSpec) -> Any:
    """The lesson that a game brings; None, with a warning, if it lacks its text or its pictures."""
    lesson: Any = spec.part("lessons")
    if lesson is None:
        return None
    try:
        if "end" not in lesson.PLATES:
            raise KeyError("PLATES has no picture 'end', which stands for the game on the overview")
        for folder in _folders(lesson):
            _in_language(folder, DEFAULT)
    except Exception as error:
        told = f"the lesson of {spec.title} cannot be shown: {describe_error(error)}"
        warnings.warn(f"{told}; the default is used instead", stacklevel=2)
        return None
    return lesson


def _folders(lesson: Any) -> Sequence[Traversable]:
    """Where the texts of a lesson are."""
    folders: Sequence[Traversable] | None = getattr(lesson, "TEXTS", None)
    if folders is None and not hasattr(lesson, "__path__"):
        raise TypeError(f"{lesson.__name__} is a module; the text should be in a package, a folder with en.md")
    return [files(lesson)] if folders is None else folders


def markdown_of(spec: GameSpec, language: str) -> str:
    """The text of a lesson, in English if there is no other."""
    lesson = _lesson_of(spec)
    if lesson is None:
        return _from_spec(spec, language)
    return "\n".join(_in_language(folder, language) for folder in _folders(lesson))


def _in_language(folder: Traversable, language: str) -> str:
    own = folder.joinpath(f"{language}.md")
    path = own if own.is_file() else folder.joinpath(f"{DEFAULT}.md")
    return unbroken(path.read_text(encoding="utf-8"), path.name.removesuffix(".md"))


def _start(game: str) -> Plate:
    return [Piece(make_game(game).start(_SEED), panel) for panel in (MARKET, ANNA)]


def _in_play(game: str) -> Plate:
    """A table after some moves, each the first that is legal."""
    position = make_game(game).start(_SEED)
    for _ in range(_PLAYED):
        if not position.is_over:
            position.push(next(iter(position.legal_moves)))
    return [showpiece(position)]


def showpiece(position: Position) -> Piece:
    """The panel with the most to see, which is the tallest: some games are played on the market."""
    game = position.game
    market, board, *_ = picture_of(game).panels(game, [""] * game.players, DEFAULT)
    return Piece(position, MARKET if market.height > board.height else ANNA)


def _from_spec(spec: GameSpec, language: str) -> str:
    """What can be said about any game."""
    texts = GameTexts(spec, language)

    def told(key: str, **values: object) -> str:
        return say(language, f"lesson.{key}", **values)

    def offered(option: Option) -> str:
        choices = ", ".join(texts.choice(option.name, value) for value in option.choices)
        return labelled(texts.option(option.name), choices, language)

    sections = {
        told("table"): [f"![{told('table_shown')}](picture:table)"],
        told("tiles"): [f"- **{kind.upper()}** {tile_name(spec, kind, language)}" for kind in spec.tiles.letters],
        told("options"): [f"- {offered(option)}" for option in spec.options],
        told("moves"): [told("moves_like", examples=spec.notation.examples(make_game(spec.name)))],
    }
    parts = [f"{texts.blurb} {told('lead')}"]
    parts += ["\n".join([f"## {title}", "", *lines]) for title, lines in sections.items() if lines]
    return "\n\n".join(parts) + "\n"
