"""A round of Azul, rule by rule, as in docs/azul.md. Players are counted from 1."""

from __future__ import annotations

from positions import (
    Board,
    floor,
    legal,
    lid,
    line,
    marker_holder,
    place,
    play,
    table,
    wall_row,
)

import tilewright as tw


def test_a_take_from_a_factory_clears_it():
    position = table(tw.Azul(), factories=["bbyr", "kkww"], centre="y")
    play(position, "1bf")
    assert (place(position, 0), place(position, 1), place(position, 2)) == ("yyr", "", "kkww")


def test_a_take_from_the_centre_leaves_the_other_colours():
    position = table(tw.Azul(), centre="bbyrr")
    play(position, "crf")
    assert (place(position, 0), floor(position, 1)) == ("bby", "rr")


def test_the_marker_takes_its_floor_space_before_the_tiles():
    """With six tiles on the floor, the marker takes the seventh space and the tile goes to the lid."""
    position = table(tw.Azul(), Board(floor="rrrkkk"), centre="by")
    play(position, "cbf")
    assert (floor(position, 1), lid(position), marker_holder(position)) == ("rrrkkk", "b", 1)


def test_a_take_never_keeps_room_in_the_line():
    """There is one legal move for each destination, and it fills the line as far as possible."""
    position = table(tw.Azul(), Board({4: "b"}), factories=["bbbb", "k"])
    assert legal(position, "1") == {"1bf", "1b1", "1b2", "1b3", "1b4", "1b5"}
    play(position, "1b4")
    assert (line(position, 1, 4), floor(position, 1)) == ("bbbb", "b")


def test_a_line_keeps_to_its_colour_from_the_take_that_began_it():
    """Played turn by turn, not read from a text."""
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
    """Every line is full or barred, and the floor line is full too: tiles can still go there."""
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
    """Player 1 completes a row; player 2 still scores, and loses points for the floor."""
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


def test_a_shared_win_excludes_players_with_fewer_rows():
    one_row, two_rows = Board(score=40, wall={1: "byrkw"}), Board(score=40, wall={1: "byrkw", 2: "wbyrk"})
    position = table(tw.Azul(4), two_rows, one_row, two_rows, Board(score=12), phase="over")
    outcome = position.outcome()
    assert outcome.winners == (0, 2)
    assert str(outcome) == "players 1 and 3 share the win 40-40-40-12"
