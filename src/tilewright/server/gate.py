"""What every request passes before the application: its size, its price, its turn, and where it comes from."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.server.errors import RequestError, TooManyRequests
from tilewright.server.limits import Limits, address_of
from tilewright.server.refusals import error_response, refusal
from tilewright.server.web import is_foreign

LARGEST_BODY = 16 * 1024
PAUSE = 1.0
"""Seconds after which a request beyond the limits is answered: even a refusal costs time, so that a client that does
not wait by itself is made to.
"""
PROBES = "probes"
"""A kind of their own, because the 503 of a server that is about to end is not a failure."""
_KINDS = (
    ("POST", "/api/tables", "tables"),
    ("POST", "/learn/[^/]+/first-game", "tables"),
    ("POST", "/api/tables/[^/]+/(join|moves|leave|return|rematch)", "moves"),
    ("GET", "/(api/tables|lists)", "lists"),
    ("GET", "/api/tables/[^/]+", "reads"),
    ("GET", "/api/tables/[^/]+/(view|record)", "views"),
    ("GET", "/api/tables/[^/]+/events", "replays"),
    ("POST", "/api/reviews(/[^/]+/practice)?", "tables"),
    ("POST", "/api/reviews/[^/]+", "moves"),
    ("GET", "/api/reviews/[^/]+(/told)?", "views"),
    ("GET", "/api/reviews/[^/]+/picture/.*png", "pictures"),
    ("GET", "/api/reviews/[^/]+/(game|picture/.*)", "replays"),
    ("GET", "/review(/[^/]+)?", "pages"),
    ("GET", "/api/analysis/games/[^/]+", "replays"),
    ("POST", "/api/analysis/(open|record)", "replays"),
    ("POST", "/api/analysis/(moment|play|about|draft)", "moves"),
    ("POST", "/api/analysis(/what-if)?", "replays"),
    ("GET", "/analysis(/[^/]+)?", "pages"),
    ("GET", "/api/puzzles", "reads"),
    ("GET", "/api/puzzles/[^/]+/next", "replays"),
    ("POST", "/api/puzzles/[^/]+/answer", "replays"),
    ("GET", "/api/puzzles/[^/]+/(preview|why)", "messages"),
    ("GET", "/api/daily", "lists"),
    ("POST", "/api/daily", "tables"),
    ("GET", "/(puzzles|daily)", "pages"),
    ("GET", "/api/person", "replays"),
    ("DELETE", "/api/person", "replays"),
    ("GET", "/api/person/push", "reads"),
    ("GET", "/api/person/profile", "profiles"),
    ("PUT", "/api/person/profile", "moves"),
    ("POST", "/api/person/(link|claim|vacation|push|passkeys(/options|/claim(/options)?)?)", "moves"),
    ("DELETE", "/api/person/(link|vacation|push|passkeys)", "moves"),
    ("GET", "/profile(/link)?", "profiles"),
    ("GET", "/avatar/.*", "files"),
    ("GET", "/(api/)?leaderboard", "lists"),
    ("POST", "/api/match(/[^/]+/(bot|end))?", "moves"),
    ("GET", "/(api/(games|paths/.*|openapi\\.json)|favicon\\.ico|robots\\.txt|compiling)", "files"),
    ("GET", "/(healthz|readyz)", PROBES),
    ("GET", "/(icon/.*|manifest\\.webmanifest|service-worker\\.js)", "files"),
    ("GET", "/(static|picture|learn/picture)/.*", "files"),
    ("GET", "/(|shell|offline|api|learn|learn/[^/]+|learn/[^/]+/first-game)", "pages"),
    ("GET", "/t/[^/]+(/replay)?", "pages"),
)
_COMPILED = tuple((method, re.compile(pattern), kind) for method, pattern, kind in _KINDS)
ELSEWHERE = "pages"
"""Whatever is at no known address gets a page that says so."""


def kind_of(method: str, path: str) -> str | None:
    """The kind of a request, which has a price in ``limits.PRICES``; None for an address that does not exist."""
    return next((kind for known, pattern, kind in _COMPILED if known == method and pattern.fullmatch(path)), None)


class HttpMiddleware:
    """Middleware for HTTP alone: a WebSocket would keep a frame of every layer in memory for as long as it is open."""

    def __init__(self, app: ASGIApp, layers: Sequence[Callable[[ASGIApp], ASGIApp]]) -> None:
        """``layers`` from the innermost to the outermost."""
        self._app = self._layered = app
        for layer in layers:
            self._layered = layer(self._layered)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass it on."""
        return (self._layered if scope["type"] == "http" else self._app)(scope, receive, send)


class BodyLimit:
    """Refuses bodies that are larger than any valid request, whether or not they declare their size.

    A body is read before the request goes on, so that a slow one keeps nobody waiting.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, if there is one."""
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length", b"0")
        if declared == b"0" and b"transfer-encoding" not in headers:
            await self.app(scope, receive, send)
            return
        too_long = declared.isdigit() and int(declared) > LARGEST_BODY
        body = None if too_long else await _read(receive)
        if body is None:
            connection, message = HTTPConnection(scope), f"the body of a request has at most {LARGEST_BODY} bytes"
            await error_response(connection, 413, "too_big", message)(scope, receive, send)
            return
        unread: list[Message] = [body]

        async def replayed() -> Message:
            return unread.pop() if unread else await receive()

        await self.app(scope, replayed, send)


async def _read(receive: Receive) -> Message | None:
    """The whole body as one message, or the message that there will be none; None if it is too large."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return message
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY:
            return None
        if not message.get("more_body", False):
            return {"type": "http.request", "body": body, "more_body": False}


class Metering:
    """Charges every request to whoever sent it, and lets each address have a few in progress at a time."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Charge, then wait for a turn. A request that waits for an event gives its turn back until there is one."""
        limits: Limits = scope["app"].state.limits
        connection = HTTPConnection(scope)
        kind = kind_of(scope["method"], scope["path"]) or ELSEWHERE
        try:
            limits.charge(kind, connection)
            waits = _waits(connection)
            async with limits.turn(address_of(connection)):
                if not waits:
                    await self.app(scope, receive, send)
            if waits:
                await self.app(scope, receive, send)
        except RequestError as error:
            if isinstance(error, TooManyRequests):
                await asyncio.sleep(PAUSE)
            await refusal(connection, error)(scope, receive, send)


def _waits(connection: HTTPConnection) -> bool:
    """Whether a request waits for an event: then it takes its turn itself, when there is one."""
    query = connection.query_params
    if not connection.url.path.startswith("/api/tables/") or "after" not in query:
        return False
    try:
        return float(query.get("wait", 0)) > 0
    except ValueError:
        return False


class OwnPages:
    """Refuses writes that a browser sends from a page of another site."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at the origin of every write."""
        connection = HTTPConnection(scope)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and is_foreign(connection):
            await error_response(connection, 403, "foreign_page")(scope, receive, send)
            return
        await self.app(scope, receive, send)
