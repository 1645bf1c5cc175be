"""Scenes are drawn once: a server shows every move of hundreds of games."""

from __future__ import annotations

import pytest

import tilewright as tw
from tilewright.view.picture import scenes
from tilewright.view.picture.compose import picture_of
from tilewright.view.picture.scenes import scene_of


@pytest.mark.parametrize("game", [game() for game in tw.GAMES.values()], ids=str)
def test_the_same_position_is_drawn_once(game: tw.Game):
    position = game.start(seed=3)
    first = scene_of(position)
    assert first == picture_of(game).scene(position)
    assert scene_of(position.copy()) is first
    position.push(position.legal_moves[0])
    assert scene_of(position) == picture_of(game).scene(position) != first


def test_other_rules_are_another_scene():
    coloured, grey = tw.GAMES["azul"](), tw.GAMES["azul"](wall="grey")
    assert scene_of(coloured.start(seed=3)) is not scene_of(grey.start(seed=3))


def test_only_so_many_scenes_are_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scenes, "KEPT", 3)
    game = tw.GAMES["azul"]()
    monkeypatch.setattr(scenes, "_known", type(scenes._known)())
    positions = [game.start(seed=seed) for seed in range(5)]
    drawn = [scene_of(position) for position in positions]
    assert len(scenes._known) == 3
    assert scene_of(positions[-1]) is drawn[-1]
    assert scene_of(positions[0]) == drawn[0]
