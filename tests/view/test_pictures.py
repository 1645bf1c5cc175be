"""Pictures of every game: colours that can be told apart, symbols that are there, drawings that stand alone."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random
from xml.etree import ElementTree

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, choose
from tilewright.view.picture import compose, tiles
from tilewright.view.picture.compose import picture_of
from tilewright.view.picture.drawing import Drawing, Slot, joined
from tilewright.view.picture.lettering import fitted
from tilewright.view.picture.palette import DARK, LIGHT, THEMES, own_colours, palette, stylesheet
from tilewright.view.picture.scene import Scene
from tilewright.view.picture.style import mark, named, slot, text

NAMES = ["Anna", "Ben & Co", "Chiara", "Didier"]


def found(attribute: str, markup: str) -> list[str]:
    return re.findall(rf'\b{attribute}="([^"]+)"', markup)


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


# Colours ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(tw.GAMES))
def test_text_and_motifs_stand_out(theme: str, game: str):
    colours = palette(theme, game)
    for name in ("ink", "muted", "accent", "penalty", "gain"):
        assert contrast(colours[name], colours["plaster"]) >= 4.5, name
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    for name in tiles.MOTIFS:
        assert contrast(colours[f"tile-{name}"], colours[f"tile-{name}-ink"]) >= 2.6, name
    for n in range(1, 9):
        assert contrast(colours[f"tile-{n}"], colours[f"tile-{n}-ink"]) >= 2, n
    assert contrast(colours["tile-marker"], colours["tile-marker-ink"]) >= 4.5


def test_the_style_sheet_has_both_themes_of_every_game():
    sheet = stylesheet()
    assert sheet.count("{") == sheet.count("}")
    own = [own_colours(game, theme).get("table") for game in tw.GAMES for theme in THEMES]
    for colour in (LIGHT["table"], DARK["table"], *filter(None, own)):
        assert f"--table:{colour}" in sheet
    assert any(own)


# Tiles --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(tw.GAMES))
def test_symbols_are_few_bytes_and_refer_to_what_is_there(name: str):
    sheet = compose.symbols(tw.make_game(name))
    assert len(sheet.encode()) < 14_000
    ids = found("id", sheet)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"(?:href=\"#|url\(#)([\w-]+)", sheet)) <= set(ids)
    assert {f"tile-{kind}" for kind in tw.GAMES[name].spec.tiles.letters} | {"tile-marker"} <= set(ids)


def test_every_motif_is_its_own():
    assert len(set(tiles.MOTIFS.values())) == len(tiles.MOTIFS) == 8


# Drawings -----------------------------------------------------------------------------------------------


def test_a_drawing_keeps_its_slots_and_is_filled_in_by_a_scene():
    drawing = named("dish", slot("a", "dish", 1, 2, 20, turn=30, shape="rhomb") + mark("lit", text(3, 4, "count")))
    assert list(drawing.slots()) == [Slot("a", "dish", 1, 2, 20, 30, "rhomb")]
    assert "data-marked" not in drawing.render()
    shown = drawing.render(Scene({"a": "b"}, {"count": "<7>"}, ["lit"]))
    assert 'href="#rhomb-b"' in shown
    assert "&lt;7&gt;</text>" in shown
    assert 'data-mark="lit" data-marked=""' in shown
    assert 'visibility="hidden"' in drawing.render(Scene())
    assert joined([drawing, drawing]).render() == 2 * drawing.render()


def test_a_drawing_does_not_become_text_by_mistake():
    with pytest.raises(TypeError, match="loses its slots"):
        f"<g>{Drawing()}</g>"


def test_names_are_cut_between_letters_as_people_see_them():
    assert fitted("Anna", 200, 24) == "Anna"
    family = "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    assert fitted(family * 9, 120, 24) == family * 3 + "…"
    assert fitted("e\u0301" * 40, 100, 24).removesuffix("…").endswith("e\u0301")


# The whole ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
@pytest.mark.parametrize("theme", THEMES)
def test_the_whole_picture_stands_alone(game: tw.Game, theme: str):
    position, chooser = game.start(seed=2), Random(3)
    for _ in range(40):
        if not position.is_over:
            position.push(choose(position, chooser, "eager"))
    svg = compose.draw_svg(position, NAMES[: game.players], "it", theme)
    ElementTree.fromstring(svg)
    assert "var(" not in svg
    ids = found("id", svg)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"(?:href=\"#|url\(#)([\w-]+)", svg)) <= set(ids)
    slots = {slot.name for panel in picture_of(game).panels(game, NAMES, "it") for slot in panel.drawing.slots()}
    lying = picture_of(game).scene(position).tiles
    assert set(lying) <= slots
    assert all(f'data-slot="{slot}"' in svg for slot in lying)


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_panels_do_not_overlap(game: tw.Game):
    panels = picture_of(game).panels(game, NAMES[: game.players], "en")
    corners, width, height = compose._arrange(panels, game.players)
    boxes = sorted((x, y, x + panel.width, y + panel.height) for panel, (x, y) in zip(panels, corners, strict=True))
    for left, top, right, bottom in boxes:
        assert left > 0
        assert top > 0
        assert right < width
        assert bottom < height
    for one, other in pairwise(boxes):
        assert one[2] <= other[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_compact_drawing_has_the_slots_texts_and_marks_of_the_large_one(game: tw.Game):
    for panel in picture_of(game).panels(game, NAMES[: game.players], "fr"):
        if not panel.compact:
            continue
        large, small = ({slot.name: slot.place for slot in one.drawing.slots()} for one in (panel, panel.compact))
        assert large == small
        for part in ("text", "mark"):
            assert set(found(f"data-{part}", panel.compact.body)) <= set(found(f"data-{part}", panel.body))
        ElementTree.fromstring(f"<svg>{panel.compact.body}</svg>")
        inside = [(slot.x - slot.size / 2, slot.y - slot.size / 2) for slot in panel.compact.drawing.slots()]
        assert min(min(place) for place in inside) >= -6
        assert max(slot.x + slot.size / 2 for slot in panel.compact.drawing.slots()) <= panel.compact.width + 6
