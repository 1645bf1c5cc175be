"""The wall of Azul: which cell takes which colour, what a tile scores, what is full.

The cells are five rows of five. ``wall[seat, row, column]`` is the kind of tile on a cell or EMPTY, and
``covered[seat]`` says in bits, row * 5 + column, which cells have a tile.
"""

from __future__ import annotations

import numpy as np

from tilewright.kernels.compile import Row, kernel

COLOURS = 5
"""Blue, yellow, red, black, white: kinds 0 to 4."""
JOKER = 5
"""The sixth kind of tile. A joker has no colour."""
EMPTY = -1
"""No tile on a wall cell; no colour in a pattern line."""
LINES = 5
"""Pattern lines, rows and columns of the wall. Line 1 holds one tile, line 5 five."""
FULL_ROW = 0b11111
_COLUMN_COMB = sum(1 << LINES * row for row in range(LINES))


def _runs() -> np.ndarray:
    """The run of neighbours that a cell belongs to, for every pattern of five cells."""
    runs = np.zeros((32, LINES), dtype=np.int64)
    for pattern in range(32):
        for cell in range(LINES):
            first = last = cell
            while first > 0 and pattern >> (first - 1) & 1:
                first -= 1
            while last < LINES - 1 and pattern >> (last + 1) & 1:
                last += 1
            runs[pattern, cell] = last - first + 1
    return runs


RUN = _runs()


@kernel
def wall_column(colour: int, row: int) -> int:
    """The cell of a colour on the coloured wall."""
    return (colour + row) % LINES


@kernel
def wall_colour(row: int, column: int) -> int:
    """The colour of a cell on the coloured wall."""
    return (column - row + LINES) % LINES


@kernel
def row_pattern(position: Row, seat: int, row: int) -> int:
    """The covered cells of a row, a bit for each column."""
    return (int(position.covered[seat]) >> (LINES * row)) & FULL_ROW


@kernel
def column_pattern(position: Row, seat: int, column: int) -> int:
    """The covered cells of a column, a bit for each row."""
    return column_of(int(position.covered[seat]), column)


@kernel
def column_of(covered: int, column: int) -> int:
    """The same from the covered cells of a wall."""
    cells = (covered >> column) & _COLUMN_COMB
    pattern = 0
    for row in range(LINES):
        pattern |= (cells >> (LINES - 1) * row) & (1 << row)
    return pattern


@kernel
def row_bars(position: Row, seat: int, row: int, colour: int) -> bool:
    """Whether a wall row keeps a colour out of its pattern line: the row has it, or its cell is covered."""
    if not position.grey:
        return (row_pattern(position, seat, row) >> wall_column(colour, row) & 1) == 1
    for column in range(LINES):
        if position.wall[seat, row, column] == colour:
            return True
    return False


@kernel
def columns_for(position: Row, seat: int, row: int, colour: int, joker: bool) -> int:
    """Where a full line may go, as bits of its row's columns, by its colour (EMPTY: jokers alone) and its tile."""
    if not position.grey and colour != EMPTY:
        return (1 << wall_column(colour, row)) & ~row_pattern(position, seat, row)
    columns = FULL_ROW & ~row_pattern(position, seat, row)
    if not joker:
        # Grey wall: a colour may stand only once in a column; a joker has no colour, no column stops it.
        for column in range(LINES):
            for other_row in range(LINES):
                if position.wall[seat, other_row, column] == colour:
                    columns &= ~(1 << column)
    return columns


@kernel
def valid_columns(position: Row, seat: int, row: int) -> int:
    """Where the tile of a full line may go, as bits of the row's columns."""
    joker = position.line_jokers[seat, row] > 0
    return columns_for(position, seat, row, int(position.line_colour[seat, row]), joker)


@kernel
def score_wall_tile(position: Row, seat: int, row: int, column: int) -> int:
    """Points of a tile on a cell, before or after it is put there: its run across and its run down; 1 if alone."""
    return score_runs(row_pattern(position, seat, row), column, column_pattern(position, seat, column), row)


@kernel
def score_runs(row_cells: int, column: int, column_cells: int, row: int) -> int:
    """The same from the covered cells of its row and of its column."""
    across = RUN[row_cells, column]
    down = RUN[column_cells, row]
    if across > 1 and down > 1:
        return across + down
    return max(across, down)


@kernel
def has_full_row(position: Row, seat: int, row: int) -> bool:
    """Whether a row of a wall is full."""
    return row_pattern(position, seat, row) == FULL_ROW


@kernel
def has_full_column(position: Row, seat: int, column: int) -> bool:
    """Whether a column of a wall is full."""
    return (int(position.covered[seat]) >> column) & _COLUMN_COMB == _COLUMN_COMB


@kernel
def has_full_colour(position: Row, seat: int, colour: int) -> bool:
    """Whether all five tiles of a colour are on a wall; a joker never counts for one."""
    tiles = 0
    for row in range(LINES):
        for column in range(LINES):
            tiles += position.wall[seat, row, column] == colour
    return tiles == LINES


@kernel
def count_rows(position: Row, seat: int) -> int:
    """Full rows of a wall."""
    rows = 0
    for row in range(LINES):
        rows += has_full_row(position, seat, row)
    return rows
