"""The tool that trains many rule sets in short sessions, at toy size."""

from __future__ import annotations

import tarfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import tilewright as tw
from tilewright.learn.checkpoint import read_network, seconds_trained
from tilewright.learn.run import CHECKPOINT, WEIGHTS
from tilewright.search.packing import read_arrays, write_weights
from tilewright.search.rule_sets import network_file, slug

ROOT = Path(__file__).parents[2]
SMALL = {"games": 2, "simulations": 2, "candidates": 2, "buffer": 96, "batch": 16, "updates": 1}
SETTINGS = [word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")]
SHIPPED = ["--from", str(ROOT / "src" / "tilewright" / "games")]
MOMENT = 0.005
"""Minutes."""


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Any:
    torch.set_num_threads(1)
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return import_module("train_champions")


def test_sessions_train_one_rule_set_after_the_other_and_go_on(
    tool: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    runs, bundles = tmp_path / "runs", tmp_path / "bundles"
    names = ["azul-2-coloured", "azul-3-coloured"]
    common = ["--folder", str(runs), "--bundle", str(bundles), "--device", "cpu", "--limit", "30", *SETTINGS, *SHIPPED]
    assert tool.main([*(f"{name}={MOMENT}" for name in names), *common]) == 0
    with tarfile.open(bundles / "runs-1.tar") as bundle:
        assert {f"{name}/{file}" for name in names for file in (CHECKPOINT, WEIGHTS, "log.jsonl")} == set(
            bundle.getnames()
        )
    trained = [seconds_trained(runs / name / CHECKPOINT) for name in names]
    assert min(trained) >= 60 * MOMENT
    capsys.readouterr()
    assert tool.main([f"{names[0]}={MOMENT}", f"{names[1]}={trained[1] / 60 + MOMENT}", *common]) == 0
    assert f"{names[0]}: nothing to do" in capsys.readouterr().out
    assert seconds_trained(runs / names[0] / CHECKPOINT) == trained[0]
    assert seconds_trained(runs / names[1] / CHECKPOINT) > trained[1]


def test_a_session_without_time_trains_nothing(tool: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert tool.main(["azul-2-coloured=60", "--folder", str(tmp_path), "--device", "cpu", "--limit", "0"]) == 0
    assert "azul-2-coloured: no time left" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_a_new_run_begins_with_its_own_weights_or_those_of_its_relative(tool: Any, tmp_path: Path):
    shipped = ROOT / "src" / "tilewright" / "games"
    assert tool.find_source(tw.Azul(2), tmp_path, [shipped]).name == "azul-2-coloured.npz"
    assert tool.find_source(tw.Azul(2), tmp_path, []) is None
    (tmp_path / "azul-2-coloured").mkdir()
    (tmp_path / "azul-2-coloured" / WEIGHTS).write_bytes(b"")
    assert tool.find_source(tw.Azul(3), tmp_path, []) == tmp_path / "azul-2-coloured" / WEIGHTS


def test_the_recipe_trains_relatives_first(tool: Any):
    recipe = import_module("champion_recipe")
    games = {slug(game): game for game in recipe.rule_sets()}
    order = list(recipe.MINUTES)
    assert set(order) == set(games)
    for name, game in games.items():
        relative = recipe.relative_of(game)
        assert relative is None or order.index(slug(relative)) < order.index(name)
        tool.Configuration(**recipe.settings_for(game))


def test_a_rule_set_that_fails_does_not_stop_the_others(tool: Any, tmp_path: Path):
    (tmp_path / "azul-2-grey").mkdir()
    (tmp_path / "azul-2-grey" / CHECKPOINT).write_bytes(b"nonsense")
    arguments = ["--folder", str(tmp_path), "--device", "cpu", "--limit", "30", *SETTINGS]
    assert tool.main([f"azul-2-grey={MOMENT}", f"azul-2-coloured={MOMENT}", *arguments]) == 1
    assert read_network(tmp_path / "azul-2-coloured" / WEIGHTS).actions == tw.Azul(2).actions


def test_an_unknown_rule_set_is_refused(tool: Any):
    with pytest.raises(SystemExit, match="unknown rule sets azul-9"):
        tool.main(["azul-9=1"])


@pytest.fixture
def package(tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The networks of the package in a folder of their own, and a run that is to replace that of Azul for three."""
    shipping = import_module("ship_networks")
    folder = tmp_path / "package"
    folder.mkdir()
    for rule_set in shipping.rule_sets():
        (folder / f"{slug(rule_set)}.npz").write_bytes(network_file(rule_set).read_bytes())
    run = tmp_path / "runs" / "azul-3-coloured"
    run.mkdir(parents=True)
    weights, about = read_arrays(network_file(tw.Azul(3)))
    doubled = {name: value if name.startswith("class_") else 2 * value for name, value in weights.items()}
    write_weights(run / WEIGHTS, doubled, about)
    monkeypatch.setattr(shipping, "network_file", lambda rule_set: folder / f"{slug(rule_set)}.npz")
    return folder


def ship(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr("sys.argv", ["ship_networks.py", *arguments])
    import_module("ship_networks").main()


def test_trained_networks_are_shipped(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    ship(monkeypatch, str(tmp_path / "runs"))
    weights, source = read_arrays(network_file(tw.Azul(3)))
    shipped, about = read_arrays(package / "azul-3-coloured.npz")
    assert np.allclose(shipped["first.weight"], 2 * weights["first.weight"], atol=0.05)
    assert about["policy_temperature"] == source["policy_temperature"]
    assert (package / "azul-2-coloured.npz").read_bytes() == network_file(tw.Azul(2)).read_bytes()


def test_a_network_that_is_too_sure_is_shipped_with_flatter_priors(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    ship(monkeypatch, str(tmp_path / "runs"))
    plain = read_network(package / "azul-3-coloured.npz")
    source = read_arrays(package / "azul-3-coloured.npz")[1]
    ship(monkeypatch, str(tmp_path / "runs"), "--policy-temperature", "3")
    about = read_arrays(package / "azul-3-coloured.npz")[1]
    assert about["policy_temperature"] == 3 * source["policy_temperature"]
    flat = read_network(package / "azul-3-coloured.npz")
    observations = torch.rand(5, plain.first.in_features, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        before, after = plain(observations), flat(observations)
    assert torch.allclose(after[0], before[0] / 3, atol=1e-3 * float(before[0].abs().max()))
    assert torch.equal(after[1], before[1]), "win chances stay as they were"
    assert torch.equal(after[2], before[2])


@pytest.mark.parametrize("temperature", ["0", "-1", "nan", "inf", "hot"])
def test_a_temperature_that_makes_no_sense_is_refused(
    temperature: str, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(SystemExit):
        ship(monkeypatch, str(tmp_path / "runs"), f"--policy-temperature={temperature}")
