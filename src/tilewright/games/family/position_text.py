"""Positions of the family in one line: the moment, the table with its factories, and a section for each player."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from tilewright.game.errors import BadPosition, TilewrightError
from tilewright.game.position_text import Section, check, split_sections
from tilewright.games.family.factories import FACTORY_TILES, NOBODY, count_factories
from tilewright.games.family.heap import counts_of
from tilewright.games.family.tiles import HeapTiles
from tilewright.kernels.compile import Cells, Row

if TYPE_CHECKING:
    from tilewright.game.game import Game


def heap_tiles(game: Game) -> HeapTiles:
    """The tiles of a game of the family, which lie in heaps."""
    return cast(HeapTiles, game.tiles)


HIGHEST_NUMBER = 999
"""The largest number that is read as points; from an accepted position no score will exceed it."""
POINTS_FOR_STUDY = 100
"""How many points more than its tiles can have brought a board may have: positions are made up to study a rule."""


class HeapSection(Section):
    """A section that may contain heaps of tiles."""

    def heap(self, name: str, tiles: HeapTiles) -> int:
        """A heap of tiles; a number names a factory."""
        value = self.value(name)
        try:
            return tiles.heap(value)
        except TilewrightError as error:
            label = f"factory {name}" if name.isdecimal() else name
            raise BadPosition(f"{self.where}: {label}: {error}") from None


class Readers(NamedTuple):
    """How a game reads the sections of a position's text into a row."""

    filling: int
    """The phase in which the factories are filled."""
    moment: Callable[[Row, HeapSection], None]
    table: Callable[[Row, HeapSection], None]
    player: Callable[[Row, int, HeapSection], None]


def read_row(game: Game, text: str, readers: Readers) -> Cells:
    """A row from its text: the game, the moment, the table, and a section for each player. It may be impossible."""
    moment, table_text, *players = split_sections(game, text, 2 + game.players)
    states = game.set_up().states
    row = states.view(np.recarray)[0]
    section = HeapSection(moment, "the moment")
    readers.moment(row, section)
    section.end()
    section = HeapSection(table_text, "the table")
    readers.table(row, section)
    _read_places(game, row, section)
    if row.phase == readers.filling:
        on_factories = sum(sum(counts_of(heap)) for heap in row.places[1:])
        # More than fit is refused when sizes are checked; until then the number must fit into its field.
        row.filled = min(on_factories, FACTORY_TILES * count_factories(game.players))
    section.end()
    for seat in range(game.players):
        section = HeapSection(players[seat], f"player {seat + 1}")
        readers.player(row, seat, section)
        section.end()
    game.kernels.refresh_at(states, 0)
    return states


def _place_names(game: Game) -> list[str]:
    return ["centre", *(str(factory) for factory in range(1, count_factories(game.players) + 1))]


def _read_places(game: Game, row: Row, section: HeapSection) -> None:
    for place, name in enumerate(_place_names(game)):
        row.places[place] = section.heap(name, heap_tiles(game))


def write_places(game: Game, row: Row) -> str:
    """The fields for the centre and the factories."""
    return " ".join(
        f"{name}={heap_tiles(game).spell(row.places[place])}" for place, name in enumerate(_place_names(game))
    )


def check_filling(game: Game, row: Row) -> None:
    """What must hold while the factories are being filled."""
    sizes = [sum(counts_of(heap)) for heap in row.places[1 : count_factories(game.players) + 1]]
    in_order = sizes == sorted(sizes, reverse=True) and sum(0 < size < FACTORY_TILES for size in sizes) <= 1
    check(
        in_order and row.places[0] == 0,
        "filling_order",
        "factories are filled in order, with nothing in the centre yet",
    )
    check(sum(sizes) < FACTORY_TILES * len(sizes), "factories_full", "all factories are full, so the phase is draft")
    before = row.turn == row.starter and row.marker == NOBODY
    check(before, "marker_before_round", "before a round the marker lies in the centre")


def check_factories(row: Row) -> None:
    """No factory holds more than four tiles, and those in the centre were left over when factories were emptied."""
    for place in range(1, len(row.places)):
        size = sum(counts_of(row.places[place]))
        told = "factory {factory} has {tiles} tiles, more than {most}"
        check(size <= FACTORY_TILES, "factory_size", told, factory=place, tiles=size, most=FACTORY_TILES)
    emptied = sum(heap == 0 for heap in row.places[1 : count_factories(row.players) + 1])
    centre, most = sum(counts_of(row.places[0])), (FACTORY_TILES - 1) * emptied
    untouched = row.marker == NOBODY
    told = "the marker is taken from the centre, and no factory has been emptied into it yet"
    check(emptied or untouched, "marker_too_early", told)
    told = "the centre has {tiles} tiles, but {empty} empty factories left at most {most} there"
    check(centre <= most, "centre_size", told, tiles=centre, empty=emptied, most=most)
