"""What the search knows about Azul, second part: what moves are worth at first sight.

From the weights of the features follows the worth of each pattern line with so many tiles at the end of the round,
which is all that the quick choice of moves needs.
"""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.games.azul.evaluation import (
    FEATURES,
    LINE_POINTS,
    LINE_TILES,
    STAGES,
    STARTS,
    note_walls,
    stage_of,
)
from tilewright.games.azul.moves import (
    count_draft_moves,
    count_joker_moves,
    decode_draft,
    moves_of_a_place,
    nth_joker_move,
)
from tilewright.games.azul.rules import (
    DESTINATIONS,
    EMPTY,
    FILL,
    FLOOR,
    OVER,
    ROW_BONUS,
    TILE,
    floor_cost,
    full_line,
    lines_open_to,
    sort_take,
    takes_marker,
)
from tilewright.games.azul.wall import (
    COLOURS,
    FULL_ROW,
    JOKER,
    LINES,
    columns_for,
    row_pattern,
    score_wall_tile,
    valid_columns,
)
from tilewright.games.family.factories import places_with
from tilewright.games.family.heap import KINDS
from tilewright.kernels.chance import count_bits, nth_bit
from tilewright.kernels.compile import Cells, Row, search_kernel
from tilewright.search.workspace import Knowledge, Pads

# ------------------------------------------------------------------------- What a take is worth, in points

LINE_THAT_FALLS = -3.0
"""A full line that has no place on the wall."""

FEW_HEAPS = 7
"""Kinds on places, all together, from which on the end of a round is worked out exactly."""

WORTH_SHAPE = (4, LINES, KINDS, LINES + 1)
"""By seat, row, kind and number of tiles: what a pattern line will be worth at the end of the round."""


@search_kernel
def wall_worth(position: Row, seat: int, stage: int, weights: Cells, features: Cells) -> float:
    """What a wall promises, its points for rows, columns and colours not included."""
    features[:] = 0
    note_walls(position, seat, features)
    total = 0.0
    for n in range(FEATURES):
        total += weights[stage, n] * features[n]
    return total


@search_kernel
def cell_worth(
    position: Row, seat: int, row: int, column: int, kind: int, stage: int, weights: Cells, features: Cells,
    before: float,
) -> float:  # fmt: skip
    """Points of a tile on a cell, and what it changes in the promise of the wall, which was ``before``."""
    points = score_wall_tile(position, seat, row, column)
    position.wall[seat, row, column] = kind
    position.covered[seat] |= 1 << (LINES * row + column)
    after = wall_worth(position, seat, stage, weights, features)
    if row_pattern(position, seat, row) == FULL_ROW:
        after += ROW_BONUS
    position.wall[seat, row, column] = EMPTY
    position.covered[seat] &= ~(1 << (LINES * row + column))
    return points + after - before


@search_kernel
def weigh(position: Row, knowledge: Knowledge, pads: Pads) -> None:
    """Before a search: what each pattern line would be worth with so many tiles of each kind."""
    weights, worth = knowledge.weights, knowledge.worth
    stage = min(stage_of(position) + 1, STAGES - 1)
    kinds = KINDS if position.jokers else COLOURS
    for seat in range(position.players):
        before = wall_worth(position, seat, stage, weights, pads.features)
        for row in range(LINES):
            for kind in range(kinds):
                joker = kind == JOKER
                columns = columns_for(position, seat, row, EMPTY if joker else kind, joker)
                best, points = LINE_THAT_FALLS, 0
                for column in range(LINES):
                    if columns >> column & 1:
                        merit = cell_worth(position, seat, row, column, kind, stage, weights, pads.features, before)
                        if merit > best:
                            best, points = merit, score_wall_tile(position, seat, row, column)
                worth[seat, row, kind, row + 1] = best
                for tiles in range(1, row + 1):
                    worth[seat, row, kind, tiles] = weights[
                        stage, LINE_TILES + row * (row - 1) // 2 + tiles - 1
                    ] + weights[stage, LINE_POINTS + row - 1] * points * tiles / (row + 1)
    worth[0, 0, 0, 0] = weights[stage, STARTS]  # no line is worth anything with no tiles: the place is free


