"""The recipe of the shipped networks: what each begins with, how long it is trained, and with which settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tilewright as tw

MINUTES = {
    "azul-2-coloured": 20,
    "summer-pavilion-2-coloured": 20,
    "azul-2-coloured-jokers": 8,
    "azul-2-grey": 12,
    "azul-2-grey-jokers": 8,
    "summer-pavilion-2-grey": 8,
    "azul-3-coloured": 12,
    "azul-3-coloured-jokers": 8,
    "azul-3-grey": 10,
    "azul-3-grey-jokers": 8,
    "summer-pavilion-3-coloured": 12,
    "summer-pavilion-3-grey": 8,
    "azul-4-coloured": 12,
    "azul-4-coloured-jokers": 8,
    "azul-4-grey": 10,
    "azul-4-grey-jokers": 8,
    "summer-pavilion-4-coloured": 12,
    "summer-pavilion-4-grey": 8,
}
"""Minutes on one H200 by rule set, in the order of training: relatives come first."""
SEED = 1


def rule_sets() -> Iterator[tw.Game]:
    """Every rule set that has a network of its own. Azul Mini shares those of Azul."""
    for players in (2, 3, 4):
        for wall in ("coloured", "grey"):
            for jokers in (False, True):
                yield tw.Azul(players, wall, jokers)
        for side in ("coloured", "grey"):
            yield tw.SummerPavilion(players, side)


def relative_of(game: tw.Game) -> tw.Game | None:
    """The rule set whose weights are the best start: one player fewer, else without jokers, else the coloured side."""
    options = dict(game.options)
    if game.players > 2:
        return type(game)(players=game.players - 1, **options)
    if options.get("jokers"):
        return type(game)(players=2, **{**options, "jokers": False})
    for name in ("wall", "side"):
        if options.get(name) == "grey":
            return type(game)(players=2, **{**options, name: "coloured"})
    return None


SHARPNESS = {
    ("azul", 2): 1.0, ("azul", 3): 1.7, ("azul", 4): 2.4,
    ("summer-pavilion", 2): 2.2, ("summer-pavilion", 3): 3.2, ("summer-pavilion", 4): 4.2,
}  # fmt: skip
"""How many times the scale of values is that of Azul for two. The more decisions a game has and the more players share
it, the less one decision changes a player's value: with one scale for all, the policy learnt next to nothing from the
searches of Summer Pavilion for four (a divergence of 0.01 between policy and target; 0.23 in Azul for two)."""


def settings_for(game: tw.Game) -> dict[str, Any]:
    """What suits an H200. The samples of a whole game must fit into the buffer."""
    if isinstance(game, tw.Azul):
        buffer, td_lambda = {2: (128, 0.98), 3: (160, 0.985), 4: (192, 0.985)}[game.players]
        size = {"games": 32_768, "simulations": 96, "updates": 8, "target_temperature": 1.15}
        sharpness = SHARPNESS["azul", game.players]
    else:
        buffer, td_lambda = {2: 256, 3: 352, 4: 448}[game.players], 0.99
        size = {"games": 16_384, "simulations": 48, "updates": 4}
        sharpness = SHARPNESS["summer-pavilion", game.players]
    scales = {"root_scale": 15.0 * sharpness, "target_scale": 0.3 * sharpness}
    return {**size, **scales, "buffer": buffer, "td_lambda": td_lambda, "seed": SEED}
