"""What environments show: every mode for every rule set, and pixels that are the picture."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.envs import rendering
from tilewright.view.picture.palette import palette

NAMES = ["Anna", "Ben", "Carla", "Dora"]


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_texts(game, capsys):
    position, names = game.start(seed=7), NAMES[: game.players]
    assert rendering.render(position, "human", names) is None
    printed = capsys.readouterr().out
    assert all(name in printed for name in names)
    assert "\x1b" not in printed, "no codes where no terminal is"
    painted = rendering.render(position, "ansi", names)
    assert "\x1b[" in painted
    letters = re.sub(r"\x1b\[[0-9;]*m", "", painted)
    assert all(name in letters for name in names)
    assert rendering.render(position, "svg", names).startswith("<svg")


def test_colours_for_people_in_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(rendering, "_shows_colours", lambda: True)
    rendering.render(tw.Azul(players=2).start(seed=7), "human", NAMES[:2])
    assert "\x1b[" in capsys.readouterr().out


@pytest.mark.parametrize("game", [tw.Azul(players=2), tw.SummerPavilion(players=2)], ids=str)
def test_pixels(game):
    """As wide and high as the picture says, with the table's colour in the corner and many others within."""
    position = game.start(seed=7)
    pixels = rendering.render(position, "rgb_array", NAMES[:2])
    width, height = re.search(r'width="(\d+)" height="(\d+)"', rendering.render(position, "svg", NAMES[:2])).groups()
    assert pixels.shape == (int(height), int(width), 3)
    assert pixels.dtype == np.uint8
    assert bytes(pixels[0, 0]).hex() == palette("light", game.name)["table"].lstrip("#")
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 500
    assert not np.array_equal(pixels, rendering.render(game.start(seed=8), "rgb_array", NAMES[:2]))


@pytest.mark.parametrize("package", ["resvg_py", "PIL"])
def test_pixels_without_the_packages(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=rf'needs the package {package}: pip install "tilewright\[rl\]"'):
        rendering.to_pixels("<svg/>")
