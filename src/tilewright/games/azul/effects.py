"""What a move of Azul does, step by step: the take, each tile put on a wall, floor lines, bonuses, the end of a round.

Each step is a kernel of the rules, played on a copy of the position; what it did is read off the copy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tilewright.game.effects import DISCARDS, MARKER, Effect, TilesMoved
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.azul import moves, rules
from tilewright.games.azul.notation import TILES, ChooseCell
from tilewright.games.azul.rules import CELL_TO_CHOOSE, COLOUR, COLUMN, FLOOR, LINE_FELL, ROW
from tilewright.games.azul.wall import EMPTY, JOKER, LINES, score_wall_tile, valid_columns
from tilewright.games.family.factories import CENTRE
from tilewright.games.family.heap import counts_of, tiles
from tilewright.kernels.compile import Row

TAKE, WALL, LINE_FALLS, FLOOR_LINE, BONUS = "take", "wall", "line_falls", "floor", "bonus"
ROUND_ENDS, GAME_ENDS = "round_ends", "game_ends"
BONUS_NAMES = {ROW: "row", COLUMN: "column", COLOUR: "colour"}


def effects(position: Position, move: Move) -> list[Effect]:
    """What happens when a legal move is played, up to the next decision or deal."""
    return _Telling(position).play(move)


def tiling_ahead(position: Position, seat: int) -> list[Effect]:
    """What the full lines of a seat would bring if the walls were tiled now, each tile where it scores most."""
    telling = _Telling(position)
    row = telling.state
    while (line := int(rules.full_line(row, seat))) < LINES:
        columns = int(valid_columns(row, seat, line))
        if columns:
            valid = [column for column in range(LINES) if columns >> column & 1]
            points = [int(score_wall_tile(row, seat, line, column)) for column in valid]
            telling.put_on_wall(seat, line, valid[points.index(max(points))])
        else:
            before = telling.now.copy()
            rules.line_falls(row, seat, line)
            telling.tell_fallen(before, seat, line)
    return telling.told


class _Telling:
    """A position in which a move is played piece by piece, and what has happened so far."""

    def __init__(self, position: Position) -> None:
        self.now = position.without_dealer()
        self.state: Row = self.now.state
        self.told: list[Effect] = []

    def _tell(self, what: str, seat: int | None = None, **facts: Any) -> None:
        """Note what was just done. Between two decisions the turn shows whose board it was done on."""
        after = self.now.copy()
        if seat is not None:
            after.state.turn = seat
        self.told.append(Effect(what, after, seat, **facts))

    def play(self, move: Move) -> list[Effect]:
        """The whole move."""
        if isinstance(move.fields, ChooseCell):
            self.put_on_wall(int(self.state.turn), move.fields.row - 1, move.fields.column - 1)
        else:
            self._take(move)
        if self.state.offered:
            rules.end_turn(self.state)
        elif self._tile_walls():
            for seat in self._seats():
                self._score_floor(seat)
            self._end_round()
        self.told[-1] = replace(self.told[-1], after=self.now)
        return self.told

    def _seats(self) -> list[int]:
        """All seats, from the one that began the round."""
        players = self.now.game.players
        return [(int(self.state.starter) + n) % players for n in range(players)]

    # Factory offer ------------------------------------------------------------------------------------------

    def _take(self, move: Move) -> None:
        before, row = self.now.copy().state, self.state
        seat = int(row.turn)
        place, colour, with_jokers, line, kept = (int(part) for part in moves.decode_draft(row, int(move)))
        rules.take_tiles(row, place, colour, with_jokers, line, kept)
        marker = bool(row.marker != before.marker)
        fits = _line_heap(row, seat, line) - _line_heap(before, seat, line)
        falls = int(row.floor[seat]) - int(before.floor[seat])
        lost = int(row.lid) - int(before.lid)
        fallen = sum(counts_of(falls + lost))
        marker_cost = int(rules.floor_cost(before, seat, 1)) if marker else 0
        source = "centre" if place == CENTRE else f"factory-{place}"
        moved = [TilesMoved(MARKER, 1, "centre", _marker_place(before, seat))] if marker else []
        moved += _tiles(fits, source, f"p{seat + 1}-line-{line}")
        moved += _tiles(falls, source, f"p{seat + 1}-floor")
        moved += _tiles(lost, source, DISCARDS)
        if place != CENTRE:
            moved += _tiles(int(before.places[place]) - fits - falls - lost, source, "centre")
        values = {
            "source": source,
            "line": line,
            "full": line != FLOOR and not rules.room_in_line(row, seat, line),
            "marker": marker,
            "marker_cost": marker_cost,
            "fallen": fallen,
            "fallen_cost": int(rules.floor_cost(before, seat, fallen + marker)) - marker_cost if fallen else 0,
        }
        self._tell(TAKE, seat, tiles=tuple(moved), values=values)

    # Wall-tiling --------------------------------------------------------------------------------------------

    def _tile_walls(self) -> bool:
        """Every full line up to one whose cell must be chosen; whether all of them are done."""
        for seat in self._seats():
            while (line := int(rules.full_line(self.state, seat))) < LINES:
                before = self.now.copy()
                result = rules.tile_line(self.state, seat, line)
                if result == CELL_TO_CHOOSE:
                    return False
                if result == LINE_FELL:
                    self.tell_fallen(before, seat, line)
                else:
                    self._tell_tiled(before, seat, line)
        return True

    def put_on_wall(self, seat: int, line: int, column: int) -> None:
        """The tile of a full line goes to a cell."""
        before = self.now.copy()
        rules.put_on_wall(self.state, seat, line, column)
        self._tell_tiled(before, seat, line)

    def _tell_tiled(self, before: Position, seat: int, line: int) -> None:
        row = self.state
        column = (int(row.covered[seat]) ^ int(before.state.covered[seat])).bit_length() - 1 - LINES * line
        kind = int(row.wall[seat, line, column])
        cell = _cell(seat, line, column)
        discarded = int(row.lid) - int(before.state.lid)
        through = {ROW: line, COLUMN: column, COLOUR: kind}
        bonuses = {BONUS_NAMES[what]: int(rules.bonus(row, seat, what, n)) for what, n in through.items()}
        completed = {name: points for name, points in bonuses.items() if points}
        self._tell(
            WALL,
            seat,
            points=int(row.score[seat]) - int(before.state.score[seat]),
            at=cell,
            tiles=(
                TilesMoved(TILES.letters[kind], 1, f"p{seat + 1}-line-{line + 1}", cell),
                *_tiles(discarded, f"p{seat + 1}-line-{line + 1}", DISCARDS),
            ),
            values={"row": line + 1, "column": column + 1, "kind": TILES.letters[kind], "completed": completed},
        )

    def tell_fallen(self, before: Position, seat: int, line: int) -> None:
        """A line that found no valid cell has fallen."""
        row, origin = self.state, f"p{seat + 1}-line-{line + 1}"
        moved = _tiles(int(row.floor[seat]) - int(before.state.floor[seat]), origin, f"p{seat + 1}-floor")
        moved += _tiles(int(row.lid) - int(before.state.lid), origin, DISCARDS)
        self._tell(LINE_FALLS, seat, tiles=tuple(moved), values={"row": line + 1, "fallen": line + 1})

    def _score_floor(self, seat: int) -> None:
        row = self.state
        if not rules.floor_spaces_taken(row, seat):
            return
        score, fallen = int(row.score[seat]), int(row.floor[seat])
        rules.score_floor(row, seat)
        floor = f"p{seat + 1}-floor"
        self._tell(
            FLOOR_LINE,
            seat,
            points=int(row.score[seat]) - score,
            at=floor,
            tiles=tuple(_tiles(fallen, floor, DISCARDS)),
        )

    # The end of a round, and of the game --------------------------------------------------------------------

    def _end_round(self) -> None:
        ended = self.now.copy()
        rules.end_round(ended.state)
        if ended.is_over:
            for seat in self._seats():
                self._add_bonuses(seat)
        marker = int(self.state.marker)
        moved = (TilesMoved(MARKER, 1, f"p{marker + 1}-floor", "centre"),) if ended.state.marker != marker else ()
        values = {"round": self.now.round}
        self.now, self.state = ended, ended.state
        self._tell(GAME_ENDS if ended.is_over else ROUND_ENDS, tiles=moved, values=values)

    def _add_bonuses(self, seat: int) -> None:
        """The bonuses of a wall one by one, each at the last cell of what it is for."""
        for what, name in BONUS_NAMES.items():
            for n in range(LINES):
                points = int(rules.score_bonus(self.state, seat, what, n))
                if points:
                    row, column = _last_cell(self.state, seat, what, n)
                    values = {"for": name, "n": n + 1, "kind": TILES.letters[n] if what == COLOUR else ""}
                    self._tell(BONUS, seat, points=points, at=_cell(seat, row, column), values=values)


# What lies where --------------------------------------------------------------------------------------------


def _cell(seat: int, row: int, column: int) -> str:
    return f"p{seat + 1}-wall-{row + 1}-{column + 1}"


def _last_cell(row: Row, seat: int, what: int, n: int) -> tuple[int, int]:
    """The last cell of a full row, column or colour."""
    if what == ROW:
        return n, LINES - 1
    if what == COLUMN:
        return LINES - 1, n
    return LINES - 1, row.wall[seat, LINES - 1].tolist().index(n)


def _marker_place(row: Row, seat: int) -> str:
    """Where the marker comes to lie: on the floor line, or beside it if that is full."""
    room = rules.floor_spaces_taken(row, seat) < rules.FLOOR_SPACES
    return f"p{seat + 1}-floor" if room else f"p{seat + 1}-{MARKER}"


def _line_heap(row: Row, seat: int, line: int) -> int:
    """The tiles of a pattern line as a heap; none for the floor line."""
    if line == FLOOR:
        return 0
    jokers, colour = int(row.line_jokers[seat, line - 1]), int(row.line_colour[seat, line - 1])
    coloured = tiles(colour, int(row.line_tiles[seat, line - 1]) - jokers) if colour != EMPTY else 0
    return int(tiles(JOKER, jokers) + coloured)


def _tiles(heap: int, origin: str, target: str) -> list[TilesMoved]:
    """A heap that goes from one place to another."""
    numbers = zip(TILES.letters, counts_of(heap), strict=True) if heap else ()
    return [TilesMoved(kind, number, origin, target) for kind, number in numbers if number]
