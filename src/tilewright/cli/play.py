"""``tilewright play``: the browser, or a game in the terminal from the options, questions or a saved record."""

from __future__ import annotations

import secrets
from argparse import Namespace
from pathlib import Path

from tilewright.bots.search import SearchBot
from tilewright.cli.game_options import chosen_game
from tilewright.cli.languages import chosen_language
from tilewright.cli.questions import ask_for_a_game
from tilewright.cli.seats import check_number, seats_as_saved, seats_as_typed
from tilewright.cli.session import Session
from tilewright.cli.sources import find_record
from tilewright.cli.terminal import Left, Terminal, compiling_notice, forgive_input, wants_colour
from tilewright.game.dealer import Dealer
from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.game.registry import GAMES, find_spec
from tilewright.search.budget import Budget
from tilewright.view.narrator import tell

_NOT_WITH_RESUME = ("game", "players", "options", "seed", "seats")
_CANNOT_CONTINUE = 1


def run(arguments: Namespace) -> int:
    """Open the browser, or play here."""
    if not _in_terminal(arguments):
        from tilewright.cli.serve import play_in_browser  # half a second that a game in the terminal can do without

        return play_in_browser(arguments.host)
    if arguments.host is not None:
        raise BadOption("--host is for the browser: leave it out, or leave out the options for the terminal")
    forgive_input()
    terminal = Terminal(wants_colour(arguments.colour), chosen_language(arguments.language))
    if arguments.resume is not None:
        session = _resume(arguments, terminal)
    else:
        try:
            session = _start(arguments, terminal)
        except Left:
            terminal.tell("not_started")
            return 0
    return 0 if session.play() else _CANNOT_CONTINUE


def _in_terminal(arguments: Namespace) -> bool:
    """Every option of ``play`` except ``--host`` is for the terminal; the browser asks for the rest itself."""
    named = any(_is_given(arguments, name) for name in (*_NOT_WITH_RESUME, "resume", "language"))
    return bool(arguments.terminal or named or arguments.colour != "auto")


def _is_given(arguments: Namespace, name: str) -> bool:
    return getattr(arguments, name) not in (None, {})


def _start(arguments: Namespace, terminal: Terminal) -> Session:
    seats = arguments.seats or []
    check_number(len(seats), arguments.players)
    _check_most(len(seats), arguments.game)
    if arguments.game is None:
        ask_for_a_game(arguments, terminal)
        seats = arguments.seats
    game = chosen_game(arguments, players=_players(arguments.game, len(seats)))
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(32)
    who = seats_as_typed(seats, game.players, seed, terminal.language)
    _warm_up(game, terminal.language)
    return Session(game.start(seed), who, terminal)


def _check_most(seats: int, game: str | None) -> None:
    """Complain about more seats than a game has, or than any has."""
    most = max(max(find_spec(name).players) for name in ([game] if game else GAMES))
    if seats > most:
        raise BadOption(f"--seat is given {seats} times, but at most {most} can play; leave some out")


def _players(game: str, seats: int) -> int:
    """As many as have a seat, if the game is for that many; else the usual number, or the next that seats them all."""
    possible = find_spec(game).players
    if seats in possible or seats > possible[0]:
        return min(number for number in possible if number >= seats)
    return possible[0]


def _resume(arguments: Namespace, terminal: Terminal) -> Session:
    given = [name for name in _NOT_WITH_RESUME if _is_given(arguments, name)]
    if given:
        told = {"game": arguments.game, "seats": "--seat", "options": f"--{next(iter(arguments.options), '')}"}
        option = told.get(given[0], f"--{given[0]}")
        raise BadOption(f"--resume takes the game and its players from the file; leave out {option}")
    if arguments.resume in ("", "-"):
        raise BadOption("--resume needs the name of a file")
    with compiling_notice(terminal.language):
        record = find_record(arguments.resume)
        position = record.replay()
    _warm_up(record.game, terminal.language)
    if position.dealer is None:
        position.dealer = Dealer()
    if position.awaits_draw:
        position.deal()
    seats = seats_as_saved(record.names, position.dealer.seed or 0, terminal.language)
    return Session(position, seats, terminal, Path(arguments.resume))


def _warm_up(game: Game, language: str) -> None:
    """Compile everything that a game needs before it begins, not in the middle of somebody's thoughts."""
    with compiling_notice(language):
        position = game.start(0)
        tell(position, SearchBot(Budget(simulations=1), seed=0).choose(position))
        game.spec.points(position, 0)
