"""The rules of Azul line by line: the rules page, sections 1.1 to 1.6. Players are counted from 1."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from positions import (
    COLOURED_WALL,
    Board,
    all_tiles,
    bag,
    floor,
    legal,
    lid,
    line,
    marker_holder,
    next_starter,
    place,
    play,
    table,
    wall_row,
)

import tilewright as tw
from tilewright.rules import azul as rules
from tilewright.rules import azul_wall

DATA = Path(__file__).parent.parent / "data"

NO_BLUE = {row: cells.replace("b", ".") for row, cells in enumerate(COLOURED_WALL, start=1)}
"""A wall with every tile but the blue ones: four cells of each row, no row full."""
SIX_BLUE = Board({2: "b", 3: "bb", 4: "bbb"}, NO_BLUE)
"""Four such walls hold every tile but the 20 blue ones, which wait in lines: so a bag and a lid can be empty."""


def jokers_and(wall: str, players: int = 2) -> tw.Azul:
    return tw.Azul(players, wall, jokers=True)


# ---------------------------------------------------------------------------------------- 1.1 Constants


def test_tiles():
    assert tw.Azul.tiles.tally(tw.Azul().set_up().row.bag) == "20b20y20r20k20w"
    assert (rules.TILES, rules.COLOUR_TILES) == (100, 20)
    assert tw.Azul.tiles.names[:5] == ("blue", "yellow", "red", "black", "white")


@pytest.mark.parametrize("capacity", [1, 2, 3, 4, 5])
def test_pattern_lines_hold_one_to_five_tiles(capacity: int):
    position = table(tw.Azul(), Board({capacity: "b" * (capacity - 1)}), factories=["bb", "k"])
    play(position, f"1b{capacity}")
    assert (line(position, 1, capacity), floor(position, 1)) == ("b" * capacity, "b")


@pytest.mark.parametrize(("tiles", "penalty"), list(enumerate([0, 1, 2, 4, 6, 8, 11, 14])))
def test_floor_line_of_seven_spaces(tiles: int, penalty: int):
    position = table(tw.Azul(), Board(floor="r" * tiles, score=50), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.scores[0] == 50 - penalty


def test_score_starts_at_zero():
    assert tw.Azul(4).set_up().scores == (0, 0, 0, 0)


def test_the_coloured_wall_shifts_by_one_each_row():
    for row, cells in enumerate(COLOURED_WALL):
        for column, letter in enumerate(cells):
            colour = "byrkw".index(letter)
            assert column == (colour + row) % 5
            assert azul_wall.wall_column(colour, row) == column
            assert azul_wall.wall_colour(row, column) == colour


@pytest.mark.parametrize(
    ("wall", "points"),
    [
        pytest.param({}, 1, id="alone"),
        pytest.param({2: "w....", 4: "....y", 1: "b...."}, 1, id="tiles that do not touch"),
        pytest.param({2: ".b.r."}, 1, id="only diagonal neighbours"),
        pytest.param({3: "k..yr"}, 3, id="a gap ends the run"),
        pytest.param({3: "kw.yr"}, 5, id="five across"),
        pytest.param({1: "..r..", 2: "..y..", 4: "..w..", 5: "..k.."}, 5, id="five down"),
        pytest.param({2: "..y..", 3: ".w..."}, 4, id="two across and two down"),
        pytest.param({1: "..r..", 2: "..y..", 3: "kw.yr", 4: "..w..", 5: "..k.."}, 10, id="five across and five down"),
    ],
)
def test_points_of_a_wall_tile(wall: dict[int, str], points: int):
    """The blue tile of line 3, in the middle of the wall."""
    position = table(tw.Azul(), Board({3: "bbb"}, wall), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.row.wall_points[0] == points


# ------------------------------------------------------------------------------------------ 1.2 A round


def test_a_take_from_a_factory_clears_it():
    position = table(tw.Azul(), factories=["bbyr", "kkww"], centre="y")
    play(position, "1bf")
    assert (place(position, 0), place(position, 1), place(position, 2)) == ("yyr", "", "kkww")


def test_a_take_from_the_centre_leaves_the_other_colours():
    position = table(tw.Azul(), centre="bbyrr")
    play(position, "crf")
    assert (place(position, 0), floor(position, 1)) == ("bby", "rr")


def test_the_marker_takes_its_floor_space_before_the_tiles():
    """Six tiles lie on the floor: the marker takes the seventh space and the tile goes to the lid."""
    position = table(tw.Azul(), Board(floor="rrrkkk"), centre="by")
    play(position, "cbf")
    assert (floor(position, 1), lid(position), marker_holder(position)) == ("rrrkkk", "b", 1)


def test_a_take_never_keeps_room_in_the_line():
    """One legal move for each destination, and it fills the line as far as it can."""
    position = table(tw.Azul(), Board({4: "b"}), factories=["bbbb", "k"])
    assert legal(position, "1") == {"1bf", "1b1", "1b2", "1b3", "1b4", "1b5"}
    play(position, "1b4")
    assert (line(position, 1, 4), floor(position, 1)) == ("bbbb", "b")


def test_a_line_keeps_to_its_colour_from_the_take_that_began_it():
    """As a game is played, turn after turn, not as a text is read."""
    position = table(tw.Azul(), factories=["bb", "k", "by"])
    play(position, "1b3 2kf")
    assert legal(position, "3b") == {"3bf", "3b1", "3b2", "3b3", "3b4", "3b5"}
    assert legal(position, "3y") == {"3yf", "3y1", "3y2", "3y4", "3y5"}
    play(position, "3b3 cyf")
    assert wall_row(position, 1, 3) == "..b.."


def test_a_full_line_takes_nothing():
    position = table(tw.Azul(), Board({2: "bb"}), factories=["b"])
    assert legal(position) == {"1bf", "1b1", "1b3", "1b4", "1b5"}


def test_a_line_may_take_a_colour_that_another_line_holds():
    position = table(tw.Azul(), Board({2: "b", 3: "b"}), factories=["b"])
    assert legal(position) == {"1bf", "1b1", "1b2", "1b3", "1b4", "1b5"}


def test_the_floor_is_always_open():
    """Every line is full or barred, the floor line too is full: the take still goes there."""
    walls = {1: "b....", 2: ".b...", 3: "..b..", 4: "...b.", 5: "....b"}
    position = table(tw.Azul(), Board(wall=walls, floor="rrrrrrr"), factories=["b", "k"])
    assert legal(position, "1b") == {"1bf"}
    play(position, "1bf")
    assert lid(position) == "b"


def test_a_full_line_gives_one_tile_to_the_wall_and_the_others_to_the_lid():
    position = table(tw.Azul(), Board({5: "wwwww", 4: "www"}), factories=["k"], turn=2)
    play(position, "1k1")
    assert (wall_row(position, 1, 5), lid(position)) == ("...w.", "wwww")
    assert (line(position, 1, 5), line(position, 1, 4)) == ("", "www")


def test_a_line_that_was_tiled_bars_its_colour_and_takes_the_others():
    position = table(tw.Azul(), Board({2: "b"}), factories=["b"])
    play(position, "1b2")
    position.draw("bykw bykw bykw bykw bykw")
    play(position, "1bf")
    assert legal(position, "2") & {"2b2", "2y2", "2k2", "2w2"} == {"2y2", "2k2", "2w2", "2b2"}  # player 2's board
    play(position, "2bf")
    assert legal(position, "3") & {"3b2", "3y2", "3k2", "3w2"} == {"3y2", "3k2", "3w2"}


def test_floor_tiles_go_to_the_lid_and_the_floor_is_empty():
    position = table(tw.Azul(), Board(floor="rk"), Board(floor="w"), factories=["y"])
    play(position, "1yf")
    assert (floor(position, 1), floor(position, 2), lid(position)) == ("", "", "yrkw")


def test_everybody_tiles_before_the_game_ends():
    """A full row of player 1; player 2 still scores and still pays for the floor."""
    boards = Board({1: "b"}, {1: ".yrkw"}), Board({1: "k", 2: "w"}, floor="r", score=9)
    position = table(tw.Azul(), *boards, factories=["w"], turn=2)
    play(position, "1w2")
    assert position.is_over
    assert position.scores == (5 + 2, 9 + 1 + 1 - 1)


def test_tie_break_only_among_those_tied_for_first():
    """Player 3 has the most full rows, but fewer points than the two who lead."""
    leader, leader_with_row = Board(score=40), Board(score=40, wall={1: "byrkw"})
    third = Board(score=39, wall={1: "byrkw", 2: "wbyrk"})
    position = table(tw.Azul(3), leader, leader_with_row, third, phase="over")
    assert position.outcome().winners == (1,)


def test_a_shared_win_leaves_out_who_has_fewer_rows():
    one_row, two_rows = Board(score=40, wall={1: "byrkw"}), Board(score=40, wall={1: "byrkw", 2: "wbyrk"})
    position = table(tw.Azul(4), two_rows, one_row, two_rows, Board(score=12), phase="over")
    outcome = position.outcome()
    assert outcome.winners == (0, 2)
    assert str(outcome) == "players 1 and 3 share the win 40-40-40-12"


# ------------------------------------------------------------------------------------------- 1.3 Corners


def test_the_bag_runs_out_inside_a_factory_and_the_lid_is_poured_then():
    position = table(tw.Azul(), phase="fill", bag="byr", rest="lid")
    with pytest.raises(tw.BadDraw, match="cannot be white"):
        position.draw("w")  # white lies in the lid alone, which is not poured before the bag is empty
    position.draw("byr")
    assert (bag(position), len(lid(position))) == ("", 97)
    assert position.chances()["white"] == Fraction(20, 97)  # the next draw is from the lid
    position.draw("w")
    assert (len(bag(position)), lid(position)) == (96, "")
    assert place(position, 1) == "byrw"


def test_the_lid_is_not_poured_when_the_bag_empties_with_the_last_factory():
    position = table(tw.Azul(), phase="fill", bag="b" * 20, rest="lid")
    position.draw("b" * 20)
    assert (position.phase, bag(position), len(lid(position))) == ("draft", "", 80)


def test_bag_and_lid_empty_the_round_is_played_with_what_there_is():
    board = Board({3: "bb"}, NO_BLUE)
    position = table(tw.Azul(4), SIX_BLUE, SIX_BLUE, board, Board({}, NO_BLUE), phase="fill", bag="bbbb", rest="lid")
    position.draw("bbbb b")
    assert position.phase == "fill"
    position.draw("b")
    assert position.phase == "draft"
    assert [place(position, n) for n in range(10)] == ["", "bbbb", "bb"] + [""] * 7
    play(position, "1b5 2b5")
    assert position.phase == "over"  # those six wait in lines too: no tile is left for a new round


def test_no_tile_at_all_ends_the_game_at_once_with_bonuses():
    boards = SIX_BLUE, SIX_BLUE, SIX_BLUE, Board({2: "b"}, NO_BLUE)
    position = table(tw.Azul(4), *boards, factories=["b"], turn=4)
    play(position, "1b5")
    assert position.is_over
    assert position.round == 1  # no round 2 began
    assert position.scores == (40, 40, 40, 40)  # four colours each, no row, no column
    assert position.outcome().winners == (0, 1, 2, 3)


@pytest.mark.parametrize("move", ["cb2", "cbf"])
def test_the_marker_with_a_full_floor_line_costs_nothing_and_pushes_nothing_out(move: str):
    boards = Board(floor="rrrkkkk", score=20), Board()
    position = table(tw.Azul(), *boards, centre="b", first=2)
    play(position, move)
    assert position.scores[0] == 20 - 14
    assert lid(position).replace("b", "") == "rrrkkkk"
    assert next_starter(position) == 1


def test_nobody_took_from_the_centre_the_same_player_starts_again():
    position = table(tw.Azul(3), factories=["bbbb", "yyyy"], turn=1, first=3)
    play(position, "1b4 2y4")
    assert (next_starter(position), marker_holder(position), position.round) == (3, None, 2)


def test_three_rounds_without_a_wall_tile_end_a_game():
    """From the set-up: two players who put everything on the floor."""
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


def test_a_wall_tile_of_any_player_starts_the_count_of_barren_rounds_anew():
    position = table(tw.Azul(), Board({1: "b"}), factories=["b"], turn=2, barren=2)
    play(position, "1bf")
    assert not position.is_over
    assert position.row.barren == 0


# ----------------------------------------------------------------------------------------- 1.4 Grey wall


def test_grey_drafting_into_a_row_without_a_valid_column_is_legal():
    board = Board({}, {1: "...b.", 2: "....b", 3: "yrk.."})
    position = table(tw.Azul(wall="grey"), board, factories=["bb", "k"])
    assert "1b3" in position.legal_moves


def test_grey_choices_go_line_by_line_and_are_scored_before_the_next():
    position = table(tw.Azul(wall="grey"), Board({1: "b", 3: "kkk"}, {2: "..y.."}), factories=["y"], turn=2)
    play(position, "1yf")
    assert (position.phase, position.turn) == ("tile", 0)
    assert legal(position) == {"w11", "w12", "w13", "w14", "w15"}  # line 1 first, whatever line 3 would like
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
    """Row 2 has one free cell; who puts the blue tile of line 1 above it lets line 2 fall."""
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
    """Three tiles fall. Seen while player 2 still has to choose a cell, before the floor is scored."""
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


# -------------------------------------------------------------------------------------------- 1.5 Jokers


@pytest.mark.parametrize("players", [2, 3, 4])
def test_jokers_always_100_tiles(players: int):
    assert len(bag(jokers_and("coloured", players).set_up())) == 100
    assert sum(all_tiles(jokers_and("grey", players)).values()) == 100


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_jokers_the_three_takes(wall: str):
    """One colour alone, all jokers alone, all jokers and one colour: never some of them."""
    position = table(jokers_and(wall), factories=["bbjj", "k"])
    takes = {text.rstrip("12345f:0") for text in legal(position, "1")}
    assert takes == {"1b", "1j", "1bj"}
    for take, left in [("1bf", "jj"), ("1jf", "bb"), ("1bjf", "")]:
        after = position.copy()
        play(after, take)
        assert place(after, 0) == left
        assert sorted(floor(after, 1) + left) == list("bbjj")


def test_jokers_stay_behind_in_the_centre():
    position = table(jokers_and("coloured"), centre="bbjjy")
    play(position, "cbf")
    assert place(position, 0) == "yjj"


def test_jokers_are_not_taken_from_two_places():
    position = table(jokers_and("coloured"), factories=["bbb", "jyyy"])
    assert not legal(position, "1bj")
    assert not legal(position, "2bj")
    assert not legal(position, "1j")


@pytest.mark.parametrize("take", ["cj2", "cbj2"])
def test_jokers_from_the_centre_count_for_the_marker(take: str):
    position = table(jokers_and("coloured"), centre="bjy")
    play(position, take)
    assert marker_holder(position) == 1


def test_jokers_alone_fit_any_line_that_is_not_full():
    position = table(jokers_and("coloured"), Board({1: "b", 2: "y", 3: "jj"}, {4: "rkwb."}), factories=["jj", "k"])
    assert legal(position, "1") == {"1jf", "1j2", "1j3", "1j4", "1j5"}
    play(position, "1j2")
    assert (line(position, 1, 2), floor(position, 1)) == ("yj", "j")


def test_a_coloured_line_may_later_take_jokers_and_a_line_of_jokers_a_colour():
    """As a game is played, turn after turn."""
    position = table(jokers_and("coloured"), factories=["bb", "j", "jy", "jr"])
    play(position, "1b4 2j3")
    assert {"3j4", "3y4", "4j4"} & legal(position) == {"3j4", "4j4"}
    play(position, "3j4")
    assert {"4r3", "cy3", "4rj3:1", "4j3"} <= legal(position)
    play(position, "4rj3:1")
    assert (line(position, 1, 4), line(position, 2, 3)) == ("bbj", "rjj")


def test_a_line_of_jokers_may_later_take_a_colour_that_its_row_allows():
    position = table(jokers_and("coloured"), Board({3: "j"}, {3: "..b.."}), factories=["by", "k"])
    assert "1b3" not in position.legal_moves  # row 3 has blue
    play(position, "1y3 2kf")
    assert line(position, 1, 3) == "yj"
    later = table(jokers_and("coloured"), Board({3: "yj"}), factories=["ry"])
    assert {"1r3", "1y3"} & legal(later) == {"1y3"}  # and from then on no other


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize(("number", "kept"), [(1, [0, 1]), (2, [0, 1, 2]), (3, [1, 2]), (4, [2]), (5, [2])], ids=str)
def test_jokers_the_player_chooses_what_overflows(wall: str, number: int, kept: list[int]):
    """Two blue and two jokers: the line is always filled as far as the take goes, the mixture is a choice."""
    position = table(jokers_and(wall), factories=["bbjj", "k"])
    assert legal(position, f"1bj{number}") == {f"1bj{number}:{jokers}" for jokers in kept}
    for jokers in kept:
        after = position.copy()
        play(after, f"1bj{number}:{jokers}")
        in_line = line(after, 1, number)
        assert in_line.count("j") == jokers
        assert len(in_line) == min(number, 4)
        assert sorted(in_line + floor(after, 1)) == list("bbjj")


def test_jokers_the_choice_counts_the_room_that_is_left():
    position = table(jokers_and("coloured"), Board({4: "bj"}), factories=["bjj", "k"])
    assert legal(position, "1bj4") == {"1bj4:1", "1bj4:2"}


def test_jokers_who_keeps_only_jokers_has_a_line_without_a_colour():
    """The blue tiles all fall: the line is one of jokers alone and may be put on any free cell."""
    position = table(jokers_and("coloured"), factories=["bbj"])
    play(position, "1bj1:1")
    assert legal(position) == {"w11", "w12", "w13", "w14", "w15"}


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_jokers_a_joker_must_go_to_the_wall_and_the_others_to_the_lid(wall: str):
    position = table(jokers_and(wall), Board({4: "bjj"}), factories=["b"])
    play(position, "1b4")
    if wall == "grey":
        play(position, "w44")
    assert wall_row(position, 1, 4) == "...j."
    assert lid(position) == "bbj"


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_jokers_alone_go_to_any_free_cell_at_that_lines_turn(wall: str):
    board = Board({1: "j", 2: "yy"}, {1: "b...."})
    position = table(jokers_and(wall), board, factories=["k"], turn=2)
    play(position, "1kf")
    assert legal(position) == {"w12", "w13", "w14", "w15"}
    assert wall_row(position, 1, 2) == "....."  # the lower line waits, though on the coloured wall it has no choice
    play(position, "w13")
    if wall == "grey":
        play(position, "w23")
    assert wall_row(position, 1, 2) == "..y.."
    assert position.scores[0] == 1 + 2


def test_jokers_with_a_colour_on_the_grey_wall_any_free_cell():
    """No column stops a joker: blue stands in columns 1 and 2, the joker of a blue line may go there."""
    board = Board({3: "bbj"}, {1: "b....", 2: ".b...", 3: "....y"})
    position = table(jokers_and("grey"), board, factories=["k"], turn=2)
    play(position, "1kf")
    assert legal(position) == {"w31", "w32", "w33", "w34"}


def test_jokers_on_the_grey_wall_bar_no_colour():
    """Neither the colour of the line that they came from from the row, nor any colour from the column."""
    position = table(jokers_and("grey"), Board({3: "bbj"}), Board({2: "b"}, {1: "j...."}), factories=["b"], turn=2)
    play(position, "1b2 w31")
    assert "w21" in position.legal_moves  # player 2: a joker stands above
    play(position, "w21")
    position.draw("bbbb yyyy rrrr kkkk wwww")
    assert wall_row(position, 1, 3) == "j...."
    assert "1b3" in position.legal_moves


def test_jokers_on_the_coloured_wall_bar_the_colour_of_their_cell_alone():
    position = table(jokers_and("coloured"), Board(wall={3: "j...."}), factories=["bykj", "rw"])  # black's cell
    assert not legal(position, "1k3")
    assert not legal(position, "1kj3")
    assert {"1b3", "1y3", "2r3", "2w3", "1j3"} <= legal(position)


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_jokers_never_count_for_the_bonus_of_a_colour(wall: str):
    """Not even five jokers on a colour's five cells."""
    cells = {1: "jyrk.", 2: ".j...", 3: "..j..", 4: "...j.", 5: "....j"}
    position = table(jokers_and(wall), Board({1: "w"}, cells), factories=["k"], turn=2)
    play(position, "1kf")
    if wall == "grey":
        play(position, "w15")
    assert position.outcome().points[0]["full colours"] == 0
    assert position.outcome().points[0]["full rows"] == 2


