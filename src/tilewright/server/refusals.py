"""Responses that say no, and why: a page for people, JSON for programs."""

from __future__ import annotations

from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.requests import HTTPConnection

from tilewright.game.errors import TilewrightError
from tilewright.server.errors import error_body, error_body_of_code, status_of
from tilewright.server.rendering import error_html
from tilewright.server.web import SECURITY_HEADERS, is_for_people, language_of, theme_of, tiles_of

TOO_MANY_REQUESTS, UNAVAILABLE = 429, 503
RETRY_AFTER = {TOO_MANY_REQUESTS: "1", UNAVAILABLE: "5"}
"""Seconds after which it makes sense to ask again, by status."""


def refusal(connection: HTTPConnection, error: TilewrightError) -> Response:
    """The response to a request that was refused with an error of ours."""
    return _response(connection, status_of(error), error_body(error, language_of(connection)))


def error_response(connection: HTTPConnection, status: int, code: str, message: str | None = None) -> Response:
    """The response with a code; ``message`` is more precise, in English, for programs."""
    return _response(connection, status, error_body_of_code(code, language_of(connection), message))


def _response(connection: HTTPConnection, status: int, body: dict[str, str]) -> Response:
    """Some of these never pass the middleware that adds the security headers, so they have their own."""
    response: Response
    if is_for_people(connection):
        look = language_of(connection), theme_of(connection), tiles_of(connection)
        response = HTMLResponse(error_html(*look, status, body["said"]), status)
    else:
        response = JSONResponse(body, status)
    response.headers.update(SECURITY_HEADERS)
    if status in RETRY_AFTER:
        response.headers["Retry-After"] = RETRY_AFTER[status]
    return response
