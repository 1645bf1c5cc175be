"""What every HTTP request leaves behind: an id, a time, a span, and a line in the log if a host wants one."""

from __future__ import annotations

import re
import time
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewright.server.gate import ELSEWHERE, kind_of
from tilewright.server.telemetry import tracing
from tilewright.server.telemetry.logs import ACCESS, REQUEST_ID, request_id
from tilewright.server.telemetry.metrics import REQUEST_SECONDS

HEADER = "X-Request-ID"
_IDS = re.compile(r"([0-9a-f]{6})[0-9a-f]{14}")


class Observing:
    """The outermost layer: it sees every response as it is sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Time the request and name it in the response."""
        headers = Headers(scope=scope)
        name = request_id(headers.get(HEADER))
        REQUEST_ID.set(name)
        kind = kind_of("GET" if scope["method"] == "HEAD" else scope["method"], scope["path"]) or ELSEWHERE
        begun, status = time.perf_counter(), [500]

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                MutableHeaders(scope=message)[HEADER] = name
            await send(message)

        with tracing.span(f"{scope['method']} {kind}", headers.get(tracing.PARENT, ""), request=name):
            try:
                await self.app(scope, receive, named)
            finally:
                self._note(scope, kind, status[0], time.perf_counter() - begun)

    def _note(self, scope: Scope, kind: str, status: int, seconds: float) -> None:
        if not (kind == "reads" and b"wait=" in scope["query_string"]):
            REQUEST_SECONDS.labels(kind, f"{status // 100}xx").observe(seconds)
        ACCESS.info(
            "%s %s %d",
            scope["method"],
            path_for_log(scope["path"]),
            status,
            extra={"fields": {"kind": kind, "status": status, "seconds": round(seconds, 4)}},
        )


def path_for_log(path: str) -> str:
    r"""The path with the beginnings of ids only: whoever knows a whole one may sit down at the table.

    Line ends and other control characters stay encoded, so that nobody writes lines of their own.

    >>> path_for_log("/a\n2026-01-31 ERROR b")
    '/a%0A2026-01-31 ERROR b'
    """
    shortened = _IDS.sub(r"\1…", path)[:200]
    return "".join(sign if sign.isprintable() else quote(sign, errors="replace") for sign in shortened)
