"""Bots play legal moves, see no future, and know more than chance."""

from __future__ import annotations

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.bots.bot import Bot, new_generator
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.random import RandomBot

PAIRS = [game for game in RULE_SETS if game.players == 2]


def play(game: tw.Game, bots: list[Bot], seed: int) -> tw.Outcome:
    position = game.start(seed)
    while position.turn is not None:
        position.push(bots[position.turn].choose(position))
    outcome = position.outcome()
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("game", PAIRS, ids=[IDS[RULE_SETS.index(game)] for game in PAIRS])
def test_greedy_play_beats_random_play(game: tw.Game):
    bots = [GreedyBot(), RandomBot(seed=2)]
    for seed in range(3):
        outcome = play(game, bots, seed)
        assert outcome.winners == (0,)
        assert outcome.scores[0] > outcome.scores[1] + 5
        swapped = play(game, bots[::-1], seed)
        assert swapped.winners == (1,)


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
@pytest.mark.parametrize("kind", [GreedyBot, RandomBot])
def test_the_choice_does_not_depend_on_the_dealer(game: tw.Game, kind: type[GreedyBot] | type[RandomBot]):
    position = game.start(seed=4)
    mover = RandomBot(seed=9)
    for _ in range(25):
        position.push(mover.choose(position))
    text = position.to_text()
    before = position.copy()
    chosen = [kind(seed=3).choose(seen) for seen in (position, game.position(text), game.position(text, seed=99))]
    assert chosen[0] == chosen[1] == chosen[2]
    assert chosen[0] in position.legal_moves
    assert position == before
    assert position.dealer is not None
    assert before.dealer is not None
    assert position.dealer.drawn == before.dealer.drawn


def test_a_bot_with_the_dealers_seed_draws_other_tiles():
    assert new_generator(7)[0] != tw.Dealer(7).generator[0]
    assert new_generator(7)[0] == new_generator(7)[0]
    assert new_generator(None)[0] != new_generator(None)[0]


def test_random_play_reaches_every_move():
    position = tw.SummerPavilion(players=2).start(seed=1)
    bot = RandomBot(seed=1)
    assert {bot.choose(position) for _ in range(500)} == set(position.legal_moves)


@pytest.mark.parametrize("bot", [GreedyBot(), RandomBot()])
def test_nobody_can_choose_where_nobody_is_to_move(bot: Bot):
    with pytest.raises(tw.IllegalMove, match="tiles must be drawn"):
        bot.choose(tw.Azul(players=2).set_up())


def test_a_budget_may_be_a_text():
    position = tw.Azul(players=2).start(seed=1)
    for bot in (tw.bot("champion:1s", seed=1), tw.bot("search:1s", seed=1)):
        assert bot.think(position, budget="20").simulations == 20
        for wrong in ("soon", 1):
            with pytest.raises(tw.BadOption, match="is not a budget; budgets look like 100ms"):
                bot.think(position, budget=wrong)


@pytest.mark.parametrize("name", ["greedy", "random", "search:10", "champion:10"])
def test_a_bot_chooses_in_a_position(name: str):
    with pytest.raises(tw.BadOption, match=r"chooses in a position, such as game.start\(\), not in None"):
        tw.bot(name, seed=1).choose(None)


def test_seeds_are_words():
    with pytest.raises(tw.BadOption, match="a seed is a whole number"):
        RandomBot(seed=-1)
