"""The commands and their options."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from tilewright.cli import numbers
from tilewright.cli.shared_options import (
    add_colour,
    add_database,
    add_evaluation,
    add_game,
    add_json,
    add_language,
    add_seed,
    add_variant,
)
from tilewright.installed import installed_games
from tilewright.server.options import add_options, host
from tilewright.server.telemetry.options import add_telemetry_options


def add_command(commands: Any, name: str, what: str, epilog: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=what,
        description=what[0].upper() + what[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(parser=parser)
    return parser


def _fill_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--terminal", action="store_true", help="play in the terminal; asks for whatever the options leave open"
    )
    parser.add_argument("--host", type=host, help="for the browser: the address to listen on (default: all addresses)")
    add_game(parser, optional=True)
    parser.add_argument(
        "--seat", dest="seats", action="append", metavar="WHO", help="a player: a name, 'me' or a bot; once per seat"
    )
    parser.add_argument("--resume", metavar="FILE", help="continue a saved game")
    add_language(parser)
    add_colour(parser)


def _fill_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", type=host, default="127.0.0.1", help="the address to listen on (default 127.0.0.1: this machine only)"
    )
    parser.add_argument(
        "--port", type=numbers.port, default=8765, metavar="N", help="the port to listen on (default 8765)"
    )
    add_database(parser)
    add_options(parser)


def _fill_worker(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--redis",
        required=True,
        metavar="URL",
        help="the URL of the Redis server that the web servers use, redis://...",
    )
    parser.add_argument(
        "--threads", type=numbers.threads, default=2, metavar="N", help="how many bots think at once (default 2)"
    )
    add_telemetry_options(parser)


def _fill_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an SQLite file that does not exist yet")
    add_database(parser)


def _fill_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a backup")
    add_database(parser)


def _fill_database(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    copying = add_command(actions, "copy", "copy all games to an empty database of either kind", "")
    copying.add_argument("source", metavar="FROM", help="an SQLite file, or a URL, postgresql://...")
    copying.add_argument("target", metavar="TO", help="an SQLite file that does not exist yet, or a URL")
    add_database(add_command(actions, "check", "replay every game and report damaged ones", ""))


def _fill_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="POSITION", help="a position as text, a record file, or - for standard input")
    parser.add_argument(
        "--move", type=numbers.count, metavar="N", help="show the position after the Nth event of the record"
    )
    parser.add_argument("--svg", metavar="FILE", help="write an SVG picture to this file instead")
    add_language(parser)
    add_colour(parser)
    add_json(parser)


def _fill_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a record file, or - for standard input")
    parser.add_argument("--tables", action="store_true", help="draw the table after every event")
    add_language(parser)
    add_colour(parser)
    add_json(parser)


def _fill_review(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a record file, or - for standard input")
    add_evaluation(parser, "the budget of each search, such as 40000 or 200ms; a game takes about 150 searches")
    parser.add_argument("--html", metavar="FILE", help="write one self-contained HTML page with a graph and pictures")
    add_language(parser)
    add_json(parser)


def _fill_analyse(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="POSITION", help="a position as text, a record file, or - for standard input")
    parser.add_argument(
        "--move", type=numbers.count, metavar="N", help="analyse the position after the Nth event of the record"
    )
    add_evaluation(parser, "how long to search, such as 100000 (simulations) or 5s")
    parser.add_argument(
        "--lines", type=numbers.games, default=3, metavar="N", help="how many of the best moves to show (default 3)"
    )
    add_language(parser)
    add_json(parser)


def _fill_puzzles(parser: argparse.ArgumentParser) -> None:
    add_game(parser, optional=False, seeded=False)
    parser.add_argument("--seed", type=numbers.seed, default=0, metavar="N", help="seed the games (default 0)")
    parser.add_argument(
        "--number", type=numbers.games, metavar="N", help="stop when the file has N puzzles (default: never)"
    )
    parser.add_argument("--minutes", type=numbers.minutes, metavar="M", help="start no new game after M minutes")
    parser.add_argument(
        "--workers", type=numbers.workers, metavar="N", help="worker processes (default: one per core; 0: none)"
    )
    parser.add_argument(
        "--output", metavar="FILE", help="a new file, or one to continue (default: puzzles-RULE-SET.txt)"
    )


def _fill_perft(parser: argparse.ArgumentParser) -> None:
    add_game(parser, optional=True)
    parser.add_argument("--position", metavar="TEXT", help="start from this position instead of a new game")
    parser.add_argument("--depth", type=numbers.depth, default=2, metavar="N", help="the number of events (default 2)")
    parser.add_argument("--divide", action="store_true", help="also print the count for each first event")
    add_json(parser)


def _fill_bench(parser: argparse.ArgumentParser) -> None:
    add_game(parser, optional=False)
    parser.add_argument(
        "--threads", type=numbers.threads, default=1, metavar="N", help="the number of threads (default 1)"
    )
    parser.add_argument(
        "--seconds", type=numbers.seconds, default=3.0, metavar="S", help="how long to measure (default 3)"
    )
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="the device to run on (default cpu)")
    parser.add_argument(
        "--batch",
        type=numbers.games,
        metavar="N",
        help="play N games in lockstep, with observations and masks of legal moves",
    )
    add_json(parser)


def _fill_train(parser: argparse.ArgumentParser) -> None:
    add_game(parser, optional=False, seeded=False)
    parser.add_argument("--seed", type=numbers.seed, metavar="N", help="seed the weights and games of a new run")
    parser.add_argument(
        "--folder", metavar="DIR", help="the folder of the run, new or to be resumed (default: runs/RULE-SET)"
    )
    parser.add_argument(
        "--minutes",
        type=numbers.minutes,
        default=10.0,
        metavar="M",
        help="train for M minutes in all, earlier sessions included (default 10)",
    )
    parser.add_argument("--steps", type=numbers.count, metavar="N", help="train for N decisions per game instead")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="the device to run on (default cpu)")
    parser.add_argument(
        "--from", dest="source", metavar="FILE", help="start from these weights; 'shipped': those in the package"
    )
    parser.add_argument("--games", type=numbers.games, metavar="N", help="the number of games played at once")
    parser.add_argument("--simulations", type=numbers.games, metavar="N", help="the number of simulations per move")
    parser.add_argument("--batch", type=numbers.games, metavar="N", help="the number of samples in each update")
    parser.add_argument(
        "--learning-rate", type=numbers.share, metavar="R", help="the initial learning rate (default 0.001)"
    )
    parser.add_argument("--width", type=numbers.games, metavar="N", help="units of each layer (default 256)")
    parser.add_argument("--blocks", type=numbers.count, metavar="N", help="residual layers (default 2)")
    parser.add_argument(
        "--evaluate-every",
        type=numbers.minutes,
        default=2.0,
        metavar="M",
        help="minutes between evaluations (default 2)",
    )
    parser.add_argument(
        "--opponent", default="greedy", metavar="BOT", help="the bot to play evaluation games against (default greedy)"
    )
    parser.add_argument("--no-evaluation", action="store_true", help="do not play evaluation games")


def _fill_curves(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", metavar="RUN", help="the folder of a run; several are drawn together")
    parser.add_argument(
        "--output", default="curves.png", metavar="FILE", help="a .png, .svg or .pdf file (default curves.png)"
    )


def _fill_export(parser: argparse.ArgumentParser) -> None:
    add_game(parser, optional=False, seeded=False)
    parser.add_argument("--weights", metavar="FILE", help="trained weights (default: those in the package)")
    parser.add_argument("--output", metavar="FILE", help="an .onnx file (default: named after the rule set)")


def _fill_arena(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bots", nargs="*", metavar="BOT", help="a bot, such as search:100ms, greedy or my_module:MyBot")
    parser.add_argument("--league", metavar="FILE", help="read bots from a file, one per line; # starts a comment")
    names = list(installed_games())
    first = names[0] if names else None
    parser.add_argument("--game", choices=names, default=first, help=f"the game to play (default {first})")
    add_variant(parser)
    add_seed(parser)
    parser.add_argument(
        "--games",
        type=numbers.games,
        default=100,
        metavar="N",
        help="the number of games, rounded up to whole sets (default 100)",
    )
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=numbers.elo,
        metavar=("ELO0", "ELO1"),
        help="run a sequential test of ELO1 against ELO0, and stop as soon as it is decided",
    )
    parser.add_argument(
        "--alpha", type=numbers.chance, help="SPRT: the probability of wrongly accepting ELO1 (default 0.05)"
    )
    parser.add_argument(
        "--beta", type=numbers.chance, help="SPRT: the probability of wrongly accepting ELO0 (default 0.05)"
    )
    parser.add_argument(
        "--workers", type=numbers.workers, metavar="N", help="worker processes (default: one per core; 0: none)"
    )
    parser.add_argument(
        "--folder", "--out", metavar="DIR", help="save every game in this folder, and continue from there next time"
    )
    parser.add_argument("--report", metavar="FILE", help="write an HTML report with plots")
    parser.add_argument(
        "--only", type=numbers.count, metavar="N", help="play only game N, in this process, and print its record"
    )
    parser.add_argument(
        "--ray", metavar="WHERE", help="play on a Ray cluster: auto, its address, or local to start one"
    )
    add_json(parser)


def _fill_engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bot", nargs="?", metavar="BOT", help="a bot, such as search:100ms (default level6: the strongest)"
    )
    parser.add_argument(
        "--seed", type=numbers.seed, metavar="N", help="seed the bot, to get the same choices each time"
    )


COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "play": ("play in the browser, or in the terminal if you name a game or give one of its options", _fill_play),
    "serve": ("run the web server for friends and clubs", _fill_serve),
    "worker": ("run a worker: bots and reviews for web servers, on this machine or another", _fill_worker),
    "backup": ("write all games to a file while the server runs", _fill_backup),
    "restore": ("restore a backup into an empty database", _fill_restore),
    "database": ("copy games from one database to another, or check them", _fill_database),
    "show": ("draw a position", _fill_show),
    "replay": ("check a saved game and describe it, event by event", _fill_replay),
    "review": ("review a saved game: mistakes and why, skill and luck", _fill_review),
    "analyse": ("find the best moves of a position", _fill_analyse),
    "puzzles": ("mine puzzles: positions from self-play with one clearly best move", _fill_puzzles),
    "perft": ("count the sequences of events from a position", _fill_perft),
    "bench": ("measure the speed of random play", _fill_bench),
    "train": ("train a network by self-play", _fill_train),
    "curves": ("draw the learning curves of training runs", _fill_curves),
    "export": ("write a network as an ONNX file", _fill_export),
    "arena": ("play matches between bots and report which is stronger", _fill_arena),
    "engine": ("run a bot as an engine for other programs", _fill_engine),
    "version": ("print the versions of Tilewright, Python, NumPy and Numba", add_json),
}
"""Each command: what it does, and the function that adds its options."""
