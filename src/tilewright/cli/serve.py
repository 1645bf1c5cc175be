"""``tilewright serve``: the web server alone."""

from __future__ import annotations

from argparse import Namespace

from tilewright.server import run as server
from tilewright.server.run import HOST, PORT, default_database, free_port, serve


def run(arguments: Namespace) -> int:
    """Serve until Ctrl-C."""
    server.run(arguments)
    return 0


def play_in_browser() -> int:
    """Serve to this machine alone, on a free port, and open the page."""
    serve(HOST, free_port(HOST, PORT), default_database(), open_browser=True)
    return 0
