"""Reading what people, files and programs give: numbers, texts and lists that may be anything at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np

from tilewright.game.errors import TilewrightError

_LONGEST_NUMBER = 20
_LONGEST_ECHO = 60
_LONGEST_WORD = 20


def small_number(text: str) -> int | None:
    """A whole number in plain digits, without zeros in front, that is not absurdly long, or None.

    >>> small_number("12"), small_number("012"), small_number("-1")
    (12, None, None)
    """
    plain = text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
    return int(text) if plain and (text == "0" or text[0] != "0") else None


def is_whole_number(value: object) -> TypeGuard[int]:
    """Whether a program gave a whole number, Python's own or NumPy's; True and 1.0 are not meant as numbers.

    >>> is_whole_number(1), is_whole_number(True), is_whole_number(1.0)
    (True, False, False)
    """
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def as_array(values: Any) -> np.ndarray[Any, Any]:
    """An array of what a program gave; lists of different lengths become an array of lists, for others to refuse."""
    try:
        return np.asarray(values)
    except ValueError:
        ragged = np.empty(len(values), np.object_)
        ragged[:] = values
        return ragged


def echo(value: object) -> str:
    """What somebody gave, to be shown in an error message: never more than a line of it."""
    shown = repr(value)
    return shown if len(shown) <= _LONGEST_ECHO else shown[: _LONGEST_ECHO - 4] + "..." + shown[-1]


def shorten(text: str) -> str:
    r"""The beginning of a text that may be long, for an error message in which quotation marks would mislead.

    What a terminal would obey instead of showing it is escaped.

    >>> print(shorten("7\x1b[2J"))
    7\x1b[2J
    """
    beginning = text[: _LONGEST_WORD + 1]
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in beginning)
    return shown if len(shown) <= _LONGEST_WORD else shown[: _LONGEST_WORD - 3] + "..."


def expect_text(value: object, what: str, error: Callable[[str], TilewrightError]) -> str:
    """A text; anything else raises the error."""
    if not isinstance(value, str):
        raise error(f"{what} is a text, not {echo(value)}")
    return value
