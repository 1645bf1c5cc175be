"""The corner cases of Azul, as docs/azul.md lists them. Players are counted from 1."""

from __future__ import annotations

from fractions import Fraction

import pytest
from positions import (
    COLOURED_WALL,
    Board,
    bag,
    lid,
    marker_holder,
    next_starter,
    place,
    play,
    table,
)

import tilewright as tw

NO_BLUE = {row: cells.replace("b", ".") for row, cells in enumerate(COLOURED_WALL, start=1)}
"""A wall with every tile except the blue ones: four in each row, and no full row."""
SIX_BLUE = Board({2: "b", 3: "bb", 4: "bbb"}, NO_BLUE)
"""Four such walls hold all tiles except the 20 blue ones, which are in pattern lines: bag and lid can be empty."""


def test_if_the_bag_runs_out_inside_a_factory_the_lid_is_emptied_into_it():
    position = table(tw.Azul(), phase="fill", bag="byr", rest="lid")
    with pytest.raises(tw.BadDraw, match="cannot be white"):
        position.draw("w")  # white is only in the lid, which is not emptied before the bag has run out
    position.draw("byr")
    assert (bag(position), len(lid(position))) == ("", 97)
    assert position.chances()["white"] == Fraction(20, 97)  # the next draw is from the lid
    position.draw("w")
    assert (len(bag(position)), lid(position)) == (96, "")
    assert place(position, 1) == "byrw"


def test_the_lid_stays_full_if_the_bag_runs_out_with_the_last_factory():
    position = table(tw.Azul(), phase="fill", bag="b" * 20, rest="lid")
    position.draw("b" * 20)
    assert (position.phase, bag(position), len(lid(position))) == ("draft", "", 80)


def test_if_bag_and_lid_are_empty_the_round_is_played_with_the_tiles_available():
    board = Board({3: "bb"}, NO_BLUE)
    position = table(tw.Azul(4), SIX_BLUE, SIX_BLUE, board, Board({}, NO_BLUE), phase="fill", bag="bbbb", rest="lid")
    position.draw("bbbb b")
    assert position.phase == "fill"
    position.draw("b")
    assert position.phase == "draft"
    assert [place(position, n) for n in range(10)] == ["", "bbbb", "bb"] + [""] * 7
    play(position, "1b5 2b5")
    assert position.phase == "over"  # these six are in pattern lines too: no tile is left for a new round


def test_if_there_is_no_tile_for_a_round_the_game_ends_at_once_with_bonuses():
    boards = SIX_BLUE, SIX_BLUE, SIX_BLUE, Board({2: "b"}, NO_BLUE)
    position = table(tw.Azul(4), *boards, factories=["b"], turn=4)
    play(position, "1b5")
    assert position.is_over
    assert position.round == 1  # round 2 did not begin
    assert position.scores == (40, 40, 40, 40)  # four colours each, no row, no column
    assert position.outcome().winners == (0, 1, 2, 3)


@pytest.mark.parametrize("move", ["cb2", "cbf"])
def test_the_marker_on_a_full_floor_line_costs_nothing_and_displaces_nothing(move: str):
    boards = Board(floor="rrrkkkk", score=20), Board()
    position = table(tw.Azul(), *boards, centre="b", first=2)
    play(position, move)
    assert position.scores[0] == 20 - 14
    assert lid(position).replace("b", "") == "rrrkkkk"
    assert next_starter(position) == 1


def test_if_nobody_took_from_the_centre_the_same_player_starts_again():
    position = table(tw.Azul(3), factories=["bbbb", "yyyy"], turn=1, first=3)
    play(position, "1b4 2y4")
    assert (next_starter(position), marker_holder(position), position.round) == (3, None, 2)


def test_three_rounds_without_a_wall_tile_end_a_game():
    """Two players put everything on the floor from the first move."""
    position = tw.Azul().start(seed=3)
    while not position.is_over:
        position.push(next(move for move in position.legal_moves if move.text.endswith("f")))
    assert position.round == 3
    assert position.scores == (0, 0)
    assert position.outcome().winners == (0, 1)


def test_a_game_ended_by_barren_rounds_has_bonuses():
    column = {1: "b....", 2: "w....", 3: "k....", 4: "r....", 5: "y...."}
    position = table(tw.Azul(), Board(wall=column, score=15), factories=["b"], turn=2, barren=2)
    play(position, "1bf")
    assert position.is_over
    assert position.scores == (15 + 7, 0)


def test_a_wall_tile_of_any_player_resets_the_count_of_barren_rounds():
    position = table(tw.Azul(), Board({1: "b"}), factories=["b"], turn=2, barren=2)
    play(position, "1bf")
    assert not position.is_over
    assert position.state.barren == 0
