"""The search: exact where it solves, deterministic, blind to the deal, and much stronger than its priors."""

from __future__ import annotations

import subprocess
import sys
import threading

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.bots.bot import Bot
from tilewright.bots.greedy import GreedyBot
from tilewright.bots.random import RandomBot
from tilewright.bots.search import SearchBot
from tilewright.games.family.heap import heap_of
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.searcher import LONG_NODES, LONG_SIMULATIONS, Search, SearchResult
from tilewright.search.settings import LONG_SETTINGS, SETTINGS, Settings
from tilewright.search.tree import extract_features_at, hash_position_at, is_horizon_at
from tilewright.search.weights import weights_for
from tilewright.search.workspace import MAX_EDGES

FEW = Budget(simulations=60)


def after(game: tw.Game, moves: int, seed: int = 4) -> tw.Position:
    """A position after some sensible moves."""
    position, bot = game.start(seed), GreedyBot(seed=1, temperature=2.0)
    for _ in range(moves):
        position.push(bot.choose(position))
    return position


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_same_seed_thinks_the_same_and_sees_no_deal(game: tw.Game):
    position = after(game, 25)
    before = position.copy()
    text = position.to_text()
    thoughts = [
        SearchBot(FEW, seed=3).think(seen) for seen in (position, game.position(text), game.position(text, seed=99))
    ]
    assert thoughts[0] == thoughts[1] == thoughts[2]
    assert thoughts[0].move in position.legal_moves
    assert position == before
    assert position.dealer is not None
    assert before.dealer is not None
    assert position.dealer.drawn == before.dealer.drawn


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_rollouts_through_the_deal_are_deterministic_and_see_no_deal(game: tw.Game):
    position = after(game, 25)
    text = position.to_text()
    thoughts = [
        SearchBot(FEW, seed=3, settings=LONG_SETTINGS).think(seen)
        for seen in (position, game.position(text), game.position(text, seed=99))
    ]
    assert thoughts[0] == thoughts[1] == thoughts[2]
    assert thoughts[0].move in position.legal_moves
    assert position.to_text() == text


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_whole_games_are_legal_from_the_first_to_the_last_move(game: tw.Game):
    bots: list[Bot] = [SearchBot(Budget(simulations=8), seed=seat) for seat in range(game.players)]
    bots[1] = GreedyBot(seed=1)
    position = game.start(seed=2)
    while position.turn is not None:
        move = bots[position.turn].choose(position)
        assert move in position.legal_moves
        position.push(move)
    assert position.is_over


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_each_legal_move_has_one_prior_score(game: tw.Game):
    position, bot = game.start(seed=8), RandomBot(seed=5)
    search = Search(game)
    while position.turn is not None:
        moves, scores = search.prior_scores(position.states[0])
        assert sorted(moves) == sorted(position.legal_moves.numbers())
        assert np.isfinite(scores).all()
        position.push(bot.choose(position))


@pytest.mark.parametrize(
    "game", [tw.Azul(2), tw.Azul(2, "grey"), tw.SummerPavilion(2), tw.SummerPavilion(2, "grey")], ids=repr
)
def test_a_short_search_beats_its_own_priors(game: tw.Game):
    won = 0.0
    for seed in range(2):
        for seat in range(2):
            bots: list[Bot] = [GreedyBot(seed=seed), GreedyBot(seed=seed)]
            bots[seat] = SearchBot(Budget(simulations=250), seed=seed)
            position = game.start(seed)
            while position.turn is not None:
                position.push(bots[position.turn].choose(position))
            outcome = position.outcome()
            assert outcome is not None
            won += (seat in outcome.winners) / len(outcome.winners)
    assert won >= 3


def brute_force(search: Search, position: tw.Position) -> float:
    """The value for the first seat by trying every sequence of moves, without any cleverness."""
    if search.kernel(is_horizon_at)(position.states, 0):
        return float(search.evaluate(position.states)["value"][0])
    values = []
    for move in position.legal_moves:
        following = position.copy()
        following.push(move)
        values.append(brute_force(search, following))
    return max(values) if position.turn == 0 else min(values)


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        *((tw.Azul(2), seed) for seed in range(3)),
        *((tw.Azul(2, "grey"), seed) for seed in (9, 13, 26)),  # few full lines: every cell for each of them is tried
        *((tw.Azul(2, jokers=True), seed) for seed in range(3)),
    ],
    ids=repr,
)
def test_the_end_of_a_round_is_solved_exactly(game: tw.Game, seed: int):
    position, bot = game.start(seed), GreedyBot(seed=seed, temperature=1.0)
    heaps = 2 if game.options["wall"] == "grey" else 3  # on the grey wall cells are chosen too
    while int(position.state.offered).bit_count() > heaps:
        position.push(bot.choose(position))
    position = game.position(position.to_text())  # without a dealer: the round's end is the end
    search = Search(game, settings=SETTINGS)  # those of a short search, however long it may take
    found = search.run(position.states[0], Budget(seconds=3600), np.array([1], np.uint64))
    assert found.simulations == 0
    search.prior_scores(position.states[0])
    best = brute_force(search, position)
    end = position.copy()
    for move in found.principal_variation:
        end.push(move)
    assert brute_force(search, end) == pytest.approx(best)


