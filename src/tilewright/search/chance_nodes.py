"""Draws before the horizon: the search samples them with its own generator, never with the game's dealer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.kernels.compile import Cells, Row, jit_options

if TYPE_CHECKING:  # each game brings its own
    from tilewright.kernels.interface import awaits_draw, draw, pick_kind
    from tilewright.search.interface import is_horizon


@jit_options(forceinline=True)
def is_chance_node(position: Row) -> bool:
    """Whether tiles must be drawn before a player can move, and the horizon is not reached."""
    return awaits_draw(position) and not is_horizon(position)


def sample_draws(position: Row, generator: Cells) -> bool:
    """Draw whatever must be drawn before the next move; returns whether anything was."""
    drawn = False
    while is_chance_node(position):
        draw(position, pick_kind(position, generator))
        drawn = True
    return drawn
