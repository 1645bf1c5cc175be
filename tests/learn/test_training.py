"""Training learns, stops and goes on; its weights travel to other rule sets."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import numpy as np
import pytest
import torch

import tilewright as tw
from learn.toy import TOY, toy_trainer
from tilewright.game.errors import BadOption
from tilewright.learn import checkpoint
from tilewright.learn.configuration import Configuration
from tilewright.learn.network import Network
from tilewright.learn.training import Trainer
from tilewright.learn.transfer import UNKNOWN, matching_inputs, matching_moves, transfer
from tilewright.search.packing import read_arrays


def weights_of(network: Network) -> torch.Tensor:
    return torch.cat([parameter.detach().ravel() for parameter in network.parameters()])


def test_training_changes_the_network_and_lowers_the_loss():
    trainer = toy_trainer(tw.Azul(2))
    before = weights_of(trainer.network)
    lines = []
    trainer.run(steps=120, report=lines.append, every=0.0)
    assert trainer.updates > 0
    assert not torch.equal(before, weights_of(trainer.network))
    told = [line for line in lines if "win_loss" in line]
    assert "win_loss" not in lines[0], "nothing was learnt yet"
    assert told[-1]["win_loss"] < 0.75
    assert json.dumps(told[-1])


def test_a_run_that_was_interrupted_is_the_run_that_was_not(tmp_path):
    whole = toy_trainer(tw.Azul(2))
    whole.run(steps=90)
    checkpoint.save(whole, tmp_path / "half.pt", complete=True)
    resumed = checkpoint.resume(tw.Azul(2), tmp_path / "half.pt")
    saved = torch.get_rng_state()
    resumed.run(steps=100)
    torch.set_rng_state(saved)
    whole.run(steps=100)
    assert whole.steps == resumed.steps == 100
    assert torch.equal(weights_of(whole.network), weights_of(resumed.network))
    assert torch.equal(weights_of(whole.average), weights_of(resumed.average))
    assert torch.equal(whole.self_play.tensors["words"], resumed.self_play.tensors["words"])


def test_a_small_checkpoint_keeps_weights_moments_and_counters(tmp_path):
    trainer = toy_trainer(tw.Azul(2))
    trainer.run(steps=120)
    assert trainer.updates > 0
    checkpoint.save(trainer, tmp_path / "small.pt")
    resumed = checkpoint.resume(tw.Azul(2), tmp_path / "small.pt")
    assert torch.equal(weights_of(trainer.network), weights_of(resumed.network))
    assert (resumed.steps, resumed.updates) == (120, trainer.updates)
    assert resumed.configuration == TOY
    before, after = trainer.optimiser.state_dict()["state"], resumed.optimiser.state_dict()["state"]
    assert before.keys() == after.keys()
    assert before
    for n in before:
        assert after[n]["exp_avg"].dtype == torch.float32
        assert torch.allclose(before[n]["exp_avg"], after[n]["exp_avg"], rtol=1e-2, atol=1e-12)
        assert torch.allclose(before[n]["exp_avg_sq"], after[n]["exp_avg_sq"], rtol=1e-2, atol=1e-12)
        assert before[n]["step"] == after[n]["step"]


def test_a_resumed_run_deals_other_tiles_than_the_run_before_it(tmp_path):
    trainer = toy_trainer(tw.Azul(2))
    dealt = trainer.self_play.tensors["words"][:, : TOY.games].clone()
    trainer.run(steps=3)
    checkpoint.save(trainer, tmp_path / "small.pt")
    resumed = checkpoint.resume(tw.Azul(2), tmp_path / "small.pt")
    assert not torch.equal(resumed.self_play.tensors["words"][:, : TOY.games], dealt)


def test_settings_may_change_when_a_run_is_resumed_but_not_the_network(tmp_path):
    checkpoint.save(toy_trainer(tw.Azul(2)), tmp_path / "azul.pt")
    resumed = checkpoint.resume(tw.Azul(2), tmp_path / "azul.pt", learning_rate=0.5, games=2)
    assert (resumed.configuration.learning_rate, resumed.configuration.games) == (0.5, 2)
    with pytest.raises(BadOption, match="has width 16, which cannot become 32"):
        checkpoint.resume(tw.Azul(2), tmp_path / "azul.pt", width=32)


@pytest.mark.parametrize("complete", [False, True])
def test_changed_settings_reach_the_kernels_of_a_resumed_run(tmp_path, complete):
    checkpoint.save(toy_trainer(tw.Azul(2)), tmp_path / "azul.pt", complete)
    resumed = checkpoint.resume(tw.Azul(2), tmp_path / "azul.pt", fpu_reduction=0.25, td_lambda=0.5)
    settings = resumed.self_play.store.settings[0]
    assert (settings["fpu_reduction"], settings["td_lambda"], settings["candidates"]) == (0.25, 0.5, TOY.candidates)


def test_training_stops_at_its_deadline():
    trainer = toy_trainer(tw.Azul(2))
    trainer.run(seconds=3600, deadline=time.monotonic())
    assert trainer.steps <= 1


def test_a_file_that_is_not_a_checkpoint_is_refused(tmp_path):
    (tmp_path / "none.pt").write_bytes(b"nonsense")
    with pytest.raises(BadOption, match="is not a checkpoint"):
        checkpoint.resume(tw.Azul(2), tmp_path / "none.pt")


def test_the_learning_rate_warms_up_and_falls():
    trainer = Trainer(tw.Azul(2), replace(TOY, warm_up=10, learning_rate=0.1, last_learning_rate=0.01))
    assert trainer.learning_rate_at(0.0) == pytest.approx(0.01)
    trainer.updates = 100
    assert trainer.learning_rate_at(0.5) == pytest.approx(0.05)
    assert trainer.learning_rate_at(0.99) == pytest.approx(0.01)


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


def test_a_run_begins_with_weights_of_a_relative(tmp_path):
    trainer = toy_trainer(tw.Azul(2))
    checkpoint.export(trainer, tmp_path / "two.npz")
    three = toy_trainer(tw.Azul(3))
    checkpoint.start_from(three, tmp_path / "two.npz")
    assert torch.allclose(three.average.blocks[0].weight, trainer.average.blocks[0].weight, atol=1e-3)
    assert torch.equal(three.network.first.weight, three.average.first.weight)
    checkpoint.save(three, tmp_path / "three.pt")
    checkpoint.export(checkpoint.resume(tw.Azul(3), tmp_path / "three.pt"), tmp_path / "three.npz")
    assert read_arrays(tmp_path / "three.npz")[1]["origin"] == {
        "rule_set": "azul-2-coloured", "seconds": 0.0, "origin": {}
    }  # fmt: skip
    with pytest.raises(BadOption, match="has width 16 and 1 blocks, not 8 and 1"):
        checkpoint.start_from(Trainer(tw.Azul(3), replace(TOY, width=8)), tmp_path / "two.npz")


def test_moves_with_jokers_begin_as_those_without():
    source, target = tw.Azul(2), tw.Azul(3, jokers=True)
    moves = matching_moves(source, target)
    for text, known in (("2rj4:1", "2r4"), ("7wjf", "5wf"), ("cyj5:2", "cy5"), ("2j5", "2w5")):
        assert moves[target.move(text)] == int(source.move(known))
    assert moves[target.move("w24")] == UNKNOWN


def test_a_network_travels_to_its_own_rule_set_unchanged():
    network = Network.for_game(tw.SummerPavilion(2), TOY)
    state = transfer(tw.SummerPavilion(2), network, tw.SummerPavilion(2))
    assert all(torch.equal(state[name], value) for name, value in network.state_dict().items())


def test_wrong_configurations_are_refused():
    with pytest.raises(BadOption, match="games must be greater than 0"):
        Configuration(games=0)
    with pytest.raises(BadOption, match="has no colour"):
        Configuration.from_dict({"colour": "red"})