@search_kernel
def take_worth(
    position: Row, worth: Cells, place: int, colour: int, with_jokers: int, destination: int, jokers_kept: int
) -> float:
    """What a take is worth to the player who makes it, by itself."""
    seat = position.turn
    coloured, falling, jokers, jokers_falling = sort_take(
        position, place, colour, with_jokers, destination, jokers_kept
    )
    total = 0.0
    falling += jokers_falling
    if takes_marker(position, place):
        total += worth[0, 0, 0, 0]
        falling += 1
    if destination != FLOOR:
        row = destination - 1
        held = int(position.line_colour[seat, row])
        tiles = int(position.line_tiles[seat, row])
        if tiles:
            total -= worth[seat, row, held if held != EMPTY else JOKER, tiles]
        kind = colour if colour != JOKER or held == EMPTY else held
        total += worth[seat, row, kind, tiles + coloured + jokers]
    return total - floor_cost(position, seat, falling)


# --------------------------------------------------------------------------------- Moves and what they promise


@search_kernel
def list_cells(position: Row, knowledge: Knowledge, pads: Pads) -> int:
    """The cells that the tile of a full line may go to."""
    seat = position.turn
    row = full_line(position, seat)
    columns = valid_columns(position, seat, row)
    kind = JOKER if position.line_jokers[seat, row] > 0 else int(position.line_colour[seat, row])
    stage = min(stage_of(position) + 1, STAGES - 1)
    weights, features = knowledge.weights, pads.features
    before = wall_worth(position, seat, stage, weights, features)
    count = 0
    for n in range(count_bits(columns)):
        column = nth_bit(columns, n)
        pads.moves[count] = count_draft_moves(position) + row * LINES + column
        pads.promises[count] = cell_worth(position, seat, row, column, kind, stage, weights, features, before)
        count += 1
    return count


@search_kernel
def list_promising(position: Row, knowledge: Knowledge, pads: Pads) -> int:
    """The legal moves, each with its worth to the mover; returns how many."""
    if position.phase == TILE:
        return list_cells(position, knowledge, pads)
    worth = knowledge.worth
    count = 0
    for colour in range(COLOURS):
        places = places_with(position, colour)
        lines = lines_open_to(position, position.turn, colour)
        while places:
            place = count_bits((places & -places) - 1)
            places &= places - 1
            for destination in range(DESTINATIONS):
                if lines >> destination & 1:
                    pads.moves[count] = place * moves_of_a_place(position) + colour * DESTINATIONS + destination
                    pads.promises[count] = take_worth(position, worth, place, colour, 0, destination, 0)
                    count += 1
    if position.jokers:
        for n in range(count_joker_moves(position)):
            move = nth_joker_move(position, n)
            place, colour, with_jokers, destination, kept = decode_draft(position, move)
            pads.moves[count] = move
            pads.promises[count] = take_worth(position, worth, place, colour, with_jokers, destination, kept)
            count += 1
    return count


@search_kernel
def round_is_over(position: Row) -> bool:
    """Whether the next event is a deal, or the game has ended: here the search stops and counts."""
    return position.phase == FILL or position.phase == OVER


@search_kernel
def must_draw(position: Row) -> bool:
    """Whether tiles must be drawn before the round goes on: never in Azul."""
    return False


@search_kernel
def is_nearly_over(position: Row) -> bool:
    """Whether so few tiles are left that the end of the round may be worked out exactly."""
    return position.players == 2 and count_bits(position.offered) <= FEW_HEAPS


@search_kernel
def draw_in_mid_round(position: Row, generator: Cells) -> bool:
    """Azul draws nothing while a round is played."""
    return False


def rollouts_pay(game: Game) -> bool:
    """Whether rollouts through the next deal make a long search stronger: where matches have shown that they do."""
    return game.players == 2 and game.options["wall"] == "coloured"
