"""The picture of Summer Pavilion: every tile shown, every point told, every move clickable, in every language."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import dist
from time import process_time
from xml.etree import ElementTree

import pytest

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.games.family.heap import counts_of
from tilewright.games.summer_pavilion import SummerPavilion, picture
from tilewright.games.summer_pavilion.board import CENTRE_STAR, FEATURES, SPACES, STARS
from tilewright.games.summer_pavilion.picture.shapes import LONG, NARROW, WIDE, Plan
from tilewright.games.summer_pavilion.stars import colours_welcome
from tilewright.view import animation, narrator
from tilewright.view.language import LANGUAGES, texts
from tilewright.view.picture.compose import draw_svg
from tilewright.view.picture.scene import Panel, flights

NAMES = ["Anna", "Ben & Co", "Chloé <3", "Dimitri"]
GAMES = [SummerPavilion(players=players, side=side) for players in (2, 3, 4) for side in ("coloured", "grey")]


def played(game: SummerPavilion, seed: int) -> Iterator[tuple[Position, Move, Position]]:
    """Every move of a random game, with the position before and after it."""
    chance = random.Random(seed)
    position = game.start(seed=seed)
    while not position.is_over:
        before = position.copy()
        moves = list(position.legal_moves)
        # Seldom pass while tiles can be placed, so that boards fill up.
        wanted = [move for move in moves if move.text != "pass"] if chance.random() < 0.95 else moves
        move = chance.choice(wanted or moves)
        position.push(move)
        yield before, move, position


def found(panels: list[Panel], attribute: str) -> list[str]:
    return re.findall(rf'{attribute}="([^"]+)"', "".join(panel.body for panel in panels))


@pytest.mark.parametrize("game", GAMES, ids=repr)
class TestWholeGames:
    def test_steps_tell_every_point(self, game: SummerPavilion) -> None:
        spots = set(found(picture.panels(game, NAMES, "en"), "data-slot"))
        for seed in range(4):
            for before, move, after in played(game, seed):
                shown = animation.steps(before, move, after)
                told = [0] * game.players
                for step in shown:
                    if step.points:
                        assert step.seat is not None
                        assert step.at in spots
                        told[step.seat] += step.points
                assert told == [new - old for new, old in zip(after.scores, before.scores, strict=True)]
                assert shown[-1].scene == picture.scene(after)

    def test_scores_shown_follow_the_points(self, game: SummerPavilion) -> None:
        for before, move, after in played(game, 11):
            scores = list(before.scores)
            for step in animation.steps(before, move, after):
                if step.seat is not None:
                    scores[step.seat] += step.points
                assert [step.scene.texts[f"p{seat + 1}-score"] for seat in range(game.players)] == list(
                    map(str, scores)
                )

    def test_every_tile_is_shown_in_a_slot_that_exists(self, game: SummerPavilion) -> None:
        panels = picture.panels(game, NAMES, "en")
        slots, keys, marks = (set(found(panels, f"data-{what}")) for what in ("slot", "text", "mark"))
        for _, _, position in played(game, 5):
            scene = picture.scene(position)
            assert set(scene.tiles) <= slots
            assert set(scene.texts) == keys
            assert set(scene.marks) <= marks
            row = position.state
            hidden = int(row.bag) + int(row.tower)
            shown = Counter(scene.tiles.values())
            assert shown.pop("marker") == 1
            assert [shown[letter] + n for letter, n in zip("pgoybr", counts_of(hidden), strict=True)] == [22] * 6

    def test_legal_moves_can_be_clicked(self, game: SummerPavilion) -> None:
        panels = picture.panels(game, NAMES, "en")
        spots, labels = set(found(panels, "data-spot")), picture.buttons(game, "en")
        places = dict(re.findall(r'data-slot="([^"]+)" data-place="([^"]+)"', "".join(p.body for p in panels)))
        paths = picture.paths(game)
        assert len(paths) == game.actions
        for before, _, _ in played(game, 2):
            scene = picture.scene(before)
            tiles = Counter(f"{places[slot]}-{kind}" for slot, kind in scene.tiles.items() if slot in places)
            moves = list(before.legal_moves)
            assert len({paths[move].spots for move in moves}) == len(moves)
            for move in moves:
                wanted = Counter(spot.replace("@", f"p{before.state.turn + 1}") for spot in paths[move].spots)
                for spot, times in wanted.items():
                    assert spot in spots or spot in labels or tiles[spot] >= times, (str(move), spot)

    def test_previews_are_right_about_points(self, game: SummerPavilion) -> None:
        for before, move, after in played(game, 3):
            phrases = narrator.preview(before, move, "en")
            said = " ".join(phrase.text for phrase in phrases)
            seat = int(before.state.turn)
            if left := re.search(r"(\d+) tiles? left over: (?:−(\d+)|0)", said):  # at the end of the game
                held = sum(counts_of(int(before.state.hand[seat])))
                assert int(left[1]) == held
                assert int(left[2] or 0) == min(held, before.scores[seat] - 1)
            elif not after.is_over:
                points = after.scores[seat] - before.scores[seat]
                scored = sum(map(int, re.findall(r"scores (\d+)", said)))
                lost = sum(map(int, re.findall(r": −(\d+)", said)))
                assert scored - lost == points, (str(move), said)
                assert sum(phrase.points for phrase in phrases if "at the end" not in phrase.text) == points

    def test_pictures_are_well_formed_in_every_language(self, game: SummerPavilion) -> None:
        for language in LANGUAGES:
            for panel in picture.panels(game, NAMES, language):
                root = ElementTree.fromstring(f"<svg>{panel.body}</svg>")
                assert all(spot.get("aria-label") for spot in root.iter() if spot.get("data-spot"))
            for before, move, _ in played(game, 1):
                assert narrator.preview(before, move, language)

    def test_slots_have_names_of_their_own(self, game: SummerPavilion) -> None:
        slots = found(picture.panels(game, NAMES, "fr"), "data-slot")
        assert len(slots) == len(set(slots))
        for seat in range(1, game.players + 1):
            assert {f"p{seat}-space-{k}" for k in range(SPACES)} | {f"p{seat}-corner-3", f"p{seat}-hand-29"} <= set(
                slots
            )


def test_languages_have_the_same_texts() -> None:
    def keys(language: str) -> set[str]:
        return {key for key in texts(language) if key.startswith("summer_pavilion.")}

    assert keys("en") == keys("fr") == keys("it")


def test_names_of_tiles_and_places() -> None:
    game = SummerPavilion(players=2)
    assert picture.tile_names("it")["r"] == "rosso"
    assert picture.place_names(game, "fr")["factory-3"] == "fabrique 3"
    label = 'aria-label="Anna, red star, space 4: costs 4 tiles"'
    assert label in picture.panels(game, NAMES, "en")[1].body
    assert "Ben &amp; Co" in picture.panels(game, NAMES, "en")[2].body


@pytest.mark.parametrize("plan", [WIDE, NARROW], ids=["wide", "narrow"])
def test_stars_and_ornaments_are_equal_rhombi_that_do_not_overlap(plan: Plan) -> None:
    middles = [plan.space_middle(space) for space in range(SPACES)] + [
        plan.feature_middle(n) for n in range(len(FEATURES))
    ]
    nearest = min(dist(a, b) for n, a in enumerate(middles) for b in middles[:n])
    assert nearest == pytest.approx(LONG / 2)
    assert plan.space_axis(0) % 360 == plan.turn  # the purple star stands at 270 degrees, its 1 looks to the orange one
    for n, (_, _, spaces) in enumerate(FEATURES):
        around = [dist(plan.feature_middle(n), plan.space_middle(space)) for space in spaces]
        assert around == pytest.approx([LONG / 2] * len(spaces))


def test_a_placement_flies_one_tile_to_the_board_and_the_rest_to_the_tower() -> None:
    for before, _, _ in played(SummerPavilion(players=2), 7):
        for move in before.legal_moves if before.phase == "place" else []:
            if re.fullmatch("c3.", move.text):
                after = before.copy()
                after.push(move)
                flown = flights(picture.scene(before), animation.steps(before, move, after)[0].scene)
                board = f"p{before.state.turn + 1}-space-38"
                assert sorted(flight.target for flight in flown) == ["discards", "discards", board]
                return
    raise AssertionError("nobody could place a tile there")


def test_previews_name_what_is_completed() -> None:
    said: set[str] = set()
    for seed in range(6):
        for game in GAMES[:2]:
            for before, move, _ in played(game, seed):
                said |= {re.sub(r"\d+", "#", phrase.text) for phrase in narrator.preview(before, move, "en")}
    assert {
        "scores # points",
        "uses # jokers",
        "completes a pillar: # bonus tile",
        "takes # tiles",
        "discards # tiles: −#",
    } <= said
    assert "takes the starting player marker: −#" in said


def test_scenes_are_quick() -> None:
    positions = [after.copy() for _, _, after in played(SummerPavilion(players=4), 1)]
    start = process_time()
    for position in positions:
        picture.scene(position)
    assert (process_time() - start) / len(positions) < 1e-3  # 50 microseconds where it was written


def test_the_whole_table_can_be_drawn() -> None:
    position = SummerPavilion(players=3, side="grey").start(seed=4)
    drawn = draw_svg(position, NAMES[:3], "it", "dark")
    ElementTree.fromstring(drawn)
    assert "var(" not in drawn


@pytest.mark.parametrize("side", ["coloured", "grey"])
def test_dots_of_a_star_are_the_colours_that_it_may_still_take(side: str):
    game = SummerPavilion(side=side)
    seen = 0
    for position, _, _ in played(game, seed=8):
        marks = set(picture.scene(position).marks)
        for seat, star in product(range(2), range(STARS) if side == "grey" else [CENTRE_STAR]):
            welcome = int(colours_welcome(position.state, seat, star))
            for kind, letter in enumerate(game.tiles.letters):
                barred = f"p{seat + 1}-star-{star}-not-{letter}" in marks
                assert barred == (not welcome >> kind & 1)
                seen += barred
    assert seen > 20
