"""Training learns, stops and goes on; its weights travel to other rule sets."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

import tilewright as tw
from learn.toy import TOY, toy_trainer
from tilewright.game.errors import BadOption
from tilewright.learn import checkpoint
from tilewright.learn.configuration import Configuration
from tilewright.learn.network import Network
from tilewright.learn.transfer import UNKNOWN, matching_inputs, matching_moves, transfer


def weights_of(network: Network) -> torch.Tensor:
    return torch.cat([parameter.detach().ravel() for parameter in network.parameters()])


def test_training_changes_the_network_and_lowers_the_loss():
    trainer = toy_trainer(tw.Azul(2))
    before = weights_of(trainer.network)
    lines = []
    trainer.run(steps=120, log=lines.append, every=0.0)
    assert trainer.updates > 0
    assert not torch.equal(before, weights_of(trainer.network))
    told = [line for line in lines if line["win"] > 0]
    assert told[-1]["win"] < 0.75
    assert json.dumps(told[-1])


def test_a_run_that_was_interrupted_is_the_run_that_was_not(tmp_path):
    whole = toy_trainer(tw.Azul(2))
    whole.run(steps=90)
    checkpoint.save(whole, tmp_path / "half.pt", with_games=True)
    resumed = checkpoint.resume(tw.Azul(2), tmp_path / "half.pt")
    saved = torch.get_rng_state()
    resumed.run(steps=10)
    torch.set_rng_state(saved)
    whole.run(steps=10)
    assert whole.steps == resumed.steps == 100
    assert torch.equal(weights_of(whole.network), weights_of(resumed.network))
    assert torch.equal(weights_of(whole.average), weights_of(resumed.average))
    assert torch.equal(whole.self_play.tensors["words"], resumed.self_play.tensors["words"])


def test_a_checkpoint_without_games_keeps_weights_optimiser_and_count(tmp_path):
    trainer = toy_trainer(tw.Azul(2))
    trainer.run(steps=80)
    checkpoint.save(trainer, tmp_path / "small.pt")
    resumed = checkpoint.resume(tw.Azul(2), tmp_path / "small.pt")
    assert torch.equal(weights_of(trainer.network), weights_of(resumed.network))
    assert resumed.steps == 80
    assert resumed.configuration == TOY
    states = trainer.optimiser.state_dict()["state"], resumed.optimiser.state_dict()["state"]
    assert states[0].keys() == states[1].keys()
    assert all(torch.equal(states[0][n]["exp_avg"], states[1][n]["exp_avg"]) for n in states[0])


def test_a_checkpoint_of_another_rule_set_is_refused(tmp_path):
    checkpoint.save(toy_trainer(tw.Azul(2)), tmp_path / "azul.pt")
    with pytest.raises(BadOption, match="azul-2-coloured"):
        checkpoint.resume(tw.Azul(2, wall="grey"), tmp_path / "azul.pt")


def test_exported_weights_load_in_torch_and_say_where_they_come_from(tmp_path):
    trainer = toy_trainer(tw.Azul(2))
    checkpoint.export(trainer, tmp_path / "azul.npz")
    network = checkpoint.read_network(tmp_path / "azul.npz")
    assert torch.allclose(weights_of(network), weights_of(trainer.average), atol=1e-3)
    with np.load(tmp_path / "azul.npz") as file:
        about = json.loads(str(file["about"]))
    assert Configuration.from_dict(about["configuration"]) == TOY
    assert about["rule_set"] == "azul-2-coloured"


def test_weights_travel_by_the_names_of_inputs_and_moves():
    source, target = tw.Azul(2), tw.Azul(3)
    inputs, share = matching_inputs(source, target)
    moves = matching_moves(source, target)
    assert (inputs != UNKNOWN).all()
    assert (moves != UNKNOWN).all()
    assert moves[int(target.move("3b2"))] == int(source.move("3b2"))
    assert moves[int(target.move("7b2"))] == int(source.move("5b2"))
    assert set(np.unique(share)) == {0.5, 1.0}
    network = Network.for_game(source, TOY)
    Network.for_game(target, TOY).load_state_dict(transfer(source, network, target))


def test_moves_with_jokers_begin_as_those_without():
    source, target = tw.Azul(2), tw.Azul(3, jokers=True)
    moves = matching_moves(source, target)
    for text, known in (("2rj4:1", "2r4"), ("7wjf", "5wf"), ("cyj5:2", "cy5")):
        assert moves[target.move(text)] == int(source.move(known))
    for text in ("2j5", "w24"):
        assert moves[target.move(text)] == UNKNOWN


def test_a_network_travels_to_its_own_rule_set_unchanged():
    network = Network.for_game(tw.SummerPavilion(2), TOY)
    state = transfer(tw.SummerPavilion(2), network, tw.SummerPavilion(2))
    assert all(torch.equal(state[name], value) for name, value in network.state_dict().items())


def test_wrong_configurations_are_refused():
    with pytest.raises(BadOption, match="games is more than 0"):
        Configuration(games=0)
    with pytest.raises(BadOption, match="has no colour"):
        Configuration.from_dict({"colour": "red"})
