"""Azul and Azul Mini, with the grey wall and the Joker tiles, for 2 to 4 players.

In the order of the rulebook: components, set-up, A. factory offer, B. wall-tiling, C. preparing the next
round, end of the game. A position is one row of ``POSITION``; the wall is in ``wall.py``, the moves as numbers are in
``moves.py``. Every elementary step is a kernel of its own: fast play runs through them, ``effects.py`` stops after
each of them and tells what it did.
"""

from __future__ import annotations

import numpy as np

from tilewright.games.azul.wall import (
    COLOURS,
    EMPTY,
    JOKER,
    LINES,
    count_rows,
    has_full_colour,
    has_full_column,
    has_full_row,
    row_bars,
    score_wall_tile,
    valid_columns,
)
from tilewright.games.family.factories import (
    CENTRE,
    FACTORY_TILES,
    MOST_PLACES,
    MOST_PLAYERS,
    NOBODY,
    count_factories,
    move_rest_to_centre,
    put_on_factory,
    refresh_offer,
    sort_factories,
    take_from_bag,
    take_from_place,
)
from tilewright.games.family.heap import KINDS, count_tiles, number_of, pick, tiles
from tilewright.kernels.chance import nth_bit
from tilewright.kernels.compile import Cells, Row, kernel

# --------------------------------------------------------------------------------------------- Components


TILES, COLOUR_TILES = 100, 20
FLOOR = 0
"""As a destination: the floor line; 1 to 5 are the pattern lines."""
DESTINATIONS = 6
FLOOR_SPACES = 7
FLOOR_PENALTY = np.array([0, 1, 2, 4, 6, 8, 11, 14], dtype=np.int64)
"""What 0 to 7 occupied spaces of the floor line cost: -1 -1 -2 -2 -2 -3 -3."""

ROW, COLUMN, COLOUR = range(3)
"""What brings a bonus at the end of the game."""
ROW_BONUS, COLUMN_BONUS, COLOUR_BONUS = 2, 7, 10
BARREN_ROUNDS = 3
"""The game ends after this many rounds in a row without a tile put on any wall (a ruling: it might never end)."""

FILL, DRAFT, TILE, OVER = range(4)
"""Phases: tiles are being drawn for the factories; a player takes; a player chooses a wall cell; the end."""

POSITION = np.dtype(
    [
        ("bag", np.int64),  # heaps: see heap.py
        ("lid", np.int64),
        ("places", np.int64, MOST_PLACES),
        ("offered", np.int64),  # which kinds lie where: see factories.py
        ("floor", np.int64, MOST_PLAYERS),
        ("open_lines", np.int64, MOST_PLAYERS),  # bit kind * 6 + destination: that destination takes the kind
        ("covered", np.int32, MOST_PLAYERS),  # bit row * 5 + column: that cell of the wall is covered
        ("score", np.int16, MOST_PLAYERS),
        ("wall_points", np.int16, MOST_PLAYERS),  # the part of the score that came from tiles on the wall
        ("round_number", np.int16),
        ("players", np.int8),
        ("grey", np.int8),  # 1: the wall's grey side
        ("jokers", np.int8),  # 1: with Joker tiles
        ("phase", np.int8),
        ("turn", np.int8),  # the seat to move
        ("starter", np.int8),  # the seat that began this round
        ("marker", np.int8),  # the seat that took the starting player marker; NOBODY: it lies in the centre
        ("filled", np.int8),  # tiles put on the factories in this filling
        ("tiled", np.int8),  # 1: somebody put a tile on a wall in this round
        ("barren", np.int8),  # rounds running in which nobody did
        ("line_colour", np.int8, (MOST_PLAYERS, LINES)),
        ("line_tiles", np.int8, (MOST_PLAYERS, LINES)),  # all tiles in the line, jokers too
        ("line_jokers", np.int8, (MOST_PLAYERS, LINES)),
        ("wall", np.int8, (MOST_PLAYERS, LINES, LINES)),  # the kind on each cell, or EMPTY
        ("unused", np.int8, 4),  # pads the row to a multiple of 8 bytes
    ]
)


_EVERY_LINE = (1 << DESTINATIONS * KINDS) - 1
_DESTINATION_COMB = sum(1 << DESTINATIONS * kind for kind in range(KINDS))


@kernel
def lines_open_to(position: Row, seat: int, kind: int) -> int:
    """The destinations that take a kind, as bits: the floor line always does."""
    return (position.open_lines[seat] >> (DESTINATIONS * kind)) & ((1 << DESTINATIONS) - 1)


# ------------------------------------------------------------------------------------------------- Set-up


