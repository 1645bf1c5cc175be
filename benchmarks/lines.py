"""Live connections of a benchmark, which share the machine with the server: no more than these need of a WebSocket."""

from __future__ import annotations

import asyncio
import os
from base64 import b64encode
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
"""The first byte of a whole message of each kind."""
MASK = bytes(4)
"""A mask that changes nothing: clients must mask what they send, against proxies that are not there."""
OPENING = 60.0
"""Seconds."""


class Line(asyncio.Protocol):
    """One connection; ``hear`` is given every message, and ``lose`` the reason if the connection ends."""

    def __init__(self, hear: Callable[[bytes], None], lose: Callable[[str], None]) -> None:
        self._hear = hear
        self._lose = lose
        self._unread = b""
        self._is_closing = False
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport

    async def open(self, address: str, path: str, key: str, own_address: str) -> None:
        """Connect from an address of this machine, and wait until the server has accepted."""
        host, _, port = address.partition(":")
        loop = asyncio.get_running_loop()
        self._transport, _ = await loop.create_connection(lambda: self, host, int(port), local_addr=(own_address, 0))
        self._transport.write(
            f"GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}\r\n"
            f"Authorization: Bearer {key}\r\n\r\n".encode()
        )
        await asyncio.wait_for(self._opened, OPENING)

    def send(self, text: str) -> None:
        """Send a short message."""
        self._send(TEXT, text.encode())

    def _send(self, kind: int, content: bytes) -> None:
        assert len(content) < 126
        self._transport.write(bytes((kind, 0x80 | len(content))) + MASK + content)

    def close(self) -> None:
        """Hang up."""
        self._is_closing = True
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        """Some bytes have come: often a whole message."""
        data = self._unread + data if self._unread else data
        if not self._opened.done():
            head, separator, data = data.partition(b"\r\n\r\n")
            if not separator:
                self._unread = head
                return
            self._note_response(head)
        while (frame := _first_frame(data)) is not None:
            begin, end = frame
            self._receive(data[0], data[begin:end])
            data = data[end:]
        self._unread = data

    def _note_response(self, head: bytes) -> None:
        if head.startswith(b"HTTP/1.1 101 "):
            self._opened.set_result(None)
        else:
            self._opened.set_exception(ConnectionError(head.partition(b"\r\n")[0].decode()))

    def _receive(self, kind: int, content: bytes) -> None:
        if kind == TEXT:
            self._hear(content)
        elif kind == PING:
            self._send(PONG, content)
        elif kind == CLOSE:
            self._is_closing = True
            self._lose(f"a connection was closed by the server: {content[2:].decode()}")
            self._transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        if not self._opened.done():
            self._opened.set_exception(ConnectionError(f"no response: {exc}"))
        elif not self._is_closing:
            self._lose(f"a connection was lost: {exc}")


def _first_frame(data: bytes) -> tuple[int, int] | None:
    """Where the content of the first frame begins and ends, if all of it is there."""
    if len(data) < 2:
        return None
    length, begin = data[1], 2
    if length >= 126:
        begin = 4 if length == 126 else 10
        length = int.from_bytes(data[2:begin])
    end = begin + length
    return (begin, end) if begin <= len(data) >= end else None


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """The event loop that servers use, too: uvloop where it is installed."""
    if find_spec("uvloop") is None:
        return asyncio.new_event_loop
    factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return factory
