"""Setting up a position by hand: tiles are laid into the slots of the picture, everything else is set with controls.

A game's part ``editor`` says how. It works on drafts: positions that may not be possible yet. What is impossible about
a draft is what the game's own notation says when it reads the text of the draft. A game without an editor is set up by
changing the text of a position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, cast

from tilewright.game.errors import BadPosition
from tilewright.game.game import Game
from tilewright.game.illegal_reason import IllegalReason
from tilewright.game.position import Position
from tilewright.view.narrator import why_impossible

_WHOLE_NUMBER = IllegalReason("number", "a whole number from {least} to {most} is needed here")


@dataclass(frozen=True)
class Control:
    """Something to set beside the board: a number within bounds or, if there are any, one of the choices."""

    name: str
    label: str
    value: str
    choices: Mapping[str, str] = field(default_factory=dict)
    """What may be chosen, with its label."""
    least: int = 0
    most: int = 0
    seat: int | None = None
    """Whose it is, from 0; None for what concerns everybody."""
    kind: str = ""
    """The letter of the tiles that it counts, if it does."""


class Editor(Protocol):
    """What a game's module for setting up positions provides. After an error the draft is of no use any more."""

    def read(self, game: Game, text: str) -> Position:
        """A draft from its text."""

    def put(self, draft: Position, slot: str, kind: str) -> None:
        """Lay a tile into a slot of the picture, instead of what lies there; an empty kind clears the slot."""

    def controls(self, draft: Position, names: Sequence[str], language: str) -> list[Control]:
        """What can be set beside the board, with its value now."""

    def change(self, draft: Position, name: str, value: str) -> None:
        """Set a control."""


def editor_of(game: Game) -> Editor | None:
    """The editor of a game; None if its positions can only be set up as text."""
    return cast(Editor | None, game.spec.part("editor"))


def read_draft(game: Game, text: str) -> Position:
    """A draft from its text; of a game without an editor, a position that is possible."""
    editor = editor_of(game)
    return game.position(text) if editor is None else editor.read(game, text)


def flaw_of(draft: Position, language: str) -> str:
    """Why a draft is not a position that can occur, in words; empty if it can."""
    try:
        draft.game.position(draft.to_text())
    except BadPosition as error:
        return why_impossible(draft.game, error, language)
    return ""


def cleared(game: Game) -> Position:
    """An empty table to lay tiles on."""
    return read_draft(game, game.set_up().to_text())


def whole_number(control: str, value: str, least: int, most: int) -> int:
    """The value of a control that is a number."""
    if not value.removeprefix("-").isdecimal() or len(value) > 6 or not least <= int(value) <= most:
        error = BadPosition(f"{control} should be a whole number from {least} to {most}, not {value[:20]!r}")
        error.reason = _WHOLE_NUMBER(least=least, most=most)
        raise error
    return int(value)
