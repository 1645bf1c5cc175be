"""What no game of Summer Pavilion can exceed: decisions, draws, points."""

from __future__ import annotations

from tilewright.game.bounds import Bounds
from tilewright.game.game import Game
from tilewright.games.family.factories import FACTORY_TILES, count_factories
from tilewright.games.family.heap import KINDS
from tilewright.games.summer_pavilion import rules
from tilewright.games.summer_pavilion.board import (
    FEATURES,
    MULTICOLOUR_BONUS,
    NUMBER_BONUS,
    SPACES,
    STAR_BONUS,
    STAR_SPACES,
    STARS,
)


def bounds_of(game: Game) -> Bounds:
    """The bounds of a rule set."""
    offered = rules.ROUNDS * FACTORY_TILES * count_factories(game.players)
    rewards = [tiles for _, tiles, _ in FEATURES]
    a_player = SPACES + len(rewards) + 2 * rules.ROUNDS  # spaces, features, passing and keeping
    own_colours = int(STAR_BONUS.sum()) + MULTICOLOUR_BONUS
    stars = own_colours if game.options["side"] == "coloured" else STARS * int(STAR_BONUS.max())
    placing = STARS * sum(range(1, STAR_SPACES + 1))
    return Bounds(
        decisions=offered + game.players * a_player,
        draws=offered + rules.SUPPLY_SPACES + game.players * sum(rewards),
        kinds=KINDS,
        most_points=rules.FIRST_SCORE + placing + stars + int(NUMBER_BONUS.sum()),
        least_points=rules.LOWEST_SCORE,
    )
