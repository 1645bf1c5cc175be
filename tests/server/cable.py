"""A cable between a browser and a server, which a test can cut."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from real_server import free_port


class Cable:
    """Passes TCP connections on to a server until it is cut; either direction can also swallow what is sent."""

    def __init__(self, port: int) -> None:
        self._server = port
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._swallows = {"up": False, "down": False}
        self._ends: list[socket.socket] = []
        self._listener: socket.socket | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Cable:
        self.mend()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()

    def mend(self) -> None:
        """Connections are passed on again."""
        self._swallows = {"up": False, "down": False}
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def cut(self) -> None:
        """All connections end, and no new one is accepted."""
        with self._lock:
            ends, self._ends = [*self._ends, self._listener], []
        for end in ends:
            if end is not None:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()

    def swallow(self, direction: str) -> None:
        """From now on what goes "up" to the server, or "down" to the browser, does not arrive."""
        self._swallows[direction] = True

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError), socket.create_connection(("127.0.0.1", self._server)) as server:
            with self._lock:
                self._ends += [client, server]
            back = threading.Thread(target=self._pass, args=(server, client, "down"), daemon=True)
            back.start()
            self._pass(client, server, "up")
            back.join()

    def _pass(self, source: socket.socket, target: socket.socket, direction: str) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                if not self._swallows[direction]:
                    target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)
