"""Why the body of a request could not be read as JSON, which the framework says in different ways or not at all."""

from __future__ import annotations

import json

from fastapi.exceptions import RequestValidationError

NO_CONTENT_TYPE = "a request with a body needs the header Content-Type: application/json"


def why_no_json(error: Exception) -> str | None:
    """What is wrong with the body as a whole, for programs; None if the body is JSON, or not to blame."""
    if isinstance(error, RequestValidationError) and isinstance(error.body, bytes):
        return NO_CONTENT_TYPE  # so the framework has not tried to read it
    reason = _reason(error.__cause__)
    return None if reason is None else f"the body is not valid JSON: {reason}"


def _reason(cause: BaseException | None) -> str | None:
    match cause:
        case json.JSONDecodeError():
            return f"{cause.msg[:1].lower()}{cause.msg[1:]}, at line {cause.lineno}, column {cause.colno}"
        case UnicodeDecodeError():
            return f"byte {cause.start + 1} is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case ValueError():
            return "a number in it has too many digits"
    return None
