"""The champion's search: its inference is the network's, what it solves is exact, its choices are repeatable."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
import torch

import tilewright as tw
from rule_sets import IDS, RULE_SETS, file_name
from search.small_network import small_network
from tilewright.bots.bot import new_generator
from tilewright.bots.champion import ChampionBot
from tilewright.bots.greedy import GreedyBot
from tilewright.envs.observation import NetworkObserver
from tilewright.learn import checkpoint
from tilewright.search import champion
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.search.champion import ChampionSearch, TriedMove, canonical
from tilewright.search.champion_workspace import AFTERSTATE, CHAMPION_SETTINGS, CHANCE, DECISION
from tilewright.search.network import network_weights_for, read_network_weights
from tilewright.search.searcher import edges_of
from tilewright.search.settling import MARGIN_SCALE
from tilewright.search.utility import utility

GAMES = [tw.Azul(2), tw.Azul(3, "grey", True), tw.SummerPavilion(2), tw.SummerPavilion(4, "grey")]
UNTIL = 3600.0
"""Seconds that are never spent: with them, a search keeps its tree and is ended by its simulations."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("networks")


def new_search(game: tw.Game, folder: Path) -> ChampionSearch:
    return ChampionSearch(game, read_network_weights(small_network(game, folder)))


def run(search: ChampionSearch, position: tw.Position, simulations: int, seconds: float | None = None):
    return search.run(position.states[0], Budget(seconds=seconds, simulations=simulations), new_generator(1))


@pytest.mark.parametrize("game", GAMES, ids=file_name)
def test_the_kernels_compute_what_torch_does(game: tw.Game, folder: Path):
    network = checkpoint.read_network(small_network(game, folder))
    search, observer = new_search(game, folder), NetworkObserver(game)
    for seed in range(5):
        position = game.start(seed=seed)
        run(search, position, 1)
        root, mover, players = int(search.tree.counters["root"][0]), int(position.turn or 0), game.players
        seen = observer.observe(search.tree.positions, root, mover)
        with torch.no_grad():
            logits, wins, margins = network(torch.from_numpy(seen)[None])
        values, edges = search.tree.evaluations[root], edges_of(search.tree, root)
        assert np.allclose(np.roll(values[:players], -mover), torch.softmax(wins[0], 0), atol=1e-4)
        assert np.allclose(np.roll(values[players:], -mover), margins[0], atol=1e-4)
        expected = torch.softmax(logits[0][edges["move"].astype(np.int64)], 0)
        assert np.allclose(edges["prior"], expected, atol=1e-4)
        assert sorted(edges["move"]) == sorted(canonical(position)[0].legal_moves.numbers())


@pytest.mark.parametrize("game", GAMES, ids=file_name)
def test_it_plays_whole_games_of_legal_moves_and_the_same_again(game: tw.Game, folder: Path):
    games = []
    for _ in range(2):
        bot = ChampionBot(Budget(simulations=20), seed=4, weights=small_network(game, folder))
        position = game.start(seed=9)
        while position.outcome() is None:
            position.push(bot.choose(position))
        games.append(position.to_text())
    assert games[0] == games[1]


@pytest.mark.parametrize("game", GAMES, ids=file_name)
def test_a_choice_depends_on_nothing_but_position_seed_and_budget(game: tw.Game, folder: Path):
    path, budget = small_network(game, folder), Budget(simulations=60)
    position = game.start(seed=5)
    experienced = ChampionBot(budget, seed=4, weights=path)
    experienced.search_of(game).run(game.start(seed=6).states[0], budget, new_generator(9))
    seen = [position, game.position(position.to_text()), game.position(position.to_text(), seed=99)]
    thoughts = [ChampionBot(budget, seed=4, weights=path).think(one) for one in seen]
    assert [*thoughts, experienced.think(position)] == [thoughts[0]] * 4


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_rule_set_has_a_network(game: tw.Game):
    position = game.start(seed=3)
    for _ in range(3):
        thought = ChampionBot(Budget(simulations=30), seed=1).think(position)
        assert thought.move in position.legal_moves
        position.push(thought.move)


