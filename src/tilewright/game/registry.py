"""The games by name: every class of rule sets that an installed package offers in the group ``tilewright.games``."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec as find_module
from typing import Any

from tilewright.game.errors import BadOption, BadPosition, TilewrightError
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.spec import GameSpec
from tilewright.game.validation import echo, expect_text, small_number
from tilewright.installed import installed_games


class Registry(Mapping[str, type[Game]]):
    """The installed games by name, each imported when it is first asked for. Our own come first.

    A game that cannot be loaded is left out with a warning; the others stay available.
    """

    def __getitem__(self, name: str) -> type[Game]:
        game = _load(name) if name in installed_games() else None
        if not isinstance(game, type):
            raise KeyError(name)
        return game

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in installed_games() and isinstance(_load(name), type)

    def __iter__(self) -> Iterator[str]:
        return (name for name in installed_games() if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<games: {', '.join(self)}>"


GAMES = Registry()


@cache
def _load(name: str) -> type[Game] | str:
    """The class of a game, or in one line what is wrong with the package that offers it."""
    entry = installed_games()[name]
    try:
        return _checked(name, entry.load())
    except (Exception, SystemExit) as error:
        told = " ".join(str(error).split()) or type(error).__name__
        why = f"the game {name!r} cannot be loaded from {entry.value}: {told}"
    warnings.warn(why, stacklevel=3)
    return why


def _checked(name: str, game: Any) -> type[Game]:
    spec = getattr(game, "spec", None)
    if not isinstance(game, type) or not issubclass(game, Game) or not isinstance(spec, GameSpec):
        raise TypeError("the entry point should name a subclass of Game with a spec")
    if spec.name != name:
        raise ValueError(f"the game calls itself {spec.name!r}")
    for part, module in spec.parts.items():
        if find_module(module) is None:
            raise ModuleNotFoundError(f"its part {part!r} should be in the module {module!r}, which does not exist")
    return game


def find_game(name: Any) -> type[Game]:
    """The class of a game from its name; the error for an unknown name lists the known ones."""
    if not isinstance(name, str) or name not in installed_games():
        raise BadOption(f"unknown game {echo(name)}; the games are {', '.join(GAMES)}")
    game = _load(name)
    if isinstance(game, str):
        raise BadOption(game)
    return game


def find_spec(name: str) -> GameSpec:
    """The spec of a game from its name."""
    return find_game(name).spec


def make_game(name: str, players: int | None = None, **options: Any) -> Game:
    """A game from its name and options, as in commands and files.

    >>> name = next(iter(GAMES))
    >>> make_game(name, players=3) == GAMES[name](players=3)
    True
    """
    game = find_game(name)
    for option in options:
        game.spec.option(option)
    given = {} if players is None else {"players": players}
    return game(**given, **options)


def every_rule_set() -> Iterator[Game]:
    """All games, players and variants."""
    for name in GAMES:
        for chosen in find_spec(name).rule_sets():
            yield make_game(name, **chosen)


def read_game(name: str, given: Mapping[str, str]) -> Game:
    """A game from its name and the texts of its options, ``players`` among them; omitted options have their defaults.

    >>> name = next(iter(GAMES))
    >>> read_game(name, {"players": "3"}) == make_game(name, players=3)
    True
    """
    spec = find_spec(name)
    options: dict[str, Any] = {}
    for option, text in given.items():
        if option == "players":
            number = small_number(text)
            options[option] = spec.check_players(text if number is None else number)
            continue
        value = spec.option(option).read(text)
        if value is None:
            known = " or ".join(spec.option(option).write(choice) for choice in spec.option(option).choices)
            raise BadOption(f"{option}={echo(text)} should be {known}")
        options[option] = value
    return make_game(name, **options)


def read_position(text: str, seed: int | None = None) -> Position:
    """The position that a line of text describes; its first section names the game.

    >>> position = make_game(next(iter(GAMES)), players=3).start(seed=7)
    >>> read_position(position.to_text()) == position
    True
    """
    return game_of_position(text).position(text, seed)


def game_of_position(text: str) -> Game:
    """The rule set that the text of a position begins with."""
    tokens = expect_text(text, "a position", BadPosition).strip().partition(";")[0].split()
    if not tokens or tokens[0] not in GAMES:
        raise BadPosition(f"the text of a position begins with a game, one of {', '.join(GAMES)}")
    try:
        given = dict(token.split("=", 1) for token in tokens[1:] if "=" in token)
        return read_game(tokens[0], given)
    except TilewrightError as error:
        raise BadPosition(f"the first section: {error}") from None
