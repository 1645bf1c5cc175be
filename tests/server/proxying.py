"""A proxy that sends each connection to a server that says it is ready, as a load balancer does."""

from __future__ import annotations

import http.client
import itertools
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress

from real_server import free_port

CHECKED_EVERY = 0.1
"""Seconds."""


class Proxy:
    """Passes TCP connections on, to the servers in turn."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._ready: list[int] = []
        self._ports = ports
        self._turns = itertools.count()
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._ended = threading.Event()

    def __enter__(self) -> Proxy:
        self._check()
        for work in (self._accept, self._check_forever):
            threading.Thread(target=work, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _check(self) -> None:
        self._ready = [port for port in self._ports if _is_ready(port)]

    def _check_forever(self) -> None:
        while not self._ended.wait(CHECKED_EVERY):
            self._check()

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        ready = self._ready
        with client, suppress(OSError):
            if not ready:
                return
            port = ready[next(self._turns) % len(ready)]
            with socket.create_connection(("127.0.0.1", port)) as server:
                back = threading.Thread(target=_pass, args=(server, client), daemon=True)
                back.start()
                _pass(client, server)
                back.join()


def _pass(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
