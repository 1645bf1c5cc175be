"""``tilewright backup``: all games in one file, while servers go on."""

from __future__ import annotations

from argparse import Namespace

from tilewright.cli.database import progress, report
from tilewright.server.copying import copy
from tilewright.server.run import chosen_database


def run(arguments: Namespace) -> int:
    """Write a backup, and verify it game by game."""
    copied = copy(chosen_database(arguments.database), arguments.file, progress)
    return report(copied, f"Wrote {arguments.file}")
