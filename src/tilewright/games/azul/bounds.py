"""What no game of Azul can exceed: decisions, draws, points."""

from __future__ import annotations

from tilewright.game.bounds import Bounds
from tilewright.game.game import Game
from tilewright.games.azul import rules
from tilewright.games.azul.wall import COLOURS, LINES
from tilewright.games.family.factories import FACTORY_TILES, count_factories
from tilewright.games.family.heap import KINDS


def bounds_of(game: Game) -> Bounds:
    """The bounds of a rule set."""
    # A wall without a full row holds four tiles a row, and of three rounds running one puts a tile on some wall.
    rounds = rules.BARREN_ROUNDS * (game.players * LINES * (LINES - 1) + 1)
    offered = FACTORY_TILES * count_factories(game.players)
    cells = game.players * LINES * LINES
    wall_points = LINES * 2 * sum(range(2, LINES + 1)) + LINES  # runs across and down; a lone tile counts once
    bonuses = LINES * (rules.ROW_BONUS + rules.COLUMN_BONUS + rules.COLOUR_BONUS)
    return Bounds(
        decisions=rounds * offered + cells,  # every take removes a tile, every wall cell is chosen once
        draws=rounds * offered,
        kinds=KINDS if game.options.get("jokers") else COLOURS,
        most_points=wall_points + bonuses,
        least_points=0,
    )
