"""The command line of ``tilewright`` and its help. Imports no game, so that help is immediate.

The options of a game are in its spec. The games are imported to look them up only when an option is typed that the
command itself does not have.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import tilewright
from tilewright.cli import examples
from tilewright.cli.commands import COMMANDS, add_command
from tilewright.installed import installed_games


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command and its options."""
    command = next((argument for argument in arguments if not argument.startswith("-")), "")
    found, left = build_parser(command, arguments).parse_known_args(arguments)
    if left:
        _complain(found, left)
    return found


def _complain(found: argparse.Namespace, left: Sequence[str]) -> None:
    """Say what the command does not take, with its own usage; a lone name is probably that of the database."""
    told = f"unrecognized arguments: {' '.join(left)}"
    if "database" in found and len(left) == 1 and not left[0].startswith("-"):
        told += f" (if that is where the games are: --database {left[0]})"
    found.parser.error(told)


def build_parser(command: str = "", arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of the whole command line, with the options of the one command that was typed."""
    parser = argparse.ArgumentParser(
        prog="tilewright",
        description="Play tile games in the browser or the terminal, and run bots, matches and benchmarks.",
        epilog=examples.aligned(examples.MAIN),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tilewright {tilewright.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (what, fill) in COMMANDS.items():
        added = add_command(commands, name, what, examples_of(name) if name == command else "")
        if name == command:
            fill(added)
            if added.get_default("options") is not None:
                _add_game_options(added, arguments)
    return parser


def examples_of(command: str) -> str:
    """The examples of a command, filled in with installed games."""
    names = list(installed_games()) or ["GAME"]
    return examples.aligned(getattr(examples, command.upper(), ""), first=names[0], last=names[-1])


def _add_game_options(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the options of games if one may have been typed, or if help is wanted for a game.

    The options of all games are accepted here; making the game checks that they are its own.
    """
    game = next((argument for argument in arguments if argument in installed_games()), None)
    given = {argument.partition("=")[0] for argument in arguments if argument.startswith("--") and argument != "--"}
    wants_help = bool({"-h", "--help"} & set(arguments))
    if game if wants_help else _unknown(parser, given):
        from tilewright.cli.game_options import option_flags

        flags = sorted({action.option_strings[-1] for action in parser._actions if action.option_strings} - {"--help"})
        own = option_flags(game)
        group = parser.add_argument_group(f"options of {game}" if game else "options of the game")
        for flag, option in (option_flags(None) | own).items():
            nargs = 0 if isinstance(option.default, bool) else None
            metavar = None if nargs == 0 else "|".join(map(str, option.choices))
            told = option.description if flag in own else argparse.SUPPRESS
            group.add_argument(flag, dest=option.name, action=_GameOption, nargs=nargs, metavar=metavar, help=told)
        for flag in sorted(_unknown(parser, given)):
            parser.error(
                f"unknown option {flag}; the options are {', '.join(flags)};"
                f" those of {game or 'the games'}: {', '.join(own) or 'none'}"
            )


def _unknown(parser: argparse.ArgumentParser, given: set[str]) -> set[str]:
    """Options that a parser does not know, not even as abbreviations."""
    known = set(parser._option_string_actions)
    return {argument for argument in given if not any(flag.startswith(argument) for flag in known)}


class _GameOption(argparse.Action):
    """Collects the options of a game as they were typed; a flag without a value selects the other choice."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, flag: str | None = None
    ) -> None:
        typed = values or ("no" if (flag or "").startswith("--no-") else "yes")
        namespace.options = {**namespace.options, self.dest: typed}
