"""What is wrong with a stored game, for its host: such a game must not hide the others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.game.errors import TilewrightError

Kinds = Mapping[str, type | tuple[type, ...]]
"""What the columns of a table may hold."""
_NO_OPTIONS = {"name", "players"}
"""What a game is made from besides its options."""
_LONGEST = 60
"""Characters of a damaged text that are shown."""


class Damage(TilewrightError):
    """What is stored as a game cannot be one; the message says why."""

    def __init__(self, table_id: str, what: str) -> None:
        self.table_id = table_id
        super().__init__(what)


def is_readable(value: object) -> bool:
    """Whether a value can be read: a text in an SQLite file that is not UTF-8 arrives as bytes, or with surrogates."""
    if not isinstance(value, str):
        return not isinstance(value, bytes)
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def unreadable_column(row: Sequence[object], kinds: Kinds) -> str | None:
    """The first column of a row that has something that is not text, or not a number, where it should be."""
    for (column, kind), value in zip(kinds.items(), row, strict=True):
        if not isinstance(value, kind) or not is_readable(value):
            return column
    return None


def read_options(table_id: str, stored: str) -> dict[str, Any]:
    """The options of a game."""
    found = _from_json(stored)
    if not isinstance(found, dict) or any(isinstance(value, dict | list) for value in found.values()):
        raise Damage(table_id, f"{quoted(stored)} is stored as its options")
    if not _NO_OPTIONS.isdisjoint(found):
        raise Damage(table_id, f"{quoted(stored)} is stored as its options")
    return found


def read_result(table_id: str, stored: str, players: int) -> tuple[list[int], list[int]]:
    """The scores and the winners of a game that is over."""
    found = _from_json(stored)
    if not isinstance(found, list) or [type(part) for part in found] != [list, list]:
        raise Damage(table_id, f"{quoted(stored)} is stored as its result")
    scores, winners = found
    numbers = all(type(number) is int for number in (*scores, *winners))
    if not numbers or len(scores) != players or not all(1 <= winner <= players for winner in winners):
        raise Damage(table_id, f"{quoted(stored)} is stored as its result")
    return scores, winners


def _from_json(stored: str) -> object:
    try:
        return json.loads(stored)
    except (ValueError, RecursionError):
        return None


def quoted(text: str) -> str:
    """A text as it is stored, or its beginning, in quotation marks."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return f"'{shown}'"
