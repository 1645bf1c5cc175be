"""Run a server process: with one SQLite file, or on a PostgreSQL database that it shares with others."""

from __future__ import annotations

import argparse
import errno
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Any

from tilewright.server.app import USUAL, make_app
from tilewright.server.connections import Connections, GuardedConfig, most_connections, raise_file_limit
from tilewright.server.database import CannotServe, check_unused
from tilewright.server.draining import DrainingServer
from tilewright.server.options import add_options, host, settings_of
from tilewright.server.quiet_log import limit_logging
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.telemetry.options import Telemetry, telemetry_of

HOST, PORT = "127.0.0.1", 8765
USUAL_TELEMETRY = Telemetry()
EVERYWHERE = "0.0.0.0"
_BY_ITSELF = {EVERYWHERE: "127.0.0.1", "::": "::1"}
"""The address at which this machine reaches a server that listens on all interfaces."""
_SOMEWHERE = ("192.0.2.1", 9)
"""An address that RFC 5737 reserves for documentation."""
LARGEST_MESSAGE = 16 * 1024
SEND_TIMEOUT = 30
"""Seconds after which the system gives up on a client that does not read what was sent to it."""
SHUTDOWN_TIMEOUT = 1
"""Seconds that requests in progress get to finish when the server is asked to end."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which a busy event loop lets other threads go on: the one that stores moves needs the interpreter's
lock again after every statement. Python's own setting is 5 ms.
"""


def default_database() -> Path:
    """The file in which games are stored unless another one is named."""
    folder = Path.home() / ".local" / "share" / "tilewright"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        told = f"games are stored in {folder}, which cannot be created: {error.strerror}"
        raise CannotServe(f"{told}; name another place, as in 'tilewright serve --database FILE'") from None
    return folder / "tables.db"


def chosen_database(named: str | None) -> str | Path:
    """The database that was named, even if the name is empty: a variable that is not set is no wish for the default."""
    return default_database() if named is None else named


def free_port(host: str, wanted: int) -> int:
    """The wanted port, or the next free one. Other problems with the host are reported by ``listen``."""
    for port in range(wanted, wanted + 50):
        with socket.socket(_family(host)) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    continue
            return port
    raise OSError(f"no free port from {wanted} to {wanted + 49}")


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def network_address() -> str | None:
    """The address of this machine in its network, if it has one.

    A UDP socket connected to a remote address knows the local address it would send from; nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    found = ipaddress.ip_address(address)
    return None if found.is_loopback or found.is_unspecified else address


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def listen(host: str, port: int) -> socket.socket:
    """Bind the port before its address is announced. Accepted connections inherit the socket's options.

    With its protocol named, asyncio sets TCP_NODELAY; otherwise the body of a response would wait until the client has
    acknowledged its head, which takes 40 ms.
    """
    listener = socket.socket(_family(host), socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SEND_TIMEOUT * 1000)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise CannotServe(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
    return listener


def configured(app: Any, proxy: str | None = None) -> GuardedConfig:
    """The settings of uvicorn for the application."""
    most = most_connections(raise_file_limit())
    connections = Connections(most) if proxy is None else Connections(most, None)
    return GuardedConfig(
        app,
        connections,
        log_level="warning",
        log_config=None,  # uvicorn's messages go where ours go
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,  # to compress the kilobyte of a move takes a fifth of all processor time
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        server_header=False,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
    )


def serve(
    host: str,
    port: int,
    database: str | Path,
    *,
    settings: Settings = USUAL,
    telemetry: Telemetry = USUAL_TELEMETRY,
    proxy: str | None = None,
    open_browser: bool = False,
    ignore_damage: bool = False,
) -> None:
    """Serve until Ctrl-C. The port is bound and the database opened before the address is announced.

    ``proxy`` is the address of a proxy whose X-Forwarded headers are trusted.
    """
    telemetry.start("tilewright-server")
    if settings.redis is not None:
        _greet_redis(settings.redis)
    listener = _listen_first(host, port, database, telemetry)
    store = _open_or_close(database, ignore_damage, listener)
    found = network_address() if host in _BY_ITSELF else None
    network = _url(found, port) if found else None
    app = make_app(store, replace(settings, network=network))
    config = configured(app, proxy)
    limit_logging()
    sys.setswitchinterval(SWITCH_INTERVAL)
    address = _url(_BY_ITSELF.get(host, host), port)
    store.database.announce(address)
    print(f"Tilewright is at {address}  (press Ctrl-C to stop; games are stored in {store.database.name})", flush=True)
    if network:
        print(f"Friends on the same network can reach it at {network}", flush=True)
    if open_browser:
        _show(address)
    DrainingServer(config, app.state, settings.drain).run(sockets=[listener])


def _listen_first(host: str, port: int, database: str | Path, telemetry: Telemetry) -> socket.socket:
    """Bind the port before the database is opened: a new one would be made for nothing if the port is in use."""
    try:
        return listen(host, port)
    except CannotServe:
        if telemetry.metrics and telemetry.metrics[1] == port:  # otherwise it would look like another program's
            raise CannotServe(f"--port and --metrics are both {port}: give one of them another number") from None
        check_unused(database)  # by the server at that port, most likely, and then there is more to say
        raise


def _open_or_close(database: str | Path, ignore_damage: bool, listener: socket.socket) -> Store:
    try:
        return Store(database, ignore_damage=ignore_damage)
    except BaseException:
        listener.close()
        raise


def _greet_redis(url: str) -> None:
    """Say in a line what is wrong with the URL, before anything is opened. A Redis that is away may come back."""
    from tilewright.server.redis_channel import RedisChannel

    channel = RedisChannel(url)
    channel.greet(required=False)
    channel.close()


def _show(address: str) -> None:
    """Open the page in a graphical browser; a text browser would take over the server's terminal."""
    if not _has_windows():
        print("No browser can be opened on this machine; open that address in a browser elsewhere.", flush=True)
        return
    opening = threading.Timer(1.0, webbrowser.open, [address])
    opening.daemon = True  # Ctrl-C does not wait for a browser
    opening.start()


def _has_windows() -> bool:
    screens = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    remote = "SSH_CONNECTION" in os.environ
    return any(os.environ.get(name) for name in screens) or (sys.platform in ("win32", "darwin") and not remote)


def main() -> None:
    """``python -m tilewright.server.run``: the server alone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", type=host, default=HOST)
    parser.add_argument("--port", type=int, default=PORT)
    parser.add_argument("--database", default=None)
    add_options(parser)
    run(parser.parse_args())


def run(arguments: argparse.Namespace) -> None:
    """Serve as the options say."""
    serve(
        arguments.host,
        arguments.port,
        chosen_database(arguments.database),
        settings=settings_of(arguments),
        telemetry=telemetry_of(arguments),
        proxy=arguments.behind_proxy,
        ignore_damage=arguments.ignore_damage,
    )


if __name__ == "__main__":
    main()
