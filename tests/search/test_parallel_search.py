"""The champion's search in several threads: what the trees found out is added up, and the choice is repeatable."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

import tilewright as tw
from rule_sets import file_name
from search.small_network import small_network
from tilewright.bots.bot import new_generator
from tilewright.bots.champion import ChampionBot
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.registry import make_bot
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.champion import ChampionSearch
from tilewright.search.parallel_search import ParallelSearch, divide

GAMES = [tw.Azul(2), tw.Azul(3), tw.SummerPavilion(2)]


def new_bot(simulations: int, threads: int = 3) -> ChampionBot:
    return ChampionBot(Budget(simulations=simulations), seed=4, threads=threads)


def search_of(bot: ChampionBot, game: tw.Game) -> ParallelSearch:
    search = bot.search_of(game)
    assert isinstance(search, ParallelSearch)
    return search


def in_mid_round(game: tw.Game) -> tw.Position:
    """A position with many moves, in which the trees disagree about some of them."""
    position, bot = game.start(seed=2), GreedyBot(seed=1)
    for _ in range(4):
        position.push(bot.choose(position))
    return position


@pytest.mark.parametrize("game", GAMES, ids=file_name)
def test_the_same_seed_budget_and_number_of_threads_make_the_same_choices(game: tw.Game):
    games = []
    for _ in range(2):
        position, bot = in_mid_round(game), new_bot(240)
        thoughts = []
        for _ in range(3):
            thoughts.append(bot.think(position))
            position.push(thoughts[-1].move)
        games.append((thoughts, search_of(bot, game).root_moves()))
    assert repr(games[0]) == repr(games[1])  # moves without visits have no chance but nan, which equals nothing


def test_one_thread_is_the_search_that_it_was():
    position = in_mid_round(tw.Azul(2))
    plain, named = ChampionBot(Budget(simulations=300), seed=4), make_bot("champion:300:1thread", seed=4)
    assert plain.think(position) == named.think(position)
    assert isinstance(new_bot(300, threads=1).search_of(position.game), ChampionSearch)


@pytest.mark.parametrize("game", GAMES, ids=file_name)
def test_root_moves_are_added_up_over_the_trees(game: tw.Game):
    position, bot = in_mid_round(game), new_bot(500)
    thought = bot.think(position)
    search = search_of(bot, game)
    told = search.root_moves()
    assert thought.simulations == sum(move.visits for move in told) == 500
    assert [tree.simulations for tree in search.searches] == [167, 167, 166]
    assert sorted(move.move for move in told) == sorted(position.legal_moves.numbers())
    by_tree = [{move.move: move for move in tree.root_moves()} for tree in search.searches]
    for move in told:
        found = [tree[move.move] for tree in by_tree]
        assert move.visits == sum(one.visits for one in found)
        assert all(one.prior == move.prior for one in found)
        if move.visits:
            weights = [one.visits for one in found]
            margins = np.nan_to_num([one.margin for one in found])
            assert move.win_probability == pytest.approx(
                np.average(np.nan_to_num([one.win_probability for one in found]), weights=weights)
            )
            assert move.margin == pytest.approx(np.average(margins, weights=weights))
        else:
            assert np.isnan(move.win_probability)
            assert np.isnan(move.margin)
    chosen = told[0]
    assert (int(thought.move), thought.winning_chance, thought.margin) == (
        chosen.move,
        chosen.win_probability,
        chosen.margin,
    )


def test_the_trees_are_not_copies_of_each_other():
    position, bot = in_mid_round(tw.Azul(2)), new_bot(3000)
    bot.think(position)
    trees = search_of(bot, position.game).searches
    assert [tree.settings.exploration for tree in trees] == pytest.approx([1, 4 / 3, 5 / 3])
    assert len({tuple(move.visits for move in tree.root_moves()) for tree in trees}) == 3


@pytest.mark.parametrize("game", GAMES, ids=file_name)
def test_lines_can_be_played_and_begin_with_the_choice(game: tw.Game):
    position, bot = in_mid_round(game), new_bot(2000)
    thought = bot.think(position)
    lines = bot.best_lines(position, 3)
    assert lines[0].line == thought.line
    assert (lines[0].winning_chance, lines[0].margin) == (thought.winning_chance, thought.margin)
    told = {move.move: move for move in search_of(bot, game).root_moves()}
    for line in lines:
        assert line.simulations == told[int(line.move)].visits
        after = position.copy()
        after.dealer = None
        for move in line.line:
            after.push(move)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_solved_round_is_played_exactly_and_the_choice_comes_first(threads: int, tmp_path: Path):
    game = tw.Azul(2)
    position, bot = game.start(seed=1), GreedyBot(seed=1, temperature=1.0)
    while int(position.state.offered).bit_count() > 2:
        position.push(bot.choose(position))
    network, budget = small_network(game, tmp_path), Budget(simulations=10**6)
    champion = ChampionBot(budget, seed=4, weights=network, threads=threads)
    thought, lines = champion.think(position), champion.best_lines(position, 100)
    assert thought.simulations < 10**5, "there is nothing more to find"
    exact = ChampionBot(budget, seed=4, weights=network).think(position)
    assert (thought.winning_chance, thought.margin) == (exact.winning_chance, exact.margin)
    assert lines[0].move == thought.move
    assert len(lines) == len(position.legal_moves)
    assert max(line.winning_chance or 0 for line in lines[1:]) <= (thought.winning_chance or 0) + 0.02


# Budgets ------------------------------------------------------------------------------------------------------


def test_simulations_and_nodes_are_divided_and_time_is_not():
    shares = divide(Budget(seconds=2, simulations=10, nodes=7), 3)
    assert shares == [Budget(2, 4, 3), Budget(2, 3, 2), Budget(2, 3, 2)]
    assert divide(Budget(simulations=2), 8) == [Budget(simulations=1)] * 2
    assert divide(Budget(seconds=1), 2) == [Budget(seconds=1)] * 2


def test_a_budget_smaller_than_the_number_of_threads_forgets_what_the_others_saw():
    first, second = in_mid_round(tw.Azul(2)), tw.Azul(2).start(seed=9)
    bot = new_bot(2, threads=4)
    bot.think(first, Budget(simulations=400))
    thought = bot.think(second)
    assert thought.simulations == 2
    assert thought.move in second.legal_moves
    assert sum(move.visits for move in search_of(bot, second.game).root_moves()) == 2


def test_against_the_clock_every_thread_keeps_its_tree():
    position = in_mid_round(tw.Azul(2))
    bot, budget = new_bot(1), Budget(seconds=3600, simulations=600)
    thought = bot.think(position, budget)
    for move in thought.line[:2]:
        position.push(move)
    thought = bot.think(position, budget)
    visits = [move.visits for move in search_of(bot, position.game).root_moves()]
    assert sum(visits) > thought.simulations == 600, "visits of the first search count"


# Cancellation -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [Budget(simulations=10**12), Budget(seconds=3600)])
def test_all_threads_end_when_a_thought_is_cancelled(budget: Budget):
    position, bot, cancellation = tw.Azul(2).start(seed=1), new_bot(1, threads=4), Cancellation()
    bot.prepare(position.game)
    cancelling = threading.Timer(0.05, cancellation.cancel)
    cancelling.start()
    before = threading.active_count()
    thought = bot.think(position, budget, cancellation)
    assert thought.move in position.legal_moves
    assert threading.active_count() <= before
    thought = bot.think(position, budget, cancellation)
    assert 0 < thought.simulations <= 4 * 32, "cancelled before it began, each thread runs its first batch only"


def test_every_thread_looks_at_the_cancellation_every_few_milliseconds(monkeypatch: pytest.MonkeyPatch):
    looks: list[int] = []

    def look(self: Cancellation) -> bool:
        looks.append(threading.get_ident())
        return False

    monkeypatch.setattr(Cancellation, "is_cancelled", property(look))
    new_bot(3 * 1280).think(in_mid_round(tw.Azul(2)))
    assert len(looks) >= 3 * 10
    assert threading.get_ident() not in looks


def test_a_thread_that_fails_ends_the_others(monkeypatch: pytest.MonkeyPatch):
    position = in_mid_round(tw.Azul(2))
    bot = new_bot(1)
    failing = search_of(bot, position.game).searches[1]

    def fail(*_: object) -> int:
        raise MemoryError("no room for a tree")

    monkeypatch.setattr(failing, "_run_batch", fail)
    with pytest.raises(MemoryError, match="no room"):
        bot.think(position, Budget(seconds=3600))


# Numbers of threads -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [0, -1, 65, 10**9, 1.5, True, "2"])
def test_a_wrong_number_of_threads_is_refused(threads: object):
    with pytest.raises(tw.BadOption, match="a search has from 1 to 64 threads, not"):
        ChampionBot(threads=threads)  # type: ignore[arg-type]
    bot = ChampionBot()
    with pytest.raises(tw.BadOption, match="from 1 to 64 threads"):
        bot.threads = threads  # type: ignore[assignment]
    assert bot.threads == 1


def test_the_number_of_threads_can_be_changed_between_two_thoughts():
    position, bot = in_mid_round(tw.Azul(2)), new_bot(60, threads=1)
    first = bot.think(position)
    bot.threads = 2
    assert bot.think(position).simulations == 60
    assert len(search_of(bot, position.game).searches) == 2
    bot.threads = 1
    assert bot.think(position) == first


def test_threads_have_generators_of_their_own():
    game = tw.SummerPavilion(2)
    search, generator = search_of(new_bot(1), game), new_generator(4)
    before = int(generator[0])
    search.run(game.start(seed=1).states[0], Budget(simulations=30), generator)
    assert int(generator[0]) != before, "the next search draws other tiles"
