"""``tilewright restore``: the games of a backup in an empty database."""

from __future__ import annotations

from argparse import Namespace

from tilewright.cli.database import progress, report, shown
from tilewright.server.copying import copy
from tilewright.server.run import chosen_database


def run(arguments: Namespace) -> int:
    """Copy a backup to where a server will find it, and verify it game by game."""
    target = str(chosen_database(arguments.database))
    return report(copy(arguments.file, target, progress), f"Restored to {shown(target)}")
