"""What every request has in common: keys, languages, origins and security headers."""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from fastapi import Request, Response, WebSocket
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from tilewright.server.errors import Unauthorized
from tilewright.view.language import DEFAULT, LANGUAGES
from tilewright.view.picture.tile_sets import GLAZED, TILE_SETS

KEY_COOKIE = "tilewright_key"
YEAR = 365 * 24 * 3600
SHORTEST_KEY = 16
"""Characters; a key that the server gives has 32."""

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
            raise Unauthorized("short_key", least=SHORTEST_KEY)
        return token.strip()
    key = connection.cookies.get(KEY_COOKIE, "")
    return key if len(key) >= SHORTEST_KEY else None


def new_key() -> str:
    """A key that nobody can guess."""
    return secrets.token_urlsafe(24)


def give_key(request: Request, response: Response, key: str) -> None:
    """Set the key as a cookie that scripts cannot read and that forms of other sites do not send."""
    secure = request.url.scheme == "https"
    response.set_cookie(KEY_COOKIE, key, max_age=YEAR, httponly=True, samesite="lax", secure=secure)


def renew_key(request: Request, response: Response) -> None:
    """Give a new visitor a key; extend the cookie of every other browser to a year from now."""
    key = key_of(request)
    if key is None:
        give_key(request, response, new_key())
    elif request.cookies.get(KEY_COOKIE) == key:
        give_key(request, response, key)


def language_of(connection: HTTPConnection) -> str:
    """The language that the reader chose, or the best match for the browser's Accept-Language."""
    chosen = connection.query_params.get("language") or connection.cookies.get("language")
    if chosen in LANGUAGES:
        return chosen
    accepted = parse_accept_header(connection.headers.get("accept-language"), LanguageAccept)
    return accepted.best_match(LANGUAGES, DEFAULT)


def theme_of(connection: HTTPConnection) -> str:
    """The theme that the reader chose; "auto" follows the system's."""
    theme = connection.cookies.get("theme", "auto")
    return theme if theme in ("light", "dark") else "auto"


def tiles_of(connection: HTTPConnection) -> str:
    """The tile set that an address asks for, or that the reader chose."""
    tiles = connection.query_params.get("tiles") or connection.cookies.get("tiles")
    return tiles if tiles in TILE_SETS else GLAZED


def is_foreign(connection: HTTPConnection) -> bool:
    """Whether a browser sends this from a page of another site."""
    origin = connection.headers.get("origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).netloc != connection.headers.get("host")
    except ValueError:  # no browser sends such an address
        return True


def is_for_people(connection: HTTPConnection) -> bool:
    """Whether a person will read the response; programs get JSON, even about errors."""
    asks_for_page = "text/html" in connection.headers.get("accept", "")
    return asks_for_page or not connection.url.path.startswith(("/api/", "/static/"))


class SecurityHeaders:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add them when the response starts."""

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, secured)


class HeadAsGet:
    """Lets HEAD be used wherever GET can; the server leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle HEAD as GET."""
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)


def may_connect(socket: WebSocket) -> bool:
    """Whether a WebSocket comes from our own page, or from a program (which sends no origin)."""
    return not is_foreign(socket)
