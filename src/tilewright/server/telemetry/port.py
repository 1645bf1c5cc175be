"""A port for the host alone: metrics, and of a worker whether it is ready. Players never reach it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

from tilewright.server.database import CannotServe

Report = Callable[[], dict[str, Any]]
OK, NOT_FOUND, UNAVAILABLE = 200, 404, 503


class TelemetryPort:
    """Answers in a thread of its own, so that a process that is stuck can still be looked at."""

    def __init__(self, address: tuple[str, int], ready: Report | None = None) -> None:
        """``ready`` says whether a worker is ready; a server says so on the port of its pages."""

        class Handler(_Handler):
            report = staticmethod(ready) if ready else None

        try:
            self._server = ThreadingHTTPServer(address, Handler)
        except OSError as error:
            raise CannotServe(f"cannot listen on {address[0]}, port {address[1]}: {error.strerror or error}") from None
        self.port = int(self._server.server_address[1])
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, name="telemetry", daemon=True).start()

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    report: Report | None = None
    timeout = 10

    def do_GET(self) -> None:
        """Answer a request of the host."""
        path = self.path.partition("?")[0]
        if path == "/metrics":
            self._answer(OK, CONTENT_TYPE_LATEST, generate_latest(REGISTRY))
        elif path == "/healthz" and self.report:
            self._answer(OK, "text/plain", b"ok\n")
        elif path == "/readyz" and self.report:
            found = self.report()
            status = OK if found["ready"] else UNAVAILABLE
            self._answer(status, "application/json", json.dumps(found).encode())
        else:
            self._answer(NOT_FOUND, "text/plain", b"there is only /metrics, and of a worker /healthz and /readyz\n")

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody needs to know who looks."""
