"""What happens in a move of Summer Pavilion, step by step: points, tiles and positions agree with the rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from positions_summer import play, star, table

import tilewright as tw
from tilewright.game.effects import Effect
from tilewright.games.family.heap import counts_of
from tilewright.games.summer_pavilion.names import TILES

GAMES = [tw.SummerPavilion(players, side) for players in (2, 3, 4) for side in ("coloured", "grey")]


def played(game: tw.SummerPavilion, seed: int) -> Iterator[tuple[tw.Position, tw.Move, list[Effect]]]:
    """Every move of a random game with its effects and the position before it; players seldom pass early."""
    chance = random.Random(seed)
    position = game.start(seed=seed)
    while not position.is_over:
        moves = list(position.legal_moves)
        if chance.random() < 0.95:
            moves = [move for move in moves if str(move) != "pass"] or moves
        move = chance.choice(moves)
        yield position.copy(), move, position.effects(move)
        position.push(move)


def where_tiles_lie(position: tw.Position) -> Counter[tuple[str, str]]:
    """How many tiles of each kind lie in each place, and where the marker is."""
    row = position.state
    heaps = {"bag": row.bag, "discards": row.tower, "supply": row.supply, "centre": row.places[0]}
    heaps |= {f"factory-{n}": row.places[n] for n in range(1, 2 * position.game.players + 2)}
    found: Counter[tuple[str, str]] = Counter()
    for seat in range(position.game.players):
        choosing = position.phase == "keep" and row.turn == seat
        rests = bool(row.passed >> seat & 1) and not choosing
        heaps[f"p{seat + 1}-{'corner' if rests else 'hand'}"] = row.hand[seat]
        for space, kind in enumerate(row.board[seat]):
            if kind >= 0:
                found[TILES.letters[kind], f"p{seat + 1}-space-{space}"] += 1
    for place, heap in heaps.items():
        for letter, number in zip(TILES.letters, counts_of(heap), strict=True):
            found[letter, place] += number
    found["marker", "centre" if row.marker < 0 else f"p{row.marker + 1}-marker"] += 1
    return found


def seen(effects: list[Effect]) -> list[tuple[str, int]]:
    return [(effect.what, effect.points) for effect in effects]


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("seed", [1, 2])
class TestWholeGames:
    def test_points_add_up(self, game: tw.SummerPavilion, seed: int) -> None:
        for before, move, effects in played(game, seed):
            scores = list(before.scores)
            for effect in effects:
                if effect.seat is None:
                    assert effect.points == 0
                else:
                    scores[effect.seat] += effect.points
                assert list(effect.after.scores) == scores, str(move)

    def test_tiles_go_where_the_effects_say(self, game: tw.SummerPavilion, seed: int) -> None:
        for before, move, effects in played(game, seed):
            lying = where_tiles_lie(before)
            for effect in effects:
                for tiles in effect.tiles:
                    lying[tiles.kind, tiles.origin] -= tiles.number
                    lying[tiles.kind, tiles.target] += tiles.number
                assert +lying == +where_tiles_lie(effect.after), (str(move), effect.what)

    def test_the_last_one_leads_to_the_position_after_the_move(self, game: tw.SummerPavilion, seed: int) -> None:
        for before, move, effects in played(game, seed):
            untouched = before.copy()
            after = before.without_dealer()
            after.push(move)
            assert effects[-1].after == after
            assert effects[-1].after.dealer is None
            assert before == untouched

    def test_the_end_is_told_once(self, game: tw.SummerPavilion, seed: int) -> None:
        told = [effect.what for _, _, effects in played(game, seed) for effect in effects]
        assert told.count("round_ends") == 5
        assert told.count("game_ends") == 1
        assert told[-1] == "game_ends"

    def test_sources_of_points_add_up_at_any_time(self, game: tw.SummerPavilion, seed: int) -> None:
        for before, _, effects in played(game, seed):
            for position in (before, effects[-1].after):
                for player in range(game.players):
                    points = game.spec.points(position, player)
                    assert sum(points.values()) == position.scores[player]
                    assert position.is_over or points["full stars"] == points["left in corners"] == 0


def test_a_take_from_a_factory():
    position = table(phase="draft", factories=["prrg", "bbbb"])
    (take,) = position.effects("1r")
    assert [(move.kind, move.number, move.origin, move.target) for move in take.tiles] == [
        ("p", 1, "factory-1", "p1-hand"),
        ("r", 2, "factory-1", "p1-hand"),
        ("g", 1, "factory-1", "centre"),
    ]
    assert (take.what, take.points, take.values["jokers"]) == ("take", 0, 1)


def test_the_marker_costs_no_more_points_than_there_are():
    position = table(phase="draft", centre="rrrrp", factories=["bbbb"], scores=[3])
    assert seen(position.effects("cr")) == [("take", 0), ("marker", -2)]


def test_a_placement_that_completes_two_features():
    # The red 2 closes both the pillar of the red star and the statue between it and the blue one.
    position = table(hands=["rr"], boards=["r1 r3 b3 b4 c1r c2b"], supply="gg", rest="tower")
    effects = position.effects("r2")
    assert seen(effects) == [("place", 3), ("feature", 0), ("feature", 0)]
    assert [effect.values["name"] for effect in effects[1:]] == ["pillar", "statue"]
    assert [effect.values["tiles"] for effect in effects[1:]] == [1, 1]  # the supply has only two
    assert effects[-1].after.phase == "bonus"


def test_a_full_star_and_a_covered_number_promise_their_bonus():
    ones = "p1 g1 o1 y1 b1 c1r"
    position = table(hands=["r"], boards=[f"{ones} {star('r', numbers='23456')}"])
    effects = position.effects("r1")
    assert [effect.what for effect in effects] == ["place", "star", "number"]
    assert [effect.values["bonus"] for effect in effects[1:]] == [14, 4]
    assert effects[0].points == 6


def test_keeping_and_discarding():
    position = play(table(hands=["rrrrbbg"]), "pass")
    (keep,) = position.effects("keep rrrr")
    assert (keep.what, keep.points) == ("keep", -3)
    assert (keep.moved(target="p1-corner"), keep.moved(target="discards")) == (4, 3)


def test_the_end_of_the_game():
    position = table(
        round_number=6, passed="2", hands=["gb", "oo"], boards=[star("r"), "p1 g1 o1 y1 b1 r1 c1r"], supply="pppppppppp"
    )
    effects = play(position, "pass").effects("keep g")
    assert [(effect.what, effect.seat, effect.points) for effect in effects] == [
        ("keep", 0, -1),
        ("star_bonus", 0, 14),
        ("corners", 0, -1),
        ("number_bonus", 1, 4),
        ("corners", 1, -2),
        ("game_ends", None, 0),
    ]


def test_effects_of_an_illegal_move():
    with pytest.raises(tw.BadMove, match="not legal"):
        table(hands=["r"]).effects("r2")
