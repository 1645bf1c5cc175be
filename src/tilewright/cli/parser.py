"""What can be typed after ``tilewright``, and the help for it. Imports nothing of the games: help comes at once."""

from __future__ import annotations

import argparse
from typing import Any

import tilewright
from tilewright.server.options import add_options

GAME_NAMES = ("azul", "azul-mini", "summer-pavilion")
_LAST_SEED = (1 << 64) - 1
_MOST_THREADS = 256
_DEEPEST = 1000
_MOST = 10**9
_LONGEST_NUMBER = 20
_LONGEST_ECHO = 40

_MAIN_EXAMPLES = """\
examples:
  tilewright play                          opens the table in your browser
  tilewright play --terminal               plays here, in the terminal
  tilewright play --resume azul-1.txt      goes on with a saved game, here
  tilewright serve --port 8000             the web server alone
  tilewright replay game.txt               a saved game, move by move
  tilewright bench azul --threads 2        how fast random games are played
  tilewright arena search:100ms greedy     a match of bots, and who is better

'tilewright COMMAND --help' tells more about a command.
"""
_PLAY_EXAMPLES = """\
examples:
  tilewright play                                    in your browser; friends on the same network can join
  tilewright play --host 127.0.0.1                   in your browser, for this machine alone
  tilewright play --terminal                         here; asks what to play
  tilewright play azul                               here; you against a bot of level 3
  tilewright play azul --wall grey --jokers --players 3
  tilewright play summer-pavilion --seat Anna --seat Paul --seat random
  tilewright play --resume azul-1.txt                goes on with a saved game, here

Only 'tilewright play' by itself, or with --host, opens the browser, where the page asks. With a game or any other
option it plays in the terminal. A seat is a person's name, 'me', or a bot: level1 to level5, search:1s, greedy, random,
my_module:MyBot (a class of your own) or 'run:./my_bot --fast' (a program); see docs/bots.md. Seats that are not
named are yours first, then bots. During the game '?' shows what can be typed.
"""
_SERVE_EXAMPLES = """\
examples:
  tilewright serve                                  on this machine alone, at http://127.0.0.1:8765/
  tilewright serve --host 0.0.0.0 --port 8000       for everybody in your network
  tilewright serve --database club.db               games are kept in that file
  tilewright serve --behind-proxy                   a web server on this machine passes requests on
"""
_SHOW_EXAMPLES = """\
examples:
  tilewright show game.txt                 the last position of a saved game
  tilewright show game.txt --move 12       after its 12th event (moves and draws count)
  tilewright show "azul players=2 ..."     a position in one line, as --json prints it under "text"
  tilewright show game.txt --svg table.svg a picture of it
  tilewright show - --json < game.txt      from standard input, for programs

In JSON players, turns and seats count from 1, and turn is null while tiles are drawn and when the game is over.
"""
_REPLAY_EXAMPLES = """\
examples:
  tilewright replay game.txt               every event in words, then the last position
  tilewright replay game.txt --tables      with the table after every move
  tilewright replay game.txt --json

The whole record is checked: every draw must be possible, every move legal, the result true. A mistake is
reported with its line.
"""
_PERFT_EXAMPLES = """\
examples:
  tilewright perft azul --depth 3
  tilewright perft summer-pavilion --players 3 --seed 5 --depth 4 --divide
  tilewright perft --position "azul players=2 ..." --depth 2 --json

Counts the sequences of events (moves, and tiles drawn: each kind that may come is one) from a position, to
compare two implementations of the rules, or their speed.
"""
_BENCH_EXAMPLES = """\
examples:
  tilewright bench azul
  tilewright bench summer-pavilion --players 4 --threads 2 --seconds 10 --json
  tilewright bench azul --batch 4096 --threads 2        games in lockstep, with observations and masks
  tilewright bench azul --device cuda                   on an NVIDIA card
  tilewright bench azul --device cuda --batch 1048576

Plays uniformly random games from the set-up to the end. Compiling is done before the clock starts.
"""
_ARENA_EXAMPLES = """\
examples:
  tilewright arena search:100ms greedy --games 400 --seed 1
  tilewright arena search:200 greedy --game summer-pavilion --players 3 --report match.html
  tilewright arena search:100ms search:50ms --sprt 0 10 --games 20000 --folder faster
  tilewright arena search:100ms greedy random              a league: everybody against everybody
  tilewright arena --league bots.txt --games 2000          the bots of a file, one a line

Every deal is played once for each rotation of the bots around the table, and the numbers are about the first
bot. The same command with the same --folder goes on where it was interrupted. docs/arena.md tells how to read
the result.
"""
_ENGINE_EXAMPLES = """\
examples:
  tilewright engine                        our strongest bot
  tilewright engine level3 --seed 1
  tilewright engine my_module:MyBot        a class of your own, for hosts that speak the protocol

A program, a host, says what to play and the bot answers, line by line; docs/bots.md has the protocol. Try it:
type 'hello', 'game azul', 'position start draw ybwr ryry brbw wwwr wykk', 'go time 100', 'quit'.
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="tilewright",
        description="Azul, Azul Mini and Azul: Summer Pavilion, in the browser, in the terminal and for programs.",
        epilog=_MAIN_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tilewright {tilewright.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_play(commands)
    _add_serve(commands)
    _add_show(commands)
    _add_replay(commands)
    _add_perft(commands)
    _add_bench(commands)
    _add_arena(commands)
    _add_engine(commands)
    version = _add(commands, "version", "which version of tilewright, Python, numpy and numba", "")
    _add_json(version)
    return parser


def _add(commands: Any, name: str, what: str, examples: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=what,
        description=what[0].upper() + what[1:] + ".",
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def _add_play(commands: Any) -> None:
    parser = _add(commands, "play", "play in the browser or in the terminal", _PLAY_EXAMPLES)
    parser.add_argument(
        "--terminal", action="store_true", help="play here; asks what to play unless the options say it"
    )
    parser.add_argument("--host", help="in the browser: where to listen (default: for all who reach this machine)")
    _add_game(parser, optional=True)
    parser.add_argument(
        "--seat", dest="seats", action="append", metavar="WHO", help="who sits there: a name, 'me', or a bot; repeat"
    )
    parser.add_argument("--resume", metavar="FILE", help="go on with a saved game")
    _add_colour(parser)


def _add_serve(commands: Any) -> None:
    parser = _add(commands, "serve", "run the web server", _SERVE_EXAMPLES)
    parser.add_argument("--host", default="127.0.0.1", help="where to listen (default 127.0.0.1: this machine)")
    parser.add_argument("--port", type=_port, default=8765, metavar="N", help="the port (default 8765)")
    parser.add_argument("--database", metavar="FILE", help="the SQLite file (default: in your home folder)")
    add_options(parser)


def _add_show(commands: Any) -> None:
    parser = _add(commands, "show", "draw a position", _SHOW_EXAMPLES)
    parser.add_argument("source", metavar="POSITION", help="the text of a position, a record file, or - for input")
    parser.add_argument("--move", type=_count, metavar="N", help="of a record: the position after its N-th event")
    parser.add_argument("--svg", metavar="FILE", help="write a picture to a file instead")
    _add_colour(parser)
    _add_json(parser)


def _add_replay(commands: Any) -> None:
    parser = _add(commands, "replay", "tell a saved game, event by event, and check it", _REPLAY_EXAMPLES)
    parser.add_argument("file", metavar="FILE", help="a record file, or - for input")
    parser.add_argument("--tables", action="store_true", help="draw the table after every move")
    _add_colour(parser)
    _add_json(parser)


def _add_perft(commands: Any) -> None:
    parser = _add(commands, "perft", "count the sequences of events from a position", _PERFT_EXAMPLES)
    _add_game(parser, optional=True)
    parser.add_argument("--position", metavar="TEXT", help="count from this position instead of a new game")
    parser.add_argument("--depth", type=_depth, default=2, metavar="N", help="how many events (default 2)")
    parser.add_argument("--divide", action="store_true", help="count for each first event by itself")
    _add_json(parser)


def _add_bench(commands: Any) -> None:
    parser = _add(commands, "bench", "measure how fast random games are played", _BENCH_EXAMPLES)
    _add_game(parser, optional=False)
    parser.add_argument("--threads", type=_threads, default=1, metavar="N", help="1 to 256 (default 1)")
    parser.add_argument("--seconds", type=_seconds, default=3.0, metavar="S", help="for how long (default 3)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where (default cpu)")
    parser.add_argument(
        "--batch", type=_games, metavar="N", help="N games in lockstep, with what is seen and legal after each step"
    )
    _add_json(parser)


def _add_arena(commands: Any) -> None:
    parser = _add(commands, "arena", "let bots play matches and say who is better", _ARENA_EXAMPLES)
    parser.add_argument("bots", nargs="*", metavar="BOT", help="as in search:100ms, greedy or my_module:MyBot")
    parser.add_argument("--league", metavar="FILE", help="more bots, one a line; # begins a remark")
    parser.add_argument("--game", choices=GAME_NAMES, default="azul", help="what they play (default azul)")
    _add_variant(parser)
    parser.add_argument("--games", type=_games, default=100, metavar="N", help="rounded up to whole sets (default 100)")
    parser.add_argument(
        "--sprt", nargs=2, type=_elo, metavar=("ELO0", "ELO1"), help="stop as soon as it is clear which is true"
    )
    parser.add_argument("--alpha", type=_chance, help="SPRT: chance to accept ELO1 wrongly (0.05)")
    parser.add_argument("--beta", type=_chance, help="SPRT: chance to accept ELO0 wrongly (0.05)")
    parser.add_argument("--workers", type=_workers, metavar="N", help="processes (default: all cores; 0: this one)")
    parser.add_argument("--folder", "--out", metavar="DIR", help="keep every game, and go on from there next time")
    parser.add_argument("--report", metavar="FILE", help="write a page with plots, FILE.html")
    parser.add_argument("--only", type=_count, metavar="N", help="play game N alone, here, and print its record")
    _add_json(parser)


def _add_engine(commands: Any) -> None:
    parser = _add(commands, "engine", "let a bot speak the text protocol for other programs", _ENGINE_EXAMPLES)
    parser.add_argument("bot", nargs="?", metavar="BOT", help="a bot, as in search:100ms (default: the strongest)")
    parser.add_argument("--seed", type=_seed, metavar="N", help="the bot's own chance: the same choices each time")


def _add_game(parser: argparse.ArgumentParser, optional: bool) -> None:
    nargs: Any = "?" if optional else None
    parser.add_argument("game", nargs=nargs, choices=GAME_NAMES, metavar="GAME", help=", ".join(GAME_NAMES))
    _add_variant(parser)


def _add_variant(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, choices=(2, 3, 4), help="how many players (default 2)")
    parser.add_argument("--wall", choices=("coloured", "grey"), help="azul, azul-mini: the side of the wall")
    parser.add_argument("--jokers", action="store_true", default=None, help="azul: with the Joker tiles")
    parser.add_argument("--side", choices=("coloured", "grey"), help="summer-pavilion: the side of the boards")
    parser.add_argument("--seed", type=_seed, metavar="N", help="deal the same tiles each time")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")


def _add_colour(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--colour",
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours (default auto: in a terminal, unless NO_COLOR is set)",
    )


def _whole(text: str, least: int, most: int, what: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER and least <= int(text) <= most:
        return int(text)
    raise argparse.ArgumentTypeError(f"{_echo(text)} should be {what}")


def _echo(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_ECHO else text[: _LONGEST_ECHO - 3] + "...")


def _seed(text: str) -> int:
    return _whole(text, 0, _LAST_SEED, "a whole number from 0 to 2**64 - 1")


def _threads(text: str) -> int:
    return _whole(text, 1, _MOST_THREADS, f"a whole number from 1 to {_MOST_THREADS}")


def _depth(text: str) -> int:
    return _whole(text, 1, _DEEPEST, f"a whole number from 1 to {_DEEPEST}")


def _count(text: str) -> int:
    return _whole(text, 0, _MOST, f"a whole number from 0 to {_MOST}")


def _games(text: str) -> int:
    return _whole(text, 1, _MOST, f"a whole number from 1 to {_MOST}")


def _workers(text: str) -> int:
    return _whole(text, 0, _MOST_THREADS, f"a whole number from 0 to {_MOST_THREADS}")


def _elo(text: str) -> float:
    return _number(text, -4000, 4000, "an Elo difference from -4000 to 4000")


def _chance(text: str) -> float:
    return _number(text, 1e-9, 0.499, "a chance above 0 and below 0.5")


def _number(text: str, least: float, most: float, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{_echo(text)} should be {what}")
    return number


def _port(text: str) -> int:
    return _whole(text, 1, 65_535, "a port from 1 to 65535")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"{_echo(text)} should be a number of seconds above 0, at most a day")
    return seconds
