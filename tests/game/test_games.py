"""Games and their options, moves as numbers and as texts."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS

ACTIONS = {
    "azul-2-coloured": 180,
    "azul-3-coloured": 240,
    "azul-4-coloured": 300,
    "azul-2-grey": 205,
    "azul-2-coloured-jokers": 871,
    "azul-4-grey-jokers": 1435,
    "azul-mini-2-grey": 205,
    "summer-pavilion-2-coloured": 582,
    "summer-pavilion-4-coloured": 606,
    "summer-pavilion-2-grey": 1194,
    "summer-pavilion-4-grey": 1218,
}


@pytest.mark.parametrize("players", [0, 1, 5, -2, 2.0, "2", True])
@pytest.mark.parametrize("kind", [tw.Azul, tw.AzulMini, tw.SummerPavilion])
def test_only_two_three_or_four_can_play(kind: type[tw.Game], players: object):
    with pytest.raises(tw.BadOption, match="for 2, 3 or 4 players, not"):
        kind(players=players)


def test_unknown_options_are_named_with_the_known_ones():
    with pytest.raises(tw.BadOption, match="'coloured' or 'grey', not 'gray'"):
        tw.Azul(wall="gray")
    with pytest.raises(tw.BadOption, match="'coloured' or 'grey', not 'blue'"):
        tw.SummerPavilion(side="blue")
    with pytest.raises(tw.BadOption, match="False or True, not 'yes'"):
        tw.Azul(jokers="yes")
    with pytest.raises(tw.BadOption, match="the games are azul, azul-mini, summer-pavilion"):
        tw.make_game("chess")
    for nonsense in ([], None, {"azul": 1}, 3, tw.Azul):
        with pytest.raises(tw.BadOption, match="the games are azul, azul-mini, summer-pavilion"):
            tw.make_game(nonsense)
    with pytest.raises(tw.BadOption, match="Azul Mini has no option 'jokers'; it has players, wall"):
        tw.make_game("azul-mini", jokers=True)


def test_games_are_values():
    assert tw.Azul(players=3) == tw.Azul(players=3, wall="coloured", jokers=False)
    assert tw.Azul() != tw.AzulMini()
    assert len({*RULE_SETS, *[tw.make_game(g.name, g.players, **g.options) for g in RULE_SETS]}) == len(RULE_SETS)
    for game in RULE_SETS:
        assert eval(repr(game), vars(tw) | {name: getattr(tw, name) for name in tw.__all__}) == game


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_action_space(game: tw.Game):
    kernel_count = game.kernels.count_actions_at(game.set_up().states, 0)
    assert game.actions == len(game.moves) == kernel_count == ACTIONS.get(IDS[RULE_SETS.index(game)], kernel_count)
    texts = [str(move) for move in game.moves]
    assert len(set(texts)) == len(texts)
    assert max(len(text) for text in texts) <= 9
    for number, move in enumerate(game.moves):
        assert game.move(number) == game.move(str(move)) == game.move(str(move).upper()) == move
        assert int(move) == number


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_position_stays_under_512_bytes(game: tw.Game):
    assert game.kernels.dtype.itemsize < 512
    assert game.kernels.dtype.itemsize % 8 == 0
    assert game.kernels.dtype.itemsize == sum(game.kernels.dtype[name].itemsize for name in game.kernels.dtype.names)


@pytest.mark.parametrize(
    ("game", "typed", "meant"),
    [
        (tw.Azul(2), "factory 3, blue, line 2", "3b2"),
        (tw.Azul(2), "Centre White Floor", "cwf"),
        (tw.Azul(2), "3 black 4", "3k4"),
        (tw.Azul(2), "blue from factory 3 to line 2", "3b2"),
        (tw.Azul(2), "white from the centre to the floor line", "cwf"),
        (tw.SummerPavilion(2), "red from factory 3", "3r"),
        (tw.SummerPavilion(2), "blue from the centre", "cb"),
        (tw.Azul(2), "5-r-1", "5r1"),
        (tw.Azul(2, jokers=True), "factory 2 jokers line 5", "2j5"),
        (tw.Azul(2, jokers=True), "2 red and jokers to line 4 keep :1", "2rj4:1"),
        (tw.Azul(2, wall="grey"), "wall row 2 column 4", "w24"),
        (tw.SummerPavilion(2), "factory 3 red", "3r"),
        (tw.SummerPavilion(2), "centre blue", "cb"),
        (tw.SummerPavilion(2), "red star 4 +1", "r4+1"),
        (tw.SummerPavilion(2), "centre star 4 orange + 2 jokers", "c4o+2"),
        (tw.SummerPavilion(2, side="grey"), "star 2 4 red + 1", "s24r+1"),
        (tw.SummerPavilion(2), "red 4 with 1 joker", "r4+1"),
        (tw.SummerPavilion(2), "take red from factory 1", "1r"),
        (tw.SummerPavilion(2), "r2+0", "r2"),
        (tw.SummerPavilion(2), "bonus red green red", "bonus grr"),
        (tw.SummerPavilion(2), "keep brgr", "keep gbrr"),
        (tw.SummerPavilion(2), "keep nothing", "keep none"),
        (tw.SummerPavilion(2), "keep", "keep none"),
        (tw.SummerPavilion(2), " PASS ", "pass"),
    ],
)
def test_moves_can_be_typed_in_words(game: tw.Game, typed: str, meant: str):
    assert str(game.move(typed)) == meant


@pytest.mark.parametrize("unreadable", ["", "x", "3b", "3b6", "0b1", "6b1", "3b2 4", "w24", "3j2", "☃", "pass"])
def test_an_unreadable_move_says_what_moves_look_like(unreadable: str):
    with pytest.raises(tw.UnreadableMove, match="moves look like '3b2'"):
        tw.Azul(2).move(unreadable)


@pytest.mark.parametrize("number", [-1, 180, 10**9])
def test_a_number_outside_the_action_space_is_refused(number: int):
    with pytest.raises(tw.UnreadableMove, match="numbers from 0 to 179"):
        tw.Azul(2).move(number)


@pytest.mark.parametrize("nonsense", [None, 2.5, [3], b"3b2", True])
def test_values_that_cannot_be_moves_are_refused(nonsense: object):
    with pytest.raises(tw.UnreadableMove, match="a move is a Move, its number or its text"):
        tw.Azul(2).move(nonsense)


def test_a_move_of_another_rule_set_is_refused():
    with pytest.raises(tw.UnreadableMove, match="is a move of"):
        tw.Azul(2).start(seed=1).push(tw.Azul(3).move("3b2"))


def test_moves_of_different_games_are_never_equal():
    moves = [game.moves[0] for game in RULE_SETS]
    assert len(set(moves)) == len(RULE_SETS)
    for one in moves:
        assert [one == other for other in moves] == [one is other for other in moves]
        assert [one != other for other in moves] == [one is not other for other in moves]
    assert tw.Azul(2).move("3b2") == tw.Azul(2).move("3b2")
    assert hash(tw.Azul(2).move("3b2")) == hash(tw.Azul(2).move("3b2"))
    assert tw.Azul(2).move("3b2") != tw.AzulMini(2).move("3b2")
    assert tw.AzulMini(2).move("3b2") not in tw.Azul(2).start(seed=7).legal_moves
    assert tw.AzulMini(2).move("3b2") not in list(tw.Azul(2).moves)


def test_a_move_is_equal_to_neither_its_number_nor_its_text():
    move = tw.Azul(2).move("3b2")
    for other in (92, 92.0, np.int64(92), "3b2", None, move.fields):
        assert move != other
        assert other != move
    assert move not in [92]
    assert move not in {92: "a number"}


def test_moves_can_be_used_as_indices_and_can_be_pickled():
    move = tw.Azul(2).move("3b2")
    assert np.arange(180)[move] == int(move) == move.number == 92
    assert np.array([move, move], np.int64).tolist() == [92, 92]
    copy = pickle.loads(pickle.dumps(move))
    assert (copy, copy.text, copy.game) == (move, "3b2", tw.Azul(2))


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("keep rrrrr", "at most 4 tiles can be kept"),
        ("bonus rrrr", "never takes more than 3|more than 3 bonus tiles"),
        ("c4", "the colour of the tile is missing, as in c4r"),
        ("r4+4", "at least one of the tiles paid must be of the colour placed"),
        ("hello", "moves look like '3r'"),
    ],
)
def test_an_unreadable_move_of_summer_pavilion_says_what_is_missing(typed: str, complaint: str):
    with pytest.raises(tw.UnreadableMove, match=complaint):
        tw.SummerPavilion(2).move(typed)


def test_the_three_kinds_of_bad_moves_have_one_base_class():
    position = tw.Azul(2, jokers=True).set_up()
    position.draw("bbjj byrk byrk byrk byrk")
    before = position.copy()
    with pytest.raises(tw.UnreadableMove, match="is not a move of Azul"):
        position.push("knight to f3")
    with pytest.raises(tw.IllegalMove, match="there is no white tile in factory 1"):
        position.push("1w2")
    with pytest.raises(tw.AmbiguousMove, match="'1bj2' does not say how many jokers stay in the line: 1bj2:0, "):
        position.push("1bj2")
    assert position == before
    for kind in (tw.UnreadableMove, tw.IllegalMove, tw.AmbiguousMove):
        assert kind.__bases__ == (tw.BadMove,)
    assert issubclass(tw.BadMove, tw.TilewrightError)


def test_a_short_text_is_ambiguous_for_the_game_as_for_the_position():
    game = tw.Azul(players=2, jokers=True)
    with pytest.raises(tw.AmbiguousMove, match="'3bj2' may mean 3bj2:0, 3bj2:1, 3bj2:2"):
        game.move("3bj2")


def test_legal_moves_are_indexed_and_chosen_from():
    position = tw.Azul(players=2).start(seed=7)
    moves = list(position.legal_moves)
    assert position.legal_moves[0] == moves[0]
    assert position.legal_moves[-1] == moves[-1]
    assert position.legal_moves[2:5] == moves[2:5]
    assert random.Random(1).choice(position.legal_moves) in moves
    with pytest.raises(IndexError):
        position.legal_moves[len(moves)]


def test_bots_matches_and_vectors_are_at_the_top_level():
    game = tw.Azul(players=2)
    assert tw.bot("random", seed=1).choose(game.start(seed=7)) in game.start(seed=7).legal_moves
    assert tw.Vector(game, 2, seed=1).masks.any()
    assert tw.Observer(game).size == tw.Vector(game, 1).observations.shape[1]
    assert tw.play_match(["greedy", "random"], game, games=2, seed=1, workers=1).standings
