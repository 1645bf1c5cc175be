"""Which games are installed, found without importing any of them: the command line lists them at once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "tilewright.games"


@cache
def installed_games() -> dict[str, EntryPoint]:
    """The entry points of the games by name, our own first."""
    from importlib.metadata import entry_points  # takes longer than all that ``tilewright --help`` needs

    found = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    own = [name for name, entry in found.items() if entry.value.startswith("tilewright.")]
    return {name: found[name] for name in [*sorted(own), *sorted(set(found) - set(own))]}
