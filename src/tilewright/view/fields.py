"""The fields of a position as people can read them, for games that bring no drawing of their own.

How a field is shown follows from its shape: fields by seat have a part for each player; a last axis as long as there
are kinds of tile counts them; numbers that are all -1 when a game is set up are spaces for tiles, each empty or of a
kind; everything else is shown as numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

import numpy as np

from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.view.game_texts import GameTexts

EMPTY = -1
"""A space without a tile."""
_FAMILIAR = {"players", "phase", "turn", "score", "round_number", "unused"}
"""Fields that every game has, which are shown in other ways."""


class Content(Enum):
    """What the numbers of a field are."""

    NUMBERS = "numbers"
    COUNTS = "counts"
    """How many tiles there are of each kind, along the last axis."""
    SPACES = "spaces"
    """The kind of tile on each space, or EMPTY."""


@dataclass(frozen=True)
class Field:
    """A field of the row: its name, what it holds, and the shape of what is shown (of one seat, if it has seats)."""

    name: str
    content: Content
    shape: tuple[int, ...]
    of_seats: bool

    @property
    def rows_and_columns(self) -> tuple[int, int]:
        """As a grid to look at."""
        columns = self.shape[-1] if self.shape else 1
        return int(np.prod(self.shape, dtype=int)) // columns, columns

    def values(self, position: Position, seat: int = 0) -> list[list[int]]:
        """The numbers in rows."""
        value = position.states[self.name][0]
        numbers: list[list[int]] = (
            np.asarray(value[seat] if self.of_seats else value).reshape(self.rows_and_columns).tolist()
        )
        return numbers

    def title(self, game: Game, language: str) -> str:
        """What it is called: the game's translations may say it, under ``fields``."""
        return GameTexts(game.spec, language).own(f"fields.{self.name}") or spaced(self.name)


def spaced(name: str) -> str:
    """A name in code as people would write it.

    >>> spaced("wall_points"), spaced("ChooseCell")
    ('wall points', 'choose cell')
    """
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name.replace("_", " ")).strip()


@cache
def fields_of(game: Game) -> tuple[Field, ...]:
    """What there is to see in positions of a game, in the order of the row."""
    states = game.set_up().states
    chosen = set(game.spec.rule_set_fields)
    shown = (name for name in states.dtype.names or () if name not in _FAMILIAR | chosen and not name.startswith("_"))
    return tuple(_field(game, states, name) for name in shown)


def _field(game: Game, states: np.ndarray[Any, Any], name: str) -> Field:
    shape, of_seats = states[name][0].shape, name in game.kernels.fields_by_seat
    own = shape[1:] if of_seats else shape
    if own[-1:] == (len(game.tiles.names),):
        content = Content.COUNTS
    elif own and bool((states[name][0] == EMPTY).all()):
        content = Content.SPACES
    else:
        content = Content.NUMBERS
    return Field(name, content, own, of_seats)


@dataclass(frozen=True)
class Choice:
    """One of the choices that a move consists of: which move, which of its fields, which value."""

    move: str
    field: str = ""
    value: Any = None
    is_first: bool = False

    @property
    def is_kind(self) -> bool:
        """Whether a kind of tile is chosen: the field is called that, and holds its number."""
        return self.field == "kind" and isinstance(self.value, int)


def move_choices(move: Move) -> list[Choice]:
    """A move as choices one after the other: the fields of its dataclass; without such fields it is one choice."""
    fields: Mapping[str, Any] = getattr(move.fields, "__dataclass_fields__", {})
    if not fields:
        return [Choice(type(move.fields).__name__ if hasattr(move.fields, "__dataclass_fields__") else move.text)]
    what = type(move.fields).__name__
    return [Choice(what, name, getattr(move.fields, name), n == 0) for n, name in enumerate(fields)]
