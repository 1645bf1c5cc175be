"""Which games are installed, found without importing any of them: the command line lists them at once."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "tilewright.games"


@cache
def installed_games() -> dict[str, EntryPoint]:
    """The entry points of the games by name, our own first."""
    from importlib.metadata import entry_points  # takes longer than all that ``tilewright --help`` needs

    offered = sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: (not _is_own(entry), entry.name, entry.value))
    found: dict[str, EntryPoint] = {}
    for entry in offered:
        first = found.setdefault(entry.name, entry)
        if first.value != entry.value:
            warnings.warn(
                f"{entry.value} is ignored: the name {entry.name!r} of its game is taken by {first.value}", stacklevel=2
            )
    return found


def _is_own(entry: EntryPoint) -> bool:
    """Whether a game is part of this package: nobody else can take its name."""
    return entry.value.startswith("tilewright.games.")
