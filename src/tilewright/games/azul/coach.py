"""What a coach has to say about Azul and Azul Mini, the most important first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tilewright.game.position import Position
from tilewright.games.azul import rules as azul
from tilewright.games.azul.rules import COLOURS, EMPTY, LINES
from tilewright.games.azul.wall import column_pattern
from tilewright.games.family.factories import CENTRE, NOBODY
from tilewright.games.family.heap import counts_of
from tilewright.kernels.compile import Row
from tilewright.view.coach_topic import Topic, Word

AREA = "azul_"
"""How the keys of its texts begin."""

_FEW_TILES = 6
"""So few tiles on offer mean that the round is nearly over."""
_PROMISING = 3
"""So many tiles in a column or of a colour are worth going on with."""


class _Offer(NamedTuple):
    """Tiles of a kind that lie in one place."""

    place: int
    kind: int
    number: int


def topics(position: Position, seat: int) -> Iterator[Topic]:
    """All that fits the moment."""
    if position.phase == "tile":
        yield Topic("azul_cell", times=2)
        return
    row = position.row
    yield Topic("azul_welcome")
    yield Topic("azul_confirm")
    if position.game.options.get("jokers"):
        yield Topic("azul_jokers")
    if position.round > 1:
        yield Topic("azul_tiling", {"n": position.scores[seat]})
        yield from _rows_nearly_full(row, seat)
    yield from _dangers(row, seat)
    yield from _lines(row, seat)
    if position.round > 1:
        yield Topic("azul_neighbours")
        yield from _bonuses_in_sight(row, seat)
    if azul.floor_spaces_taken(row, seat):
        yield Topic("azul_floor")
    if sum(offer.number for offer in _offers(row)) <= _FEW_TILES:
        yield Topic("azul_round_ends")
    yield Topic("azul_others")
    if position.round > 1:
        yield Topic("azul_bonuses")


def _offers(row: Row) -> list[_Offer]:
    return [
        _Offer(place, kind, number)
        for place, heap in enumerate(row.places.tolist())
        for kind, number in enumerate(counts_of(heap))
        if number
    ]


def _colour(kind: int) -> Word:
    return Word(f"azul.tile_{'byrkwj'[kind]}")


def _room(row: Row, seat: int, kind: int) -> list[int]:
    """How many tiles of a kind each pattern line still takes, from the top."""
    open_to = int(azul.lines_open_to(row, seat, kind))
    return [(line + 1 - int(row.line_tiles[seat, line])) * (open_to >> line + 1 & 1) for line in range(LINES)]


def _rows_nearly_full(row: Row, seat: int) -> Iterator[Topic]:
    """One tile more ends the game."""
    for player in (seat, *(other for other in range(int(row.players)) if other != seat)):
        for wall_row in range(LINES):
            if int(azul.row_pattern(row, player, wall_row)).bit_count() == LINES - 1:
                key = "azul_row" if player == seat else "azul_row_of_other"
                yield Topic(key, {"row": wall_row + 1}, about="" if player != seat else str(wall_row))


def _dangers(row: Row, seat: int) -> Iterator[Topic]:
    """Tiles that would fall, and the marker."""
    offers = _offers(row)
    if all(offer.number > max(_room(row, seat, offer.kind)) for offer in offers):
        yield Topic("azul_all_fall", times=2)
    if row.places[CENTRE]:
        yield Topic("azul_centre" if row.marker == NOBODY else "azul_centre_free")
    if row.marker == seat:
        yield Topic("azul_marker")
    for offer in offers:
        for line, room in enumerate(_room(row, seat, offer.kind)):
            if offer.number > room > 0 and row.line_colour[seat, line] == offer.kind:
                values = {"n": offer.number, "colour": _colour(offer.kind), "line": line + 1, "room": room}
                yield Topic("azul_overflow", values, times=2)


def _lines(row: Row, seat: int) -> Iterator[Topic]:
    """Lines that are begun, and those that a colour is barred from."""
    kinds = {offer.kind for offer in _offers(row)}
    for line in range(LINES):
        kind, missing = int(row.line_colour[seat, line]), line + 1 - int(row.line_tiles[seat, line])
        if kind in kinds and missing:
            yield Topic("azul_begun", {"line": line + 1, "n": missing, "colour": _colour(kind)})
    for line in range(LINES):
        for kind in kinds - {azul.JOKER}:
            if row.line_colour[seat, line] == EMPTY and azul.row_bars(row, seat, line, kind):
                yield Topic("azul_barred", {"line": line + 1, "colour": _colour(kind)})


def _bonuses_in_sight(row: Row, seat: int) -> Iterator[Topic]:
    for column in range(LINES):
        covered = int(column_pattern(row, seat, column)).bit_count()
        if _PROMISING <= covered < LINES:
            yield Topic("azul_column", {"column": column + 1, "n": LINES - covered})
    cells = row.wall[seat].ravel().tolist()
    for kind in range(COLOURS):
        if _PROMISING <= cells.count(kind) < LINES:
            yield Topic("azul_colour", {"colour": _colour(kind), "n": LINES - cells.count(kind)})
