"""What no game can exceed: decisions, draws, points. OpenSpiel asks for these bounds before a game begins."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.game.game import Game
from tilewright.rules import azul, summer_pavilion
from tilewright.rules.azul_wall import COLOURS, LINES
from tilewright.rules.factories import FACTORY_TILES, count_factories
from tilewright.rules.heap import KINDS
from tilewright.rules.summer_pavilion_board import (
    FEATURES,
    MULTICOLOUR_BONUS,
    NUMBER_BONUS,
    SPACES,
    STAR_BONUS,
    STAR_SPACES,
    STARS,
)


@dataclass(frozen=True)
class Limits:
    """Bounds of a rule set. They hold for every game; an ordinary one stays far below them."""

    decisions: int
    draws: int
    kinds: int
    """Kinds of tile that may be drawn, numbered from 0."""
    most_points: int
    least_points: int


def limits_of(game: Game) -> Limits:
    """The bounds of a rule set."""
    return _LIMITS[game.kernels.rules](game)


def _azul_limits(game: Game) -> Limits:
    # A wall without a full row holds four tiles a row, and of three rounds running one puts a tile on some wall.
    rounds = azul.BARREN_ROUNDS * (game.players * LINES * (LINES - 1) + 1)
    offered = FACTORY_TILES * count_factories(game.players)
    cells = game.players * LINES * LINES
    wall_points = LINES * 2 * sum(range(2, LINES + 1)) + LINES  # runs across and down; a lone tile counts once
    bonuses = LINES * (azul.ROW_BONUS + azul.COLUMN_BONUS + azul.COLOUR_BONUS)
    return Limits(
        decisions=rounds * offered + cells,  # every take removes a tile, every wall cell is chosen once
        draws=rounds * offered,
        kinds=KINDS if game.options.get("jokers") else COLOURS,
        most_points=wall_points + bonuses,
        least_points=0,
    )


def _summer_pavilion_limits(game: Game) -> Limits:
    offered = summer_pavilion.ROUNDS * FACTORY_TILES * count_factories(game.players)
    rewards = [tiles for _, tiles, _ in FEATURES]
    a_player = SPACES + len(rewards) + 2 * summer_pavilion.ROUNDS  # spaces, features, passing and keeping
    own_colours = int(STAR_BONUS.sum()) + MULTICOLOUR_BONUS
    stars = own_colours if game.options["side"] == "coloured" else STARS * int(STAR_BONUS.max())
    placing = STARS * sum(range(1, STAR_SPACES + 1))
    return Limits(
        decisions=offered + game.players * a_player,
        draws=offered + summer_pavilion.SUPPLY_SPACES + game.players * sum(rewards),
        kinds=KINDS,
        most_points=summer_pavilion.FIRST_SCORE + placing + stars + int(NUMBER_BONUS.sum()),
        least_points=summer_pavilion.LOWEST_SCORE,
    )


_LIMITS = {azul: _azul_limits, summer_pavilion: _summer_pavilion_limits}


def utilities(game: Game, reward: str) -> tuple[float, float]:
    """The least and the greatest return of a player."""
    if reward == "win":
        return -1 / (game.players - 1), 1.0
    limits = limits_of(game)
    margin = limits.most_points - limits.least_points
    return -float(margin), float(margin)
