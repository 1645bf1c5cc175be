"""The picture of Azul and Azul Mini: every slot, spot and path is there, and what is shown is true."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from xml.etree import ElementTree

import pytest

import tilewright as tw
from rule_sets import RULE_SETS, STYLES, choose, file_name
from tilewright.games.azul import picture as azul
from tilewright.view.language import LANGUAGES
from tilewright.view.picture.scene import BAG, DISCARDS, Panel, Scene, flights

GAMES = [game for game in RULE_SETS if isinstance(game, tw.Azul | tw.AzulMini)]
IDS = [file_name(game) for game in GAMES]
NAMES = ["Anna", "Ben & Co", "Chiara", "Didier"]
each_game = pytest.mark.parametrize("game", GAMES, ids=IDS)


def panels(game: tw.Game, language: str = "en") -> list[Panel]:
    return azul.panels(game, NAMES[: game.players], language)


def drawing(game: tw.Game) -> str:
    return "".join(panel.body for panel in panels(game))


def found(attribute: str, text: str) -> list[str]:
    return re.findall(rf'{attribute}="([^"]+)"', text)


def played(game: tw.Game, seed: int, style: str):
    """Every move of a game: the position before it, the move, the position after it."""
    position, chooser = game.start(seed=seed), Random(seed)
    while not position.is_over:
        before, move = position.copy(), choose(position, chooser, style)
        position.push(move)
        yield before, move, position.copy()


# Panels -------------------------------------------------------------------------------------------------


@each_game
def test_panels_are_well_formed_and_their_slots_are_there_once(game: tw.Game):
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


# Paths --------------------------------------------------------------------------------------------------


@each_game
def test_paths_are_distinct_and_lead_over_things_that_are_there(game: tw.Game):
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


# Scenes and steps ---------------------------------------------------------------------------------------


def check_scene(game: tw.Game, scene: Scene, names: dict[str, set[str]]) -> None:
    assert set(scene.tiles) <= names["slots"]
    assert set(scene.texts) == names["texts"]
    assert set(scene.marks) <= names["marks"]
    counted = Counter(scene.tiles.values())
    assert counted["marker"] == 1
    assert counted.total() - 1 + int(scene.texts["bag"]) + int(scene.texts["lid"]) == 100


@each_game
@pytest.mark.parametrize("style", STYLES)
def test_every_moment_is_true_and_the_points_add_up(game: tw.Game, style: str):
    body = drawing(game)
    names = {kind + "s": set(found(f"data-{kind}", body)) for kind in ("slot", "text", "mark", "spot")}
    for seed in range(2):
        for before, move, after in played(game, seed, style):
            steps = azul.steps(before, move, after)
            assert steps[-1].scene == azul.scene(after)
            gained = [0] * game.players
            for step in steps:
                check_scene(game, step.scene, names)
                if step.points:
                    assert step.seat is not None
                    assert step.at in names["slots"] | names["spots"]
                    gained[step.seat] += step.points
                    total = before.scores[step.seat] + gained[step.seat]
                    assert step.scene.texts[f"p{step.seat + 1}-score"] == str(total)
            assert gained == [new - old for old, new in zip(before.scores, after.scores, strict=True)]


def read(moment: str, offer: str, *players: str) -> tw.Position:
    """A position of two players whose lid has what is missing of twenty tiles of each colour."""
    held = " ".join((offer, *(re.sub(r"player=.*?lines", "lines", player) for player in players)))
    there = Counter(letter for part in re.findall(r"=(\S+)", held) for letter in part)
    lid = "".join(f"{8 - there[kind]}{kind}" for kind in "byrkw" if there[kind] < 8)
    table = f"bag=12b12y12r12k12w lid={lid} {offer}"
    return tw.Azul(2).position("; ".join(("azul players=2 wall=coloured jokers=no", moment, table, *players)))


def test_a_round_ends_step_by_step():
    position = read(
        "round=3 phase=draft turn=1 first=2 marker=1 tiled=no barren=0",
        "centre=- 1=b 2=- 3=- 4=- 5=-",
        "player=1 score=4 wall-points=4 lines=b,b,-,-,- wall=...../...../...../...../..... floor=w",
        "player=2 score=2 wall-points=2 lines=k,-,-,-,- wall=....w/...../...../...../..... floor=www",
    )
    before = position.copy()
    move = position.push("1b2")
    steps = azul.steps(before, move, position)
    shown = [(step.seat, step.points, step.at) for step in steps]
    assert shown == [
        (None, 0, ""),
        (1, 2, "p2-wall-1-4"),
        (0, 1, "p1-wall-1-1"),
        (0, 1, "p1-wall-2-2"),
        (1, -4, "p2-floor"),
        (0, -2, "p1-floor"),
        (None, 0, ""),
    ]
    assert steps[0].scene.tiles["p1-line-2-1"] == "b"
    assert steps[0].scene.tiles["p1-floor-0"] == "marker"
    assert steps[-1].scene.tiles["centre-marker"] == "marker"
    assert steps[-1].scene.marks == ["p1-first"]


def test_a_marker_that_finds_the_floor_line_full_lies_beside_it():
    position = tw.Azul(2).start(seed=1)
    position.row.floor[0] = sum(number << 8 * kind for kind, number in enumerate((3, 2, 2)))
    position.row.marker = 0
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


# Previews -----------------------------------------------------------------------------------------------


def test_a_preview_says_what_a_move_scores_and_costs():
    position = read(
        "round=5 phase=draft turn=1 first=1 marker=centre tiled=no barren=0",
        "centre=rr 1=bbyy 2=kkww 3=- 4=- 5=-",
        "player=1 score=20 wall-points=20 lines=-,-,ww,-,- wall=.yrkw/.b.../..b../...b./y...b floor=-",
        "player=2 score=2 wall-points=2 lines=-,-,-,-,- wall=...../...../...../...../..... floor=-",
    )

    def say(text: str, language: str = "en") -> list[str]:
        return azul.preview(position, position.move(text), language)

    assert say("1b1") == [
        "fills line 1: about 5 points when the round ends",
        "completes a row: the game ends after this round (+2)",
        "completes blue: +10",
        "1 tile falls: −1",
    ]
    assert say("2w3") == ["fills line 3: about 5 points when the round ends", "1 tile falls: −1"]
    assert say("crf") == ["takes the starting player marker: −1", "2 tiles fall: −3"]
    assert say("cr4") == ["line 4: 2 of 4", "takes the starting player marker: −1"]
    assert say("crf", "fr") == ["prend le marqueur premier joueur : −1", "2 tuiles tombent : −3"]
    assert say("crf", "it")[1] == "2 piastrelle cadono: −3"


@each_game
def test_previews_of_wall_cells_name_the_points_that_are_scored(game: tw.Game):
    for before, move, after in played(game, 11, "eager"):
        said = azul.preview(before, move, "en")
        assert all(said)
        if before.phase == "tile":
            points = azul.steps(before, move, after)[0].points
            assert said[0] == f"scores {points}"
