"""Self-play in every rule set: whole games, proper searches, samples that know nothing of the future."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import tilewright as tw
from learn.toy import TOY, toy_trainer
from rule_sets import file_name
from tilewright.envs.observation import NetworkObserver
from tilewright.envs.symmetry import canonical
from tilewright.learn.allocation import halving_schedule
from tilewright.learn.self_play import SelfPlay
from tilewright.learn.store import (
    AFTERSTATE_SAMPLE,
    DECISION_SAMPLE,
    DIVERTED_SAMPLE,
    EDGES,
)

RULE_SETS = [
    *(
        tw.Azul(players, wall, jokers)
        for players in (2, 3, 4)
        for wall in ("coloured", "grey")
        for jokers in (False, True)
    ),
    *(tw.SummerPavilion(players, side) for players in (2, 3, 4) for side in ("coloured", "grey")),
]


def play(self_play: SelfPlay, steps: int) -> None:
    for _ in range(steps):
        self_play.step()


@pytest.mark.parametrize("game", RULE_SETS, ids=map(file_name, RULE_SETS))
def test_every_rule_set_plays_whole_games_and_fills_the_buffer(game):
    self_play = toy_trainer(game).self_play
    totals = self_play.store.totals
    for _ in range(1000):
        self_play.step()
        if totals["games"].min() > 0:
            break
    assert totals["games"].min() >= 1
    observations, policy, target, kind, weight = self_play.sample(64)
    assert weight.min() == 1
    assert torch.isfinite(observations).all()
    low = torch.from_numpy(NetworkObserver(game).low)
    assert (observations[:, : len(low)] >= low).all()
    shares = target[:, : game.players]
    assert torch.allclose(shares.sum(1), torch.ones(64), atol=1e-4)
    assert (shares >= 0).all()
    chances = policy[kind == DECISION_SAMPLE].clamp(min=0)
    assert torch.allclose(chances.sum(1), torch.ones(len(chances)), atol=1e-4)


def test_a_search_makes_all_its_simulations_and_plays_a_candidate():
    self_play = toy_trainer(tw.Azul(2)).self_play
    play(self_play, 5)
    store = self_play.store
    nodes = TOY.simulations + 1
    for g in range(TOY.games):
        edges = int(store.node_edges[g * nodes])
        first = g * nodes * EDGES
        assert store.visits[first : first + edges].sum() == TOY.simulations
        assert store.played[g] in store.move[first : first + edges]
    assert (store.totals["decisions"] == 5).all()


def test_the_played_position_is_what_the_rules_make_of_the_move():
    game = tw.Azul(2)
    self_play = toy_trainer(game).self_play
    words = self_play.store.words[:, : TOY.games].copy()
    play(self_play, 1)
    for g in range(TOY.games):
        states = game.kernels.new_states(1)
        states.view(np.uint64)[:] = words[:, g]
        assert game.kernels.push_at(states, 0, int(self_play.store.played[g]))
        after = game.kernels.new_states(1)
        after.view(np.uint64)[:] = self_play.store.words[:, g]
        for field in ("floor", "line_tiles", "line_colour", "turn", "bag", "lid"):
            assert (states[field] == after[field]).all()
        assert sorted(states["places"][0, 1:]) == sorted(after["places"][0, 1:])


def test_halving_spends_every_simulation_on_a_move_that_is_there():
    for candidates in range(1, 17):
        visits = [0] * candidates
        for wanted in halving_schedule(candidates, 64):
            visits[visits.index(wanted)] += 1
        assert sum(visits) == 64


@pytest.mark.parametrize("game", [tw.Azul(2), tw.SummerPavilion(2)], ids=file_name)
def test_searches_and_samples_do_not_depend_on_what_will_be_drawn(game):
    """Two runs that differ only in their dealers agree, in every game, until the first tiles are drawn.

    The last decision before a draw is among those compared, although its move leads to the draw.
    """
    one, two = toy_trainer(game).self_play, toy_trainer(game).self_play
    two.tensors["deal_generators"] += 12345
    same = set(range(TOY.games))
    for _ in range(200):
        same = {g for g in same if (one.store.words[:, g] == two.store.words[:, g]).all()}
        if not same:
            break
        slots = {g: int(one.tensors["written"][g]) % TOY.buffer for g in same}
        one.step()
        two.step()
        for g, slot in slots.items():
            for name in ("buffer_observations", "buffer_policy", "buffer_search"):
                assert torch.equal(one.tensors[name][slot, g], two.tensors[name][slot, g])
            assert one.store.played[g] == two.store.played[g]
    assert not same, "the dealers never differed"


CANONICAL = [tw.Azul(2), tw.Azul(3, "grey", jokers=True), tw.SummerPavilion(2), tw.SummerPavilion(3, "grey")]


@pytest.mark.parametrize("game", CANONICAL, ids=map(file_name, CANONICAL))
def test_every_position_that_the_network_sees_is_canonical(game):
    """The roots and all nodes of the trees: twins with another order of the factories never occur."""
    self_play = toy_trainer(game).self_play
    play(self_play, 12)
    games, nodes = TOY.games, TOY.simulations + 1
    used = [node * games + g for g in range(games) for node in range(nodes) if node < self_play.store.nodes_used[g]]
    states = game.kernels.new_states(len(used))
    states.view(np.uint64).reshape(len(used), -1)[:] = self_play.store.words[:, used].T
    for n in range(len(used)):
        position = tw.Position(game, states[n : n + 1].copy())
        assert canonical(position)[0] == position


def test_an_afterstate_is_seen_before_the_deal():
    game = tw.Azul(2)
    self_play = toy_trainer(game).self_play
    play(self_play, 60)
    layout = NetworkObserver(game)
    kinds, written = self_play.store.buffer_kind, self_play.store.written
    seen = 0
    for g in range(TOY.games):
        for slot in range(min(int(written[g]), TOY.buffer)):
            if kinds[slot, g] == AFTERSTATE_SAMPLE:
                observation = self_play.store.buffer_observations[slot, g, : layout.size]
                assert not layout.part(observation, "factories").any()
                assert not layout.part(observation, "centre").any()
                seen += 1
    assert seen >= TOY.games


def test_a_result_reaches_the_samples_of_its_game_from_each_observer_s_view():
    # the result alone, nothing of what searches thought
    self_play = toy_trainer(tw.Azul(2), td_lambda=1.0).self_play
    while self_play.tensors["finished"][0] == 0:
        self_play.step()
    store, finished = self_play.store, int(self_play.store.finished[0])
    first = max(0, finished - TOY.buffer)
    targets = np.array([store.buffer_target[n % TOY.buffer, 0] for n in range(first, finished)])
    movers = np.array([store.buffer_mover[n % TOY.buffer, 0] for n in range(first, finished)])
    assert set(movers) == {0, 1}
    own, other = targets[movers == 0], targets[movers == 1]
    assert (own == own[0]).all()
    assert (other == other[0]).all()
    assert (own[0] == other[0][[1, 0, 3, 2]]).all()
    assert own[0][:2].sum() == 1
    assert own[0][2] == -own[0][3]


def test_a_random_move_does_not_change_what_the_position_before_it_was_worth():
    # the result alone, unless a random move lies between
    self_play = toy_trainer(tw.Azul(2), diversion=0.3, td_lambda=1.0).self_play
    while self_play.tensors["finished"][0] == 0:
        self_play.step()
    store, finished = self_play.store, int(self_play.store.finished[0])
    kinds = [int(store.buffer_kind[n % TOY.buffer, 0]) for n in range(finished)]
    assert {DECISION_SAMPLE, DIVERTED_SAMPLE} <= set(kinds)
    worth = None
    for slot in reversed(range(finished)):
        mover = int(store.buffer_mover[slot, 0])
        target = np.roll(store.buffer_target[slot, 0, :2], mover)
        if kinds[slot] == DIVERTED_SAMPLE:
            worth = store.buffer_search[slot, 0, :2].copy()
        if worth is not None:
            assert np.allclose(target, worth)


def test_a_target_temperature_takes_its_share_of_the_logits_and_nothing_else():
    plain = toy_trainer(tw.Azul(2)).self_play
    flatter = toy_trainer(tw.Azul(2), target_temperature=2.0).self_play
    plain.step()
    flatter.step()
    assert (plain.store.played == flatter.store.played).all()
    count = int(plain.store.root_count[0])
    moves = plain.store.root_moves[0, :count]
    logits = plain.store.root_logits[0, :count]
    ratio = np.log(plain.store.buffer_policy[0, 0, moves]) - np.log(flatter.store.buffer_policy[0, 0, moves])
    assert np.ptp(logits) > 0.01
    assert np.allclose(ratio - ratio[0], (logits - logits[0]) / 2, atol=0.02)
