"""The grey wall of Azul, rule by rule, as in docs/azul.md. Players are counted from 1."""

from __future__ import annotations

import pytest
from positions import (
    Board,
    floor,
    legal,
    lid,
    play,
    table,
    wall_row,
)

import tilewright as tw


def test_grey_drafting_into_a_row_without_a_valid_column_is_legal():
    board = Board({}, {1: "...b.", 2: "....b", 3: "yrk.."})
    position = table(tw.Azul(wall="grey"), board, factories=["bb", "k"])
    assert "1b3" in position.legal_moves


def test_grey_choices_go_line_by_line_and_are_scored_before_the_next():
    position = table(tw.Azul(wall="grey"), Board({1: "b", 3: "kkk"}, {2: "..y.."}), factories=["y"], turn=2)
    play(position, "1yf")
    assert (position.phase, position.turn) == ("tile", 0)
    assert legal(position) == {"w11", "w12", "w13", "w14", "w15"}  # line 1 comes first
    play(position, "w13")
    assert position.scores[0] == 2
    assert legal(position) == {"w31", "w32", "w33", "w34", "w35"}
    play(position, "w33")
    assert position.scores[0] == 2 + 3


def test_grey_a_choice_narrows_those_below():
    position = table(tw.Azul(wall="grey"), Board({1: "b", 2: "bb"}), factories=["y"], turn=2)
    play(position, "1yf w12")
    assert legal(position) == {"w21", "w23", "w24", "w25"}


def test_grey_a_choice_can_make_a_lower_line_fall():
    """Row 2 has one free cell; putting the blue tile of line 1 above it makes line 2 fall."""
    board = Board({1: "b", 2: "bb"}, {2: ".wyrk"}, score=10)
    position = table(tw.Azul(wall="grey"), board, factories=["y"], turn=2)
    play(position, "1yf")
    kinder = position.copy()
    play(position, "w11")
    assert wall_row(position, 1, 2) == ".wyrk"
    assert position.scores[0] == 10 + 1 - 2  # blue alone, two tiles on the floor
    play(kinder, "w12 w21")
    assert wall_row(kinder, 1, 2) == "bwyrk"


def test_grey_if_one_valid_cell_exists_it_must_be_used():
    board = Board({2: "bb"}, {1: "b....", 3: ".b...", 4: "..b..", 5: "...b."})
    position = table(tw.Azul(wall="grey"), board, factories=["y"], turn=2)
    play(position, "1yf")
    assert legal(position) == {"w25"}


def test_grey_a_covered_cell_is_not_valid():
    position = table(tw.Azul(wall="grey"), Board({2: "bb"}, {2: "yr..."}), factories=["y"], turn=2)
    play(position, "1yf")
    assert legal(position) == {"w23", "w24", "w25"}


def test_grey_a_line_falls_at_once_before_the_next_line_is_tiled():
    board = Board({2: "bb", 3: "kkk"}, {1: "...b.", 2: "yrk..", 4: "....b"}, score=20)
    position = table(tw.Azul(wall="grey"), board, factories=["y"], turn=2)
    play(position, "1yf")
    assert floor(position, 1) == "bb"
    assert legal(position) == {"w31", "w32", "w34", "w35"}
    play(position, "w35")
    assert position.scores[0] == 20 + 2 - 2  # black above a blue tile, two tiles on the floor


@pytest.mark.parametrize(
    ("marker", "on_the_floor", "to_the_lid", "penalty"),
    [("centre", "rrrr", "", 14), ("centre", "rrrrrr", "bb", 14), (1, "rrrr", "b", 14), ("centre", "r", "", 6)],
)
def test_grey_a_falling_line_overflows_to_the_lid(marker: int | str, on_the_floor: str, to_the_lid: str, penalty: int):
    """Three tiles fall. Checked while player 2 still has to choose a cell, before the floor is scored."""
    no_cell = {1: "...b.", 2: "....b", 3: "yrk.."}
    board = Board({3: "bbb"}, no_cell, floor=on_the_floor, score=30)
    position = table(tw.Azul(wall="grey"), board, Board({1: "w"}), factories=["y"], turn=2, marker=marker)
    play(position, "1yf")
    assert floor(position, 1) == "b" * (3 - len(to_the_lid)) + on_the_floor
    assert lid(position) == to_the_lid
    play(position, "w11")
    assert position.scores[0] == 30 - penalty


def test_grey_players_choose_in_turn_order_from_the_starting_player():
    boards = Board({1: "b"}), Board({1: "y"}), Board({1: "r"})
    position = table(tw.Azul(3, "grey"), *boards, factories=["k"], turn=1, first=2)
    play(position, "1kf")
    choosers = []
    while position.phase == "tile":
        choosers.append(position.turn + 1)
        play(position, "w11")
    assert choosers == [2, 3, 1]


def test_grey_the_bonus_of_a_colour_needs_five_tiles_in_any_cells():
    wall = {1: "yrkw.", 2: "b....", 3: ".b...", 4: "..b..", 5: "...b."}
    position = table(tw.Azul(wall="grey"), Board({1: "b"}, wall), factories=["k"], turn=2)
    play(position, "1kf w15")
    assert position.outcome().points[0]["full colours"] == 10
