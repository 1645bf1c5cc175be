"""Symmetries of Summer Pavilion besides the orders of the factories.

On the grey side the six outer stars are alike and all spaces of the centre star cost three, so all boards can be
rotated: 6 symmetries. Colours are never interchangeable: each is the joker in a different round and has its own bonus.
"""

from __future__ import annotations

import numpy as np

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.family import symmetry
from tilewright.games.family.heap import KINDS
from tilewright.games.family.symmetry import Numbers, Symmetry, blocks, places_as_they_are, unchanged
from tilewright.games.summer_pavilion.board import CENTRE_STAR, CLOCKWISE, SPACES, STAR_SPACES
from tilewright.games.summer_pavilion.moves import FIRST_PLACEMENT, PLACE_MOVES, PLACEMENT

HEAPS = ("bag", "tower", "supply", "hand", "places")
BOARD = "board"
KIND_FIELDS: tuple[str, ...] = ()
CELLS = SPACES
"""Which fields hold heaps, the kinds of tile on the boards, and other kinds of tile."""


def canonical(position: Position) -> tuple[Position, Numbers]:
    """The position with its factories sorted, and for every move the number that it has there."""
    return symmetry.canonical(position)


def symmetries(game: Game) -> list[Symmetry]:
    """Every symmetry of a rule set besides the orders of its factories; the first is the identity."""
    steps = STAR_SPACES if game.options["side"] == "grey" else 1
    return [_turned(game, step) if step else unchanged(game) for step in range(steps)]


def _turned(game: Game, steps: int) -> Symmetry:
    """Grey side: the outer stars move ``steps`` places clockwise, and the centre star turns with them."""
    cells = np.arange(CELLS).reshape(-1, STAR_SPACES).copy()
    for star, following in zip(CLOCKWISE, np.roll(CLOCKWISE, -steps), strict=True):
        cells[star] = following * STAR_SPACES + np.arange(STAR_SPACES)
    cells[CENTRE_STAR] = np.roll(cells[CENTRE_STAR], -steps)
    name = f"turned by {360 // STAR_SPACES * steps} degrees"
    return Symmetry(name, game, places_as_they_are(game), np.arange(KINDS), cells.ravel())


def moves_under(symmetry: Symmetry) -> Numbers:
    """In the order of ``moves.py``: takes, placements, then choices of colours, which stay."""
    grey = int(symmetry.game.options["side"] == "grey")
    taking = blocks(symmetry.places, symmetry.kinds)
    space, colour, jokers = PLACEMENT[grey, : PLACE_MOVES[grey]].T
    placing = len(taking) + FIRST_PLACEMENT[grey, symmetry.cells[space], colour] + jokers
    choosing = np.arange(len(taking) + len(placing), symmetry.game.actions)
    return np.concatenate([taking, placing, choosing])
