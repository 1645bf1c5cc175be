"""What the server refuses, and how it says so: a stable code, a sentence in English, and one for the reader.

The sentences stand in ``view/languages/<language>/errors.toml`` under their codes. Programs should look at the code;
the page shows ``said``, which is in the language of whoever looks at it.
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.game.errors import BadMove, BadOption, TilewrightError
from tilewright.view.language import DEFAULT, say

Value = str | int | Callable[[str], str]
"""What is filled into a sentence; a function gives it in a language."""


class Refusal(TilewrightError):
    """Something cannot be done as it was asked for."""

    status = 400

    def __init__(self, code: str, *, exactly: str | None = None, **values: Value) -> None:
        """``exactly`` says it to programs, in English, more precisely than people want to know."""
        self.code = code
        self._values = values
        super().__init__(exactly or self.said(DEFAULT))

    def said(self, language: str) -> str:
        """The sentence in a language."""
        values = {name: value(language) if callable(value) else value for name, value in self._values.items()}
        return say(language, f"errors.{self.code}", **values)


class NotAllowed(Refusal):
    """Somebody asked for what is not theirs to do."""

    status = 403


class Missing(Refusal):
    """There is no such thing."""

    status = 404


class BadKey(Refusal):
    """A key that the server did not give and that could be guessed."""

    status = 401


class TooMany(Refusal):
    """More requests than one person or program needs."""

    status = 429


class BadMessage(TilewrightError):
    """A message of the live stream that cannot be read. Only programs send such; the sentence is in English."""


def status_of(error: TilewrightError) -> int:
    """The HTTP status of a complaint."""
    return error.status if isinstance(error, Refusal) else 400


def describe(error: TilewrightError, language: str) -> dict[str, str]:
    """A complaint as it is sent. Those of the games themselves are precise in English and general elsewhere."""
    if isinstance(error, Refusal):
        return {"error": str(error), "code": error.code, "said": as_sentence(error.said(language))}
    code = "illegal_move" if isinstance(error, BadMove) else "bad_option" if isinstance(error, BadOption) else "unclear"
    return {**described(code, language), "error": str(error)}


def described(code: str, language: str, sentence: str | None = None) -> dict[str, str]:
    """A complaint that is known by its code alone; ``sentence`` says it more precisely in English."""
    said = as_sentence(say(language, f"errors.{code}"))
    return {"error": sentence or say(DEFAULT, f"errors.{code}"), "code": code, "said": said}


def as_sentence(words: str) -> str:
    """As people read it; programs show an error after words of their own."""
    return f"{words[:1].upper()}{words[1:]}."