# The tree ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [tw.Azul(2), tw.SummerPavilion(2)], ids=file_name)
def test_visits_add_up_and_transpositions_share_nodes(game: tw.Game, folder: Path):
    search = new_search(game, folder)
    run(search, game.start(seed=1), 3000)
    used = int(search.tree.counters["nodes_used"][0])
    nodes = search.tree.nodes[:used]
    assert len(set(nodes["key"])) == used
    parents = np.zeros(used, np.int64)
    for node in range(used):
        if nodes["kind"][node] in (DECISION, CHANCE):
            tried = edges_of(search.tree, node)[: int(nodes["tried"][node])]
            assert (tried["child"] >= 0).all()
            assert nodes["visits"][node] == tried["visits"].sum() + (nodes["kind"][node] == DECISION)
            np.add.at(parents, tried["child"], 1)
    assert parents.max() > 1
    assert search.tree.means[:used, : game.players].min() >= 0
    assert np.allclose(search.tree.means[:used, : game.players].sum(axis=1), 1, atol=1e-4)


def test_orders_of_moves_and_of_factories_lead_to_the_same_node(folder: Path):
    game = tw.Azul(2)
    search = new_search(game, folder)
    first, second = game.start(seed=3), game.start(seed=3)
    moves = [next(str(move) for move in first.legal_moves if str(move)[0] == place) for place in "1234"]
    mine, theirs = (
        [f"{move[:2]}{line}" for line, move in enumerate(moves, 1)][:2],
        [f"{move[:2]}5" for move in moves][2:],
    )
    theirs[1] = f"{moves[3][:2]}4"
    for move in (mine[0], theirs[0], mine[1], theirs[1]):
        first.push(move)
    for move in (mine[1], theirs[1], mine[0], theirs[0]):
        second.push(move)
    run(search, first, 10)
    nodes = int(search.tree.counters["nodes_used"][0])
    run(search, second, 10, UNTIL)
    assert search.tree.counters["root"][0] == 0
    assert nodes < search.tree.counters["nodes_used"][0], "it went on in the same tree"


def test_draws_in_mid_round_are_sampled_more_often_where_more_visits_go(folder: Path):
    game = tw.SummerPavilion(2)
    position, bot = game.start(seed=4), GreedyBot(seed=1)
    search = new_search(game, folder)
    while position.round < 4:
        position.push(bot.choose(position))
    while not (search.tree.nodes["kind"][: int(search.tree.counters["nodes_used"][0])] == CHANCE).any():
        position.push(bot.choose(position))
        run(search, position, 1500)
    nodes = search.tree.nodes[: int(search.tree.counters["nodes_used"][0])]
    chances = nodes[nodes["kind"] == CHANCE]
    assert (chances["edges"] >= 1).all()
    assert ((chances["edges"] - 1) ** 2 <= chances["visits"]).all()
    assert not chances["solved"].any()


# The tree from move to move -----------------------------------------------------------------------------------


def test_a_search_against_the_clock_keeps_its_tree_until_the_round_ends(folder: Path):
    game = tw.Azul(2)
    search, position = new_search(game, folder), game.start(seed=2)
    found = run(search, position, 400, UNTIL)
    for move in found.principal_variation[:2]:
        position.push(move)
    found = run(search, position, 100, UNTIL)
    root = search.tree.nodes[int(search.tree.counters["root"][0])]
    assert root["visits"] > found.simulations + 1, "visits of the first search count"
    assert search.root_moves()[0].visits > 0
    found = run(search, position, 100)
    assert search.tree.nodes["visits"][0] == found.simulations + 1, "without a clock, it starts from scratch"
    while position.round == 1:
        position.push(next(iter(position.legal_moves)))
    found = run(search, position, 100, UNTIL)
    assert search.tree.counters["root"][0] == 0
    assert search.tree.nodes["visits"][0] == found.simulations + 1, "a new round has a new tree"