@kernel
def set_up(position: Row, players: int, grey: int, jokers: int = 0) -> None:
    """An empty table and a full bag; the factories are filled by the draws that follow."""
    for seat in range(MOST_PLAYERS):
        position.score[seat] = 0
        position.wall_points[seat] = 0
        position.floor[seat] = 0
        position.covered[seat] = 0
        position.open_lines[seat] = _EVERY_LINE
        for row in range(LINES):
            position.line_colour[seat, row] = EMPTY
            position.line_tiles[seat, row] = 0
            position.line_jokers[seat, row] = 0
            for column in range(LINES):
                position.wall[seat, row, column] = EMPTY
    for place in range(MOST_PLACES):
        position.places[place] = 0
    position.offered = 0
    position.lid = 0
    # Joker tiles replace one tile of each colour with two players, two with three or four.
    replaced = 0 if not jokers else 1 if players == 2 else 2
    position.bag = tiles(JOKER, COLOURS * replaced)
    for colour in range(COLOURS):
        position.bag += tiles(colour, COLOUR_TILES - replaced)
    position.players = players
    position.grey = grey
    position.jokers = jokers
    position.turn = position.starter = 0
    position.round_number = position.barren = position.tiled = 0
    prepare_round(position)


# --------------------------------------------------------------------------------------- A. Factory offer


@kernel
def take_all(position: Row, place: int, kind: int) -> None:
    """All tiles of a kind leave a place."""
    take_from_place(position, place, kind, number_of(position.places[place], kind))


@kernel
def takes_marker(position: Row, place: int) -> bool:
    """Whether the starting player marker comes too: the first to take from the centre takes it."""
    return place == CENTRE and position.marker == NOBODY


@kernel
def room_in_line(position: Row, seat: int, line: int) -> int:
    """Empty spaces of a pattern line, from 1 to 5."""
    return line - int(position.line_tiles[seat, line - 1])


@kernel
def sort_take(
    position: Row, place: int, colour: int, with_jokers: int, destination: int, jokers_kept: int
) -> tuple[int, int, int, int]:
    """What becomes of the tiles of a take: coloured tiles that fit in the line and that fall, then jokers that do.

    ``colour`` may be JOKER: all jokers of the place alone. Where the take does not fit, ``jokers_kept`` of its jokers
    go into the line and the rest of the room is for the colour; on the floor line nothing fits, everything falls.
    """
    coloured = number_of(position.places[place], colour)
    jokers = number_of(position.places[place], JOKER) if with_jokers else 0
    if colour == JOKER:
        jokers, coloured = coloured, 0
    fitting = 0
    if destination != FLOOR:
        fitting = min(coloured, room_in_line(position, position.turn, destination) - jokers_kept)
    return fitting, coloured - fitting, jokers_kept, jokers - jokers_kept


@kernel
def floor_spaces_taken(position: Row, seat: int) -> int:
    """Occupied spaces of a floor line. A marker that found it full lies beside it, at no cost."""
    return min(count_tiles(position.floor[seat]) + (position.marker == seat), FLOOR_SPACES)


@kernel
def floor_cost(position: Row, seat: int, more: int) -> int:
    """Points that further tiles, or the marker, will cost on a floor line; nothing once it is full."""
    taken = floor_spaces_taken(position, seat)
    return FLOOR_PENALTY[min(taken + more, FLOOR_SPACES)] - FLOOR_PENALTY[taken]


@kernel
def drop(position: Row, seat: int, kind: int, number: int) -> None:
    """Tiles fall on the floor line, from left to right; what it cannot hold goes to the lid."""
    dropped = min(number, FLOOR_SPACES - floor_spaces_taken(position, seat))
    position.floor[seat] += tiles(kind, dropped)
    position.lid += tiles(kind, number - dropped)


@kernel
def fill_line(position: Row, seat: int, row: int, colour: int, coloured: int, jokers: int) -> None:
    """Tiles that fit go into a pattern line, which from then on takes that colour alone (and jokers)."""
    position.line_tiles[seat, row] += coloured + jokers
    position.line_jokers[seat, row] += jokers
    closed = 0
    if coloured > 0:
        position.line_colour[seat, row] = colour
        closed = _DESTINATION_COMB & ~(1 << DESTINATIONS * colour | 1 << DESTINATIONS * JOKER)
    if position.line_tiles[seat, row] > row:
        closed = _DESTINATION_COMB
    position.open_lines[seat] &= ~(closed << (row + 1))


