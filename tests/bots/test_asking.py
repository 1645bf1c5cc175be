"""How hosts ask bots: a copy without a dealer, an answer that is checked, a failure that names the bot."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

import tilewright as tw
from tilewright.bots.bot import Bot, Thought, ask, ask_thought, prepare_bot
from tilewright.bots.errors import BotFailed
from tilewright.bots.registry import make_bot


class Does(Bot):
    """Chooses as a function does."""

    def __init__(self, choosing: Callable[[tw.Position], Any]) -> None:
        self.choosing = choosing

    def choose(self, position: tw.Position) -> Any:
        return self.choosing(position)


@pytest.fixture
def position() -> tw.Position:
    return tw.Azul(players=2).start(seed=7)


@pytest.mark.parametrize("form", [lambda move: move, int, str, lambda move: move.game.move(int(move))])
def test_a_move_a_number_or_a_text(form: Callable[[tw.Move], Any], position: tw.Position):
    first = next(iter(position.legal_moves))
    for asked in (ask, lambda bot, position: ask_thought(bot, position).move):
        answer = asked(Does(lambda seen: form(next(iter(seen.legal_moves)))), position)
        assert (answer, type(answer)) == (first, tw.Move)
    numbers = Does(lambda seen: seen.legal_moves.numbers()[0])
    assert ask(numbers, position) == first, "numpy's numbers too"


def test_a_bot_sees_no_dealer_and_changes_nothing(position: tw.Position):
    seen: list[object] = []

    def tamper(given: tw.Position) -> tw.Move:
        move = next(iter(given.legal_moves))
        seen.extend([given.dealer, given.copy().dealer])
        given.push(move)
        given.states["score"][0] = 100
        return move

    before, events = position.copy(), position.events
    ask(Does(tamper), position)
    ask_thought(Does(tamper), position)
    assert seen == [None] * 4
    assert (position, position.events) == (before, events)
    assert position.dealer is not None


@pytest.mark.parametrize(
    ("choosing", "complaint"),
    [
        (lambda seen: {}["lost\nhere"], r"Anna failed: choosing a move raised KeyError: 'lost\\nhere'"),
        (lambda seen: sys.exit(3), "Anna failed: choosing a move raised SystemExit: 3"),
        (lambda seen: None, "Anna failed: its move is refused: a move is a Move, its number or its text, not None"),
        (lambda seen: True, "not True"),
        (lambda seen: 3.5, "not 3.5"),
        (lambda seen: 10**6, "are numbers from 0"),
        (lambda seen: "queen", "'queen' is not a move of Azul"),
        (lambda seen: "1kf", "1kf is not legal: there is no black tile in factory 1"),
        (lambda seen: tw.Azul(players=3).move("1bf"), r"is a move of Azul\(players=3"),
        (lambda seen: seen.push(0), "choosing a move raised IllegalMove"),
    ],
)
def test_failures_name_the_bot(choosing: Callable[[tw.Position], Any], complaint: str, position: tw.Position):
    for asked in (ask, lambda bot, position, name: ask_thought(bot, position, name=name)):
        with pytest.raises(BotFailed, match=complaint):
            asked(Does(choosing), position, "Anna")


def test_a_thought_is_a_thought(position: tw.Position):
    class Tells(Does):
        def think(self, position: tw.Position, budget: object = None, cancellation: object = None) -> Any:
            return self.choosing(position)

    assert ask_thought(Tells(lambda seen: Thought("4w3", margin=2.0)), position).move.text == "4w3"  # type: ignore[arg-type]
    with pytest.raises(BotFailed, match="its method think returned a str, not a Thought"):
        ask_thought(Tells(lambda seen: "4w3"), position)


def test_bots_are_prepared_if_they_can_be(position: tw.Position):
    prepared: list[tw.Game] = []

    class Prepares(Does):
        def prepare(self, game: tw.Game) -> None:
            prepared.append(game)
            if game.players > 2:
                raise ValueError("too many")

    bot = Prepares(lambda seen: "4w3")
    prepare_bot(bot, position.game)
    assert prepared == [position.game]
    with pytest.raises(BotFailed, match="preparing for the game raised ValueError: too many"):
        prepare_bot(bot, tw.Azul(players=3))

    class OnlyChooses:
        def choose(self, position: tw.Position) -> tw.Move:
            return next(iter(position.legal_moves))

    prepare_bot(OnlyChooses(), position.game)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["search:40", "champion:40"])
def test_preparation_does_not_change_a_choice(name: str, position: tw.Position):
    cold, prepared = make_bot(name, seed=3), make_bot(name, seed=3)
    prepare_bot(prepared, position.game)
    assert prepared.think(position) == cold.think(position)


def test_ctrl_c_is_nobodys_failure(position: tw.Position):
    def interrupted(seen: tw.Position) -> tw.Move:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(Does(interrupted), position)
