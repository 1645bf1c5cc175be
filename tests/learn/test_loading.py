"""The shipped networks as PyTorch modules and as ONNX files: the numbers of the kernels that play."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

import tilewright as tw
from rule_sets import file_name
from tilewright.cli.main import main
from tilewright.envs.observation import NetworkObserver
from tilewright.game.registry import every_rule_set
from tilewright.learn.configuration import Configuration
from tilewright.search import network, packing
from tilewright.search.packing import read_arrays
from tilewright.search.rule_sets import network_file, slug

SHIPPED = list({slug(game): game for game in every_rule_set()}.values())
IN_NUMBERS = [tw.Azul(2), tw.Azul(3, "grey", jokers=True), tw.SummerPavilion(2), tw.SummerPavilion(4, "grey")]


def observations_of(game: tw.Game, count: int) -> np.ndarray:
    """What movers observe in random games."""
    batch, observer = game.batch(count, seed=3), NetworkObserver(game)
    for _ in range(9):
        batch.push(batch.random_moves())
    return np.stack([observer.observe(batch.states, n, int(batch.states[n]["turn"])) for n in range(count)])


@pytest.mark.parametrize("game", SHIPPED, ids=map(file_name, SHIPPED))
def test_every_rule_set_has_a_network_of_its_size(game: tw.Game):
    assert read_arrays(network_file(game))[1]["rule_set"] == slug(game)
    moves, wins, margins = tw.load_network(game)(torch.zeros(3, NetworkObserver(game).size))
    assert moves.shape == (3, game.actions)
    assert wins.shape == margins.shape == (3, game.players)


@pytest.mark.parametrize("game", SHIPPED, ids=map(file_name, SHIPPED))
def test_every_network_names_its_settings_as_the_configuration_does(game: tw.Game):
    told = read_arrays(network_file(game))[1]["configuration"]
    assert Configuration.from_dict(told).as_dict().items() >= told.items()
    assert "fpu_reduction" in told


def test_weights_of_an_older_version_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    weights, about = read_arrays(network_file(tw.Azul(2)))
    monkeypatch.setattr(packing, "FORMAT", 2)
    packing.write_weights(tmp_path / "old.npz", weights, about)
    monkeypatch.undo()
    with pytest.raises(tw.BadOption, match="weights of format 2, but this version of Tilewright reads format 3"):
        tw.load_network("azul", path=tmp_path / "old.npz")
    with pytest.raises(tw.BadOption, match="train them again"):
        network.read_network_weights(tmp_path / "old.npz")


def test_all_networks_together_are_small():
    assert sum(network_file(game).stat().st_size for game in SHIPPED) <= 10 * 10**6


def kernel_outputs(game: tw.Game, observations: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """What the kernels that play compute: the logits of all moves, and the values from the observer's seat on."""
    weights = network.read_network_weights(network_file(game))
    activations, values = network.new_activations(weights), np.zeros(2 * game.players, np.float32)
    compute_hidden, compute_values, compute_logit = (
        game.kernels.compile(function)
        for function in (network.compute_hidden, network.compute_values, network.compute_logit)
    )
    outputs = []
    for observation in observations:
        activations.observation[:] = observation
        activations.class_logits[:] = np.nan
        compute_hidden(weights, activations)
        compute_values(weights, activations, 0, values)
        logits = [compute_logit(weights, activations, move) for move in range(game.actions)]
        outputs.append((np.array(logits), values.copy()))
    return outputs


@pytest.mark.parametrize("game", IN_NUMBERS, ids=map(file_name, IN_NUMBERS))
def test_the_module_says_what_the_kernels_say(game: tw.Game):
    observations = observations_of(game, 8)
    with torch.no_grad():
        moves, wins, margins = tw.load_network(game)(torch.from_numpy(observations))
    for n, (logits, values) in enumerate(kernel_outputs(game, observations)):
        assert np.allclose(logits, moves[n], atol=3e-2)  # the kernels round weights to 16 bits
        assert np.allclose(values[: game.players], torch.softmax(wins[n], 0), atol=1e-3)
        assert np.allclose(values[game.players :], margins[n], atol=1e-3)


def test_a_network_is_found_by_the_name_of_its_game_and_its_options():
    assert tw.load_network("azul", players=3, wall="grey").actions == tw.Azul(3, wall="grey").actions
    assert tw.load_network("azul-mini").players == 2


def test_a_wrong_file_is_refused(tmp_path: Path):
    with pytest.raises(tw.BadOption, match=r"nothing\.npz does not exist"):
        tw.load_network("azul", path=tmp_path / "nothing.npz")
    with pytest.raises(tw.BadOption, match="is not a network for"):
        tw.load_network("azul", path=network_file(tw.SummerPavilion(2)))


def test_onnx_runtime_agrees_for_batches_of_any_size(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    game = tw.Azul(2)
    network = tw.load_network(game)
    assert main(["export", "azul", "--output", str(tmp_path / "azul.onnx")]) == 0
    assert capfd.readouterr().err == "", "the exporter should not tell of packages that nobody needs"
    session = onnxruntime.InferenceSession(str(tmp_path / "azul.onnx"))
    for count in (1, 5):
        observations = observations_of(game, count)
        with torch.no_grad():
            expected = network(torch.from_numpy(observations))
        found = session.run(["move_logits", "win_logits", "margins"], {"observations": observations})
        for one, other in zip(found, expected, strict=True):
            assert np.allclose(one, other, atol=1e-4)


def test_pytorch_is_not_imported_before_a_network_is_loaded():
    check = "import sys, tilewright; from tilewright import *; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
