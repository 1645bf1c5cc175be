"""The picture of Azul and Azul Mini: every slot, spot and path is there, and what is shown is true."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from random import Random
from xml.etree import ElementTree

import pytest

import tilewright as tw
from rule_sets import RULE_SETS, choose, file_name
from tilewright.games.azul import picture as azul
from tilewright.games.azul.wall import COLOURS, EMPTY, LINES, columns_for, row_bars
from tilewright.view.language import LANGUAGES
from tilewright.view.picture.scene import BAG, DISCARDS, Panel, flights

GAMES = [game for game in RULE_SETS if isinstance(game, tw.Azul | tw.AzulMini)]
IDS = [file_name(game) for game in GAMES]
NAMES = ["Anna", "Ben & Co", "Chiara", "Didier"]
each_game = pytest.mark.parametrize("game", GAMES, ids=IDS)


def panels(game: tw.Azul, language: str = "en") -> list[Panel]:
    return azul.panels(game, NAMES[: game.players], language)


def drawing(game: tw.Azul) -> str:
    return "".join(panel.body for panel in panels(game))


def found(attribute: str, text: str) -> list[str]:
    return re.findall(rf'{attribute}="([^"]+)"', text)


def played(game: tw.Azul, seed: int, style: str):
    """Every move of a game: the position before it, the move, the position after it."""
    position, chooser = game.start(seed=seed), Random(seed)
    while not position.is_over:
        before, move = position.copy(), choose(position, chooser, style)
        position.push(move)
        yield before, move, position.copy()


# Panels -------------------------------------------------------------------------------------------------


@each_game
def test_panels_are_well_formed_and_their_slots_are_there_once(game: tw.Azul):
    for panel in panels(game):
        ElementTree.fromstring(f"<svg>{panel.body}</svg>")
        assert f'data-game="{game.name}"' in panel.body
    slots = Counter(found("data-slot", drawing(game)))
    assert max(slots.values()) == 1
    wanted = {BAG, DISCARDS, "centre-marker", "factory-1-3", "p1-line-5-4", "p2-wall-5-5", "p1-floor-6"}
    assert wanted <= set(slots)
    assert f"factory-{2 * game.players + 1}-0" in slots
    assert f"centre-{3 * (2 * game.players + 1) - 1}" in slots
    assert [panel.name for panel in panels(game)] == ["market", *(f"player-{n + 1}" for n in range(game.players))]


def test_a_coloured_wall_prints_the_colour_of_each_cell_and_a_grey_one_none():
    board = panels(tw.Azul(2))[1].body
    assert re.findall(r"#print-(\w)", board)[:10] == list("byrkwwbyrk")
    assert "#print-" not in panels(tw.Azul(2, "grey"))[1].body


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_for_those_who_cannot_see(language: str):
    game = tw.Azul(2, jokers=True)
    bodies = [panel.body for panel in panels(game, language)]
    for spot in re.findall(r"<g data-spot=[^>]*>", "".join(bodies)):
        assert "aria-label" in spot
    assert set(azul.tile_names(language)) == {*"byrkwj", "marker"}
    places = set(found("data-place", "".join(bodies)))
    assert places == {"centre", *(f"factory-{n}" for n in range(1, 6))} <= set(azul.place_names(game, language))
    assert "Ben &amp; Co" in bodies[2]


def test_every_language_has_the_same_texts():
    from tilewright.view.language import texts

    keys = [{key for key in texts(language) if key.startswith("azul.")} for language in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]


# Paths --------------------------------------------------------------------------------------------------


@each_game
def test_paths_are_distinct_and_lead_over_things_that_are_there(game: tw.Azul):
    paths = azul.paths(game)
    assert len(paths) == game.actions == len({path.spots for path in paths})
    spots, places = set(found("data-spot", drawing(game))), set(found("data-place", drawing(game)))
    buttons = azul.buttons(game, "en")
    tiles_on_offer = {f"{place}-{kind}" for place in places for kind in "byrkwj"}
    used = {spot for path in paths for spot in path.spots}
    for spot in used:
        assert spot in buttons or spot in tiles_on_offer or spot.replace("@", "p1") in spots
    assert {spot for spot in used if spot.startswith("button-")} == set(buttons)


def test_paths_of_some_moves():
    game = tw.Azul(2, "grey", jokers=True)
    paths = azul.paths(game)
    for text, spots in {
        "3b2": ("factory-3-b", "@-line-2"),
        "cwf": ("centre-w", "@-floor"),
        "3j2": ("factory-3-j", "@-line-2"),
        "3bj4:1": ("factory-3-b", "factory-3-j", "@-line-4", "button-jokers-1"),
        "3bjf": ("factory-3-b", "factory-3-j", "@-floor"),
        "w24": ("@-wall-2-4",),
    }.items():
        assert paths[game.move(text)].spots == spots


# Scenes -------------------------------------------------------------------------------------------------


def test_a_marker_that_finds_the_floor_line_full_lies_beside_it():
    position = tw.Azul(2).start(seed=1)
    position.state.floor[0] = sum(number << 8 * kind for kind, number in enumerate((3, 2, 2)))
    position.state.marker = 0
    scene = azul.scene(position)
    assert scene.tiles["p1-marker"] == "marker"
    assert [scene.tiles[f"p1-floor-{n}"] for n in range(7)] == list("bbbyyrr")


def test_flights_of_a_take_leave_from_its_place():
    position = tw.Azul(3).start(seed=5)
    before = azul.scene(position)
    move = next(iter(position.legal_moves))
    position.push(move)
    origins = {flight.origin for flight in flights(before, azul.scene(position))}
    assert origins <= {"centre-marker", *(slot for slot in before.tiles if slot.startswith(f"factory-{move.text[0]}"))}


@pytest.mark.parametrize("jokers", [False, True])
def test_petals_of_a_grey_wall_are_the_colours_that_may_still_come(jokers: bool):
    game = tw.Azul(wall="grey", jokers=jokers)
    position, chooser = game.start(seed=8), Random(8)
    seen = 0
    while not position.is_over:
        marks = set(azul.scene(position).marks)
        for seat, row, colour in product(range(2), range(LINES), range(COLOURS)):
            across = f"p{seat + 1}-row-{row + 1}-{colour}" in marks
            barred = bool(row_bars(position.state, seat, row, colour))
            assert across == barred
            columns = int(columns_for(position.state, seat, row, colour, False))
            for column in range(LINES):
                free = position.state.wall[seat, row, column] == EMPTY
                down = f"p{seat + 1}-column-{column + 1}-{colour}" in marks
                assert not free or (columns >> column & 1) == (not down)
                seen += down
        position.push(choose(position, chooser, "eager"))
    assert seen > 100
