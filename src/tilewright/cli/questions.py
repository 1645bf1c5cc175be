"""Questions after ``tilewright play --terminal`` without a game. Enter takes the answer in brackets."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from tilewright.bots.registry import OFFERED
from tilewright.cli.seats import DEFAULT_BOT, check_seat, default_name
from tilewright.cli.terminal import LEAVING, Left, Terminal, plain_number
from tilewright.game.errors import BadOption
from tilewright.game.registry import GAMES, find_spec
from tilewright.game.spec import GameSpec, Option
from tilewright.game.validation import echo
from tilewright.view.game_texts import GameTexts


def ask_for_a_game(arguments: Namespace, terminal: Terminal) -> None:
    """Fill in whatever the command line left open; Enter every time starts the first game against a bot."""
    terminal.tell("welcome")
    titles = [kind.spec.title for kind in GAMES.values()]
    arguments.game = list(GAMES)[_choose(terminal, terminal.text("which_game"), titles)]
    spec = find_spec(arguments.game)
    if arguments.players is None and not arguments.seats:
        counts = [str(number) for number in spec.players]
        question = terminal.text("how_many_players")
        arguments.players = spec.players[_choose(terminal, question, counts, numbered=False)]
    for option in spec.options:
        if option.name not in arguments.options:
            arguments.options = {**arguments.options, option.name: _ask_for_an_option(terminal, spec, option)}
    if not arguments.seats:
        arguments.seats = _ask_for_seats(terminal, arguments.players)


def _ask_for_an_option(terminal: Terminal, spec: GameSpec, option: Option) -> str:
    """The choice as commands write it; asked for in the person's language."""
    texts = GameTexts(spec, terminal.language)
    question = terminal.text("question", what=texts.option(option.name))
    if isinstance(option.default, bool):
        return option.write(terminal.confirm(question, default=option.default))
    choices = [texts.choice(option.name, choice) for choice in option.choices]
    return option.write(option.choices[_choose(terminal, question, choices)])


def _choose(terminal: Terminal, question: str, answers: Sequence[str], numbered: bool = True) -> int:
    """The index of an answer, which may be typed by its number, its name or the beginning of that."""
    listed = "  ".join(f"{n} {answer}" for n, answer in enumerate(answers, start=1)) if numbered else ", ".join(answers)
    while True:
        typed = terminal.ask(f"{question}  {listed}  [{1 if numbered else answers[0]}]").lower()
        if not typed:
            return 0
        if numbered and 1 <= (number := plain_number(typed)) <= len(answers):
            return number - 1
        exact = [n for n, answer in enumerate(answers) if answer.lower() == typed]
        begun = [n for n, answer in enumerate(answers) if answer.lower().startswith(typed)]
        if len(exact or begun) == 1:
            return (exact or begun)[0]
        if typed in LEAVING:
            raise Left
        terminal.tell("not_a_choice", typed=echo(typed))


def _ask_for_seats(terminal: Terminal, players: int) -> list[str]:
    terminal.tell("who_plays", bots=", ".join(OFFERED))
    seats = []
    for seat in range(players):
        default = default_name(0, terminal.language) if seat == 0 else DEFAULT_BOT
        seats.append(_ask_for_a_seat(terminal, seat, default))
    return seats


def _ask_for_a_seat(terminal: Terminal, seat: int, default: str) -> str:
    while True:
        try:
            typed = terminal.ask(f"{terminal.text('seat', number=seat + 1)} [{default}]") or default
            check_seat(typed, seat)
            return typed
        except BadOption as error:
            terminal.say(str(error))