def test_budgets_are_kept():
    position = tw.Azul(2).start(seed=1)
    assert SearchBot(Budget(simulations=300), seed=1).think(position).simulations <= 300
    nodes = SearchBot(Budget(nodes=5000), seed=1).think(position).nodes
    assert 5000 <= nodes < 5100
    assert SearchBot(Budget(simulations=1), seed=1).choose(position) in position.legal_moves


def test_only_a_long_search_of_azul_uses_rollouts_through_the_deal():
    position = tw.Azul(2).start(seed=1)
    search = Search(position.game)
    for budget, long in (
        (Budget(simulations=LONG_SIMULATIONS), True),
        (Budget(simulations=LONG_SIMULATIONS - 1), False),
        (Budget(seconds=0.1), False),
        (Budget(seconds=3600.0, simulations=10), False),
        (Budget(nodes=LONG_NODES), True),
    ):
        found = search.run(position.states[0], budget, np.array([1], np.uint64))
        assert search.deal_rollouts == long
        assert (int(search.tree.corrections["rollouts"][-1]) > 0) == long
        assert found.nodes < LONG_NODES + 100, "the moves of rollouts are nodes too"


def test_rollouts_through_the_deal_know_what_the_bag_holds():
    game = tw.Azul(2)
    position, bot = game.start(seed=4), GreedyBot(seed=1)
    while int(position.state.offered).bit_count() > 2:
        position.push(bot.choose(position))
    states, seat = position.states.copy(), position.turn
    assert seat is not None
    states["line_tiles"][0] = 0
    states["line_colour"][0] = -1
    states["line_tiles"][0, seat, 4], states["line_colour"][0, seat, 4] = 3, 0
    game.kernels.refresh_at(states, 0)

    def expected(bag: list[int], settings: Settings | None = None) -> SearchResult:
        states["bag"][0] = heap_of(bag)
        search = Search(game, settings=settings)
        return search.run(states[0], Budget(simulations=3000), np.array([1], np.uint64))

    much_blue, no_blue = [16, 6, 6, 6, 6, 0], [0, 10, 10, 10, 10, 0]
    assert expected(much_blue, LONG_SETTINGS).margin > expected(no_blue, LONG_SETTINGS).margin + 1
    assert expected(much_blue) == expected(no_blue), "a short search evaluates the boards alone"


@pytest.mark.parametrize("budget", [Budget(simulations=10**12), Budget(seconds=3600)])
def test_a_thought_can_be_cancelled_while_it_goes_on_and_before_it_begins(budget: Budget):
    position = tw.Azul(2).start(seed=1)
    bot = SearchBot(budget, seed=1)
    bot.think(position, Budget(simulations=10))
    cancellation = Cancellation()
    cancelling = threading.Timer(0.05, cancellation.cancel)
    cancelling.start()
    for _ in range(2):  # the second time, it is cancelled already
        thought = bot.think(position, None, cancellation)
        assert thought.move in position.legal_moves
        assert 0 < thought.simulations < 10**9
    bot.close()
    assert bot.think(position, Budget(simulations=10)).move in position.legal_moves


def test_a_thought_tells_its_reasons():
    game = tw.Azul(2)
    position = after(game, 12)
    thought = SearchBot(Budget(simulations=2000), seed=1).think(position)
    assert thought.line[0] == thought.move
    assert thought.margin is not None
    assert thought.winning_chance is not None
    assert 0 <= thought.winning_chance <= 1
    for move in thought.line:
        position.push(move)  # the line can be played
        if position.round > 2:
            break


def test_different_orders_of_the_same_moves_are_one_node():
    game = tw.Azul(2)
    first, second = game.start(seed=3), game.start(seed=3)
    moves = [game.move(text) for text in ("1" + _kind(first, 1) + "1", "2" + _kind(first, 2) + "2")]
    replies = [game.move("3" + _kind(first, 3) + "3"), game.move("4" + _kind(first, 4) + "4")]
    for move in (moves[0], replies[0], moves[1], replies[1]):
        first.push(move)
    for move in (moves[1], replies[1], moves[0], replies[0]):
        second.push(move)
    search = Search(game)
    search.positions[0], search.positions[1] = first.states[0], second.states[0]
    key = search.kernel(hash_position_at)
    assert key(search.words, 0) == key(search.words, 1)


def _kind(position: tw.Position, factory: int) -> str:
    """The letter of a kind that lies on a factory."""
    heap = int(position.state.places[factory])
    return next(letter for kind, letter in enumerate("byrkw") if heap >> 8 * kind & 0xFF)


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_rule_set_has_weights(game: tw.Game):
    weights = weights_for(game)
    assert np.isfinite(weights).all()
    assert (weights[:, -1] > 0).all()


