"""The corner cases of Summer Pavilion, as docs/summer-pavilion.md lists them. Players are counted from 1."""

from __future__ import annotations

import pytest
from positions_summer import LETTERS, hand, heap, legal, play, star, table


def test_corner_bag_runs_out_while_the_factories_are_filled():
    """The tower is emptied into the bag at the draw that needs it, not before."""
    position = play(table(passed="2", bag="rrrrrr", rest="tower"), "pass")
    assert position.phase == "factories"
    assert set(position.chances()) == {"red"}
    position.draw("rrrr rr")
    assert heap(position, "bag") == "-"
    assert heap(position, "tower") != "-"  # not emptied yet
    assert position.chances().keys() == {"purple", "green", "orange", "yellow", "blue", "red"}
    position.draw("bb")
    assert heap(position, "2") == "bbrr"
    assert heap(position, "tower") == "-"
    assert heap(position, "bag") != "-"


def test_corner_the_tower_waits_if_the_bag_runs_out_exactly():
    position = play(table(passed="2", bag="rrrrr ooooo yyyyy bbbbb".replace(" ", ""), rest="tower"), "pass")
    tower = heap(position, "tower")
    position.draw("rrrr rooo ooyy yyyb bbbb")
    assert position.phase == "draft"
    assert (heap(position, "bag"), heap(position, "tower")) == ("-", tower)


FULL_BOARD = " ".join(star(letter) for letter in LETTERS) + " " + star("c", LETTERS)


def test_corner_factories_that_cannot_be_filled():
    """Four players and six tiles for nine factories: these are filled in order, and the round is played."""
    five_stars = " ".join(star(letter) for letter in "pgoyr")
    boards = [FULL_BOARD, FULL_BOARD, five_stars]
    position = table(
        4, round_number=4, passed="1,2,3", turn=4, boards=boards, hands=["", "", "", "bb"], supply="ppggooyyrr"
    )
    assert heap(position, "bag") == "bbbbbb"
    play(position, "pass", "keep bb", "draw bbbb bb")
    assert position.phase == "draft"
    assert [heap(position, str(n)) for n in range(1, 10)] == ["bbbb", "bb"] + ["-"] * 7
    play(position, "1b")  # blue is the joker colour of round 5: one tile, the rest to the centre
    assert heap(position, "centre") == "bbb"


def test_corner_without_tiles_for_the_factories_placing_begins_at_once():
    five_stars = " ".join(star(letter) for letter in "pgoyr")
    boards = [FULL_BOARD, FULL_BOARD, five_stars, "b1 b2 b3 c1b"]
    position = table(
        4,
        round_number=4,
        passed="1,2,3",
        turn=4,
        first=2,
        boards=boards,
        hands=["", "", "", "bbbb"],
        supply="ppggooyyrr",
    )
    play(position, "pass", "keep bbbb")
    assert (position.round, position.phase, position.turn) == (5, "place", 1)


SCARCE = {"rest": "hand 2", "boards": ["r2 b3 b4"], "hands": ["r"]}
"""Bag and tower are empty, and player 2 has nearly all tiles; red 1 completes a statue and costs one tile."""


def test_corner_supply_that_cannot_be_refilled_stays_short():
    position = play(table(**SCARCE), "r1", "bonus pp")
    assert (position.phase, position.turn) == ("place", 1)
    assert heap(position, "supply") == "ggooyybr"


def test_corner_supply_refilled_at_the_end_of_a_later_turn():
    """Player 2 pays four tiles: the three in the tower fill two spaces, one stays in the bag."""
    position = play(table(**SCARCE), "r1", "bonus pp", "g4")
    assert (position.phase, heap(position, "tower")) == ("supply", "ggg")
    position.draw("gg")
    assert (position.phase, position.turn) == ("place", 0)
    assert (heap(position, "supply"), heap(position, "bag")) == ("ggggooyybr", "g")


def test_corner_supply_refilled_in_part():
    position = play(table(**SCARCE), "r1", "bonus pp", "g2", "draw g")
    assert (position.phase, position.turn) == ("place", 0)
    assert len(heap(position, "supply")) == 9


def test_corner_supply_refilled_at_the_end_of_a_pass():
    position = play(table(**SCARCE), "r1", "bonus pp", "pass", "keep none")
    assert position.phase == "supply"


@pytest.mark.parametrize(("supply", "earned"), [("ggg", 2), ("gg", 2), ("g", 1)])
def test_corner_no_more_bonus_tiles_than_the_supply_holds(supply: str, earned: int):
    position = play(table(supply=supply, **SCARCE), "r1")
    assert position.state.owed == earned
    assert legal(position) == {f"bonus {'g' * earned}"}
    assert hand(play(position, f"bonus {'g' * earned}"), 1) == "g" * earned


def test_corner_an_empty_supply_pays_nothing():
    position = play(table(supply="", **SCARCE), "r1")
    assert (position.phase, position.turn) == ("place", 1)
    assert hand(position, 1) == "-"


def test_corner_a_feature_that_could_not_pay_is_not_paid_later():
    position = play(table(supply="", **SCARCE), "r1", "g4", "draw ggg")
    assert (position.turn, position.state.owed) == (0, 0)


def test_corner_tiles_paid_this_turn_do_not_pay_its_feature():
    """Red 5 costs five tiles and closes a window: four go to the tower, but the supply is refilled only afterwards."""
    position = play(table(rest="hand 2", supply="", boards=["r6"], hands=["rrrrr"]), "r5")
    assert (position.phase, hand(position, 1)) == ("supply", "-")
    position.draw("rrrr")
    assert (heap(position, "supply"), position.turn) == ("rrrr", 1)


def test_corner_nobody_took_from_the_centre():
    """The player who began the round begins the placing and the next round."""
    position = table(3, phase="draft", turn=3, first=2, factories=["rrrr", "bbbb"])
    play(position, "1r", "2b")
    assert (position.phase, position.turn, position.state.marker) == ("place", 1, -1)
    play(position, "pass", "pass", "keep none", "pass", "keep none")
    position.deal(seed=1)
    assert (position.round, position.turn) == (2, 1)


def test_corner_jokers_kept_earlier():
    """Green tiles kept in round 1 are jokers in round 2; purple ones no longer are."""
    position = play(table(hands=["ggpp"]), "pass", "keep ggpp", "pass", "draw rrrr bbbb oooo yyyy bbbb")
    play(position, "1r", "2b", "3o", "4y", "5b")
    assert (position.turn, hand(position, 1)) == (0, "ppggoooobbbbrrrr")
    assert {"r3+2", "b2+1", "p2", "p4+2"} <= legal(position)
    assert "r5" not in legal(position)
    assert "r6+2" in legal(position)


def test_corner_the_marker_alone_cannot_be_taken():
    """A centre with only the marker in it offers no move and does not prolong the draft."""
    position = table(phase="draft", factories=["rrrr"])
    assert legal(position) == {"1r"}
    play(position, "1r")
    assert position.phase == "place"
