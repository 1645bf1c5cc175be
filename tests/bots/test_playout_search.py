"""Games without an evaluation or priors: the search plays them by random playouts, from the rules alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tilewright as tw
from tilewright.bots.bot import Bot
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.levels import StrongestBot
from tilewright.bots.random import RandomBot
from tilewright.bots.registry import OFFERED, make_bot
from tilewright.bots.search import SearchBot
from tilewright.search.budget import Budget
from tilewright.search.searcher import Search


class BarePavilion(tw.SummerPavilion):
    """Tiles are drawn between its rounds and in the middle of them."""

    spec = replace(tw.SummerPavilion.spec, name="bare-pavilion", parts={})


class UniformPavilion(tw.SummerPavilion):
    """Has an evaluation but no priors."""

    spec = replace(
        tw.SummerPavilion.spec,
        name="uniform-pavilion",
        parts={part: module for part, module in tw.SummerPavilion.spec.parts.items() if part != "priors"},
    )


def share_won(bot: type[Bot] | str, game: tw.Game, games: int) -> float:
    """How many of the games a bot wins against random players, in all seats."""
    won = 0.0
    for number in range(games):
        seat = number % game.players
        bots: list[Bot] = [RandomBot(number) for _ in range(game.players)]
        bots[seat] = make_bot(bot, number) if isinstance(bot, str) else bot(number)  # type: ignore[call-arg]
        position = game.start(number // game.players)
        while position.turn is not None:
            position.push(bots[position.turn].choose(position))
        outcome = position.outcome()
        assert outcome is not None
        won += (seat in outcome.winners) / len(outcome.winners)
    return won / games


@pytest.mark.parametrize(
    ("bot", "game", "games", "least"),
    [
        ("search:200", BarePavilion(2), 20, 0.9),
        ("search:200", BarePavilion(4), 8, 0.75),
        pytest.param("search:100", UniformPavilion(2), 10, 0.9, marks=pytest.mark.slow),
        ("greedy", BarePavilion(2), 20, 0.9),
    ],
    ids=["two players", "four players", "evaluation without priors", "greedy"],
)
def test_playouts_beat_random_play(bot: str, game: tw.Game, games: int, least: float):
    assert share_won(bot, game, games) >= least


@pytest.mark.parametrize("game", [BarePavilion(2), BarePavilion(3)], ids=repr)
def test_playouts_are_deterministic_and_see_no_deal(game: tw.Game):
    position = game.start(seed=3)
    before = position.copy()
    unknown = position.copy()
    unknown.dealer = None
    for make in (lambda: SearchBot(Budget(simulations=50), seed=1), lambda: GreedyBot(seed=1)):
        assert make().choose(position) == make().choose(unknown) == make().choose(position)
    assert position == before


@pytest.mark.parametrize("bot", OFFERED)
def test_every_level_plays_a_game_without_an_evaluation(bot: str):
    position = BarePavilion(2).start(seed=1)
    assert make_bot(bot, seed=1).choose(position) in position.legal_moves


def test_the_top_level_searches_where_no_network_reads_what_is_observed():
    with pytest.raises(tw.BadOption, match="reads 182 numbers, but BarePavilion"):
        make_bot("champion").choose(BarePavilion(2).start(seed=1))
    bot = make_bot("level6", seed=1)
    assert isinstance(bot, StrongestBot)
    assert isinstance(bot.search_of(BarePavilion(2)), Search)


def test_priors_are_uniform():
    position = BarePavilion(2).start(seed=1)
    search = Search(position.game)
    found = search.run(position.states[0], Budget(simulations=100), np.array([1], np.uint64))
    moves = search.root_moves()
    assert sorted(move.move for move in moves) == sorted(position.legal_moves.numbers())
    assert {round(move.prior * len(moves), 4) for move in moves} == {1.0}
    assert sum(move.visits for move in moves) == found.simulations
