"""The evaluation of a board between two rounds: features, whose weights were found by self-play (``tools/tune.py``)."""

from __future__ import annotations

from tilewright.games.azul.rules import FILL, OVER
from tilewright.games.azul.wall import (
    COLOURS,
    LINES,
    column_pattern,
    row_pattern,
    score_wall_tile,
    valid_columns,
)
from tilewright.kernels.chance import count_bits
from tilewright.kernels.compile import Cells, Row, search_kernel

# ------------------------------------------------------------------------------------ Features of a board

STAGES = 5
"""Each has its own weights: the number of tiles in the fullest row of any wall, 0 to 4."""

STARTS = 1
ROWS = 2  # by row: one-hot, 1 to 4 tiles
COLUMNS = ROWS + 4 * LINES  # columns with 1 to 5 tiles
COLUMN_NEEDS = COLUMNS + 5  # the row that a column with 4 tiles needs
COLUMN_LACKS = COLUMN_NEEDS + 5  # tiles that it takes to complete columns with 3 tiles
COLOUR = COLUMN_LACKS + 1  # the same for colours
COLOUR_NEEDS = COLOUR + 5
COLOUR_LACKS = COLOUR_NEEDS + 5
CELLS = COLOUR_LACKS + 1  # by row: points that a tile on each free cell would score now
LINE_TILES = CELLS + LINES  # lines 2 to 5: one-hot, the number of tiles
LINE_POINTS = LINE_TILES + 10  # lines 2 to 5: the points their cell would score, by how full they are
FEATURES = LINE_POINTS + 4

SOLVABLE_HEAPS = 7
"""The end of a round is solved exactly once this few heaps of equal tiles are left on offer."""


@search_kernel
def is_horizon(position: Row) -> bool:
    """Whether the next event is a deal, or the game has ended."""
    return position.phase == FILL or position.phase == OVER


@search_kernel
def is_solvable(position: Row) -> bool:
    """Whether few enough tiles are left to solve the end of the round exactly."""
    return position.players == 2 and count_bits(position.offered) <= SOLVABLE_HEAPS


@search_kernel
def game_stage(position: Row) -> int:
    """How near the end is: the number of tiles in the fullest row."""
    fullest = 0
    for seat in range(position.players):
        for row in range(LINES):
            fullest = max(fullest, count_bits(row_pattern(position, seat, row)))
    return min(fullest, STAGES - 1)


@search_kernel
def add_group_features(features: Cells, first: int, tiles: int, missing: int, cost: int) -> None:
    """Count a column or a colour by its number of tiles, and what the last ones cost."""
    if tiles > 0:
        features[first + tiles - 1] += 1
    if tiles == 4:
        features[first + 5 + missing] += 1
    elif tiles == 3:
        features[first + 10] += cost


@search_kernel
def add_wall_features(position: Row, seat: int, features: Cells) -> None:
    """Count rows, columns, colours and the points that free cells offer."""
    for row in range(LINES):
        pattern = row_pattern(position, seat, row)
        tiles = count_bits(pattern)
        if 0 < tiles < LINES:
            features[ROWS + 4 * row + tiles - 1] += 1
        for column in range(LINES):
            if not pattern >> column & 1:
                features[CELLS + row] += score_wall_tile(position, seat, row, column)
    for column in range(LINES):
        pattern = column_pattern(position, seat, column)
        missing = cost = 0
        for row in range(LINES):
            if not pattern >> row & 1:
                missing, cost = row, cost + row + 1
        add_group_features(features, COLUMNS, count_bits(pattern), missing, cost)
    for colour in range(COLOURS):
        tiles = missing = cost = 0
        for row in range(LINES):
            found = False
            for column in range(LINES):
                found |= position.wall[seat, row, column] == colour
            if found:
                tiles += 1
            else:
                missing, cost = row, cost + row + 1
        add_group_features(features, COLOUR, tiles, missing, cost)


@search_kernel
def line_cell_points(position: Row, seat: int, row: int) -> int:
    """The most that the tile of a pattern line could score now."""
    columns = valid_columns(position, seat, row)
    best = 0
    for column in range(LINES):
        if columns >> column & 1:
            best = max(best, score_wall_tile(position, seat, row, column))
    return best


@search_kernel
def extract_features(position: Row, seat: int, features: Cells) -> None:
    """Describe a board between two rounds by numbers."""
    features[:] = 0
    features[0] = 1
    features[STARTS] = position.starter == seat
    add_wall_features(position, seat, features)
    for row in range(1, LINES):
        tiles = int(position.line_tiles[seat, row])
        if 0 < tiles <= row:
            features[LINE_TILES + row * (row - 1) // 2 + tiles - 1] = 1
            features[LINE_POINTS + row - 1] = line_cell_points(position, seat, row) * tiles / (row + 1)
