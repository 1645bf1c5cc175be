"""train: weights, checkpoints and reports, at toy size."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tilewright as tw
from tilewright.bots.champion import ChampionBot
from tilewright.cli.main import main
from tilewright.search.budget import Budget

TOY = ["--games", "2", "--simulations", "2", "--width", "8"]


def test_a_trained_network_can_be_played_and_trained_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    weights, checkpoint, log = tmp_path / "toy.npz", tmp_path / "toy.pt", tmp_path / "log.jsonl"
    files = ["--output", str(weights), "--checkpoint", str(checkpoint), "--log", str(log)]
    assert main(["train", "azul", "--steps", "3", *TOY, *files]) == 0
    assert "after 3 decisions in each of 2 games" in capsys.readouterr().out
    position = tw.Azul(players=2).start(seed=7)
    assert ChampionBot(Budget(simulations=4), weights=weights).choose(position) in position.legal_moves
    assert main(["train", "azul", "--steps", "2", "--resume", str(checkpoint), *files]) == 0
    assert "after 5 decisions" in capsys.readouterr().out
    steps = [json.loads(line)["steps"] for line in log.read_text().splitlines()]
    assert {3, 5} <= set(steps), "each run ends with a line; a slow one has more"
    assert steps == sorted(steps)


def test_a_checkpoint_of_another_rule_set_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    checkpoint = tmp_path / "toy.pt"
    files = ["--output", str(tmp_path / "toy.npz"), "--checkpoint", str(checkpoint)]
    assert main(["train", "azul", "--steps", "1", *TOY, *files]) == 0
    assert main(["train", "azul", "--wall", "grey", "--steps", "1", "--resume", str(checkpoint), *files]) == 2
    assert "is a checkpoint of 'azul-2-coloured', not of 'azul-2-grey'" in capsys.readouterr().err
