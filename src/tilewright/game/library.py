"""The games by name."""

from __future__ import annotations

from typing import Any

from tilewright.game.azul import Azul, AzulMini
from tilewright.game.errors import BadOption, BadPosition
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.summer_pavilion import SummerPavilion
from tilewright.game.words import echo, expect_text

GAMES: dict[str, type[Game]] = {kind.name: kind for kind in (Azul, AzulMini, SummerPavilion)}


def make_game(name: str, players: int = 2, **options: Any) -> Game:
    """A game from its name and options, as commands and files give them.

    >>> make_game("azul", players=3, wall="grey")
    Azul(players=3, wall='grey', jokers=False)
    """
    if not isinstance(name, str) or name not in GAMES:
        raise BadOption(f"no game is called {echo(name)}; the games are {', '.join(GAMES)}")
    kind = GAMES[name]
    known = kind(players=players).options
    for option in options:
        if option not in known:
            raise BadOption(f"{kind.title} has no option {echo(option)}; it has {', '.join(known)}")
    return kind(players=players, **options)


def read_position(text: str, seed: int | None = None) -> Position:
    """The position that a line of text describes; its first section says which game it is of.

    >>> position = make_game("azul-mini", players=3).start(seed=7)
    >>> read_position(position.to_text()) == position
    True
    """
    words = expect_text(text, "a position", BadPosition).strip().partition(";")[0].split()
    given = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    if not words or words[0] not in GAMES:
        raise BadPosition(f"the text of a position begins with a game, one of {', '.join(GAMES)}")
    if given.get("players") not in ("2", "3", "4"):
        raise BadPosition("the first section needs players=2, players=3 or players=4")
    known = GAMES[words[0]](players=int(given["players"])).options
    yes_no = {"yes": True, "no": False}
    options = {name: yes_no.get(given[name], given[name]) for name in known if name in given}
    return make_game(words[0], players=int(given["players"]), **options).position(text, seed)
