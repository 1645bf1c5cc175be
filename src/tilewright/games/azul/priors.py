"""The priors of Azul: moves scored in points by what they change on the mover's own board.

The weights of the evaluation say what each pattern line will be worth at the end of the round with any number of tiles
of any kind. These values are computed once per round, so that scoring a move is a few lookups.
"""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.games.azul.evaluation import (
    FEATURES,
    LINE_POINTS,
    LINE_TILES,
    STAGES,
    STARTS,
    add_wall_features,
    game_stage,
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
    FLOOR,
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
from tilewright.search.workspace import Evaluator, Workspace

# ------------------------------------------------------------------------ The value of lines and takes, in points

FALLING_LINE_VALUE = -3.0
"""A full line whose tile has no free cell on the wall falls to the floor."""

PRIOR_VALUES_SHAPE = (4, LINES, KINDS, LINES + 1)
"""By seat, row, kind and number of tiles: the value of a pattern line at the end of the round."""


@search_kernel
def evaluate_wall(position: Row, seat: int, stage: int, weights: Cells, features: Cells) -> float:
    """The expected points that a wall will still bring, the bonuses for its complete rows not included."""
    features[:] = 0
    add_wall_features(position, seat, features)
    total = 0.0
    for n in range(FEATURES):
        total += weights[stage, n] * features[n]
    return total


@search_kernel
def cell_value(
    position: Row, seat: int, row: int, column: int, kind: int, stage: int, weights: Cells, features: Cells,
    before: float,
) -> float:  # fmt: skip
    """The points of a tile on a cell plus the change in the evaluation of the wall, which was ``before``."""
    points = score_wall_tile(position, seat, row, column)
    position.wall[seat, row, column] = kind
    position.covered[seat] |= 1 << (LINES * row + column)
    after = evaluate_wall(position, seat, stage, weights, features)
    if row_pattern(position, seat, row) == FULL_ROW:
        after += ROW_BONUS
    position.wall[seat, row, column] = EMPTY
    position.covered[seat] &= ~(1 << (LINES * row + column))
    return points + after - before


@search_kernel
def prepare_priors(position: Row, evaluator: Evaluator, workspace: Workspace) -> None:
    """Compute the value of every pattern line with every number of tiles of every kind."""
    weights, line_values, features = evaluator.weights, evaluator.prior_values, workspace.features
    stage = min(game_stage(position) + 1, STAGES - 1)
    kinds = KINDS if position.jokers else COLOURS
    for seat in range(position.players):
        before = evaluate_wall(position, seat, stage, weights, features)
        for row in range(LINES):
            for kind in range(kinds):
                joker = kind == JOKER
                columns = columns_for(position, seat, row, EMPTY if joker else kind, joker)
                best, points = FALLING_LINE_VALUE, 0
                for column in range(LINES):
                    if columns >> column & 1:
                        value = cell_value(position, seat, row, column, kind, stage, weights, features, before)
                        if value > best:
                            best, points = value, score_wall_tile(position, seat, row, column)
                line_values[seat, row, kind, row + 1] = best
                for tiles in range(1, row + 1):
                    line_values[seat, row, kind, tiles] = weights[
                        stage, LINE_TILES + row * (row - 1) // 2 + tiles - 1
                    ] + weights[stage, LINE_POINTS + row - 1] * points * tiles / (row + 1)
    line_values[0, 0, 0, 0] = weights[stage, STARTS]  # an entry that no line uses


@search_kernel
def score_take(
    position: Row, line_values: Cells, place: int, colour: int, with_jokers: int, destination: int, jokers_kept: int
) -> float:
    """The value of a take to the player who makes it."""
    seat = position.turn
    coloured, falling, jokers, jokers_falling = sort_take(
        position, place, colour, with_jokers, destination, jokers_kept
    )
    total = 0.0
    dropped = falling + jokers_falling
    if takes_marker(position, place):
        total += line_values[0, 0, 0, 0]
        dropped += 1
    if destination != FLOOR:
        row = destination - 1
        held = int(position.line_colour[seat, row])
        tiles = int(position.line_tiles[seat, row])
        if tiles:
            total -= line_values[seat, row, held if held != EMPTY else JOKER, tiles]
        kind = colour if colour != JOKER or held == EMPTY else held
        total += line_values[seat, row, kind, tiles + coloured + jokers]
    return total - floor_cost(position, seat, dropped)


# ---------------------------------------------------------------------------------------- Scored moves


@search_kernel
def score_cells(position: Row, evaluator: Evaluator, workspace: Workspace) -> int:
    """The cells that the tile of a full line may go to, scored; returns how many there are."""
    seat = position.turn
    row = full_line(position, seat)
    columns = valid_columns(position, seat, row)
    kind = JOKER if position.line_jokers[seat, row] > 0 else int(position.line_colour[seat, row])
    stage = min(game_stage(position) + 1, STAGES - 1)
    weights, features = evaluator.weights, workspace.features
    before = evaluate_wall(position, seat, stage, weights, features)
    count = 0
    for n in range(count_bits(columns)):
        column = nth_bit(columns, n)
        workspace.moves[count] = count_draft_moves(position) + row * LINES + column
        workspace.prior_scores[count] = cell_value(position, seat, row, column, kind, stage, weights, features, before)
        count += 1
    return count


@search_kernel
def score_moves(position: Row, evaluator: Evaluator, workspace: Workspace) -> int:
    """The legal moves, each scored by its value to the mover; returns how many there are."""
    if position.phase == TILE:
        return score_cells(position, evaluator, workspace)
    line_values = evaluator.prior_values
    count = 0
    for colour in range(COLOURS):
        places = places_with(position, colour)
        lines = lines_open_to(position, position.turn, colour)
        while places:
            place = count_bits((places & -places) - 1)
            places &= places - 1
            for destination in range(DESTINATIONS):
                if lines >> destination & 1:
                    workspace.moves[count] = place * moves_of_a_place(position) + colour * DESTINATIONS + destination
                    workspace.prior_scores[count] = score_take(position, line_values, place, colour, 0, destination, 0)
                    count += 1
    if position.jokers:
        for n in range(count_joker_moves(position)):
            move = nth_joker_move(position, n)
            place, colour, with_jokers, destination, kept = decode_draft(position, move)
            workspace.moves[count] = move
            score = score_take(position, line_values, place, colour, with_jokers, destination, kept)
            workspace.prior_scores[count] = score
            count += 1
    return count


def use_deal_rollouts(game: Game) -> bool:
    """Long searches use rollouts through the next deal where matches have shown that they help."""
    return game.players == 2 and game.options["wall"] == "coloured"
