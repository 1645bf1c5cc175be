"""Positions set up by hand: tiles come from the bag, and what is impossible is said in words."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path

import pytest

import tilewright as tw
from bare_game import BareGame
from rule_sets import IDS, RULE_SETS
from tilewright.view.editing import Editor, cleared, editor_of, flaw_of, read_draft
from tilewright.view.language import LANGUAGES, texts
from tilewright.view.narrator import why_impossible
from tilewright.view.picture.compose import picture_of
from tilewright.view.picture.tiles import MARKER

NAMES = ["Anna", "Paul", "Eva", "Max"]


def an_editor(game: tw.Game) -> Editor:
    editor = editor_of(game)
    assert editor is not None
    return editor


def slots_of(game: tw.Game) -> list[str]:
    """Every slot of the picture."""
    panels = picture_of(game).panels(game, NAMES[: game.players], "en")
    return re.findall(r'data-slot="([^"]+)"', "".join(panel.body for panel in panels))


def values_of(draft: tw.Position) -> dict[str, str]:
    controls = an_editor(draft.game).controls(draft, NAMES[: draft.game.players], "en")
    return {control.name: control.value for control in controls}


def lay(draft: tw.Position, tiles: dict[str, str]) -> None:
    for slot, kind in tiles.items():
        an_editor(draft.game).put(draft, slot, kind)


def test_a_position_of_azul_from_an_empty_table():
    game = tw.Azul()
    draft = cleared(game)
    lay(draft, {"factory-1-0": "b", "factory-1-1": "b", "factory-1-2": "r", "factory-1-3": "k", "centre-0": "w"})
    lay(draft, {"p1-wall-1-1": "b", "p1-line-3-1": "y", "p2-floor-0": "r", "p2-wall-2-2": "y"})
    for name, value in {"turn": "2", "first": "1", "p1-score": "7", "round": "2"}.items():
        an_editor(game).change(draft, name, value)
    assert flaw_of(draft, "en") == ""
    position = game.position(draft.to_text())
    scene = picture_of(game).scene(position).tiles
    assert scene["factory-1-2"] == "k" or scene["factory-1-2"] == "r"
    assert [scene[slot] for slot in ("p1-wall-1-1", "p1-line-3-0", "p1-line-3-1", "p2-floor-0")] == ["b", "y", "y", "r"]
    assert (position.turn, position.scores, position.round, position.phase) == (1, (7, 0), 2, "draft")
    an_editor(game).put(draft, "p1-wall-1-1", "")
    an_editor(game).put(draft, "p1-line-3-0", "")
    assert "p1-line-3-0" not in picture_of(game).scene(draft).tiles
    assert flaw_of(draft, "en") == ""


def test_a_position_of_summer_pavilion_from_an_empty_table():
    game = tw.SummerPavilion(players=2)
    draft = cleared(game)
    lay(draft, {"p1-space-0": "p", "p1-space-36": "g", "p2-hand-0": "b", "p2-hand-1": "b", "supply-0": "r"})
    for name, value in {"phase": "place", "turn": "2", "p1-score": "9", "round": "3", "p1-passed": "yes"}.items():
        an_editor(game).change(draft, name, value)
    assert flaw_of(draft, "en") == ""
    position = game.position(draft.to_text())
    assert (position.turn, position.scores, position.round, position.phase) == (1, (9, 5), 3, "place")
    an_editor(game).change(draft, "turn", "1")
    assert flaw_of(draft, "en") == "Player 1 has passed and cannot be to move."
    assert "a passé" in flaw_of(draft, "fr")
    assert "ha passato" in flaw_of(draft, "it")


def test_the_marker_is_a_piece_like_others():
    game = tw.Azul()
    draft = read_draft(game, game.start(seed=3).to_text())
    an_editor(game).put(draft, "p2-floor-0", MARKER)
    assert values_of(draft)["marker"] == "2"
    assert flaw_of(draft, "en").startswith("The marker is taken from the centre, but no factory")
    an_editor(game).put(draft, "p2-floor-0", "")
    assert values_of(draft)["marker"] == "centre"
    assert flaw_of(draft, "en") == ""


def test_the_bag_and_the_used_tiles_share_what_is_not_on_the_table():
    game = tw.Azul()
    draft = read_draft(game, game.start(seed=3).to_text())
    before = int(values_of(draft)["bag-b"])
    an_editor(game).change(draft, "bag-b", str(before - 3))
    assert values_of(draft)["bag-b"] == str(before - 3)
    assert "lid=3b " in draft.to_text()
    assert flaw_of(draft, "en") == ""
    with pytest.raises(tw.BadPosition, match="from 0 to") as refusal:
        an_editor(game).change(draft, "bag-b", str(before + 1))
    said = [why_impossible(game, refusal.value, language) for language in ("en", "fr", "it")]
    assert said == [
        f"a whole number from 0 to {before} is needed here",
        f"il faut ici un nombre entier de 0 à {before}",
        f"qui serve un numero intero da 0 a {before}",
    ]


def test_no_colour_has_more_tiles_than_the_box():
    game = tw.Azul(wall="grey")
    draft = cleared(game)
    slots = [f"factory-{factory}-{n}" for factory in range(1, 6) for n in range(4)]
    lay(draft, dict.fromkeys(slots, "b"))
    with pytest.raises(tw.BadPosition, match="all blue tiles are already on the table"):
        an_editor(game).put(draft, "p1-floor-0", "b")


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_whatever_is_laid_no_tile_is_lost_and_nothing_breaks(game: tw.Game):
    chance, editor = random.Random(4), an_editor(game)
    draft = cleared(game)
    slots = slots_of(game)
    laid = 0
    for _ in range(150):
        kind, before = chance.choice([*game.tiles.letters, MARKER, ""]), draft.to_text()
        try:
            if chance.random() < 0.2:
                control = chance.choice(editor.controls(draft, NAMES[: game.players], "en"))
                value = chance.choice([*control.choices] or [str(chance.randint(control.least, control.most))])
                editor.change(draft, control.name, value)
            else:
                editor.put(draft, chance.choice(slots), kind)
            laid += 1
        except tw.BadPosition:
            draft = editor.read(game, before)
        again = editor.read(game, draft.to_text())
        assert again.to_text() == draft.to_text()
        for language in LANGUAGES:
            why = flaw_of(draft, language)
            assert "tiles of one colour" not in why, "tiles were lost or made"
        if not why:
            assert game.position(draft.to_text()).game == game
        assert picture_of(game).scene(draft).tiles is not None
    assert laid > 50


@pytest.mark.parametrize(
    "slot", ["", "bag", "p9-wall-1-1", "p1-wall-9-9", "p1-line-1-4", "factory-0-0", "factory-9-0", "x" * 999]
)
def test_slots_that_do_not_exist_are_refused(slot: str):
    for game in (tw.Azul(), tw.SummerPavilion()):
        with pytest.raises(tw.BadPosition):
            an_editor(game).put(cleared(game), slot, game.tiles.letters[0])


@pytest.mark.parametrize(
    ("name", "value"),
    [("round", "0"), ("round", "x"), ("round", "9" * 50), ("turn", "5"), ("phase", "tea"), ("p9-score", "1"), ("", "")],
)
def test_controls_that_do_not_exist_are_refused(name: str, value: str):
    for game in (tw.Azul(), tw.SummerPavilion()):
        with pytest.raises(tw.BadPosition):
            an_editor(game).change(cleared(game), name, value)


def test_translators_find_every_reason_why_a_position_is_impossible():
    games = Path(tw.__file__).parent / "games"
    shared = reasons_in(games / "family/position_text.py") | reasons_in(games / "family/editor.py")
    for area in ("azul", "summer_pavilion"):
        wanted = shared | reasons_in(games / area / "position_text.py")
        for language in LANGUAGES:
            known = {key for key in texts(language) if key.startswith(f"{area}.impossible.")}
            assert known == {f"{area}.impossible.{key}" for key in wanted}


def reasons_in(file: Path) -> set[str]:
    """The keys of the reasons that a file gives to ``check`` or ``impossible``."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("check", "impossible"):
            key = node.args[node.func.id == "check"]
            assert isinstance(key, ast.Constant)
            found.add(str(key.value))
    return found


def test_a_game_without_an_editor_is_set_up_as_text():
    game = BareGame()
    assert editor_of(game) is None
    text = game.start(seed=1).to_text()
    assert read_draft(game, text) == game.position(text)
    assert flaw_of(cleared(game), "en") == ""
    with pytest.raises(tw.BadPosition):
        read_draft(game, text.replace("phase=", "phase=9"))
