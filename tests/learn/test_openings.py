"""Games of self-play that begin with other positions than the empty boards."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import tilewright as tw
from learn.toy import TOY
from tilewright.learn.openings import read_openings
from tilewright.learn.training import Trainer

GAME = tw.Azul(2)
TOOL = Path(__file__).parents[2] / "tools" / "openings.py"


@pytest.fixture
def openings(tmp_path: Path) -> Path:
    """The positions before the later deals of one game."""
    position = GAME.start(seed=4)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    position.record().save(tmp_path / "game-000001.txt")
    path = tmp_path / "openings.txt"
    subprocess.run([sys.executable, TOOL, tmp_path, "--output", path], check=True, timeout=120)
    assert len(path.read_text().splitlines()) == position.round - 1
    return path


def rounds_at_the_start(openings: Path, share: float) -> np.ndarray:
    torch.set_num_threads(1)
    settings = replace(
        TOY, games=200, simulations=2, candidates=2, buffer=4, openings=str(openings), opening_share=share
    )
    self_play = Trainer(GAME, settings).self_play
    words = np.ascontiguousarray(self_play.store.words[:, : settings.games].T)
    return words.view(GAME.kernels.dtype)["round_number"].ravel()


def test_a_share_of_the_games_begins_with_an_opening(openings):
    rounds = rounds_at_the_start(openings, 0.5)
    assert 70 < (rounds == 1).sum() < 130
    assert len(set(rounds)) == len(read_openings(GAME, str(openings)))


def test_all_games_or_none_begin_with_an_opening(openings):
    assert (rounds_at_the_start(openings, 1.0) > 1).all()
    assert (rounds_at_the_start(openings, 0.0) == 1).all()


def test_an_opening_is_a_position_before_a_deal(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text(GAME.start(seed=1).to_text())
    with pytest.raises(tw.BadOption, match=r"line 1: an opening is a position before a deal"):
        read_openings(GAME, str(path))
    path.write_text(tw.Azul(3).set_up().to_text())
    with pytest.raises(tw.BadOption, match="line 1: "):
        read_openings(GAME, str(path))
    with pytest.raises(tw.BadOption, match="cannot read the openings"):
        read_openings(GAME, str(tmp_path / "missing.txt"))
