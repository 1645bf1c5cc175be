"""Run the server: one process, one file."""

from __future__ import annotations

import argparse
import socket
import threading
import webbrowser
from pathlib import Path

import uvicorn

from tilewright.server.app import make_app
from tilewright.server.store import CannotServe, Store

HOST, PORT = "127.0.0.1", 8765
LARGEST_MESSAGE = 16 * 1024


def default_database() -> Path:
    """Where games are kept unless somebody says otherwise."""
    folder = Path.home() / ".local" / "share" / "tilewright"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "tables.db"


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or the next one that nobody uses."""
    for port in range(wanted, wanted + 50):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise OSError(f"no free port from {wanted} to {wanted + 49}")


def listen(host: str, port: int) -> socket.socket:
    """Take the port before anybody is told of it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise CannotServe(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
    return listener


def serve(host: str, port: int, database: str | Path, *, open_browser: bool = False) -> None:
    """Serve until Ctrl-C. The database and the port are taken before the address is announced."""
    store = Store(database)
    listener = listen(host, port)
    config = uvicorn.Config(
        make_app(store),
        host=host,
        port=port,
        log_level="warning",
        ws_max_size=LARGEST_MESSAGE,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}/"
    store.announce(address)
    print(f"Tilewright is at {address}  (Ctrl-C ends it; games are kept in {database})", flush=True)
    if open_browser:
        threading.Timer(1.0, webbrowser.open, [address]).start()
    uvicorn.Server(config).run(sockets=[listener])


def main() -> None:
    """``python -m tilewright.server.run``: the server alone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default=HOST)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--database", default=None)
    arguments = parser.parse_args()
    serve(arguments.host, arguments.port, arguments.database or default_database())


if __name__ == "__main__":
    main()