def test_a_full_tree_ends_the_search(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(champion, "MAX_NODES", 200)
    search, position = new_search(tw.Azul(2), folder), tw.Azul(2).start(seed=2)
    for _ in range(3):
        found = run(search, position, 10**6, UNTIL)
        assert 0 < found.simulations < 10**5
        assert found.principal_variation[0] in position.legal_moves.numbers()


# The end of a round -------------------------------------------------------------------------------------------


def brute_force(position: tw.Position, values) -> np.ndarray:
    """The values under best play (max-n) by trying every sequence of moves, without any cleverness."""
    if position.turn is None:
        return values(position)
    found = []
    for move in position.legal_moves:
        following = position.copy()
        following.push(move)
        found.append(brute_force(following, values))
    return max(found, key=lambda one: utility(one, 0, position.turn, position.game.players))


@pytest.mark.parametrize(("game", "seed"), [(tw.Azul(2), 0), (tw.Azul(2), 1), (tw.Azul(3), 0), (tw.Azul(4), 0)])
def test_the_end_of_a_round_is_solved_exactly(game: tw.Game, seed: int, folder: Path):
    network, observer = checkpoint.read_network(small_network(game, folder)), NetworkObserver(game)
    position, bot = game.start(seed), GreedyBot(seed=seed, temperature=1.0)
    while int(position.state.offered).bit_count() > 2:
        position.push(bot.choose(position))
    position.dealer = None

    def values(end: tw.Position) -> np.ndarray:
        turn = int(end.state.turn)
        seen = observer.observe(end.states, 0, turn)
        with torch.no_grad():
            _, wins, margins = network(torch.from_numpy(seen)[None])
        return np.concatenate([np.roll(torch.softmax(wins[0], 0), turn), np.roll(margins[0], turn)])

    best = brute_force(position, values)
    search = new_search(game, folder)
    found = run(search, position, 10**6)
    assert found.simulations < 10**5, "there is nothing more to find"
    assert search.tree.nodes["solved"][0]
    assert search.tree.means[0] == pytest.approx(best, abs=1e-4)
    end = position.copy()
    for move in found.principal_variation:
        end.push(move)
    assert end.turn is None
    assert values(end) == pytest.approx(best, abs=1e-4)


@pytest.mark.parametrize("game", [tw.Azul(2), tw.Azul(3), tw.Azul(2, jokers=True)], ids=file_name)
def test_a_network_that_is_sure_of_itself_solves_the_end_of_a_round_too(game: tw.Game):
    """Trained networks expect next to nothing of most moves, so these are tried only in order to solve the round."""
    position, bot = game.start(seed=5), GreedyBot(seed=1, temperature=1.0)
    while int(position.state.offered).bit_count() > 3:
        position.push(bot.choose(position))
    sure, solving = (
        ChampionSearch(game, network_weights_for(game), CHAMPION_SETTINGS._replace(solving=share))
        for share in (0.0, CHAMPION_SETTINGS.solving)
    )
    assert not run(sure, position, 20_000, UNTIL).simulations < 20_000
    assert not sure.is_solved
    assert run(solving, position, 20_000, UNTIL).simulations < 20_000
    assert solving.is_solved
    best = max(solving.tried_moves(), key=lambda tried: worth(tried, position))
    assert len(solving.tried_moves()) == len(position.legal_moves)
    assert worth(best, position) == pytest.approx(utility(solving.tree.means[0], 0, position.turn, game.players))


def worth(tried: TriedMove, position: tw.Position) -> float:
    """What a move is worth to the player who makes it."""
    values = np.array([*tried.values.win_probabilities, *(margin / MARGIN_SCALE for margin in tried.values.margins)])
    return utility(values, 0, int(position.turn or 0), position.game.players)


def test_the_end_of_the_game_has_its_exact_value(folder: Path):
    game = tw.Azul(2)
    position, bot = game.start(seed=1), GreedyBot(seed=1)
    before, last = position.copy(), bot.choose(position)
    while not position.is_over:
        before, last = position.copy(), bot.choose(position)
        position.push(last)
    outcome, mover = position.outcome(), int(before.turn or 0)
    assert outcome is not None
    search = new_search(game, folder)
    run(search, before, 2000)
    told = {one.move: one for one in search.root_moves()}[int(last)]
    assert told.win_probability == (mover in outcome.winners) / len(outcome.winners)
    margin = position.scores[mover] - position.scores[1 - mover]
    assert told.margin == pytest.approx(max(-80, min(80, margin)))


# What it reports ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=file_name)
def test_it_tells_what_it_expects_of_every_move(game: tw.Game, folder: Path):
    bot = ChampionBot(Budget(simulations=150), seed=4, weights=small_network(game, folder))
    position = game.start(seed=2)
    thought = bot.think(position)
    assert 0 < thought.simulations <= 150
    assert 0 < thought.nodes <= 150
    told = bot.search_of(game).root_moves()
    assert sorted(one.move for one in told) == sorted(position.legal_moves.numbers())
    assert sum(one.prior for one in told) == pytest.approx(1, abs=1e-4)
    assert [one.visits for one in told] == sorted((one.visits for one in told), reverse=True)
    chosen = next(one for one in told if one.move == int(thought.move))
    assert (thought.winning_chance, thought.margin) == (chosen.win_probability, chosen.margin)
    for one in told:
        assert np.isnan(one.win_probability) == np.isnan(one.margin) == (one.visits == 0)
        assert one.visits == 0 or 0 <= one.win_probability <= 1
    assert thought.line[0] == thought.move
    position.dealer = None
    for move in thought.line:
        position.push(move)  # the line can be played


# Clocks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=file_name)
def test_start_up_is_over_before_a_clock_is_read(game: tw.Game, folder: Path, monkeypatch: pytest.MonkeyPatch):
    def clock() -> float:
        raise AssertionError("the clock runs during start-up")

    monkeypatch.setattr(champion, "perf_counter", clock)
    search = new_search(game, folder)
    kernels = (search._move_root, search._simulate)
    compiled = [len(kernel.signatures) for kernel in kernels]
    assert min(compiled) > 0
    monkeypatch.undo()
    run(search, game.start(seed=1), 100, UNTIL)
    assert [len(kernel.signatures) for kernel in kernels] == compiled, "nothing was compiled on the clock"


def test_the_clock_alone_bounds_a_search(folder: Path, monkeypatch: pytest.MonkeyPatch):
    readings = iter(np.arange(0, 100, 0.01))  # each look at the clock takes 10 ms
    monkeypatch.setattr(champion, "perf_counter", lambda: float(next(readings)))
    search = new_search(tw.Azul(2), folder)
    found = search.run(tw.Azul(2).start(seed=1).states[0], Budget(seconds=0.5), new_generator(1))
    assert 400 <= found.simulations <= 25 * 128
    assert 0.4 < float(next(readings)) < 0.6


@pytest.mark.parametrize("budget", [Budget(simulations=10**12), Budget(seconds=UNTIL)])
def test_a_thought_can_be_cancelled_while_it_goes_on_and_before_it_begins(budget: Budget, folder: Path):
    game = tw.Azul(2)
    bot = ChampionBot(budget, seed=1, weights=small_network(game, folder))
    bot.prepare(game)
    position, cancellation = game.start(seed=1), Cancellation()
    cancelling = threading.Timer(0.05, cancellation.cancel)
    cancelling.start()
    for _ in range(2):  # the second time, it is cancelled already
        thought = bot.think(position, None, cancellation)
        assert thought.move in position.legal_moves
        assert 0 < thought.simulations < 10**9
        assert 0 <= (thought.winning_chance or 0) <= 1


def test_it_looks_at_the_cancellation_every_few_milliseconds(folder: Path):
    class Patient(Cancellation):
        looks = 0

        @property
        def is_cancelled(self) -> bool:
            self.looks += 1
            return False

    search, cancellation = new_search(tw.Azul(2), folder), Patient()
    budget = Budget(simulations=2000)
    found = search.run(tw.Azul(2).start(seed=1).states[0], budget, new_generator(1), cancellation)
    assert cancellation.looks >= found.simulations / 128


def test_afterstates_are_leaves(folder: Path):
    game = tw.Azul(2)
    position, bot = game.start(seed=3), GreedyBot(seed=1)
    while int(position.state.offered).bit_count() > 4:
        position.push(bot.choose(position))
    search = new_search(game, folder)
    run(search, position, 500)
    nodes = search.tree.nodes[: int(search.tree.counters["nodes_used"][0])]
    ends = nodes[nodes["kind"] == AFTERSTATE]
    assert len(ends) > 0
    assert ends["solved"].all()
    assert not ends["edges"].any()
