"""The champion: its inference is the network's, its moves are legal, its searches repeatable."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import tilewright as tw
from rule_sets import file_name
from tilewright.bots.bot import new_generator
from tilewright.bots.champion import ChampionBot, canonical
from tilewright.envs.observation import Observer
from tilewright.learn import checkpoint
from tilewright.learn.configuration import Configuration
from tilewright.learn.network import Network
from tilewright.learn.training import Trainer
from tilewright.search.budget import Budget
from tilewright.search.champion import ChampionSearch
from tilewright.search.champion_tree import ROOT
from tilewright.search.network import read_weights

SMALL = Configuration(width=32, blocks=2, games=2, simulations=2, buffer=4, batch=2)
GAMES = [tw.Azul(2), tw.Azul(3, "grey", True), tw.SummerPavilion(2), tw.SummerPavilion(4, "grey")]


@pytest.fixture
def weights(tmp_path, request):
    game = request.param
    torch.manual_seed(3)
    trainer = Trainer(game, SMALL)
    path = tmp_path / "weights.npz"
    checkpoint.export(trainer, path)
    return game, path


@pytest.mark.parametrize("weights", GAMES, ids=file_name, indirect=True)
def test_the_kernels_compute_what_torch_does(weights):
    game, path = weights
    network: Network = checkpoint.read_network(path)
    search = ChampionSearch(game, read_weights(path)[0])
    layout = Observer(game)
    for seed in range(5):
        position = game.start(seed=seed)
        search.run(canonical(position)[0].table[0], Budget(simulations=1), new_generator(1))
        seen = layout.observe(search.tree.positions, ROOT, int(position.turn or 0))
        with torch.no_grad():
            logits, wins, margins = network(torch.from_numpy(seen)[None])
        players, mover = game.players, int(position.turn or 0)
        values = search.tree.values[: 2 * players]
        assert np.allclose(np.roll(values[:players], -mover), torch.softmax(wins[0], 0), atol=1e-4)
        assert np.allclose(np.roll(values[players:], -mover), margins[0], atol=1e-4)
        edges = slice(0, int(search.tree.edges[ROOT]))
        expected = torch.softmax(logits[0][search.tree.edge_move[edges].astype(np.int64)], 0)
        assert np.allclose(search.tree.edge_prior[edges], expected, atol=1e-4)


@pytest.mark.parametrize("weights", GAMES, ids=file_name, indirect=True)
def test_it_plays_whole_games_of_legal_moves_and_the_same_again(weights):
    game, path = weights
    games = []
    for _ in range(2):
        bot = ChampionBot(Budget(simulations=20), seed=4, weights=path)
        position = game.start(seed=9)
        while position.outcome() is None:
            position.push(bot.choose(position))
        games.append(position.to_text())
    assert games[0] == games[1]


@pytest.mark.parametrize("weights", [tw.Azul(2)], ids=file_name, indirect=True)
def test_it_tells_what_it_expects(weights):
    game, path = weights
    thought = ChampionBot(Budget(simulations=50), seed=4, weights=path).think(game.start(seed=2))
    assert thought.winning_chance is not None
    assert 0 <= thought.winning_chance <= 1
    assert thought.margin is not None
    assert abs(thought.margin) <= 80
    assert 0 < thought.simulations <= 64
