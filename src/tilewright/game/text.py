"""Reading and writing positions as one line: sections between semicolons, each a few ``name=value`` words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.game.errors import BadPosition, TilewrightError
from tilewright.game.tiles import TileSet


class Section:
    """One section of a position's text, being read. Complaints name the section and the word."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self._values: dict[str, str] = {}
        for word in text.split():
            name, equals, value = word.partition("=")
            if not equals or not value or name in self._values:
                raise BadPosition(f"{where}: {word!r} should be name=value, each name once")
            self._values[name] = value

    def word(self, name: str) -> str:
        """The value of a name that must be there."""
        try:
            return self._values.pop(name)
        except KeyError:
            raise BadPosition(f"{self.where}: {name}=... is missing") from None

    def choice(self, name: str, choices: Sequence[str]) -> int:
        """The index of a value among those that it may have."""
        value = self.word(name)
        if value not in choices:
            raise BadPosition(f"{self.where}: {name}={value} should be one of {', '.join(choices)}")
        return choices.index(value)

    def number(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self.word(name)
        if not value.isascii() or not value.isdigit() or not least <= int(value) <= most:
            raise BadPosition(f"{self.where}: {name}={value} should be a number from {least} to {most}")
        return int(value)

    def heap(self, name: str, tiles: TileSet) -> int:
        """A heap of tiles."""
        value = self.word(name)
        try:
            return tiles.heap(value)
        except TilewrightError as error:
            raise BadPosition(f"{self.where}: {name}: {error}") from None

    def parts(self, name: str, separator: str, count: int) -> list[str]:
        """A value made of so many parts."""
        value = self.word(name)
        parts = value.split(separator)
        if len(parts) != count:
            raise BadPosition(f"{self.where}: {name}={value} should have {count} parts between {separator!r}")
        return parts

    def cells(self, name: str, separator: str, rows: int, columns: int, letters: str) -> list[list[int]]:
        """Rows of cells, a letter for the kind of tile on each and a dot for none (-1)."""
        grid: list[list[int]] = []
        for part in self.parts(name, separator, rows):
            if len(part) != columns or any(letter not in letters + "." for letter in part):
                raise BadPosition(f"{self.where}: {name}: {part!r} should be {columns} of {letters!r} or dots")
            grid.append([letters.find(letter) for letter in part])
        return grid

    def end(self) -> None:
        """Nothing else may stand in the section."""
        if self._values:
            raise BadPosition(f"{self.where}: nobody knows what {', '.join(self._values)} should mean")


def split_sections(text: str, players: int) -> list[str]:
    """The sections of a position's text: the game, the moment, the table, and one for each player."""
    sections = [section.strip() for section in text.strip().split(";")]
    if len(sections) != 3 + players:
        raise BadPosition(
            f"the text of a position has 3 sections and one for each of {players} players, between semicolons;"
            f" this one has {len(sections)}"
        )
    return sections


def check(condition: Any, complaint: str) -> None:
    """Complain about a position that cannot be."""
    if not condition:
        raise BadPosition(f"this position cannot be: {complaint}")
