"""The Joker tiles of Azul, rule by rule, as in docs/azul.md. Players are counted from 1."""

from __future__ import annotations

import pytest
from positions import (
    Board,
    all_tiles,
    bag,
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


def jokers_and(wall: str, players: int = 2) -> tw.Azul:
    return tw.Azul(players, wall, jokers=True)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_jokers_always_100_tiles(players: int):
    assert len(bag(jokers_and("coloured", players).set_up())) == 100
    assert sum(all_tiles(jokers_and("grey", players)).values()) == 100


@pytest.mark.parametrize("wall", ["coloured", "grey"])
def test_jokers_the_three_ways_to_take(wall: str):
    """One colour alone, all jokers alone, or all jokers and one colour, but never only some of them."""
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
def test_jokers_from_the_centre_bring_the_marker(take: str):
    position = table(jokers_and("coloured"), centre="bjy")
    play(position, take)
    assert marker_holder(position) == 1


def test_jokers_alone_fit_any_line_that_is_not_full():
    position = table(jokers_and("coloured"), Board({1: "b", 2: "y", 3: "jj"}, {4: "rkwb."}), factories=["jj", "k"])
    assert legal(position, "1") == {"1jf", "1j2", "1j3", "1j4", "1j5"}
    play(position, "1j2")
    assert (line(position, 1, 2), floor(position, 1)) == ("yj", "j")


def test_a_coloured_line_may_later_take_jokers_and_a_line_of_jokers_a_colour():
    """Played turn by turn, not read from a text."""
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
    assert {"1r3", "1y3"} & legal(later) == {"1y3"}  # and no other colour from then on


@pytest.mark.parametrize("wall", ["coloured", "grey"])
@pytest.mark.parametrize(("number", "kept"), [(1, [0, 1]), (2, [0, 1, 2]), (3, [1, 2]), (4, [2]), (5, [2])], ids=str)
def test_jokers_the_player_chooses_what_overflows(wall: str, number: int, kept: list[int]):
    """Two blue tiles and two jokers always fill as much of the line as they can; the mixture is a choice."""
    position = table(jokers_and(wall), factories=["bbjj", "k"])
    assert legal(position, f"1bj{number}") == {f"1bj{number}:{jokers}" for jokers in kept}
    for jokers in kept:
        after = position.copy()
        play(after, f"1bj{number}:{jokers}")
        in_line = line(after, 1, number)
        assert in_line.count("j") == jokers
        assert len(in_line) == min(number, 4)
        assert sorted(in_line + floor(after, 1)) == list("bbjj")


def test_jokers_the_choice_depends_on_the_room_left():
    position = table(jokers_and("coloured"), Board({4: "bj"}), factories=["bjj", "k"])
    assert legal(position, "1bj4") == {"1bj4:1", "1bj4:2"}


def test_jokers_a_line_that_keeps_only_jokers_has_no_colour():
    """All blue tiles fall: the line has only a joker, which may go to any free cell."""
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
    assert wall_row(position, 1, 2) == "....."  # the lower line waits, even if on the coloured wall there is no choice
    play(position, "w13")
    if wall == "grey":
        play(position, "w23")
    assert wall_row(position, 1, 2) == "..y.."
    assert position.scores[0] == 1 + 2


def test_jokers_with_a_colour_on_the_grey_wall_any_free_cell():
    """No column excludes a joker: columns 1 and 2 have blue, and the joker of a blue line may go there."""
    board = Board({3: "bbj"}, {1: "b....", 2: ".b...", 3: "....y"})
    position = table(jokers_and("grey"), board, factories=["k"], turn=2)
    play(position, "1kf")
    assert legal(position) == {"w31", "w32", "w33", "w34"}


def test_jokers_on_the_grey_wall_bar_no_colour():
    """They bar neither the colour of their pattern line from the row nor any colour from the column."""
    position = table(jokers_and("grey"), Board({3: "bbj"}), Board({2: "b"}, {1: "j...."}), factories=["b"], turn=2)
    play(position, "1b2 w31")
    assert "w21" in position.legal_moves  # player 2 has a joker above
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
    """Not even five jokers on the five cells of a colour."""
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
