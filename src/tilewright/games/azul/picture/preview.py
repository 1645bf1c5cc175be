"""What a move of Azul will score and cost, said before it is made."""

from __future__ import annotations

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.azul import moves as azul_moves
from tilewright.games.azul import rules as azul
from tilewright.games.azul.picture.steps import take_only
from tilewright.games.azul.rules import (
    COLOUR_BONUS,
    COLOURS,
    COLUMN_BONUS,
    FLOOR,
    FLOOR_PENALTY,
    FLOOR_SPACES,
    FULL_ROW,
    JOKER,
    LINES,
    ROW_BONUS,
)
from tilewright.games.azul.wall import column_pattern
from tilewright.games.family.factories import CENTRE, NOBODY
from tilewright.games.family.heap import number_of
from tilewright.kernels.compile import Row
from tilewright.view.language import say


def preview(position: Position, move: Move, language: str) -> list[str]:
    """Short phrases about what a legal move brings: what it scores, then what it costs."""
    row = Position(position.game, position.table.copy()).row
    seat = int(row.turn)
    if position.phase == "tile":
        cell = int(move) - int(azul_moves.count_draft_moves(row))
        points = _put(row, seat, cell // LINES, cell % LINES)
        return [say(language, "azul.scores", n=points), *_completes(row, seat, cell // LINES, cell % LINES, language)]
    costs = _costs(row, seat, move, language)
    destination = int(azul_moves.decode_draft(row, int(move))[3])
    take_only(row, move)
    return ([] if destination == FLOOR else _gains(row, seat, destination, language)) + costs


def _put(row: Row, seat: int, line: int, column: int) -> int:
    score = int(row.score[seat])
    azul.put_on_wall(row, seat, line, column)
    return int(row.score[seat]) - score


# --------------------------------------------------------------------------------------------------- Gains


def _gains(row: Row, seat: int, line: int, language: str) -> list[str]:
    """How far the line is, and if it is full what its tile will bring after those of the full lines above it."""
    held = int(row.line_tiles[seat, line - 1])
    if held < line:
        return [say(language, "azul.line_has", line=line, n=held)]
    while (full := int(azul.full_line(row, seat))) < line - 1:
        _put_best(row, seat, full)
    column, points = _put_best(row, seat, line - 1)
    if column < 0:
        return [say(language, "azul.line_blocked", line=line, n=line)]
    return [say(language, "azul.line_fills", line=line, n=points), *_completes(row, seat, line - 1, column, language)]


def _put_best(row: Row, seat: int, line: int) -> tuple[int, int]:
    """The tile of a full line goes where it scores most; the column and the points, or -1 where it finds no cell."""
    columns = int(azul.valid_columns(row, seat, line))
    if columns == 0:
        azul.line_falls(row, seat, line)
        return -1, 0
    best = max((n for n in range(LINES) if columns >> n & 1), key=lambda n: _worth(row, seat, line, n))
    return best, _put(row, seat, line, best)


def _worth(row: Row, seat: int, line: int, column: int) -> int:
    covered = int(row.covered[seat])
    row.covered[seat] = covered | 1 << (LINES * line + column)
    points = int(azul.score_wall_tile(row, seat, line, column))
    row.covered[seat] = covered
    return points


def _completes(row: Row, seat: int, line: int, column: int, language: str) -> list[str]:
    """The bonuses that the tile just put on a cell makes sure of."""
    phrases = []
    if azul.row_pattern(row, seat, line) == FULL_ROW:
        phrases.append(say(language, "azul.row", points=ROW_BONUS))
    if column_pattern(row, seat, column) == FULL_ROW:
        phrases.append(say(language, "azul.column", points=COLUMN_BONUS))
    wall = row.wall[seat].tolist()
    colour = wall[line][column]
    if colour < COLOURS and sum(cells.count(colour) for cells in wall) == LINES:
        name = say(language, f"azul.tile_{'byrkw'[colour]}")
        phrases.append(say(language, "azul.colour", colour=name, points=COLOUR_BONUS))
    return phrases


# --------------------------------------------------------------------------------------------------- Costs


def _costs(row: Row, seat: int, move: Move, language: str) -> list[str]:
    """The marker, which comes first, and the tiles that fall."""
    place, colour, with_jokers, destination, kept = (int(part) for part in azul_moves.decode_draft(row, int(move)))
    heap = int(row.places[place])
    jokers = int(number_of(heap, JOKER)) if with_jokers or colour == JOKER else 0
    taken = jokers + (int(number_of(heap, colour)) if colour != JOKER else 0)
    if destination != FLOOR:
        room = destination - int(row.line_tiles[seat, destination - 1])
        coloured = taken - jokers
        taken -= kept + min(coloured, room - kept)
    occupied = int(azul.floor_spaces_taken(row, seat))
    phrases = []
    if place == CENTRE and row.marker == NOBODY:
        phrases.append(_costing("takes_marker", occupied, 1, language))
        occupied = min(occupied + 1, FLOOR_SPACES)
    if taken:
        phrases.append(_costing("falls", occupied, taken, language))
    return phrases


def _costing(key: str, occupied: int, number: int, language: str) -> str:
    """What it costs that so many more come to the floor line; nothing once it is full."""
    cost = int(FLOOR_PENALTY[min(occupied + number, FLOOR_SPACES)] - FLOOR_PENALTY[occupied])
    if cost == 0:
        return say(language, f"azul.{key}_free", n=number)
    return say(language, f"azul.{key}", n=number, points=f"−{cost}")
