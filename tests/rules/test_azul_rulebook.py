"""Every example and rule of the rulebooks of Azul and Azul Mini that can be played, section by section.

Next Move's rulebook of Azul in its French edition, with the Joker tiles on its last page, and that of Azul Mini in its
Italian edition, in our own words. The two games have the same rules, so an example that is in both is played with both.
Where an example depends on a picture, the surrounding tiles are ours and the numbers are those of the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from positions import (
    COLOURED_WALL,
    Board,
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

Kind = Callable[..., tw.Azul]


@pytest.fixture(params=[tw.Azul, tw.AzulMini], ids=["azul", "mini"])
def kind(request: pytest.FixtureRequest) -> Kind:
    """The game an example is played with."""
    return request.param


# ---------------------------------------------------------------------------------------------------- Section: set-up


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_set_up_factories_by_number_of_players(kind: Kind, players: int, factories: int):
    """5, 7 or 9 factories for 2, 3 or 4 players, each with exactly 4 tiles."""
    position = kind(players).start(seed=1)
    assert [len(place(position, n)) for n in range(10)] == [0] + [4] * factories + [0] * (9 - factories)


def test_set_up_100_tiles_and_markers_on_zero(kind: Kind):
    """All 100 tiles go into the bag, 20 of each colour, and the score markers stand on 0."""
    position = kind(4).set_up()
    assert bag(position) == "b" * 20 + "y" * 20 + "r" * 20 + "k" * 20 + "w" * 20
    assert position.scores == (0, 0, 0, 0)


def test_the_coloured_wall_is_the_picture_on_the_board(kind: Kind):
    """Each colour is once in each row and column, shifted by one from row to row; every tile goes to its cell."""
    for colour in "byrkw":
        lines = {number: colour * number for number in range(1, 6)}
        position = table(kind(), Board(lines), factories=["", "k"], turn=2)
        play(position, "2kf")
        for number, cells in enumerate(COLOURED_WALL, start=1):
            assert wall_row(position, 1, number) == "".join(cell if cell == colour else "." for cell in cells)


# ------------------------------------------------------------------------------------------- Section A: factory offer


def test_example_of_the_first_turn(kind: Kind):
    """The example of the first turns, with Philippe, Martin and Mathilde (in Azul Mini Alice, Diana and Denise)."""
    position = kind(3).set_up()
    position.draw("kkbw yrrr bbww kkyy bwyk bwyk bwyk")
    # 1. Philippe takes 2 black tiles from a factory and puts the rest in the centre of the table.
    play(position, "1k2")
    assert (line(position, 1, 2), place(position, 1), place(position, 0)) == ("kk", "", "bw")
    # 2. Martin takes the yellow tile from a factory and puts the 3 red tiles that are left in the centre.
    play(position, "2y1")
    assert (line(position, 2, 1), place(position, 2), place(position, 0)) == ("y", "", "brrrw")
    # 3. Mathilde takes these 3 red tiles and, as the first to take from the centre, the marker too.
    assert marker_holder(position) is None
    play(position, "cr3")
    assert (line(position, 3, 3), place(position, 0)) == ("rrr", "bw")
    assert marker_holder(position) == 3
    assert (floor(position, 1), floor(position, 2), floor(position, 3)) == ("", "", "")


def test_play_proceeds_clockwise(kind: Kind):
    """Play passes clockwise from player to player."""
    position = kind(3).set_up()
    position.draw("bbbb yyyy rrrr kkkk wwww bbbb yyyy")
    turns = []
    for factory, colour in enumerate("byrk", start=1):
        turns.append(position.turn)
        play(position, f"{factory}{colour}f")
    assert turns == [0, 1, 2, 0]


def test_only_the_first_to_take_from_the_centre_takes_the_marker(kind: Kind):
    """The first player of a round to take from the centre takes the marker too; later ones do not."""
    position = table(kind(), centre="bbyyr")
    play(position, "cb2")
    assert marker_holder(position) == 1
    play(position, "cy2")
    assert marker_holder(position) == 1


def test_tiles_are_placed_from_right_to_left_until_the_line_is_full(kind: Kind):
    """Tiles fill a pattern line from right to left; it is full once its leftmost space is."""
    position = table(kind(), Board({5: "bb"}), factories=["bb", "b", "k"])
    play(position, "1b5 3kf")
    assert line(position, 1, 5) == "bbbb"
    play(position, "2b5")
    assert wall_row(position, 1, 5) == "....b"  # it became full, so its rightmost tile went to the wall


def test_a_line_with_tiles_takes_only_their_colour(kind: Kind):
    """A line that holds tiles takes only more of their colour."""
    position = table(kind(), Board({3: "b", 4: "y"}), factories=["bykw"])
    assert legal(position, "1b") == {"1bf", "1b1", "1b2", "1b3", "1b5"}
    assert legal(position, "1y") == {"1yf", "1y1", "1y2", "1y4", "1y5"}


def test_tiles_go_to_one_line_and_those_that_do_not_fit_to_the_floor(kind: Kind):
    """All tiles go to one of the five pattern lines; those that do not fit must go to the floor line."""
    position = table(kind(), factories=["bbbb", "k"])
    assert legal(position, "1b") == {"1bf", "1b1", "1b2", "1b3", "1b4", "1b5"}
    play(position, "1b2")
    assert [line(position, 1, number) for number in range(1, 6)] == ["", "bb", "", "", ""]
    assert floor(position, 1) == "bb"


@pytest.mark.parametrize(
    ("move", "lines", "on_the_floor"),
    [
        pytest.param("1y1", ["y", "", "", "b", ""], "y", id="A: one in line 1, the other on the floor"),
        pytest.param("1y5", ["", "", "", "b", "yy"], "", id="B: both in line 5"),
        pytest.param("1yf", ["", "", "", "b", ""], "yy", id="C: both on the floor"),
    ],
)
def test_example_where_two_yellow_tiles_may_go(kind: Kind, move: str, lines: list[str], on_the_floor: str):
    """Example: Mathilde (Denise) takes 2 yellow: rows 2 and 3 of the wall have yellow, line 4 holds a blue tile."""
    board = Board({4: "b"}, {2: "..y..", 3: "...y."})
    position = table(kind(), board, factories=["yykw"])
    assert legal(position, "1y") == {"1y1", "1y5", "1yf"}
    play(position, move)
    assert [line(position, 1, number) for number in range(1, 6)] == lines
    assert floor(position, 1) == on_the_floor


def test_a_full_floor_line_sends_further_tiles_to_the_lid(kind: Kind):
    """Once every space of the floor line is taken, further tiles go to the lid of the box."""
    position = table(kind(), Board(floor="rrrkkk"), factories=["bbbb", "k"])
    play(position, "1bf")
    assert (floor(position, 1), lid(position)) == ("brrrkkk", "bbb")


def test_the_factory_offer_ends_when_the_centre_and_all_factories_are_empty(kind: Kind):
    """The phase ends when the centre and all factories are empty, not before."""
    position = table(kind(), factories=["by"])
    play(position, "1bf")
    assert position.phase == "draft"  # there is still a tile in the centre
    play(position, "cyf")
    assert position.phase == "fill"


# --------------------------------------------------------------------------------------------- Section B: wall-tiling


def test_example_of_wall_tiling(kind: Kind):
    """Example: Philippe's (Alice's) lines 2 (2 red) and 4 (4 blue) are full, lines 3 and 5 are not."""
    board = Board({2: "rr", 3: "kk", 4: "bbbb", 5: "www"})
    position = table(kind(), board, factories=["y"], turn=2)
    play(position, "1y2")
    # A) the rightmost tiles move to the red and the blue space and score 1 point each.
    assert (wall_row(position, 1, 2), wall_row(position, 1, 4)) == ("...r.", "...b.")
    assert position.scores == (2, 0)
    # B) the other tiles of lines 2 and 4 go to the lid; those of lines 3 and 5 stay.
    assert [line(position, 1, number) for number in range(1, 6)] == ["", "", "kk", "", "www"]
    assert lid(position) == "bbbr"


@pytest.mark.parametrize(
    ("wall", "number", "colour", "points"),
    [
        pytest.param({}, 2, "r", 1, id="red tile alone: 1"),
        pytest.param({2: "wb..."}, 2, "y", 3, id="yellow tile, 3 across: 3"),
        pytest.param({1: "..r..", 2: "..y.."}, 3, "b", 3, id="blue tile, 3 down: 3"),
        pytest.param({2: "...r.", 3: ".wb.r", 4: "...b."}, 3, "y", 7, id="yellow tile, 4 across and 3 down: 7"),
    ],
)
def test_examples_of_scoring(kind: Kind, wall: dict[int, str], number: int, colour: str, points: int):
    """Scoring: the four pictures of a tile that joins others."""
    position = table(kind(), Board({number: colour * (number - 1)}, wall, score=10), factories=[colour])
    play(position, f"1{colour}{number}")
    assert position.scores == (10 + points, 0)


def test_points_are_counted_at_once_from_top_to_bottom(kind: Kind):
    """Each tile scores as soon as it is moved: lower lines score with the tiles of higher ones, not vice versa."""
    position = table(kind(), Board({1: "b", 2: "ww"}), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.scores[0] == 1 + 2  # blue alone, then white below it


def test_example_of_the_floor_line(kind: Kind):
    """Example: Philippe (Alice) has 4 tiles and the marker on the floor line and loses 8 points."""
    position = table(kind(), Board(score=20), centre="rrrr")
    play(position, "crf")
    assert position.scores == (20 - 8, 0)
    assert lid(position) == "rrrr"


def test_no_score_falls_below_zero(kind: Kind):
    """No score falls below 0 points."""
    position = table(kind(), Board(score=5), centre="rrrr")
    play(position, "crf")
    assert position.scores == (0, 0)


def test_the_marker_on_the_floor_counts_as_a_tile_and_returns_to_its_holder(kind: Kind):
    """The marker counts as a tile on the floor line, then goes to its owner, not into the lid."""
    position = table(kind(), Board(score=5), centre="b")
    play(position, "cb2")
    assert position.scores == (4, 0)
    assert lid(position) == ""


# -------------------------------------------------------------------------------- Section C: preparing the next round


def test_the_player_with_the_marker_starts_the_next_round(kind: Kind):
    """Whoever has the marker starts the next round and puts it back in the centre."""
    position = table(kind(3), centre="b", turn=3)
    play(position, "cbf")
    assert (next_starter(position), marker_holder(position), position.round) == (3, None, 2)
    position.deal(seed=1)
    assert position.turn == 2


def test_an_empty_bag_is_filled_from_the_lid(kind: Kind):
    """An empty bag is refilled from the lid, and filling the factories continues."""
    position = table(kind(), phase="fill", bag="byrkw", rest="lid")
    position.draw("byrk wbbb bbbb bbbb bbbb")
    assert [place(position, n) for n in range(1, 6)] == ["byrk", "bbbw", "bbbb", "bbbb", "bbbb"]
    assert lid(position) == ""


def test_a_round_may_begin_with_factories_that_are_not_full(kind: Kind):
    """In the rare case that there are not enough tiles, the round starts with those available."""
    no_blue = {row: cells.replace("b", ".") for row, cells in enumerate(COLOURED_WALL, start=1)}
    waiting = Board({2: "b", 3: "bb", 4: "bbb"}, no_blue)
    position = table(kind(4), waiting, waiting, waiting, Board({}, no_blue), phase="fill")
    position.draw("bb")  # the last two of the 100 tiles
    assert position.phase == "draft"
    assert [place(position, n) for n in range(3)] == ["", "bb", ""]


# ------------------------------------------------------------------------------------------- Section: end of the game


def test_a_full_row_ends_the_game_after_the_tiling(kind: Kind):
    """The game ends after the wall-tiling in which any player has completed a row of five tiles."""
    position = table(kind(), Board({1: "b"}, {1: ".yrkw"}), Board({1: "k"}), factories=["y", "y"])
    play(position, "1yf")
    assert not position.is_over
    play(position, "2yf")
    assert position.is_over
    assert wall_row(position, 2, 1) == "...k."  # everybody tiles before the end


def test_a_full_column_does_not_end_the_game(kind: Kind):
    """Only a horizontal row ends the game: a full column scores points, but the game continues."""
    column = {1: "b....", 2: "w....", 3: "k....", 4: "r...."}
    position = table(kind(), Board({5: "yyyy"}, column), factories=["y"])
    play(position, "1y5")
    assert wall_row(position, 1, 5) == "y...."
    assert not position.is_over


@pytest.mark.parametrize(
    ("lines", "wall", "bonus"),
    [
        pytest.param({1: "w"}, {}, 2, id="one row: 2"),
        pytest.param({1: "w", 2: "kk"}, {2: "wbyr."}, 4, id="two rows: 4"),
        pytest.param({1: "w"}, {2: "w....", 3: "k....", 4: "r....", 5: "y...."}, 2 + 7, id="a row and a column: 9"),
        pytest.param({1: "w"}, {2: ".b...", 3: "..b..", 4: "...b.", 5: "....b"}, 2 + 10, id="a row and all blue: 12"),
    ],
)
def test_bonuses_at_the_end(kind: Kind, lines: dict[int, str], wall: dict[int, str], bonus: int):
    """2 points per row, 7 per column, and 10 per colour with all 5 tiles on the wall."""
    position = table(kind(), Board(lines, {1: "byrk."} | wall), factories=["y"], turn=2)
    play(position, "1yf")
    points = position.outcome().points[0]
    assert points["full rows"] + points["full columns"] + points["full colours"] == bonus
    assert position.scores[0] == points["tiles on the wall"] + bonus


def test_most_points_win(kind: Kind):
    """The player with the most points wins."""
    position = table(kind(), Board(score=30, wall={1: "byrkw"}), Board(score=31), phase="over")
    assert position.outcome().winners == (1,)


def test_a_tie_goes_to_more_full_rows(kind: Kind):
    """Of tied players, the one with more completed rows wins."""
    position = table(kind(), Board(score=30), Board(score=30, wall={1: "byrkw"}), phase="over")
    assert position.outcome().winners == (1,)


def test_if_rows_are_equal_too_the_win_is_shared(kind: Kind):
    """Players who are still tied share the win."""
    row_1, row_2 = Board(score=30, wall={1: "byrkw"}), Board(score=30, wall={2: "wbyrk"})
    position = table(kind(3), row_1, Board(score=29), row_2, phase="over")
    assert position.outcome().winners == (0, 2)


# ------------------------------------------------------------------------------------ Section: variant, the grey wall


def test_grey_wall_any_space_of_the_row(kind: Kind):
    """The tile of a full line may go to any space of its row of the wall."""
    position = table(kind(2, "grey"), Board({2: "b"}), factories=["b"])
    play(position, "1b2")
    assert legal(position) == {"w21", "w22", "w23", "w24", "w25"}
    play(position, "w24")
    assert wall_row(position, 1, 2) == "...b."


def test_grey_wall_a_colour_once_a_column(kind: Kind):
    """A colour may lie only once in each column."""
    position = table(kind(2, "grey"), Board({2: "b"}, {1: "b....", 4: ".yb.."}), factories=["b"])
    play(position, "1b2")
    assert legal(position) == {"w22", "w24", "w25"}


def test_grey_wall_a_colour_once_a_row(kind: Kind):
    """A colour may lie only once in each row, so it is barred from that row's pattern line."""
    position = table(kind(2, "grey"), Board(wall={2: "b...."}), factories=["b"])
    assert legal(position, "1b") == {"1bf", "1b1", "1b3", "1b4", "1b5"}