def test_a_column_within_reach_is_valued():
    game = tw.Azul(2)
    weights = weights_for(game)
    search = Search(game, weights)
    late = 3

    def evaluation(*columns: int) -> float:
        board = game.set_up()
        for row, column in enumerate(columns, start=1):
            board.state.wall[0, row, column] = (column - row) % 5
            board.state.covered[0] |= 1 << (5 * row + column)
        search.kernel(extract_features_at)(board.states, 0, 0, search.workspace.features)
        return float(weights[late, :-1] @ search.workspace.features)

    assert evaluation(0, 0, 0, 0) > evaluation(0, 2, 4, 1) + 2, "one tile of the top line makes it 7 points"


def test_a_search_against_the_clock_goes_on_with_its_tree_until_the_round_ends():
    position, bot, reused = tw.Azul(2).start(seed=4), SearchBot(seed=1), {True: 0, False: 0}
    search = bot.search_of(position.game)
    assert isinstance(search, Search)
    rounds: set[int] = set()
    while position.turn is not None:
        thought = bot.think(position, Budget(seconds=3600.0, nodes=10_000))
        if thought.simulations:  # neither forced nor solved
            kept = int(search.root_edges()["visits"].sum()) - thought.simulations
            assert kept >= 0
            assert kept == 0 or position.round in rounds, "the deal is new: nothing is known about it"
            reused[kept > 0] += 1
            rounds.add(position.round)
        position.push(thought.move)
    assert reused[True] > reused[False]


def test_a_search_without_a_clock_forgets_what_it_searched_before():
    game = tw.Azul(2)
    earlier, later = after(game, 3), after(game, 4)
    search = Search(game)
    search.run(earlier.states[0], Budget(seconds=3600.0, simulations=500), np.array([1], np.uint64))
    again, fresh = (
        one.run(later.states[0], Budget(simulations=500), np.array([2], np.uint64)) for one in (search, Search(game))
    )
    assert again == fresh


def test_a_kept_root_considers_every_move():
    game = tw.Azul(4)
    position = game.start(seed=4)
    search = Search(game)
    search.run(position.states[0], Budget(seconds=3600.0, simulations=2000), np.array([1], np.uint64))
    found = search.run(position.states[0], Budget(seconds=3600.0, simulations=10), np.array([1], np.uint64))
    position.push(found.principal_variation[0])
    search.run(position.states[0], Budget(seconds=3600.0, simulations=10), np.array([1], np.uint64))
    moves = search.root_moves()
    assert len(moves) > MAX_EDGES
    assert sorted(move.move for move in moves) == sorted(int(n) for n in position.legal_moves.numbers())
    assert sum(move.visits for move in moves) > 10
    assert sum(move.prior for move in moves) == pytest.approx(1, abs=1e-5)


COLD = """
from numba.core.dispatcher import Dispatcher
import tilewright as tw
from tilewright.bots.search import SearchBot
from tilewright.search import searcher
from tilewright.search.budget import Budget

compiled, on_the_clock, thinking = [], [], False
add, clock = Dispatcher.add_overload, searcher.perf_counter

def add_overload(dispatcher, *rest):
    (on_the_clock if thinking else compiled).append(dispatcher.py_func.__qualname__)
    return add(dispatcher, *rest)

def read_clock():
    global thinking
    thinking = True
    return clock()

Dispatcher.add_overload, searcher.perf_counter = add_overload, read_clock
position = tw.make_game("{game}").start(seed=4)
bot = SearchBot(Budget(seconds=0.001), seed=1)
while position.turn is not None:
    move = bot.choose(position)
    thinking = False
    position.push(move)
print(len(compiled) > 0, on_the_clock)
"""


PREPARED = """
import sys
from numba.core.dispatcher import Dispatcher
import tilewright as tw
from tilewright.bots.registry import make_bot

compiled, thinking = [], False
add = Dispatcher.add_overload

def add_overload(dispatcher, *rest):
    if thinking:
        compiled.append(dispatcher.py_func.__qualname__)
    return add(dispatcher, *rest)

Dispatcher.add_overload = add_overload
bot, game = make_bot(sys.argv[1], seed=1), tw.Azul(players=2)
bot.prepare(game)
position = game.start(seed=4)
while position.turn is not None:
    position.legal_moves.numbers()
    thinking = True
    move = bot.choose(position)
    thinking = False
    position.push(move)
print(compiled)
"""


@pytest.mark.parametrize("bot", ["level2", "level3", "champion:20", "champion:20:2threads"])
def test_a_bot_that_was_prepared_compiles_nothing_during_a_round(bot: str):
    told = subprocess.run([sys.executable, "-c", PREPARED, bot], capture_output=True, text=True, check=False)
    assert told.stdout == "[]\n", told.stderr


@pytest.mark.parametrize("game", ["azul", "summer-pavilion"])
def test_nothing_is_compiled_once_the_clock_runs(game: str):
    script = COLD.replace("{game}", game)
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert told.stdout == "True []\n", told.stderr
