"""The examples that learn by self-play really learn, on the public API alone."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import torch

import tilewright as tw

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def examples(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)


def test_ppo_learns():
    (_, before), (_, after) = import_module("ppo").main(["--updates", "1"])
    assert before < 0.8
    assert after > 0.9


def test_the_search_of_alphazero():
    example = import_module("alphazero")
    torch.manual_seed(1)
    game = tw.Azul(players=2)
    search, generator = example.Search(game, example.Network(game), 12), np.random.default_rng(1)
    vector = tw.Vector(game, example.GAMES, seed=1)
    while not vector.dones.any():
        vector.step(vector.random_moves())
    before = vector.states.copy()
    visits = search.run(vector.states, generator)
    assert (visits.sum(axis=1) == 12).all()
    assert not visits[~vector.masks].any()
    assert (vector.states == before).all()


def test_alphazero_learns_what_the_search_prefers():
    example = import_module("alphazero")
    torch.manual_seed(1)
    game, generator = tw.Azul(players=2), np.random.default_rng(1)
    network = example.Network(game)
    position = game.start(seed=7)
    tried = np.zeros(game.actions, np.float32)
    tried[position.legal_moves.numbers()[3]] = 1
    memory = [(position.observation(), position.mask(), tried, np.float32(0.5))]
    optimiser = torch.optim.Adam(network.parameters(), 1e-3)
    for _ in range(50):
        example.learn(network, optimiser, memory, generator)
    with torch.no_grad():
        log_policy, value = network(torch.from_numpy(memory[0][0])[None], torch.from_numpy(memory[0][1])[None])
    assert int(log_policy.argmax()) == int(tried.argmax())
    assert value.item() == pytest.approx(0.5, abs=0.1)


@pytest.mark.slow
def test_alphazero_plays_and_learns():
    before, *_, after = import_module("alphazero").main(["--minutes", "0.51", "--simulations", "8"])
    assert after > before + 0.1


@pytest.mark.parametrize("name", ["ppo", "alphazero"])
def test_they_need_only_the_public_api(name: str):
    tree = ast.parse((EXAMPLES / f"{name}.py").read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module for module in imported if module.startswith("tilewright")} == {"tilewright"}
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "tw"}
    assert used <= set(tw.__all__)