def test_special_case_of_the_grey_wall_all_tiles_of_the_line_fall(kind: Kind):
    """Azul Mini, the special case: no valid space is left, so all tiles of that line go to the floor line."""
    board = Board({3: "bb"}, {1: "...b.", 2: "....b", 3: "yrk.."}, score=10)
    position = table(kind(2, "grey"), board, factories=["b"])
    play(position, "1b3")
    assert wall_row(position, 1, 3) == "yrk.."
    assert position.scores == (10 - 4, 0)  # three tiles on the floor: -1 -1 -2
    assert (line(position, 1, 3), lid(position)) == ("", "bbb")


# ------------------------------------------------------------------------------------- Last page of Azul: Joker tiles


@pytest.mark.parametrize(("players", "of_each", "jokers"), [(2, 19, 5), (3, 18, 10), (4, 18, 10)])
def test_jokers_replace_tiles_of_each_colour(players: int, of_each: int, jokers: int):
    """Set-up: remove 1 (2 players) or 2 (3 or 4) of each colour; add 5 or 10 jokers."""
    tally = tw.Azul.spec.tiles.tally(tw.Azul(players, jokers=True).set_up().state.bag)
    assert tally == f"{of_each}b{of_each}y{of_each}r{of_each}k{of_each}w{jokers}j"