@kernel
def take_tiles(position: Row, place: int, colour: int, with_jokers: int, destination: int, jokers_kept: int) -> None:
    """Take tiles and place all of them in one pattern line, or all on the floor line; see ``sort_take``."""
    seat = position.turn
    coloured, falling, jokers, jokers_falling = sort_take(
        position, place, colour, with_jokers, destination, jokers_kept
    )
    take_all(position, place, colour)
    if with_jokers:
        take_all(position, place, JOKER)
    if takes_marker(position, place):
        position.marker = seat
    if place != CENTRE:
        move_rest_to_centre(position, place)
    if destination != FLOOR:
        fill_line(position, seat, destination - 1, colour, coloured, jokers)
    if falling > 0:
        drop(position, seat, colour, falling)
    if jokers_falling > 0:
        drop(position, seat, JOKER, jokers_falling)


@kernel
def end_turn(position: Row) -> None:
    """The next player takes; when nothing is left to take, the walls are tiled."""
    if position.offered:
        position.turn = (position.turn + 1) % position.players
    else:
        tile_walls(position)


# ----------------------------------------------------------------------------------------- B. Wall-tiling

LINE_TILED, LINE_FELL, CELL_TO_CHOOSE = range(3)
"""What can become of a full line."""


@kernel
def refresh_line(position: Row, seat: int, row: int) -> None:
    """Which kinds a pattern line takes, from its tiles and its wall row."""
    if position.line_tiles[seat, row] > row:
        return
    position.open_lines[seat] |= 1 << (DESTINATIONS * JOKER + row + 1)
    for colour in range(COLOURS):
        held = position.line_colour[seat, row]
        if (held == EMPTY or held == colour) and not row_bars(position, seat, row, colour):
            position.open_lines[seat] |= 1 << (DESTINATIONS * colour + row + 1)


@kernel
def empty_line(position: Row, seat: int, row: int) -> None:
    """A line whose tiles have left it takes every colour that its wall row does not bar."""
    position.line_colour[seat, row] = EMPTY
    position.line_tiles[seat, row] = 0
    position.line_jokers[seat, row] = 0
    refresh_line(position, seat, row)


@kernel
def put_on_wall(position: Row, seat: int, row: int, column: int) -> None:
    """One tile of a full line goes to the wall and scores at once; the others go to the lid."""
    jokers = int(position.line_jokers[seat, row])
    colour = int(position.line_colour[seat, row])
    tile = JOKER if jokers > 0 else colour
    position.wall[seat, row, column] = tile
    position.covered[seat] |= 1 << (LINES * row + column)
    discarded = tiles(JOKER, jokers) - tiles(tile, 1)
    if colour != EMPTY:
        discarded += tiles(colour, row + 1 - jokers)
    position.lid += discarded
    points = score_wall_tile(position, seat, row, column)
    position.score[seat] += points
    position.wall_points[seat] += points
    position.tiled = 1
    empty_line(position, seat, row)


@kernel
def line_falls(position: Row, seat: int, row: int) -> None:
    """Grey wall, special case: no valid cell is left, so all tiles of the line fall on the floor line."""
    drop(position, seat, int(position.line_colour[seat, row]), row + 1)
    empty_line(position, seat, row)


@kernel
def full_line(position: Row, seat: int) -> int:
    """The topmost full pattern line of a player, as a row; LINES if none is full."""
    for row in range(LINES):
        if position.line_tiles[seat, row] > row:
            return row
    return LINES


@kernel
def has_choice(position: Row, seat: int, row: int) -> bool:
    """Whether the cell is the player's to choose: on the grey wall, or for a line of jokers alone."""
    return position.grey == 1 or position.line_colour[seat, row] == EMPTY


@kernel
def tile_line(position: Row, seat: int, row: int) -> int:
    """A full line goes to the wall or falls, or its player must choose the cell; returns which."""
    columns = valid_columns(position, seat, row)
    if columns == 0:
        line_falls(position, seat, row)
        return LINE_FELL
    if has_choice(position, seat, row):
        position.phase = TILE
        position.turn = seat
        return CELL_TO_CHOOSE
    put_on_wall(position, seat, row, nth_bit(columns, 0))
    return LINE_TILED


@kernel
def tile_walls(position: Row) -> None:
    """Each player from the starting player, each full line from the top; stops where a player must choose."""
    for step in range(position.players):
        seat = (position.starter + step) % position.players
        row = full_line(position, seat)
        while row < LINES:
            if tile_line(position, seat, row) == CELL_TO_CHOOSE:
                return
            row = full_line(position, seat)
    for seat in range(position.players):
        score_floor(position, seat)
    end_round(position)


