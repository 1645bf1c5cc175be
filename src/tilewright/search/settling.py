"""Moving a position on to the next decision: mid-round draws and forced moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.kernels.compile import Cells, Row, jit_options
from tilewright.search.chance_nodes import sample_draws

if TYPE_CHECKING:  # defined by each game
    from tilewright.kernels.interface import apply_move, awaits_draw, beats, canonicalise, count_moves, nth_move
    from tilewright.search.interface import is_horizon

MARGIN_SCALE = 40.0
"""Points of margin that count as 1 for a network."""
WIDEST_MARGIN = 2.0


@jit_options(inline="always")
def play_forced_moves(position: Row) -> None:
    """Play on until a player has a choice, tiles must be drawn, or the horizon is reached."""
    while not awaits_draw(position) and not is_horizon(position) and count_moves(position) == 1:
        apply_move(position, nth_move(position, 0))


@jit_options(inline="always")
def advance(position: Row, move: int, generator: Cells) -> None:
    """Play a move to the next choice or to the horizon, drawing what must be drawn on the way.

    Positions stay canonical, so that a network never sees their symmetric twins.
    """
    apply_move(position, move)
    play_forced_moves(position)
    while sample_draws(position, generator):
        play_forced_moves(position)
    canonicalise(position)


@jit_options(inline="always")
def write_result(position: Row, values: Cells, at: int) -> None:
    """The outcome of a finished game: for each seat its share of the win, then for each its scaled margin."""
    players = int(position.players)
    winners = 0
    for seat in range(players):
        beaten = False
        best_other = -1000
        for other in range(players):
            if other != seat:
                beaten |= beats(position, other, seat)
                best_other = max(best_other, int(position.score[other]))
        values[at + seat] = 0.0 if beaten else 1.0
        winners += 0 if beaten else 1
        margin = (int(position.score[seat]) - best_other) / MARGIN_SCALE
        values[at + players + seat] = min(WIDEST_MARGIN, max(-WIDEST_MARGIN, margin))
    for seat in range(players):
        values[at + seat] /= winners
