"""Every rule set of the family, and ways to play that reach different corners of it."""

from __future__ import annotations

from random import Random

import tilewright as tw

RULE_SETS: list[tw.Game] = [
    *(
        tw.Azul(players, wall, jokers)
        for players in (2, 3, 4)
        for wall in ("coloured", "grey")
        for jokers in (False, True)
    ),
    *(tw.AzulMini(players, wall) for players in (2, 3, 4) for wall in ("coloured", "grey")),
    *(tw.SummerPavilion(players, side) for players in (2, 3, 4) for side in ("coloured", "grey")),
]

STYLES = ("uniform", "eager", "wasteful")
"""Uniform play rarely builds anything; eager play avoids the floor line and passing; wasteful play seeks them."""


def file_name(game: tw.Game) -> str:
    """A name for files and test ids: ``azul-2-grey-jokers``."""
    words = [game.name, str(game.players)]
    for option, value in game.options.items():
        words += [value] if isinstance(value, str) else [option] if value else []
    return "-".join(words)


IDS = [file_name(game) for game in RULE_SETS]


def is_waste(move: tw.Move) -> bool:
    """Whether a move throws tiles away: all on the floor line, or a pass."""
    return move.text.endswith("f") or move.text == "pass"


def choose(position: tw.Position, chooser: Random, style: str = "uniform") -> tw.Move:
    """A legal move in the given style."""
    moves = list(position.legal_moves)
    if style != "uniform":
        preferred = [move for move in moves if is_waste(move) == (style == "wasteful")]
        moves = preferred or moves
    return chooser.choice(moves)
