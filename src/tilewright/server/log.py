"""The log of a table in words. Lines are written when somebody reads them, in the language they read."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from tilewright.server.event_lines import is_takeback, read_line
from tilewright.server.table import LogEntry, PlayedMove, Table
from tilewright.view.faults import shown_effects
from tilewright.view.log_line import LogLine, log_line

LENGTH = 50
"""How many lines the page shows."""
MOST_LINES = 50_000
"""How many are kept in memory: about 20 MB. The least recently read are written again if somebody asks for them."""

Key = tuple[str, int, str]
"""A table, the number of an event and a language: an event never changes, so neither does its line."""


class Lines:
    """The lines that were read last, for all tables."""

    def __init__(self, most: int = MOST_LINES) -> None:
        self._most = most
        self._known: OrderedDict[Key, LogLine] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def of_move(self, played: PlayedMove, language: str) -> LogLine:
        """The line of a move that was just played."""
        key = (played.table.id, played.entry.number, language)
        if key not in self._known:
            self._keep(key, log_line(played.before, played.move, played.effects, language))
        return self._known[key]

    def of_entries(self, table: Table, entries: Sequence[LogEntry], language: str) -> list[LogLine]:
        """The lines of some entries; those that are not known are written during one replay of the game."""
        found = {entry.number: self._known.get((table.id, entry.number, language)) for entry in entries}
        missing = {number for number, line in found.items() if line is None}
        for number in found.keys() - missing:
            self._known.move_to_end((table.id, number, language))
        if missing:
            found |= self._write(table, missing, language)
        return [line for line in found.values() if line is not None]

    def _write(self, table: Table, numbers: set[int], language: str) -> dict[int, LogLine]:
        written: dict[int, LogLine] = {}
        for number, line, position in table.moments():
            if number in numbers:
                move = table.game.move(read_line(line).text)
                written[number] = log_line(position, move, shown_effects(position, move), language)
                self._keep((table.id, number, language), written[number])
        return written

    def _keep(self, key: Key, line: LogLine) -> None:
        self._known[key] = line
        if len(self._known) > self._most:
            self._known.popitem(last=False)


LINES = Lines()


def log_of(table: Table, language: str, after: int | None = None) -> dict[str, Any]:
    """The last lines of the log; only those after an event for somebody who has the others and may keep them."""
    kept = after if after is not None and _still_stands(table, after) else None
    entries = [entry for entry in table.log[-LENGTH:] if entry.number > (kept or 0)]
    lines = LINES.of_entries(table, entries, language)
    described = [
        {"number": entry.number, "seat": entry.seat + 1, **line.described()}
        for entry, line in zip(entries, lines, strict=True)
    ]
    return {"log": described, "log_after": kept}


def _still_stands(table: Table, after: int) -> bool:
    """Whether nothing was taken back since an event."""
    return 0 < after <= table.event and not any(map(is_takeback, table.lines[after:]))