def test_jokers_on_the_floor_are_ordinary_tiles():
    position = table(jokers_and("coloured"), Board(score=10), centre="jjj")
    play(position, "cjf")
    assert position.scores[0] == 10 - 6  # the marker and three tiles
    assert lid(position) == "jjj"


# ------------------------------------------------------------------------------------------- 1.6 Figures


def test_the_largest_score_of_240_in_five_rounds():
    """A whole game with typed-in draws, through the public interface, every move checked.

    Player 2 fills all five lines in each round. The first five tiles stand on the falling diagonal's mirror
    image, each alone in its row and column; from then on every tile prolongs the run of its row and of its
    column. So each row and each column gives 1+2+3+4+5, and only the first five tiles count once: 150 - 5.
    """
    record = tw.load_record(DATA / "azul-240.txt")
    position = record.replay()
    assert position.is_over
    assert position.round == 5
    assert position.scores == (0, 240)
    assert position.outcome().points[1] == {
        "tiles on the wall": 145,
        "full rows": 10,
        "full columns": 35,
        "full colours": 50,
        "floor line": 0,
    }
    assert [wall_row(position, 2, row) for row in range(1, 6)] == list(COLOURED_WALL)


GAMES = 40_000
SPREAD = {2: (1.29, 13.8, 2.87), 3: (1.25, 16.7, 2.14), 4: (1.25, 19.7, 1.66)}
"""Standard deviations of one game's rounds, turns and mean score, measured once."""


@pytest.mark.parametrize(
    ("players", "means", "rounding"),
    [
        pytest.param(2, (6.60, 70.35, 2.95), (0.005, 0.005, 0.005), id="2"),
        pytest.param(3, (6.7, 90, 2.5), (0.05, 0.5, 0.05), id="3"),
        pytest.param(4, (6.8, 108, 2.1), (0.05, 0.5, 0.05), id="4"),
    ],
)
def test_averages_of_random_play(players: int, means: tuple[float, ...], rounding: tuple[float, ...]):
    """Within four standard errors of 40 000 games, and the rounding of the figures as they are printed."""
    game = tw.Azul(players)
    totals = np.zeros(3, dtype=np.int64)
    generator = np.array([2024], dtype=np.uint64)
    game.kernels.play_games(game.kernels.new_table(1), game.set_up().table, generator, GAMES, totals)
    turns, rounds, points = totals / GAMES
    measured = (rounds, turns, points / players)
    for value, mean, spread, half_digit in zip(measured, means, SPREAD[players], rounding, strict=True):
        assert abs(value - mean) < 4 * spread / sqrt(GAMES) + half_digit