@kernel
def score_floor(position: Row, seat: int) -> None:
    """The floor line's penalty, once, after the gain; no score falls below 0. Its tiles go to the lid."""
    penalty = FLOOR_PENALTY[floor_spaces_taken(position, seat)]
    position.score[seat] = max(0, position.score[seat] - penalty)
    position.lid += position.floor[seat]
    position.floor[seat] = 0


# ------------------------------------------------------------------------------ C. Preparing the next round


@kernel
def end_round(position: Row) -> None:
    """The game ends with a full row on any wall, or after too many rounds without a tile on any."""
    if position.marker != NOBODY:
        position.starter = position.marker
    position.barren = 0 if position.tiled else position.barren + 1
    position.tiled = 0
    finished = position.barren == BARREN_ROUNDS
    for seat in range(position.players):
        for row in range(LINES):
            finished |= has_full_row(position, seat, row)
    if finished:
        end_game(position)
    else:
        prepare_round(position)


@kernel
def prepare_round(position: Row) -> None:
    """The marker goes back to the centre and the factories wait for tiles; with none at all, the end."""
    position.marker = NOBODY
    position.turn = position.starter
    position.filled = 0
    if position.bag == 0 and position.lid == 0:
        end_game(position)
    else:
        position.round_number += 1
        position.phase = FILL


@kernel
def place_drawn_tile(position: Row, kind: int) -> None:
    """A drawn tile goes to the next factory; the offer begins when all are full, or no tile is left."""
    put_on_factory(position, kind)
    full = position.filled == FACTORY_TILES * count_factories(position.players)
    if full or (position.bag == 0 and position.lid == 0):
        position.phase = DRAFT
        position.filled = 0


@kernel
def draw(position: Row, kind: int) -> None:
    """The draw of one tile of a known kind."""
    position.bag, position.lid = take_from_bag(position.bag, position.lid, kind)
    place_drawn_tile(position, kind)


@kernel
def awaits_draw(position: Row) -> bool:
    """Whether the next event is a draw."""
    return position.phase == FILL


@kernel
def drawn_from(position: Row) -> int:
    """The heap that the next tile is drawn from: the bag, or what will be poured into it."""
    return position.bag if position.bag else position.lid


@kernel
def draw_weight(position: Row, kind: int) -> int:
    """How many tiles of a kind the next draw is made from."""
    return number_of(drawn_from(position), kind)


@kernel
def pick_kind(position: Row, generator: Cells) -> int:
    """The kind of one tile drawn blindly."""
    return pick(drawn_from(position), generator)


# ------------------------------------------------------------------------------------------ End of the game


@kernel
def bonus(position: Row, seat: int, what: int, n: int) -> int:
    """What a row, column or colour of a wall gives at the end: nothing unless it is full."""
    if what == ROW:
        return ROW_BONUS if has_full_row(position, seat, n) else 0
    if what == COLUMN:
        return COLUMN_BONUS if has_full_column(position, seat, n) else 0
    return COLOUR_BONUS if has_full_colour(position, seat, n) else 0


@kernel
def score_bonus(position: Row, seat: int, what: int, n: int) -> int:
    """A row, column or colour gives its bonus; returns the points."""
    points = bonus(position, seat, what, n)
    position.score[seat] += points
    return points


@kernel
def end_game(position: Row) -> None:
    """Bonuses for full rows, columns and colours."""
    position.phase = OVER
    for seat in range(position.players):
        for n in range(LINES):
            score_bonus(position, seat, ROW, n)
            score_bonus(position, seat, COLUMN, n)
            score_bonus(position, seat, COLOUR, n)


@kernel
def is_over(position: Row) -> bool:
    """Whether the game has ended."""
    return position.phase == OVER


@kernel
def beats(position: Row, seat: int, other: int) -> bool:
    """Most points win; among those tied for first, most full rows; still tied, they share the win."""
    if position.score[seat] != position.score[other]:
        return position.score[seat] > position.score[other]
    return count_rows(position, seat) > count_rows(position, other)


@kernel
def refresh(position: Row) -> None:
    """Compute what the rest of the row implies: what is offered, covered cells, open lines."""
    refresh_offer(position)
    for seat in range(position.players):
        position.covered[seat] = 0
        for row in range(LINES):
            for column in range(LINES):
                if position.wall[seat, row, column] != EMPTY:
                    position.covered[seat] |= 1 << (LINES * row + column)
        position.open_lines[seat] = _DESTINATION_COMB << FLOOR
        for row in range(LINES):
            refresh_line(position, seat, row)


@kernel
def canonicalise(position: Row) -> None:
    """Factories are interchangeable: their canonical order is the sorted one."""
    sort_factories(position)
