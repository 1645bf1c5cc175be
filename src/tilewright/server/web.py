"""What guards every request: keys in cookies, origins, sizes, and the headers that browsers obey."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from fastapi import Request, Response, WebSocket
from fastapi.responses import JSONResponse
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.server.refusals import BadKey, described
from tilewright.view.language import LANGUAGES, best_language

KEY_COOKIE = "tilewright_key"
YEAR = 365 * 24 * 3600
SHORTEST_KEY = 16
"""Characters; a key that the server gives has 32."""
LARGEST_BODY = 16 * 1024

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def key_of(connection: HTTPConnection) -> str | None:
    """The key of a browser, from its cookie, or of a program, from its Authorization header."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        if len(token.strip()) < SHORTEST_KEY:
            raise BadKey("short_key", least=SHORTEST_KEY)
        return token.strip()
    key = connection.cookies.get(KEY_COOKIE, "")
    return key if len(key) >= SHORTEST_KEY else None


def new_key() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(24)


def give_key(request: Request, response: Response, key: str) -> None:
    """Hand a browser its key: out of reach of scripts, and not sent along by other sites' forms."""
    secure = request.url.scheme == "https"
    response.set_cookie(KEY_COOKIE, key, max_age=YEAR, httponly=True, samesite="lax", secure=secure)


def renew_key(request: Request, response: Response) -> None:
    """A visitor without a key gets one; the cookie of every other browser lasts a year from this visit on."""
    key = key_of(request)
    if key is None:
        give_key(request, response, new_key())
    elif request.cookies.get(KEY_COOKIE) == key:
        give_key(request, response, key)


def language_of(connection: HTTPConnection) -> str:
    """The language that somebody chose, or that the browser asks for."""
    chosen = connection.query_params.get("language") or connection.cookies.get("language")
    return chosen if chosen in LANGUAGES else best_language(connection.headers.get("accept-language", ""))


def is_foreign(connection: HTTPConnection) -> bool:
    """Whether a browser sends this from a page of another site."""
    origin = connection.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != connection.headers.get("host")


class BodyLimit:
    """Refuses bodies that are larger than any request of ours, also those that do not say their size."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count the bytes of every body that comes in."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared) > LARGEST_BODY:
            answer = refuse(HTTPConnection(scope), 413, "too_big", f"a request is at most {LARGEST_BODY} bytes")
            await answer(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return {"type": "http.disconnect"} if received > LARGEST_BODY else message

        await self.app(scope, counted, send)


def refuse(connection: HTTPConnection, status: int, code: str, sentence: str | None = None) -> JSONResponse:
    """An error that says what was wrong, in English and in the reader's language."""
    return JSONResponse(described(code, language_of(connection), sentence), status_code=status)


async def guard(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """Foreign pages cannot act for anybody; every answer carries the security headers."""
    if request.method not in ("GET", "HEAD", "OPTIONS") and is_foreign(request):
        response: Response = refuse(request, 403, "foreign_page")
    else:
        response = await call_next(request)
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response


class AnswersHead:
    """Lets every address that can be read be asked for its headers alone; the server leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask the application as if for the whole."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)


def may_connect(socket: WebSocket) -> bool:
    """Whether a WebSocket comes from our own page, or from a program (which sends no origin)."""
    return not is_foreign(socket)
