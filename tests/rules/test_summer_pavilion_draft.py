"""The draft of Summer Pavilion, rule by rule, as in docs/summer-pavilion.md. Players are counted from 1."""

from __future__ import annotations

import pytest
from positions_summer import hand, heap, legal, play, table

import tilewright as tw


def test_draft_all_tiles_of_a_colour_the_rest_to_the_centre():
    position = play(table(phase="draft", factories=["rrgb", "oooo"]), "1r")
    assert (hand(position, 1), heap(position, "1"), heap(position, "centre")) == ("rr", "-", "gb")
    assert position.turn == 1


@pytest.mark.parametrize("jokers", [1, 2, 3])
def test_draft_exactly_one_joker_comes_along(jokers: int):
    factory = "p" * jokers + "r" * (4 - jokers)
    position = play(table(phase="draft", factories=[factory, "oooo"]), "1r")
    assert hand(position, 1) == "p" + "r" * (4 - jokers)
    assert heap(position, "centre") == ("p" * (jokers - 1) or "-")


def test_draft_the_joker_colour_cannot_be_chosen_while_there_are_others():
    position = table(phase="draft", factories=["ppgr"], centre="pb")
    assert legal(position) == {"1g", "1r", "cb"}
    with pytest.raises(tw.BadMove, match="purple is the joker colour, and factory 1 has other tiles"):
        position.push("1p")


def test_draft_a_factory_of_jokers_gives_one_and_the_rest_goes_to_the_centre():
    position = table(phase="draft", factories=["pppp", "oooo"])
    assert legal(position, "1") == {"1p"}
    play(position, "1p")
    assert (hand(position, 1), heap(position, "centre")) == ("p", "ppp")


def test_draft_a_centre_of_jokers_gives_one_at_a_time():
    position = table(phase="draft", centre="ppp")
    play(position, "cp")
    assert (hand(position, 1), heap(position, "centre"), position.scores[0]) == ("p", "pp", 4)
    play(position, "cp", "cp")
    assert (hand(position, 1), hand(position, 2), position.scores) == ("pp", "p", (4, 5))
    assert position.phase == "place"


def test_draft_the_joker_colour_of_another_round_is_an_ordinary_one():
    position = table(phase="draft", round_number=2, factories=["ppgr"])
    assert legal(position) == {"1p", "1r"}  # green is the joker now
    assert hand(play(position, "1p"), 1) == "ppg"


@pytest.mark.parametrize(("score", "left"), [(5, 1), (8, 4), (3, 1), (1, 1)])
def test_draft_first_from_the_centre_loses_a_point_a_tile_down_to_one(score: int, left: int):
    """Four tiles, including the joker."""
    position = play(table(phase="draft", centre="prrr", factories=["oooo"], scores=[score]), "cr")
    assert position.scores[0] == left
    assert position.state.marker_loss[0] == score - left


def test_draft_only_the_first_from_the_centre_loses_points():
    position = play(table(phase="draft", centre="rrgg"), "cr", "cg")
    assert position.scores == (3, 5)
    assert position.state.marker == 0


def test_draft_taking_from_a_factory_costs_nothing():
    position = play(table(phase="draft", factories=["rrrr", "oooo"]), "1r")
    assert position.scores[0] == 5
    assert position.state.marker == -1


def test_draft_places_that_are_empty_or_lack_the_colour_offer_nothing():
    position = table(phase="draft", factories=["rrrr"])
    for move, why in [
        ("1g", "no green tile in factory 1"),
        ("2r", "no red tile in factory 2"),
        ("cr", "in the centre"),
    ]:
        with pytest.raises(tw.BadMove, match=why):
            position.push(move)


def test_draft_clockwise_round_the_table():
    position = table(4, phase="draft", turn=3, first=3, factories=["rrrr"] * 3 + ["bbbb"] * 3)
    turns = [position.turn]
    for move in ["1r", "2r", "3r", "4b"]:
        turns.append(play(position, move).turn)
    assert turns == [2, 3, 0, 1, 2]
