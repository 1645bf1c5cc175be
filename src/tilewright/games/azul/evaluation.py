"""What the search knows about Azul, first part: what a player's board promises between two rounds.

``note_features`` describes a board by numbers; their weights were found by self-play (``tools/tune.py``).
"""

from __future__ import annotations

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
"""How far the game is: tiles in the fullest row of any wall, 0 to 4. Each stage has weights of its own."""

STARTS = 1
ROWS = 2  # by row: one of 1 to 4 tiles
COLUMNS = ROWS + 4 * LINES  # columns with 1 to 5 tiles
COLUMN_NEEDS = COLUMNS + 5  # the row that a column with 4 tiles needs
COLUMN_LACKS = COLUMN_NEEDS + 5  # tiles that columns with 3 tiles still cost
COLOUR = COLUMN_LACKS + 1  # the same for colours
COLOUR_NEEDS = COLOUR + 5
COLOUR_LACKS = COLOUR_NEEDS + 5
CELLS = COLOUR_LACKS + 1  # by row: points that a tile on each free cell would score now
LINE_TILES = CELLS + LINES  # lines 2 to 5: one of the numbers of tiles they hold
LINE_POINTS = LINE_TILES + 10  # lines 2 to 5: the points their cell would score, by how full they are
FEATURES = LINE_POINTS + 4


@search_kernel
def stage_of(position: Row) -> int:
    """How near the end is: the tiles of the fullest row."""
    fullest = 0
    for seat in range(position.players):
        for row in range(LINES):
            fullest = max(fullest, count_bits(row_pattern(position, seat, row)))
    return min(fullest, STAGES - 1)


@search_kernel
def note_group(features: Cells, first: int, tiles: int, missing: int, lacking: int) -> None:
    """A column or a colour: how many tiles it has, and what the last ones cost."""
    if tiles > 0:
        features[first + tiles - 1] += 1
    if tiles == 4:
        features[first + 5 + missing] += 1
    elif tiles == 3:
        features[first + 10] += lacking


@search_kernel
def note_walls(position: Row, seat: int, features: Cells) -> None:
    """Rows, columns, colours and free cells of a wall."""
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
        missing = lacking = 0
        for row in range(LINES):
            if not pattern >> row & 1:
                missing, lacking = row, lacking + row + 1
        note_group(features, COLUMNS, count_bits(pattern), missing, lacking)
    for colour in range(COLOURS):
        tiles = missing = lacking = 0
        for row in range(LINES):
            found = False
            for column in range(LINES):
                found |= position.wall[seat, row, column] == colour
            if found:
                tiles += 1
            else:
                missing, lacking = row, lacking + row + 1
        note_group(features, COLOUR, tiles, missing, lacking)


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
def note_features(position: Row, seat: int, features: Cells) -> None:
    """All that is known of a board between two rounds, as numbers."""
    features[:] = 0
    features[0] = 1
    features[STARTS] = position.starter == seat
    note_walls(position, seat, features)
    for row in range(1, LINES):
        tiles = int(position.line_tiles[seat, row])
        if 0 < tiles <= row:
            features[LINE_TILES + row * (row - 1) // 2 + tiles - 1] = 1
            features[LINE_POINTS + row - 1] = line_cell_points(position, seat, row) * tiles / (row + 1)
