"""A move as it is shown: every moment is true, and the points that rise from the table are those scored."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, STYLES, choose
from tilewright.view import animation
from tilewright.view.picture.compose import picture_of
from tilewright.view.picture.scene import Scene

AZUL = [pytest.param(game, id=name) for game, name in zip(RULE_SETS, IDS, strict=True) if name.startswith("azul")]
each_game = pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
NAMES = ["Anna", "Ben", "Chiara", "Didier"]


def played(game: tw.Game, seed: int, style: str):
    """Every move of a game: the position before it, the move, the position after it."""
    position, chooser = game.start(seed=seed), Random(seed)
    while not position.is_over:
        before, move = position.copy(), choose(position, chooser, style)
        position.push(move)
        yield before, move, position.copy()


def names_in_panels(game: tw.Game) -> dict[str, set[str]]:
    """The names of the slots, spots, texts and marks that the panels have."""
    body = "".join(panel.body for panel in picture_of(game).panels(game, NAMES[: game.players], "en"))
    return {kind: set(re.findall(rf'data-{kind}="([^"]+)"', body)) for kind in ("slot", "text", "mark", "spot")}


@each_game
@pytest.mark.parametrize("style", STYLES)
def test_the_points_of_all_steps_add_up_and_the_last_one_shows_the_deal(game: tw.Game, style: str):
    names = names_in_panels(game)
    scene = picture_of(game).scene
    for before, move, after in played(game, 1, style):
        steps = animation.steps(before, move, after)
        assert steps[-1].scene == scene(after)
        gained = [0] * game.players
        for step in steps:
            if step.points:
                assert step.seat is not None
                assert step.at in names["slot"] | names["spot"]
                gained[step.seat] += step.points
                total = before.scores[step.seat] + gained[step.seat]
                assert step.scene.texts[f"p{step.seat + 1}-score"] == str(total)
        assert gained == [new - old for old, new in zip(before.scores, after.scores, strict=True)]


def check_scene(scene: Scene, names: dict[str, set[str]]) -> None:
    assert set(scene.tiles) <= names["slot"]
    assert set(scene.texts) == names["text"]
    assert set(scene.marks) <= names["mark"]
    counted = Counter(scene.tiles.values())
    assert counted["marker"] == 1
    assert counted.total() - 1 + int(scene.texts["bag"]) + int(scene.texts["lid"]) == 100


@pytest.mark.parametrize("game", AZUL)
def test_no_tile_of_azul_is_lost_between_two_moments(game: tw.Game):
    names = names_in_panels(game)
    for before, move, after in played(game, 2, "eager"):
        for step in animation.steps(before, move, after):
            check_scene(step.scene, names)


def test_a_round_ends_step_by_step():
    position = tw.Azul(2).position(
        "azul players=2 wall=coloured jokers=no; round=3 phase=draft turn=1 first=2 marker=1 tiled=no barren=0;"
        " bag=12b12y12r12k12w lid=5b8y8r7k3w centre=- 1=b 2=- 3=- 4=- 5=-;"
        " player=1 score=4 wall-points=4 lines=b,b,-,-,- wall=...../...../...../...../..... floor=w;"
        " player=2 score=2 wall-points=2 lines=k,-,-,-,- wall=....w/...../...../...../..... floor=www"
    )
    before = position.copy()
    move = position.push("1b2")
    steps = animation.steps(before, move, position)
    assert [(step.seat, step.points, step.at) for step in steps] == [
        (0, 0, ""),
        (1, 2, "p2-wall-1-4"),
        (0, 1, "p1-wall-1-1"),
        (0, 1, "p1-wall-2-2"),
        (1, -4, "p2-floor"),
        (0, -2, "p1-floor"),
        (None, 0, ""),
    ]
    assert steps[0].scene.tiles["p1-line-2-1"] == "b"
    assert steps[0].scene.tiles["p1-floor-0"] == "marker"
    assert "p2-turn" in steps[1].scene.marks, "the board that is being tiled stands out"
    assert steps[-1].scene.tiles["centre-marker"] == "marker"
    assert steps[-1].scene.marks == ["p1-first"]


def test_the_marker_goes_back_while_the_next_round_is_dealt():
    position = tw.Azul(2).start(seed=4)
    while position.round == 1:
        before = position.copy()
        move = position.push(next(iter(position.legal_moves)))
    steps = animation.steps(before, move, position)
    assert "centre-marker" not in steps[-2].scene.tiles
    assert steps[-1].scene.tiles["centre-marker"] == "marker"
    assert "factory-5-3" in steps[-1].scene.tiles


def test_where_tiles_would_land():
    position = tw.Azul(2).set_up()
    position.draw("bbyr kkww yyrr bkwy rbkw")
    assert animation.landing(position, position.move("1b2")) == {"p1-line-2-0": "b", "p1-line-2-1": "b"}
    assert animation.landing(position, position.move("1bf")) == {"p1-floor-0": "b", "p1-floor-1": "b"}
