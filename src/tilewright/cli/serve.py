"""``tilewright serve``: the web server alone."""

from __future__ import annotations

from argparse import Namespace

from tilewright.server import run as server
from tilewright.server.run import EVERYWHERE, PORT, default_database, free_port, serve


def run(arguments: Namespace) -> int:
    """Serve until Ctrl-C."""
    server.run(arguments)
    return 0


def play_in_browser(host: str | None = None) -> int:
    """Serve on a free port and open the page. Friends on the same network can come, unless a host says otherwise."""
    host = host or EVERYWHERE
    serve(host, free_port(host, PORT), default_database(), open_browser=True)
    return 0
