"""``tilewright database copy`` and ``tilewright database check``."""

from __future__ import annotations

import sys
from argparse import Namespace

from tilewright.cli.terminal import harmless
from tilewright.server.checking import check
from tilewright.server.copying import Copied, copy
from tilewright.server.run import chosen_database


def run(arguments: Namespace) -> int:
    """Copy a database, or check one."""
    if arguments.action == "copy":
        return report(copy(arguments.source, arguments.target, progress), f"Copied to {shown(arguments.target)}")
    return _check(str(chosen_database(arguments.database)))


def _check(where: str) -> int:
    checked, problems = 0, []
    for table_id, problem in check(where):
        checked += 1
        if problem is not None:
            problems.append(f"{table_id}: {problem}")
    print(f"{_count(checked, 'game')} replayed, {_count(len(problems), 'problem')} found.")
    return _complain(problems)


def progress(done: int, of: int) -> None:
    """Show how far the comparison is, if somebody watches."""
    if sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done:,} of {of:,} games compared and replayed", end=end, file=sys.stderr, flush=True)


def report(copied: Copied, what: str) -> int:
    """Say what was copied; the exit code."""
    print(
        f"{what}: {_count(copied.tables, 'game')}, {_count(copied.events, 'event')}; each game compared and replayed."
    )
    return _complain(copied.problems)


def shown(where: str) -> str:
    """A database as it may be shown: without its password."""
    from tilewright.server.database import is_postgres

    if not is_postgres(where):
        return where
    from tilewright.server.postgres import without_password

    return without_password(where)


def _complain(problems: list[str]) -> int:
    for problem in problems:
        print(f"tilewright: {harmless(problem)}", file=sys.stderr)
    return 1 if problems else 0


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
