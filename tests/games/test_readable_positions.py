"""Positions in the words of the rulebook agree with their rows, whatever happens in a game."""

from __future__ import annotations

from random import Random

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, choose
from tilewright.games.azul.position import AzulPosition
from tilewright.games.family.views import Tiles
from tilewright.games.summer_pavilion.position import SummerPavilionPosition


def tiles_seen(position: AzulPosition | SummerPavilionPosition) -> dict[str, int]:
    """Every tile of the game, counted wherever the views show it."""
    heaps = [position.bag, position.centre, *position.factories]
    singles: list[str | None] = []
    if isinstance(position, AzulPosition):
        heaps += [position.lid, *(floor.tiles for floor in position.floors)]
        singles += [tile for wall in position.walls for row in wall for tile in row]
        for line in (line for lines in position.lines for line in lines):
            singles += [line.colour] * (line.tiles - line.jokers) + ["joker"] * line.jokers
    else:
        heaps += [position.tower, position.supply, *position.hands]
        singles += [space.tile for stars in position.stars for star in stars.values() for space in star.spaces]
    found = {name: sum(heap[name] for heap in heaps) for name in position.game.tiles.names}
    for name in singles:
        if name is not None:
            found[name] += 1
    return {name: n for name, n in found.items() if n}


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_tile_of_a_game_is_seen(game: tw.Game):
    position, chooser = game.start(seed=7), Random(7)
    assert isinstance(position, AzulPosition | SummerPavilionPosition)
    all_tiles = tiles_seen(position)
    while not position.is_over:
        position.push(choose(position, chooser, "eager"))
        assert tiles_seen(position) == all_tiles
    assert sum(all_tiles.values()) == (132 if game.name == "summer-pavilion" else 100)


def test_the_table_of_azul():
    position = tw.Azul(players=2).set_up()
    position.draw("bbyr kkww yyrr bkwy rbkw")
    assert position.factories[0] == {"blue": 2, "yellow": 1, "red": 1}
    assert position.marker is None
    for move in ("1b2", "cy1", "2kf"):
        position.push(move)
    assert position.centre == {"red": 1, "white": 2}
    assert position.marker == 1
    assert [(line.size, line.colour, line.tiles, line.is_full) for line in position.lines[0][:2]] == [
        (1, None, 0, False),
        (2, "blue", 2, True),
    ]
    assert position.floors[0].tiles == {"black": 2}
    assert (position.floors[0].marker, position.floors[0].penalty) == (False, 2)
    assert (position.floors[1].marker, position.floors[1].penalty) == (True, 1)
    assert position.bag.total() == 80
    assert position.starting_player == 0


def test_a_wall():
    game = tw.Azul(players=2)
    position = game.start(seed=3)
    while position.round < 3 and not position.is_over:
        position.push(choose(position, Random(1), "eager"))
    wall = max(position.walls, key=lambda wall: wall.covered)
    assert wall.covered > 0
    assert wall.columns[2][1] == wall[1][2]
    assert repr(wall)[6:-2] in position.to_text()


def test_the_table_of_summer_pavilion():
    position, chooser = tw.SummerPavilion(players=3).start(seed=7), Random(7)
    assert position.joker_colour == "purple"
    assert position.supply.total() == 10
    jokers, bonuses, passes = {position.joker_colour}, set(), set()
    while not position.is_over:
        position.push(choose(position, chooser, "eager"))
        assert (position.bonus_tiles > 0) == (position.phase == "bonus")
        bonuses.add(position.bonus_tiles)
        passes.add(position.passed)
        jokers.add(position.joker_colour)
    assert len(bonuses) > 1
    assert {sum(passed) for passed in passes} >= {0, 1, 2}
    assert jokers == set(position.game.tiles.names)
    names = ["purple", "green", "orange", "yellow", "blue", "red", "centre"]
    assert [list(stars) for stars in position.stars] == [names] * 3
    for star in position.stars[0].values():
        assert [space.number for space in star.spaces] == [1, 2, 3, 4, 5, 6]
        assert star.is_full == all(space.tile for space in star.spaces)


def test_stars_of_the_grey_side():
    stars = tw.SummerPavilion(players=2, side="grey").start(seed=7).stars[0]
    assert set(stars) == {"s1", "s2", "s3", "s4", "s5", "s6", "centre"}
    assert [space.number for space in stars["centre"].spaces] == [3] * 6
    assert [space.number for space in stars["s1"].spaces] == [3, 2, 1, 4, 5, 6]


def test_tiles_are_values():
    position = tw.Azul(players=2).start(seed=7)
    heap = position.factories[0]
    assert heap == position.copy().factories[0]
    assert hash(heap) == hash(position.copy().factories[0])
    assert dict(heap) == {"blue": 1, "yellow": 1, "red": 1, "white": 1}
    with pytest.raises(KeyError, match="no tile is called 'green'; there are blue, yellow, red, black, white, joker"):
        heap["green"]
    with pytest.raises(TypeError):
        heap["blue"] = 3  # type: ignore[index]
    assert isinstance(position.bag, Tiles)


@pytest.mark.parametrize("game", [tw.AzulMini(3), tw.SummerPavilion(2)], ids=str)
def test_every_way_to_a_position_has_the_views(game: tw.Game):
    position = game.start(seed=7)
    batch, vector = game.batch(2, seed=7), tw.Vector(game, 2, seed=7)
    text = position.to_text()
    for other in (position.copy(), game.set_up(), game.position(text), tw.read_position(text), batch[0], vector[1]):
        assert type(other) is game.position_type
        assert len(other.factories) == 2 * game.players + 1
