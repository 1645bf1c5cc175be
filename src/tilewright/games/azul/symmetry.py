"""Symmetries of Azul besides the orders of the factories.

On the grey wall, with or without jokers, the five colours are interchangeable, and all walls can be mirrored left to
right: 240 symmetries. The coloured wall has only the identity: a cyclic shift would keep colours and cells together,
but separate neighbouring columns.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.azul.moves import COLOUR_MOVES, DESTINATIONS, JOKER_SLOTS
from tilewright.games.azul.wall import COLOURS, JOKER, LINES
from tilewright.games.family import symmetry
from tilewright.games.family.symmetry import Numbers, Symmetry, blocks, places_as_they_are, unchanged

HEAPS = ("bag", "lid", "floor", "places")
BOARD = "wall"
KIND_FIELDS = ("line_colour",)
CELLS = LINES * LINES
"""Which fields hold heaps, the kinds of tile on the boards, and other kinds of tile."""


def canonical(position: Position) -> tuple[Position, Numbers]:
    """The position with its factories sorted, and for every move the number that it has there."""
    return symmetry.canonical(position)


def symmetries(game: Game) -> list[Symmetry]:
    """Every symmetry of a rule set besides the orders of its factories; the first is the identity."""
    if game.options["wall"] != "grey":
        return [unchanged(game)]
    return [
        _grey_wall(game, colours, mirrored)
        for colours, mirrored in product(permutations(range(COLOURS)), (False, True))
    ]


def _grey_wall(game: Game, colours: tuple[int, ...], mirrored: bool) -> Symmetry:
    """Grey wall: colours are interchangeable, and runs are as long in the mirror."""
    name = "colours " + "".join(game.tiles.letters[colour] for colour in colours) + ", mirrored" * mirrored
    kinds = np.array([*colours, JOKER])
    cells = np.arange(CELLS).reshape(LINES, LINES)
    return Symmetry(name, game, places_as_they_are(game), kinds, (cells[:, ::-1] if mirrored else cells).ravel())


def moves_under(symmetry: Symmetry) -> Numbers:
    """In the order of ``moves.py``: by place and colour, then the cells of the wall."""
    game, colours = symmetry.game, symmetry.kinds[:COLOURS]
    of_a_place = blocks(colours, np.arange(DESTINATIONS))
    if game.options.get("jokers"):
        alone = COLOUR_MOVES + np.arange(DESTINATIONS)
        with_jokers = COLOUR_MOVES + DESTINATIONS + blocks(colours, np.arange(JOKER_SLOTS))
        of_a_place = np.concatenate([of_a_place, alone, with_jokers])
    taking = blocks(symmetry.places, of_a_place)
    cells = len(taking) + symmetry.cells
    return np.concatenate([taking, cells[: game.actions - len(taking)]])
