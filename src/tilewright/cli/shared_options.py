"""Options that several commands have."""

from __future__ import annotations

import argparse
from typing import Any

from tilewright.cli import numbers
from tilewright.installed import installed_games
from tilewright.view.languages import LANGUAGES


def add_database(parser: argparse.ArgumentParser) -> None:
    """Where the games are."""
    parser.add_argument(
        "--database",
        metavar="WHERE",
        help="the SQLite file to keep games in, or a URL, postgresql://... (default: a file in your home folder)",
    )


def add_evaluation(parser: argparse.ArgumentParser, budget: str) -> None:
    """How positions are evaluated in reviews and analyses."""
    parser.add_argument("--budget", metavar="B", help=budget)
    parser.add_argument("--seed", type=numbers.seed, metavar="N", help="seed the sampled deals (default 0)")


def add_game(parser: argparse.ArgumentParser, optional: bool, seeded: bool = True) -> None:
    """The game, and the options that choose its rule set."""
    nargs: Any = "?" if optional else None
    names = list(installed_games())
    parser.add_argument("game", nargs=nargs, choices=names, metavar="GAME", help=", ".join(names))
    add_variant(parser)
    if seeded:
        add_seed(parser)


def add_variant(parser: argparse.ArgumentParser) -> None:
    """The number of players; the options of the game itself are added once it is known."""
    parser.set_defaults(options={})
    parser.add_argument(
        "--players",
        type=numbers.players,
        metavar="N",
        help="the number of players (default: depends on the game, usually 2)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """The seed of the deal."""
    parser.add_argument("--seed", type=numbers.seed, metavar="N", help="seed the deal, to get the same tiles each time")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Output for programs."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_language(parser: argparse.ArgumentParser) -> None:
    """The language of what people read."""
    parser.add_argument(
        "--language", choices=tuple(LANGUAGES), help="the language (default: that of your environment, or English)"
    )


def add_colour(parser: argparse.ArgumentParser) -> None:
    """Whether to write in colours."""
    parser.add_argument(
        "--colour",
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="whether to use colours (default auto: in a terminal, unless NO_COLOR is set)",
    )
