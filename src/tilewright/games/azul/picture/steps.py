"""What a move of Azul brings about, one moment after the other: the take, each tile on a wall, floors, bonuses.

The moments are played with the rules' own kernels on a copy of the row, so the points shown are those scored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.azul import moves as azul_moves
from tilewright.games.azul import rules as azul
from tilewright.games.azul.picture.scene import scene
from tilewright.games.azul.rules import COLOUR_BONUS, COLOURS, COLUMN_BONUS, EMPTY, FULL_ROW, LINES, ROW_BONUS
from tilewright.kernels.chance import nth_bit
from tilewright.kernels.compile import Row
from tilewright.view.picture.scene import Step

_MORE_TO_COME = 1 << 62
"""A bit of ``offered`` that stands for no tile: while it is set, the last take does not start the tiling."""


def take_only(row: Row, move: Move) -> None:
    """Play a take up to the moment before any wall is tiled."""
    place, colour, with_jokers, destination, kept = azul_moves.decode_draft(row, int(move))
    row.offered |= _MORE_TO_COME
    azul.draft(row, place, colour, with_jokers, destination, kept)
    row.offered &= ~_MORE_TO_COME


def steps(before: Position, move: Move, after: Position) -> list[Step]:
    """The moments that a move leads to; the last is the position after it, with what was dealt."""
    moment = Position(before.game, before.table.copy())
    row = moment.row
    if before.phase == "tile":
        cell = int(move) - int(azul_moves.count_draft_moves(row))
        shown = [_put_tile(moment, int(row.turn), cell // LINES, cell % LINES)]
    else:
        take_only(row, move)
        if row.offered:
            return [Step(scene(after))]
        row.phase = azul.TILE
        shown = [Step(scene(moment))]
    shown += _tile_walls(moment)
    if after.phase == "tile":
        return [*shown[:-1], replace(shown[-1], scene=scene(after))]
    for seat in _seats(row):
        shown += _score_floor(moment, seat)
    if after.is_over:
        for seat in _seats(row):
            shown += _add_bonuses(moment, seat)
    return [*shown, Step(scene(after))]


def _seats(row: Row) -> list[int]:
    """All seats from the one that began the round."""
    return [(int(row.starter) + n) % int(row.players) for n in range(row.players)]


def _tile_walls(moment: Position) -> Iterator[Step]:
    """Each player from the starter, each full line from the top, up to where a player must choose."""
    row = moment.row
    for seat in _seats(row):
        row.turn = seat
        while (line := int(azul.full_line(row, seat))) < LINES:
            columns = int(azul.valid_columns(row, seat, line))
            if columns == 0:
                azul.line_falls(row, seat, line)
                yield Step(scene(moment), seat)
            elif azul.has_choice(row, seat, line):
                return
            else:
                yield _put_tile(moment, seat, line, int(nth_bit(columns, 0)))


def _put_tile(moment: Position, seat: int, line: int, column: int) -> Step:
    row = moment.row
    score = int(row.score[seat])
    azul.put_on_wall(row, seat, line, column)
    return Step(scene(moment), seat, int(row.score[seat]) - score, _cell(seat, line, column))


def _cell(seat: int, line: int, column: int) -> str:
    return f"p{seat + 1}-wall-{line + 1}-{column + 1}"


def _score_floor(moment: Position, seat: int) -> Iterator[Step]:
    """What the floor line really takes: a score of 0 cannot fall."""
    row = moment.row
    if azul.floor_spaces_taken(row, seat):
        row.turn = seat
        score = int(row.score[seat])
        azul.score_floor(row, seat)
        yield Step(scene(moment), seat, int(row.score[seat]) - score, f"p{seat + 1}-floor")


def _add_bonuses(moment: Position, seat: int) -> Iterator[Step]:
    """The bonuses at the end of the game one by one, each at the last cell of what it is for."""
    row = moment.row
    row.turn = seat
    for points, cell in bonuses(row, seat):
        row.score[seat] += points
        yield Step(scene(moment), seat, points, cell)


def bonuses(row: Row, seat: int) -> list[tuple[int, str]]:
    """Full rows, columns and colours of a wall: their points and a cell of each."""
    wall = row.wall[seat].tolist()
    found: list[tuple[int, str]] = []
    for n in range(LINES):
        if azul.row_pattern(row, seat, n) == FULL_ROW:
            found.append((ROW_BONUS, _cell(seat, n, LINES - 1)))
    for n in range(LINES):
        if all(cells[n] != EMPTY for cells in wall):
            found.append((COLUMN_BONUS, _cell(seat, LINES - 1, n)))
    for colour in range(COLOURS):
        cells = [(line, column) for line in range(LINES) for column in range(LINES) if wall[line][column] == colour]
        if len(cells) == LINES:
            found.append((COLOUR_BONUS, _cell(seat, *cells[-1])))
    return found
