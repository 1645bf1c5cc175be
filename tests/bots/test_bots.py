"""Bots play legal moves, see no future, and know more than chance."""

from __future__ import annotations

from time import perf_counter

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.bots.bot import Bot
from tilewright.bots.playouts import PlayoutsBot
from tilewright.bots.random import RandomBot
from tilewright.bots.registry import BOTS, make_bot

PAIRS = [game for game in RULE_SETS if game.players == 2]


def play(game: tw.Game, bots: list[Bot], seed: int) -> tw.Outcome:
    position = game.start(seed)
    while position.turn is not None:
        position.push(bots[position.turn].choose(position))
    outcome = position.outcome()
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("game", PAIRS, ids=[IDS[RULE_SETS.index(game)] for game in PAIRS])
def test_playouts_beat_random_play(game: tw.Game):
    bots = [PlayoutsBot(games=300, seed=1), RandomBot(seed=2)]
    for seed in range(3):
        outcome = play(game, bots, seed)
        assert outcome.winners == (0,)
        assert outcome.scores[0] > outcome.scores[1] + 5
        swapped = play(game, bots[::-1], seed)
        assert swapped.winners == (1,)


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
@pytest.mark.parametrize("name", BOTS)
def test_the_choice_does_not_depend_on_the_dealer(game: tw.Game, name: str):
    position = game.start(seed=4)
    mover = RandomBot(seed=9)
    for _ in range(25):
        position.push(mover.choose(position))
    text = position.to_text()
    undealt, dealt_otherwise = game.position(text), game.position(text, seed=99)
    position_before = position.copy()

    def choice(of: tw.Position) -> tw.Move:
        bot = PlayoutsBot(games=200, seed=3) if name == "playouts" else make_bot(name, 3)
        return bot.choose(of)

    assert choice(position) == choice(undealt) == choice(dealt_otherwise)
    assert choice(position) in position.legal_moves
    assert position == position_before
    assert position.dealer is not None
    assert position_before.dealer is not None
    assert position.dealer.drawn == position_before.dealer.drawn


def test_a_bot_with_the_dealers_seed_draws_other_tiles():
    from tilewright.bots.bot import new_generator

    assert new_generator(7)[0] != tw.Dealer(7).generator[0]
    assert new_generator(7)[0] == new_generator(7)[0]
    assert new_generator(None)[0] != new_generator(None)[0]


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_playouts_answer_soon(game: tw.Game):
    position = game.start(seed=1)
    bot = PlayoutsBot(seed=1)
    PlayoutsBot(games=1, seed=1).choose(position)
    started = perf_counter()
    bot.choose(position)
    assert perf_counter() - started < 3  # a tenth of it on an idle machine


def test_random_play_reaches_every_move():
    position = tw.SummerPavilion(players=2).start(seed=1)
    bot = RandomBot(seed=1)
    assert {bot.choose(position) for _ in range(500)} == set(position.legal_moves)


def test_what_cannot_be_asked_for():
    with pytest.raises(tw.BadOption, match="no bot is called 'genius'; the bots are playouts, random"):
        make_bot("genius")
    with pytest.raises(tw.BadOption, match="at least one game"):
        PlayoutsBot(games=0)
    with pytest.raises(tw.BadOption, match="a seed is a whole number"):
        RandomBot(seed=-1)
    with pytest.raises(tw.BadMove, match="tiles must be drawn"):
        RandomBot().choose(tw.Azul(players=2).set_up())
