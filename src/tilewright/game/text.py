"""Reading and writing positions as one line: sections between semicolons, each a few ``name=value`` words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tilewright.game.errors import BadPosition, TilewrightError
from tilewright.game.tiles import TileSet
from tilewright.game.words import echo, expect_text, shorten, small_number
from tilewright.rules.factories import FACTORY_TILES, NOBODY, count_factories
from tilewright.rules.heap import counts_of
from tilewright.rules.kernel import Row

if TYPE_CHECKING:
    from tilewright.game.game import Game


class Section:
    """One section of a position's text, being read. Complaints name the section and the word."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self._values: dict[str, str] = {}
        for word in text.split():
            name, equals, value = word.partition("=")
            if not equals or not value or name in self._values:
                raise BadPosition(f"{where}: {echo(word)} should be name=value, each name once")
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
            raise BadPosition(f"{self.where}: {name}={shorten(value)} should be one of {', '.join(choices)}")
        return choices.index(value)

    def number(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self.word(name)
        number = small_number(value)
        if number is None or not least <= number <= most:
            raise BadPosition(f"{self.where}: {name}={shorten(value)} should be a number from {least} to {most}")
        return number

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
            raise BadPosition(f"{self.where}: {name}={shorten(value)} should have {count} parts between {separator!r}")
        return parts

    def cells(self, name: str, separator: str, rows: int, columns: int, letters: str) -> list[list[int]]:
        """Rows of cells, a letter for the kind of tile on each and a dot for none (-1)."""
        grid: list[list[int]] = []
        for part in self.parts(name, separator, rows):
            if len(part) != columns or any(letter not in letters + "." for letter in part):
                raise BadPosition(f"{self.where}: {name}: {echo(part)} should be {columns} of {letters!r} or dots")
            grid.append([letters.find(letter) for letter in part])
        return grid

    def end(self) -> None:
        """Nothing else may stand in the section."""
        if self._values:
            raise BadPosition(f"{self.where}: unknown field {', '.join(echo(name) for name in list(self._values)[:3])}")


class Readers(NamedTuple):
    """How a game reads the sections of a position's text into a row, and checks what it has read."""

    heading: str
    filling: int
    """The phase in which the factories are filled."""
    moment: Callable[[Row, Section], None]
    table: Callable[[Row, Section], None]
    player: Callable[[Row, int, Section], None]
    verify: Callable[[Row], None]


def read_row(game: Game, text: str, readers: Readers) -> np.ndarray[Any, Any]:
    """A row from its text: the game, the moment, the table, and a section for each player."""
    text = expect_text(text, "a position", BadPosition)
    sections = [section.strip() for section in text.strip().split(";")]
    if len(sections) != 3 + game.players:
        raise BadPosition(
            f"the text of a position has 3 sections and one for each of {game.players} players, between semicolons;"
            f" this one has {len(sections)}"
        )
    if sections[0].split() != readers.heading.split():
        raise BadPosition(f"this is a position of {echo(sections[0])}, not of {readers.heading!r}")
    table = game.set_up().table
    row = table.view(np.recarray)[0]
    section = Section(sections[1], "the moment")
    readers.moment(row, section)
    section.end()
    section = Section(sections[2], "the table")
    readers.table(row, section)
    _read_places(game, row, section)
    if row.phase == readers.filling:
        row.filled = sum(sum(counts_of(heap)) for heap in row.places[1:])
    section.end()
    for seat in range(game.players):
        section = Section(sections[3 + seat], f"player {seat + 1}")
        readers.player(row, seat, section)
        section.end()
    game.kernels.refresh_at(table, 0)
    readers.verify(row)
    return table


def _place_names(game: Game) -> list[str]:
    return ["centre", *(str(factory) for factory in range(1, count_factories(game.players) + 1))]


def _read_places(game: Game, row: Row, section: Section) -> None:
    for place, name in enumerate(_place_names(game)):
        row.places[place] = section.heap(name, game.tiles)


def write_places(game: Game, row: Row) -> str:
    """The words for the centre and the factories."""
    return " ".join(f"{name}={game.tiles.spell(row.places[place])}" for place, name in enumerate(_place_names(game)))


def check_filling(game: Game, row: Row) -> None:
    """What must hold while the factories are being filled."""
    sizes = [sum(counts_of(heap)) for heap in row.places[1 : count_factories(game.players) + 1]]
    in_order = sizes == sorted(sizes, reverse=True) and sum(0 < size < FACTORY_TILES for size in sizes) <= 1
    check(in_order and row.places[0] == 0, "factories are filled in order, with nothing in the centre yet")
    check(sum(sizes) < FACTORY_TILES * len(sizes), "all factories are full, so the phase is draft")
    check(row.turn == row.starter and row.marker == NOBODY, "before a round the marker lies in the centre")


def check_factories(row: Row) -> None:
    """No factory holds more than four tiles, and those in the centre were left over when factories were emptied."""
    for place in range(1, len(row.places)):
        size = sum(counts_of(row.places[place]))
        check(size <= FACTORY_TILES, f"factory {place} has {size} tiles, more than {FACTORY_TILES}")
    emptied = sum(heap == 0 for heap in row.places[1 : count_factories(row.players) + 1])
    centre, most = sum(counts_of(row.places[0])), (FACTORY_TILES - 1) * emptied
    check(centre <= most, f"the centre has {centre} tiles, but {emptied} empty factories left at most {most} there")


def check(condition: Any, complaint: str) -> None:
    """Complain about a position that cannot be."""
    if not condition:
        raise BadPosition(f"this position cannot be: {complaint}")
