"""Reading what people and files give: small numbers and texts that may be anything at all."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.game.errors import TilewrightError

_LONGEST_NUMBER = 20
_LONGEST_ECHO = 60
_LONGEST_WORD = 20


def small_number(text: str) -> int | None:
    """A whole number in plain digits that is not absurdly long, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None


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
