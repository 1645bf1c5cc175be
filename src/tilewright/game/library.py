"""The games by name."""

from __future__ import annotations

from typing import Any

from tilewright.game.azul import Azul, AzulMini
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.summer_pavilion import SummerPavilion

GAMES: dict[str, type[Game]] = {kind.name: kind for kind in (Azul, AzulMini, SummerPavilion)}


def make_game(name: str, players: int = 2, **options: Any) -> Game:
    """A game from its name and options, as commands and files give them.

    >>> make_game("azul", players=3, wall="grey")
    Azul(players=3, wall='grey', jokers=False)
    """
    if name not in GAMES:
        raise BadOption(f"no game is called {name!r}; the games are {', '.join(GAMES)}")
    kind = GAMES[name]
    known = kind(players=players).options
    for option in options:
        if option not in known:
            raise BadOption(f"{kind.title} has no option {option!r}; it has {', '.join(known)}")
    return kind(players=players, **options)
