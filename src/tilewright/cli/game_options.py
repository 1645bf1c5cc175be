"""The options of games as they are typed: ``--board large``, ``--teams``."""

from __future__ import annotations

from argparse import Namespace
from contextlib import suppress

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.registry import GAMES, find_spec, make_game
from tilewright.game.spec import GameSpec, Option, OptionValue
from tilewright.game.validation import echo


def flag_of(option: Option) -> str:
    """The flag of an option; for a yes-or-no option, the flag that selects the choice other than the default."""
    return f"--no-{option.name}" if option.default is True else f"--{option.name}"


def option_flags(game: str | None) -> dict[str, Option]:
    """What can be typed for a game, or for any if none was named."""
    found: dict[str, Option] = {}
    for name in [game] if game else GAMES:
        with suppress(BadOption):  # a game that cannot be loaded says so when it is played
            found |= {flag_of(option): option for option in find_spec(name).options}
    return found


def chosen_game(arguments: Namespace, players: int | None = None) -> Game:
    """The game that was typed. An option that it does not have is an error."""
    if arguments.game is None:
        raise BadOption(f"which game? Choose one of {', '.join(GAMES)}")
    spec = find_spec(arguments.game)
    options = {name: _value(spec, name, text) for name, text in arguments.options.items()}
    return make_game(spec.name, players=arguments.players or players, **options)


def _value(spec: GameSpec, name: str, text: str) -> OptionValue:
    known = {option.name: option for option in spec.options}
    if name not in known:
        flags = " and ".join(flag_of(option) for option in spec.options) or "no options"
        raise BadOption(f"{spec.title} has no --{name}; it has {flags}")
    value = known[name].read(text)
    if value is None:
        choices = " or ".join(known[name].write(choice) for choice in known[name].choices)
        raise BadOption(f"--{name} of {spec.title} must be {choices}, not {echo(text)}")
    return value
