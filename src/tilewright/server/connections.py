"""The TCP connections of the server: how many there may be, and how long a client may take to send its request.

uvicorn ends a connection that is idle after a response, but it waits for the first request, and for the rest of any
request, as long as the client likes. A few hundred clients that send half a request would use up all file descriptors.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from tilewright.server.limits import network_of

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

logger = logging.getLogger("tilewright.server")

REQUEST_TIMEOUT = 10.0
"""Seconds for the head of a request, from the start of the connection or the first byte; as many again for a body."""
BACKLOG = 256
"""Connections that the system accepts for us while we are busy. asyncio takes them all before we can refuse the first,
and again as many while we do.
"""
FILES_WANTED = 65_536
OTHER_FILES = 128
"""For the database, the static files, and whatever a library opens."""
MOST_OF_ADDRESS = 1500
AT_ONCE = "tilewright.at_once"
"""The name of our extension of ASGI: a message is sent without a task that waits for it."""
_BUSY = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_UNCLEAR = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def raise_file_limit() -> int:
    """Let this process have as many open files as the system allows, within reason; how many that is."""
    if resource is None:
        return FILES_WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= FILES_WANTED:
        return FILES_WANTED
    wanted = FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, FILES_WANTED)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


def most_connections(files: int) -> int:
    """How many connections fit a limit of open files, with those that are about to be refused."""
    return max(files // 4, files - 3 * BACKLOG - OTHER_FILES)


def write_at_once(scope: Mapping[str, Any]) -> Callable[[str], bool]:
    """How to send a message on a live connection without waiting; whether it was sent is returned."""
    write: Callable[[str], bool] = scope["extensions"][AT_ONCE]["write"]
    return write


class Connections:
    """The open connections, all in all and by address."""

    def __init__(self, most: int, most_of_address: int | None = MOST_OF_ADDRESS) -> None:
        """``most_of_address`` is None behind a proxy, from which all connections come."""
        self._most = most
        self._most_of_address = min(most_of_address, max(1, most // 2)) if most_of_address else most
        self._addresses: dict[asyncio.BaseTransport, str] = {}
        self._counts: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._addresses)

    def admit(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection, if there is room for it."""
        peer = transport.get_extra_info("peername")
        address = network_of(str(peer[0])) if peer else "?"
        if len(self) >= self._most or self._counts[address] >= self._most_of_address:
            logger.warning(
                "a connection was refused: %d are open, %d from %s", len(self), self._counts[address], address
            )
            return False
        self._addresses[transport] = address
        self._counts[address] += 1
        return True

    def release(self, transport: asyncio.BaseTransport) -> None:
        """Forget a connection that has ended."""
        address = self._addresses.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]


class GuardedConfig(uvicorn.Config):
    """uvicorn with these protocols."""

    def __init__(self, app: Any, connections: Connections, **options: Any) -> None:
        super().__init__(app, http=GuardedHttp, ws=GuardedWebSocket, backlog=BACKLOG, **options)
        self.connections = connections


class GuardedHttp(H11Protocol):
    """HTTP for clients that send their requests in time."""

    config: GuardedConfig

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._deadline: asyncio.Handle | None = None
        self._awaited: object = None
        """The state of the request for whose next part the deadline holds; None while there is no deadline."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client is here."""
        super().connection_made(transport)
        if self.config.connections.admit(transport):
            self._watch()
        else:
            transport.write(_BUSY)
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Some of a request, however little. Only the next part of it ends a deadline, not the next byte."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """From here on, until the next byte, uvicorn's keep-alive timeout holds."""
        super().on_response_complete()
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on it is a WebSocket, which has pings, unless its parser could not make sense of the request."""
        self._stop_watching()
        super().handle_websocket_upgrade(event)
        protocol = self.transport.get_protocol()
        if isinstance(protocol, GuardedWebSocket) and not protocol.handshake_initiated:
            self.transport.write(_UNCLEAR)
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._stop_watching()
        self.config.connections.release(self.transport)
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Set a deadline when the client owes us the next part of a request."""
        state = self.conn.their_state
        owes = state is h11.SEND_BODY or (state is h11.IDLE and self.timeout_keep_alive_task is None)
        upgraded = self.transport.get_protocol() is not self
        if not owes or upgraded or self.transport.is_closing():
            self._stop_watching()
        elif state is not self._awaited:
            self._stop_watching()
            self._awaited = state
            self._deadline = self.loop.call_later(REQUEST_TIMEOUT, self._give_up)

    def _stop_watching(self) -> None:
        self._awaited = None
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._stop_watching()
        if self.transport.is_closing():
            return
        if self.conn.our_state is h11.IDLE:
            self.transport.write(_TOO_SLOW)
        self.transport.close()


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that counts as a connection until it ends."""

    config: GuardedConfig

    def handle_connect(self, event: Request) -> None:
        """Offer the application to write at once: its ``send`` is a coroutine, which needs a task to wait for it."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][AT_ONCE] = {"write": self.write_at_once}

    def write_at_once(self, text: str) -> bool:
        """Send a message if nothing that was sent before is in the way; whether that was so."""
        if not self.writable.is_set() or self.transport.is_closing() or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(text.encode())
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone. Its parser, which refers to itself, would keep 40 kB until a full garbage collection."""
        self.config.connections.release(self.transport)
        super().connection_lost(exc)
        self.conn.parser.close()
