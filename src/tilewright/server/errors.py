"""What the server refuses, and how it says so: a stable code, a message in English, and one for the reader.

The messages are in ``view/languages/<language>/errors.toml`` under their codes. Programs should look at the code;
pages show ``said``, which is in the language of whoever reads it.
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.game.errors import AmbiguousMove, BadMove, BadOption, GameFault, TilewrightError, UnreadableMove
from tilewright.view.language import DEFAULT, say

Value = str | int | Callable[[str], str]
"""A value to fill into a message; a function gives it in a language."""


_CODES: dict[type[TilewrightError], str] = {
    UnreadableMove: "unreadable_move",
    AmbiguousMove: "ambiguous_move",
    BadMove: "illegal_move",
    BadOption: "bad_option",
}
"""The codes of the errors that games raise; the first that fits."""


class RequestError(TilewrightError):
    """A request that cannot be fulfilled."""

    status = 400

    def __init__(self, code: str, *, exactly: str | None = None, **values: Value) -> None:
        """``exactly`` is a more precise message for programs, in English."""
        self.code = code
        self._values = values
        super().__init__(exactly or self.said(DEFAULT))

    def said(self, language: str) -> str:
        """The message in a language."""
        values = {name: value(language) if callable(value) else value for name, value in self._values.items()}
        return say(language, f"errors.{self.code}", **values)


class Forbidden(RequestError):
    """A request that this person may not make, or may not make now."""

    status = 403


class NotFound(RequestError):
    """A request for something that does not exist."""

    status = 404


class Unauthorized(RequestError):
    """A key so short that it could be guessed."""

    status = 401


class TooManyRequests(RequestError):
    """More requests than one person or program needs."""

    status = 429


class GameMissing(RequestError):
    """A table of a game that is not installed here, or no longer: the host can change that."""

    status = 503


class GameDamaged(RequestError):
    """A table whose stored events are no game: only the host can mend that."""

    status = 500


class BadMessage(TilewrightError):
    """A malformed message on the live stream. Only programs send these, so the text is in English."""


def status_of(error: TilewrightError) -> int:
    """The HTTP status of an error."""
    if isinstance(error, GameFault):
        return 500
    return error.status if isinstance(error, RequestError) else 400


def error_body(error: TilewrightError, language: str) -> dict[str, str]:
    """An error as it is sent. Errors of the games themselves are precise in English and general elsewhere."""
    if isinstance(error, RequestError):
        return {"error": str(error), "code": error.code, "said": as_sentence(error.said(language))}
    if isinstance(error, GameFault):
        said = as_sentence(say(language, "errors.game_fault", game=error.title))
        return {"error": str(error), "code": "game_fault", "said": said}
    code = next((code for kind, code in _CODES.items() if isinstance(error, kind)), "unclear")
    return {**error_body_of_code(code, language), "error": str(error)}


def error_body_of_code(code: str, language: str, message: str | None = None) -> dict[str, str]:
    """An error known by its code alone; ``message`` is more precise, in English."""
    said = as_sentence(say(language, f"errors.{code}"))
    return {"error": message or say(DEFAULT, f"errors.{code}"), "code": code, "said": said}


def as_sentence(text: str) -> str:
    """A message as people read it; programs show it after words of their own."""
    return f"{text[:1].upper()}{text[1:]}."
