"""Questions for who typed ``tilewright play --terminal`` and no game. Enter takes what stands in brackets."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from tilewright.bots.registry import OFFERED
from tilewright.cli.seats import DEFAULT_BOT, check_seat
from tilewright.cli.terminal import Terminal, plain_number
from tilewright.game.errors import BadOption
from tilewright.game.registry import GAMES
from tilewright.game.validation import echo


def ask_for_a_game(arguments: Namespace, terminal: Terminal) -> None:
    """Fill in whatever the command line left open; Enter every time is a game of Azul against a bot."""
    terminal.say("Welcome to tilewright. Enter takes the answer in brackets.")
    titles = [kind.spec.title for kind in GAMES.values()]
    arguments.game = list(GAMES)[_choose(terminal, "Which game", titles)]
    known = GAMES[arguments.game](players=2).options
    if arguments.players is None and not arguments.seats:
        arguments.players = 2 + _choose(terminal, "How many players", ["2", "3", "4"], numbered=False)
    if "wall" in known and arguments.wall is None:
        arguments.wall = _side(terminal, "Which side of the wall")
    if "jokers" in known and arguments.jokers is None:
        arguments.jokers = terminal.confirm("With Joker tiles?", default=False)
    if "side" in known and arguments.side is None:
        arguments.side = _side(terminal, "Which side of the boards")
    if not arguments.seats:
        arguments.seats = _ask_for_seats(terminal, arguments.players)


def _side(terminal: Terminal, question: str) -> str:
    sides = ["coloured", "grey"]
    return sides[_choose(terminal, question, sides)]


def _choose(terminal: Terminal, question: str, answers: Sequence[str], numbered: bool = True) -> int:
    """The index of an answer, which may be typed by its number, its name or the beginning of that."""
    listed = "  ".join(f"{n} {answer}" for n, answer in enumerate(answers, start=1)) if numbered else ", ".join(answers)
    while True:
        typed = terminal.ask(f"{question}?  {listed}  [{1 if numbered else answers[0]}]").lower()
        if not typed:
            return 0
        if numbered and 1 <= (number := plain_number(typed)) <= len(answers):
            return number - 1
        exact = [n for n, answer in enumerate(answers) if answer.lower() == typed]
        begun = [n for n, answer in enumerate(answers) if answer.lower().startswith(typed)]
        if len(exact or begun) == 1:
            return (exact or begun)[0]
        terminal.say(f"{echo(typed)} is none of them.")


def _ask_for_seats(terminal: Terminal, players: int) -> list[str]:
    terminal.say(f"Who plays? A name for a person; {', '.join(OFFERED)} for a bot.")
    seats = []
    for seat in range(players):
        default = "Player 1" if seat == 0 else DEFAULT_BOT
        seats.append(_ask_for_a_seat(terminal, seat, default))
    return seats


def _ask_for_a_seat(terminal: Terminal, seat: int, default: str) -> str:
    while True:
        try:
            typed = terminal.ask(f"Seat {seat + 1} [{default}]") or default
            check_seat(typed, seat)
            return typed
        except BadOption as error:
            terminal.say(str(error))
