"""What is played, as plain data: for the folder of a match, and for workers on other machines."""

from __future__ import annotations

from typing import Any

import tilewright
from tilewright.arena.schedule import Match
from tilewright.game.registry import make_game


def settings_object(match: Match) -> dict[str, Any]:
    """What must be the same for games to belong to one match. Their number may grow."""
    return {
        "tilewright": tilewright.__version__,
        "game": match.game.name,
        "players": match.game.players,
        "options": dict(match.game.options),
        "bots": list(match.bots),
        "seed": match.seed,
    }


def read_match(settings: dict[str, Any]) -> Match:
    """The match that ``settings_object`` described.

    >>> import tilewright as tw
    >>> match = Match(next(iter(tw.GAMES.values()))(players=3), ("random", "greedy"), seed=1)
    >>> read_match(settings_object(match)) == match
    True
    """
    game = make_game(settings["game"], players=settings["players"], **settings["options"])
    return Match(game, tuple(settings["bots"]), settings["seed"])