@pytest.mark.parametrize("where", ["1", "c"])
def test_all_jokers_alone_or_with_all_tiles_of_one_colour(where: str):
    """Taking: all jokers of one place; you may take all tiles of another colour there too."""
    tiles = {"factories": ["bbjj", "y"]} if where == "1" else {"centre": "bbjj", "factories": ["", "y"]}
    position = table(tw.Azul(jokers=True), **tiles)
    assert legal(position, f"{where}j") == {f"{where}j{to}" for to in "f12345"}
    alone = position.copy()
    play(alone, f"{where}j3")
    assert (line(alone, 1, 3), place(alone, 0)) == ("jj", "bb")
    play(position, f"{where}bj5")
    assert (line(position, 1, 5), place(position, 0)) == ("bbjj", "")


def test_all_tiles_of_a_take_with_jokers_go_to_one_line_and_the_rest_to_the_floor():
    """Tiles that do not fit go to the floor line."""
    position = table(tw.Azul(jokers=True), factories=["bbjj", "y"])
    play(position, "1bj3:1")
    assert (line(position, 1, 3), floor(position, 1)) == ("bbj", "j")


def test_a_line_holds_one_colour_and_jokers():
    """A pattern line may hold tiles of one colour, jokers, or both."""
    position = table(tw.Azul(jokers=True), Board({3: "bj"}), factories=["byj"])
    assert "1b3" in position.legal_moves
    assert "1j3" in position.legal_moves
    assert "1y3" not in position.legal_moves
    assert not legal(position, "1yj3")


