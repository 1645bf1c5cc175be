"""Bots by name: the grammar, budgets, levels, classes of one's own."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

import tilewright as tw
from tilewright.bots.bot import Bot
from tilewright.bots.champion import ChampionBot
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.levels import LEVELS, StrongestBot, make_level
from tilewright.bots.registry import BOTS, OFFERED, make_bot, split_bot
from tilewright.bots.search import SearchBot
from tilewright.search.budget import Budget
from tilewright.search.champion import ChampionSearch


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("100ms", Budget(seconds=0.1)),
        ("1.5s", Budget(seconds=1.5)),
        ("4000", Budget(simulations=4000)),
        ("4000sims", Budget(simulations=4000)),
        ("20000nodes", Budget(nodes=20000)),
    ],
)
def test_budgets_are_read_and_written(text: str, budget: Budget):
    assert Budget.read(text) == budget
    assert Budget.read(str(budget)) == budget
    for name, kind in (("search", SearchBot), ("champion", ChampionBot)):
        bot = make_bot(f"{name}:{text}")
        assert isinstance(bot, kind)
        assert bot.budget == budget


@pytest.mark.parametrize(
    ("text", "budget", "threads"),
    [
        ("champion:1s:4threads", Budget(seconds=1), 4),
        ("champion:4threads:800", Budget(simulations=800), 4),
        ("champion:1thread", ChampionBot().budget, 1),
        ("champion:64Threads", ChampionBot().budget, 64),
    ],
)
def test_a_number_of_threads_may_follow_the_name(text: str, budget: Budget, threads: int):
    bot = make_bot(text)
    assert isinstance(bot, ChampionBot)
    assert (bot.budget, bot.threads) == (budget, threads)


@pytest.mark.parametrize("text", ["", "fast", "-1s", "0", "0s", "1e3", "1.5", "10h", "4000s", "9" * 20, "9" * 5000])
def test_what_is_not_a_budget(text: str):
    with pytest.raises(tw.BadOption, match="budget"):
        Budget.read(text)


@pytest.mark.parametrize("level", LEVELS)
def test_levels_play(level: int):
    position = tw.Azul(2).start(seed=1)
    bot = make_bot(f"level{level}", seed=1)
    assert bot.choose(position) in position.legal_moves


def test_people_are_offered_the_levels():
    assert [*(f"level{level}" for level in LEVELS), "random"] == list(OFFERED)
    assert set(BOTS) == {"champion", "search", "greedy", "random"}


def test_the_champion_plays_by_name_and_the_same_for_a_seed():
    position = tw.Azul(2).start(seed=1)
    thoughts = [make_bot("champion:50", seed=3).think(position) for _ in range(2)]
    assert thoughts[0] == thoughts[1]
    assert thoughts[0].move in position.legal_moves


def test_the_top_level_is_the_champion_where_a_network_was_trained():
    bot = make_bot("level6", seed=1)
    assert isinstance(bot, StrongestBot)
    assert isinstance(bot.search_of(tw.Azul(2)), ChampionSearch)
    assert 0 < (bot.budget.seconds or 0) < 1, "it answers within a second"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("genius", "no bot is called 'genius'; the bots are champion, search, greedy, random"),
        ("serach", "did you mean 'search'"),
        ("search:level3", "is not a budget"),
        ("search:soon", "is not a budget"),
        ("greedy:100ms", "takes no budget"),
        ("level3:100ms", "takes no budget"),
        ("champion:level2", "is not a budget"),
        ("champion:1s:0threads", "a search has from 1 to 64 threads, not 0"),
        ("champion:-2threads", "from 1 to 64 threads, not -2"),
        ("champion:1s:100000threads", "from 1 to 64 threads, not 100000"),
        ("champion:1s:threads", "'threads' is not a budget"),
        ("champion:1s:", "'' is not a budget"),
        ("champion:1s:2s", "'champion:1s:2s': the budget is given twice"),
        ("champion:2threads:2threads", "the number of threads is given twice"),
        ("search:1s:2threads", "'search:1s:2threads': this bot takes no number of threads"),
        ("level6:2threads", "this bot takes no number of threads"),
        ("no_such_module:Bot", "cannot be imported"),
        ("math:Bot", "has no 'Bot'"),
        ("math:pi", "is not a class of bots"),
        ("", "no bot is called ''"),
        ("genius", "level1 to level6, module:Class for a class of your own, 'run:COMMAND' for a program"),
        ("levl3", "did you mean 'level3'"),
        ("level0", "no bot is called 'level0': the levels are 1 to 6"),
        ("level9", "the levels are 1 to 6"),
        ("search:", "'search:': the budget after the colon is missing, as in search:100ms"),
        ("random :", "no bot is called 'random '"),
        ("genius:", "no bot is called 'genius'"),
        (None, "a bot is named by a string like 'search:100ms', not by None"),
    ],
)
def test_what_cannot_be_asked_for(text: str, complaint: str):
    with pytest.raises(tw.BadOption, match=complaint):
        make_bot(text)


def test_a_class_of_ones_own(monkeypatch: pytest.MonkeyPatch):
    class Thrifty(Bot):
        def __init__(self, budget: Budget | None = None, seed: int | None = None, threads: int = 1) -> None:
            self.budget, self.seed, self.threads = budget, seed, threads

        def choose(self, position: tw.Position) -> tw.Move:
            return next(iter(position.legal_moves))

    module = ModuleType("bots_of_mine")
    module.Thrifty = Thrifty  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bots_of_mine", module)
    bot = make_bot("bots_of_mine:Thrifty:2s:3threads", seed=5)
    assert isinstance(bot, Thrifty)
    assert (bot.budget, bot.seed, bot.threads) == (Budget(seconds=2), 5, 3)
    assert split_bot("bots_of_mine:Thrifty:2s") == ("bots_of_mine:Thrifty", "2s")


def test_greedy_varies_with_a_temperature_and_only_then():
    position = tw.Azul(2).start(seed=1)
    assert len({GreedyBot(seed=seed).choose(position) for seed in range(5)}) == 1
    assert len({GreedyBot(seed=seed, temperature=3.0).choose(position) for seed in range(20)}) > 3
    with pytest.raises(tw.BadOption, match="the temperature must be a number of points, 0 or more"):
        GreedyBot(temperature=-1)
    assert isinstance(make_level(1), GreedyBot)


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "search:" + "x" * 100_000, "greedy:" + "x" * 100_000, "level" + "9" * 9999]
)
def test_what_is_no_bot_is_a_short_complaint(text: str):
    with pytest.raises(tw.BadOption) as caught:
        make_bot(text)
    assert len(str(caught.value)) < 500
