"""The one place where training and the champion learn what a game is made of.

Everything else in ``learn`` and ``search`` knows a game only by the names that are gathered here.
"""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.bots.search import azul_worth, summer_pavilion_worth
from tilewright.envs.observation import OBSERVATIONS, Observer
from tilewright.envs.symmetry import factory_order
from tilewright.game.game import Game
from tilewright.rules import azul, summer_pavilion
from tilewright.rules.chance import STEP, below, scramble
from tilewright.rules.factories import count_factories, sort_factories
from tilewright.rules.kernel import Cells

_ROUND_ENDS: dict[ModuleType, ModuleType] = {azul: azul_worth, summer_pavilion: summer_pavilion_worth}

_FROM_THE_RULES = ("awaits_draw", "deal", "is_over", "beats")
_FROM_THE_MOVES = ("apply_move", "count_moves", "nth_move", "mark_moves")
_FROM_THE_SEARCH = ("round_is_over", "draw_in_mid_round")


def kernel_names(game: Game) -> dict[str, Any]:
    """The kernels of a game by the names that loops over many games call them."""
    rules = game.kernels.rules
    names: dict[str, Any] = {name: getattr(rules, name) for name in _FROM_THE_RULES}
    names |= {name: getattr(game.kernels.moves, name) for name in _FROM_THE_MOVES}
    names |= {name: getattr(_ROUND_ENDS[rules], name) for name in _FROM_THE_SEARCH}
    names["observe"] = OBSERVATIONS[rules].observe
    return names | {"sort_factories": sort_factories, "below": below, "scramble": scramble, "STEP": STEP}


def family_of(game: Game) -> ModuleType:
    """What rule sets that share compiled kernels have in common."""
    return game.kernels.rules


def observation_layout(game: Game) -> Observer:
    """What each input of a network means."""
    return Observer(game)


@lru_cache(maxsize=4096)
def _sorted_moves(game: Game, order: tuple[int, ...]) -> NDArray[np.int64]:
    return factory_order(game, order).moves


def canonical_moves(game: Game, places: Cells) -> NDArray[np.int64]:
    """For every move, its number once the factories are in their canonical order."""
    factories = int(count_factories(game.players))
    order = sorted(range(1, factories + 1), key=lambda factory: -int(places[factory]))
    return _sorted_moves(game, tuple(order))


def slug(game: Game) -> str:
    """A rule set's name in files, such as ``azul-3-grey-jokers``; Azul Mini is Azul under another name."""
    words = ["azul" if game.kernels.rules is azul else game.name, str(game.players)]
    for option, value in game.options.items():
        words += [value] if isinstance(value, str) else [option] if value else []
    return "-".join(words)
