"""What a coach has to say about Azul and Azul Mini, the most important first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from tilewright.game.position import Position
from tilewright.games.azul import rules
from tilewright.games.azul.moves import decode_draft
from tilewright.games.azul.notation import TILES
from tilewright.games.azul.rules import EMPTY, FLOOR, JOKER
from tilewright.games.azul.wall import COLOURS, LINES, column_pattern, row_bars, row_pattern
from tilewright.games.family.factories import CENTRE, NOBODY
from tilewright.games.family.heap import counts_of
from tilewright.kernels.compile import Row
from tilewright.view.coach_topic import Topic, tile_key

_FEW_TILES = 6
"""The round is nearly over when no more tiles than this are on offer."""
_PROMISING = 3
"""The fewest tiles in a column or of a colour that make it worth completing."""


class _Take(NamedTuple):
    """A legal take of one kind into a pattern line: tiles that fit, and tiles that fall."""

    kind: int
    line: int
    fitting: int
    falling: int


def topics(position: Position, seat: int) -> Iterator[Topic]:
    """All that fits the moment."""
    if position.phase == "tile":
        yield Topic("cell", times=2)
        return
    row = position.state
    yield Topic("welcome")
    yield Topic("confirm")
    if position.game.options.get("jokers"):
        yield Topic("jokers")
    if position.round > 1:
        yield Topic("tiling", {"n": position.scores[seat]})
        yield from _rows_nearly_full(row, seat)
    yield from _dangers(position, seat)
    yield from _lines(row, seat)
    if position.round > 1:
        yield Topic("neighbours")
        yield from _bonuses_in_sight(row, seat)
    if rules.floor_spaces_taken(row, seat):
        yield Topic("floor")
    if sum(_offered(row)) <= _FEW_TILES:
        yield Topic("round_ends")
    yield Topic("others")
    if position.round > 1:
        yield Topic("bonuses")


def _offered(row: Row) -> list[int]:
    """How many tiles of each kind are on offer."""
    return counts_of(sum(row.places.tolist()))


_colour = partial(tile_key, TILES)


def _takes(position: Position) -> Iterator[_Take]:
    """What the legal takes of one kind into a line would do, as the rules sort them."""
    for move in position.legal_moves:
        if move.fields.line != FLOOR and not move.fields.with_jokers:
            taken = decode_draft(position.state, int(move))
            fitting, falling, jokers, jokers_falling = (int(n) for n in rules.sort_take(position.state, *taken))
            yield _Take(move.fields.kind, move.fields.line, fitting + jokers, falling + jokers_falling)


def _rows_nearly_full(row: Row, seat: int) -> Iterator[Topic]:
    """One tile more ends the game."""
    for player in (seat, *(other for other in range(int(row.players)) if other != seat)):
        for wall_row in range(LINES):
            if int(row_pattern(row, player, wall_row)).bit_count() == LINES - 1:
                key = "row" if player == seat else "row_of_other"
                yield Topic(key, {"row": wall_row + 1}, about="" if player != seat else str(wall_row))


def _dangers(position: Position, seat: int) -> Iterator[Topic]:
    """Tiles that would fall, and the marker."""
    row, takes = position.state, list(_takes(position))
    if all(take.falling for take in takes):
        yield Topic("all_fall", times=2)
    if row.places[CENTRE]:
        yield Topic("centre" if row.marker == NOBODY else "centre_free")
    if row.marker == seat:
        yield Topic("marker")
    for take in takes:
        if take.falling and row.line_colour[seat, take.line - 1] == take.kind:
            number = take.fitting + take.falling
            values = {"n": number, "colour": _colour(take.kind), "line": take.line, "room": take.fitting}
            yield Topic("overflow", values, times=2)


def _lines(row: Row, seat: int) -> Iterator[Topic]:
    """Lines that are begun, and those that a colour is barred from."""
    kinds = [kind for kind, number in enumerate(_offered(row)) if number]
    for line in range(1, LINES + 1):
        kind, missing = int(row.line_colour[seat, line - 1]), int(rules.room_in_line(row, seat, line))
        if kind in kinds and missing:
            yield Topic("begun", {"line": line, "n": missing, "colour": _colour(kind)})
    for line in range(1, LINES + 1):
        for kind in kinds:
            if kind != JOKER and row.line_colour[seat, line - 1] == EMPTY and row_bars(row, seat, line - 1, kind):
                yield Topic("barred", {"line": line, "colour": _colour(kind)})


def _bonuses_in_sight(row: Row, seat: int) -> Iterator[Topic]:
    for column in range(LINES):
        covered = int(column_pattern(row, seat, column)).bit_count()
        if _PROMISING <= covered < LINES:
            yield Topic("column", {"column": column + 1, "n": LINES - covered})
    cells = row.wall[seat].ravel().tolist()
    for kind in range(COLOURS):
        if _PROMISING <= cells.count(kind) < LINES:
            yield Topic("colour", {"colour": _colour(kind), "n": LINES - cells.count(kind)})
