"""Tile sets: for every kind of colour vision, with high contrast, by shape alone; for every game on every page."""

from __future__ import annotations

import io
import re
from itertools import combinations, pairwise

import numpy as np
import pytest
from colour_vision import VISIONS, Colours, difference, lab, linear, seen
from test_pictures import contrast

import tilewright as tw
from tilewright.view.picture import compose, tiles
from tilewright.view.picture.drawing import place_tile
from tilewright.view.picture.palette import DARK, LIGHT, THEMES, palette, stylesheet
from tilewright.view.picture.png import to_png
from tilewright.view.picture.tile_sets import GLAZED, TILE_SETS

Image = pytest.importorskip("PIL.Image", reason="the extra 'rl' is not installed")
pytest.importorskip("resvg_py", reason="the extra 'pictures' is not installed")

DRAWN = 80
"""Pixels of a tile that is measured."""
SHAPES = {"azul": "tile", "azul-mini": "tile", "summer-pavilion": "rhomb"}
ACROSS, DOWN = np.meshgrid(*[np.abs(np.linspace(-20, 20, DRAWN))] * 2)
INSIDE = {"tile": np.maximum(ACROSS, DOWN) < 18, "rhomb": ACROSS / 11.2 + DOWN / 19.4 < 0.9}
"""The pixels that belong to a tile for certain."""


def drawn(game: tw.Game, letter: str, tiles: str, theme: str) -> Colours:
    """A tile as it is drawn, on the plaster of a board: amounts of light."""
    shape = SHAPES[game.name]
    ground = f'<rect x="-20" y="-20" width="40" height="40" fill="var(--plaster,{LIGHT["plaster"]})"/>'
    inside = compose.standing_alone(compose.symbols(game) + ground + place_tile(letter, shape), theme, game.name, tiles)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 40 40" width="40" height="40">{inside}</svg>'
    pixels = np.asarray(Image.open(io.BytesIO(to_png(svg, DRAWN))).convert("RGB"), dtype=np.float64) / 255
    return linear(pixels)


def smallest(game: tw.Game, tiles: str, theme: str, vision: str) -> float:
    """The smallest difference between the grounds of any two tiles: their median colour, since motifs are smaller."""
    letters = game.tiles.letters if game.options.get("jokers") else game.tiles.letters.replace("j", "")
    inside = INSIDE[SHAPES[game.name]]
    grounds = [np.median(lab(seen(drawn(game, one, tiles, theme), vision)[inside]), axis=0) for one in letters]
    return min(difference(one, other) for one, other in combinations(grounds, 2))


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", [tw.Azul(jokers=True), tw.SummerPavilion()], ids=lambda game: game.name)
def test_clear_tiles_differ_for_every_kind_of_colour_vision(game: tw.Game, theme: str, vision: str):
    assert smallest(game, "clear", theme, vision) >= 17
    assert smallest(game, GLAZED, theme, vision) < smallest(game, "clear", theme, vision)


@pytest.mark.parametrize("game", [tw.Azul(jokers=True), tw.SummerPavilion()], ids=lambda game: game.name)
def test_clear_tiles_differ_in_lightness_alone(game: tw.Game):
    bases = [palette("light", game.name, "clear")[f"tile-{name}"] for name in game.tiles.names]
    lightness = sorted(_lightness(base) for base in bases)
    assert min(b - a for a, b in pairwise(lightness)) >= 4


def _lightness(colour: str) -> float:
    return float(lab(linear(np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])))[0])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(tw.GAMES))
def test_bold_tiles_and_texts_have_high_contrast(game: str, theme: str):
    colours = palette(theme, game, "bold")
    for name in {*tiles.MOTIFS, *tw.GAMES[game].spec.tiles.names, "marker"}:
        assert contrast(colours[f"tile-{name}"], colours[f"tile-{name}-ink"]) >= 7, name
    for name in ("ink", "muted", "accent", "penalty", "gain", "tile-edge", "cell-edge", "plaster-edge"):
        assert contrast(colours[name], colours["plaster"]) >= 7, name
    assert contrast(colours["on-accent"], colours["accent"]) >= 7
    assert contrast(colours["turn"], colours["plaster"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("chosen", list(TILE_SETS))
def test_motifs_and_texts_stand_out_in_every_set(chosen: str, theme: str):
    for game in tw.GAMES:
        colours = palette(theme, game, chosen)
        assert contrast(colours["ink"], colours["plaster"]) >= 4.5
        for name in tiles.MOTIFS:
            assert contrast(colours[f"tile-{name}"], colours[f"tile-{name}-ink"]) >= 2.6, (chosen, name)


def test_plain_motifs_are_told_apart_by_shape_alone():
    masks = {name: _mask(motif) for name, motif in tiles.PLAIN_MOTIFS.items()}
    assert set(masks) == set(tiles.MOTIFS)
    for (one, first), (other, second) in combinations(masks.items(), 2):
        shared = (first & second).sum() / (first | second).sum()
        assert shared < 0.72, f"{one} and {other} cover the same {shared:.0%}"


def _mask(motif: str) -> np.ndarray:
    shape = f'<g fill-rule="evenodd">{motif}</g>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -16 32 32" width="32" height="32">{shape}</svg>'
    image = Image.open(io.BytesIO(to_png(svg, DRAWN)))
    return np.asarray(image.convert("RGBA"))[..., 3] > 127


# The style sheet and pictures that stand alone ------------------------------------------------------------


def test_a_page_holds_all_sets_and_chooses_by_an_attribute():
    sheet = stylesheet()
    assert sheet.count("{") == sheet.count("}")
    for name in ("clear", "bold"):
        assert f":root[data-tiles={name}],:root[data-tiles={name}] [data-game]{{" in sheet
        assert f":root[data-theme=dark][data-tiles={name}]," in sheet
    assert "data-tiles=glazed" not in sheet


@pytest.mark.parametrize("chosen", list(TILE_SETS))
def test_a_set_changes_only_what_the_palette_names(chosen: str):
    for colours in TILE_SETS[chosen].values():
        assert set(colours) <= set(LIGHT) | {"tile-joker-ink"}
    assert set(DARK) == set(LIGHT)


def test_a_picture_that_stands_alone_shows_one_of_the_two_motifs():
    position = tw.Azul().start(seed=1)
    for chosen in TILE_SETS:
        svg = compose.draw_svg(position, tiles=chosen)
        assert "var(" not in svg
        shown = re.findall(r'<g display="(\w+)"', svg)
        assert shown.count("inline") == shown.count("none") == len(tiles.MOTIFS) - 2
        assert palette("light", "azul", chosen)["tile-blue"] in svg