def test_a_joker_of_the_line_moves_to_the_cell_of_its_colour():
    """The tiles of a line are rearranged so that a joker is the rightmost: it goes to the wall."""
    position = table(tw.Azul(jokers=True), Board({3: "bj"}), factories=["b"])
    play(position, "1b3")
    assert wall_row(position, 1, 3) == "..j.."
    assert lid(position) == "bb"


def test_a_line_of_jokers_alone_moves_to_any_free_cell():
    """The joker of a line of jokers alone goes to any free space of its row."""
    position = table(tw.Azul(jokers=True), Board({2: "j"}, {2: "wb..."}), factories=["j"])
    play(position, "1j2")
    assert legal(position) == {"w23", "w24", "w25"}
    play(position, "w23")
    assert wall_row(position, 1, 2) == "wbj.."
    assert position.scores == (3, 0)  # a joker on the wall scores like any tile


def test_a_joker_on_a_cell_bars_its_colour_from_the_line():
    """Further rules: a joker on a coloured space keeps that colour out of the pattern line."""
    position = table(tw.Azul(jokers=True), Board(wall={2: ".j..."}), factories=["bwj"])
    assert legal(position, "1b") & {"1b2", "1bj2:0", "1bj2:1"} == set()
    assert "1w2" in position.legal_moves
    assert "1j2" in position.legal_moves


def test_rows_and_columns_may_include_jokers():
    """Rows and columns may be completed with one or more jokers."""
    wall = {1: "jyrj.", 2: "....j", 3: "....r", 4: "....y", 5: "....j"}
    position = table(tw.Azul(jokers=True), Board({1: "w"}, wall), factories=["k"], turn=2)
    play(position, "1kf")
    points = position.outcome().points[0]
    assert (points["full rows"], points["full columns"], points["tiles on the wall"]) == (2, 7, 5 + 5)


@pytest.mark.parametrize(("first_cell", "bonus"), [("b", 10), ("j", 0)])
def test_example_four_blue_tiles_and_a_joker_do_not_score_ten_points(first_cell: str, bonus: int):
    """Example: four blue tiles and a joker on the fifth blue space do not score the 10 points."""
    wall = {1: first_cell + "yrk.", 2: ".b...", 3: "..b..", 4: "...b.", 5: "....b"}
    position = table(tw.Azul(jokers=True), Board({1: "w"}, wall), factories=["k"], turn=2)
    play(position, "1kf")
    assert position.outcome().points[0]["full colours"] == bonus
