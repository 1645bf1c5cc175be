"""The effects of moves: they tell all that the rules do, in order, and nothing else."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, STYLES, choose

each_rule_set = pytest.mark.parametrize(
    "game", [pytest.param(game, id=name) for game, name in zip(RULE_SETS, IDS, strict=True)]
)
each_azul = pytest.mark.parametrize(
    "game",
    [pytest.param(game, id=name) for game, name in zip(RULE_SETS, IDS, strict=True) if name.startswith("azul")],
)


def played(game: tw.Game):
    """The moves of whole games in every style: the position before each, the move, the position after it."""
    for seed, style in enumerate(STYLES):
        position, chooser = game.start(seed=seed), Random(seed)
        while not position.is_over:
            before, move = position.copy(), choose(position, chooser, style)
            position.push(move)
            yield before, move, position.copy()


@each_rule_set
def test_effects_account_for_every_point_and_end_where_the_move_ends(game: tw.Game):
    for before, move, _ in played(game):
        told = before.effects(move)
        after = before.without_dealer()
        after.push(move)
        assert told[-1].after.states.tobytes() == after.states.tobytes()
        scores = list(before.scores)
        for effect in told:
            assert effect.points == 0 or effect.seat is not None
            if effect.seat is not None:
                scores[effect.seat] += effect.points
            assert tuple(scores) == effect.after.scores or game.name == "summer-pavilion"
        assert tuple(scores) == after.scores


@each_rule_set
def test_points_come_from_somewhere_at_any_time(game: tw.Game):
    for before, _, _ in played(game):
        for seat in range(game.players):
            assert sum(game.spec.points(before, seat).values()) == before.scores[seat]


def places(position: tw.Position) -> Counter[tuple[str, str]]:
    """How many tiles of each kind lie at each place, but for the bag and the lid."""
    letters, row = position.game.tiles.letters, position.state
    counts: Counter[tuple[str, str]] = Counter()

    def add(place: str, heap: int) -> None:
        for kind, letter in enumerate(letters):
            counts[place, letter] += heap >> 8 * kind & 0xFF

    for place, heap in enumerate(row.places.tolist()):
        add("centre" if place == 0 else f"factory-{place}", heap)
    add("discards", int(row.lid))
    for seat in range(position.game.players):
        add(f"p{seat + 1}-floor", int(row.floor[seat]))
        for line in range(5):
            held, jokers = int(row.line_tiles[seat, line]), int(row.line_jokers[seat, line])
            counts[f"p{seat + 1}-line-{line + 1}", "j"] += jokers
            if held > jokers:
                counts[f"p{seat + 1}-line-{line + 1}", letters[row.line_colour[seat, line]]] += held - jokers
            for column in range(5):
                if row.wall[seat, line, column] >= 0:
                    counts[f"p{seat + 1}-wall-{line + 1}-{column + 1}", letters[row.wall[seat, line, column]]] += 1
    marker = int(row.marker)
    counts["centre" if marker < 0 else f"p{marker + 1}-floor", "marker"] = 1
    return +counts


@each_azul
def test_tiles_move_from_where_they_lay_to_where_they_lie(game: tw.Game):
    for before, move, _ in played(game):
        lying = places(before)
        for effect in before.effects(move):
            for moved in effect.tiles:
                assert moved.number > 0
                lying[moved.origin, moved.kind] -= moved.number
                lying[moved.target.replace("-marker", "-floor"), moved.kind] += moved.number
            assert min(lying.values()) >= 0
            assert +lying == places(effect.after)


@each_azul
def test_asking_for_effects_changes_nothing(game: tw.Game):
    position = game.start(seed=3)
    before = position.to_text(), position.events
    for move in position.legal_moves:
        position.effects(move)
    assert (position.to_text(), position.events) == before


def azul(moment: str, offer: str, *players: str) -> tw.Position:
    """A position of two players whose lid has what is missing of twenty tiles of each colour."""
    tiles = Counter(
        letter
        for part in (offer, *(player.partition("lines=")[2] for player in players))
        for letter in part.replace("wall", "").replace("floor", "").replace("centre", "")
        if letter in "byrkw"
    )
    lid = "".join(f"{8 - tiles[kind]}{kind}" for kind in "byrkw" if tiles[kind] < 8)
    table = f"bag=12b12y12r12k12w lid={lid} {offer}"
    return tw.Azul(2).position("; ".join(("azul players=2 wall=coloured jokers=no", moment, table, *players)))


def test_a_take_from_a_factory():
    position = tw.Azul(2).set_up()
    position.draw("bbyr kkww yyrr bkwy rbkw")
    (take,) = position.effects("1b1")
    assert (take.what, take.seat, take.points) == ("take", 0, 0)
    assert take.tiles == (
        tw.TilesMoved("b", 1, "factory-1", "p1-line-1"),
        tw.TilesMoved("b", 1, "factory-1", "p1-floor"),
        tw.TilesMoved("y", 1, "factory-1", "centre"),
        tw.TilesMoved("r", 1, "factory-1", "centre"),
    )
    assert take.values["full"] is True
    assert (take.values["fallen"], take.values["fallen_cost"], take.values["marker"]) == (1, 1, False)
    assert take.moved(origin="factory-1", target="centre") == 2


def test_the_first_to_take_from_the_centre_takes_the_marker():
    position = tw.Azul(2).set_up()
    position.draw("bbyr kkww yyrr bkwy rbkw")
    position.push("1b2")
    (take,) = position.effects("cyf")
    assert take.tiles == (
        tw.TilesMoved("marker", 1, "centre", "p2-floor"),
        tw.TilesMoved("y", 1, "centre", "p2-floor"),
    )
    assert (take.values["marker_cost"], take.values["fallen_cost"]) == (1, 1)


def test_the_end_of_a_round_in_its_order():
    position = azul(
        "round=3 phase=draft turn=1 first=2 marker=1 tiled=no barren=0",
        "centre=- 1=b 2=- 3=- 4=- 5=-",
        "player=1 score=4 wall-points=4 lines=b,b,-,-,- wall=...../...../...../...../..... floor=w",
        "player=2 score=2 wall-points=2 lines=k,-,-,-,- wall=....w/...../...../...../..... floor=www",
    )
    told = position.effects("1b2")
    assert [(effect.what, effect.seat, effect.points, effect.at) for effect in told] == [
        ("take", 0, 0, ""),
        ("wall", 1, 2, "p2-wall-1-4"),
        ("wall", 0, 1, "p1-wall-1-1"),
        ("wall", 0, 1, "p1-wall-2-2"),
        ("floor", 1, -4, "p2-floor"),
        ("floor", 0, -2, "p1-floor"),
        ("round_ends", None, 0, ""),
    ]
    assert told[-1].tiles == (tw.TilesMoved("marker", 1, "p1-floor", "centre"),)
    assert told[3].tiles[1:] == (tw.TilesMoved("b", 1, "p1-line-2", "discards"),)


def test_bonuses_come_one_by_one_and_a_floor_line_takes_no_more_than_there_is():
    position = azul(
        "round=5 phase=draft turn=1 first=1 marker=2 tiled=no barren=0",
        "centre=- 1=b 2=- 3=- 4=- 5=-",
        "player=1 score=20 wall-points=20 lines=-,-,-,-,- wall=.yrkw/wb.../kwb../...b./....b floor=-",
        "player=2 score=0 wall-points=2 lines=-,-,-,-,- wall=...../...../...../...../..... floor=ww",
    )
    told = position.effects("1b1")
    assert [(effect.what, effect.seat, effect.points) for effect in told] == [
        ("take", 0, 0),
        ("wall", 0, 8),
        ("floor", 1, 0),
        ("bonus", 0, 2),
        ("bonus", 0, 10),
        ("game_ends", None, 0),
    ]
    assert told[1].values["completed"] == {"row": 2, "colour": 10}
    assert [(effect.values["for"], effect.at) for effect in told[3:5]] == [
        ("row", "p1-wall-1-5"),
        ("colour", "p1-wall-5-5"),
    ]
    assert told[-1].after.is_over


def test_a_line_without_a_valid_cell_falls():
    """On the grey wall a colour may stand only once in a column, so a full line may find none."""
    game = tw.Azul(2, "grey")
    for seed in range(200):
        position, chooser = game.start(seed=seed), Random(seed)
        while not position.is_over:
            move = choose(position, chooser, "eager")
            fallen = [effect for effect in position.effects(move) if effect.what == "line_falls"]
            if fallen:
                effect = fallen[0]
                assert effect.moved(origin=f"p{effect.seat + 1}-line-{effect.values['row']}") == effect.values["row"]
                assert effect.moved(target=f"p{effect.seat + 1}-wall") == 0
                return
            position.push(move)
    raise AssertionError("no line fell in 200 games")
