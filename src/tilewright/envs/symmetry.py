"""Symmetries that the rules really have, and canonical positions: what the part ``symmetry`` of a game says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.game.game import Game
from tilewright.game.position import Position

if TYPE_CHECKING:
    from tilewright.games.family.symmetry import Symmetry

Numbers = NDArray[np.int64]


def canonical(position: Position) -> tuple[Position, Numbers]:
    """The position with what is interchangeable in its canonical order, and the number that every move has there.

    What a policy says of the canonical position serves all positions that share it. The environments' option
    ``canonical=True`` does the same after each step. A game without symmetries is canonical as it is.

    >>> import tilewright as tw
    >>> game = tw.Azul(players=2)
    >>> position = game.start(seed=7)
    >>> twin, moves = canonical(position)
    >>> [game.tiles.spell(heap) for heap in position.row.places[1:6]]
    ['byrw', 'yyrr', 'bbrw', 'rwww', 'ykkw']
    >>> [game.tiles.spell(heap) for heap in twin.row.places[1:6]]
    ['rwww', 'ykkw', 'byrw', 'bbrw', 'yyrr']
    >>> game.moves[moves[game.move("5k2")]]
    Move(80, '2k2')
    """
    part: Any = position.game.spec.part("symmetry")
    if part is None:
        return position.copy(), np.arange(position.game.actions)
    found: tuple[Position, Numbers] = part.canonical(position)
    return found


def symmetries(game: Game) -> list[Symmetry]:
    """Every symmetry of a rule set besides what ``canonical`` takes care of; the first changes nothing.

    >>> import tilewright as tw
    >>> [len(symmetries(game)) for game in (tw.Azul(), tw.Azul(wall="grey"), tw.SummerPavilion(side="grey"))]
    [1, 240, 6]
    >>> symmetries(tw.Azul(wall="grey"))[3].name
    'colours byrwk, mirrored'
    """
    part: Any = game.spec.part("symmetry")
    return list(part.symmetries(game)) if part is not None else []
