"""The grey side of Summer Pavilion, rule by rule, as in docs/summer-pavilion.md. Players are counted from 1."""

from __future__ import annotations

import pytest
from positions_summer import LETTERS, heap, legal, play, star, table


@pytest.mark.parametrize(
    ("before", "welcome"),
    [
        ("", "pgoybr"),
        ("NAME3r", "pgoybr"),
        ("NAME3r NAME2r", "r"),
        ("NAME3r NAME2r NAME6r", "r"),
        ("NAME3r NAME2b", "pgoy"),
        ("NAME3r NAME2b NAME4p NAME5y", "go"),
        ("NAME3r NAME2b NAME4p NAME5y NAME6o", "g"),
    ],
)
@pytest.mark.parametrize("name", ["s1", "s4"])
def test_grey_colours_of_a_star(name: str, before: str, welcome: str):
    position = table(side="grey", hands=["pgoybr"], boards=[before.replace("NAME", name)])
    assert legal(position, f"{name}1") == {f"{name}1{tile}" for tile in welcome}


@pytest.mark.parametrize(
    ("before", "welcome"), [("", "pgoybr"), ("c1r", "pgoybr"), ("c1r c4r", "r"), ("c1r c4b", "pgoy")]
)
def test_grey_colours_of_the_centre_star(before: str, welcome: str):
    position = table(side="grey", hands=["pppgggoooyyybbbrrr"], boards=[before], supply="pgoybrpgoy")
    assert {move[2] for move in legal(position, "c2")} == set(welcome)


def test_grey_centre_spaces_all_cost_three():
    position = table(side="grey", hands=["rrrp"])
    assert legal(position, "c") == {f"c{place}r{jokers}" for place in range(1, 7) for jokers in ("", "+1")}
    assert heap(play(position, "c5r"), "tower") == "rr"


def test_grey_payment_with_jokers():
    position = table(side="grey", hands=["rrpp"])
    assert {move for move in legal(position, "s24") if "r" in move} == {"s24r+2"}


@pytest.mark.parametrize(
    ("before", "move", "points"),
    [
        ("s13r", "s12r", 2),
        ("s12r", "s11r", 2),
        ("s11r", "s14r", 2),
        ("s14r", "s15r", 2),
        ("s15r", "s16r", 2),
        ("s16r", "s13r", 2),
        ("s13r", "s11r", 1),
        ("s11r", "s16r", 1),
        ("s13r s12r s14r s15r", "s11r", 5),
        ("c6r", "c1r", 2),
        ("c5r c6r", "c2r", 1),
    ],
)
def test_grey_points_follow_the_ring_3_2_1_4_5_6(before: str, move: str, points: int):
    position = play(table(side="grey", hands=["rrrrrr"], boards=[before]), move)
    assert position.scores[0] == 5 + points


@pytest.mark.parametrize(
    ("tiles", "bonus"),
    [("rrrrrr", 14), ("bbbbbb", 15), ("yyyyyy", 16), ("oooooo", 17), ("gggggg", 18), ("pppppp", 20), ("pgoybr", 12)],
)
@pytest.mark.parametrize("name", ["s1", "s5", "c"])
def test_grey_star_bonus_by_what_was_built(name: str, tiles: str, bonus: int):
    numbers = "123456" if name == "c" else "321456"
    boards = [star(name, tiles, numbers)]
    assert play(table(side="grey", round_number=6, passed="2", boards=boards), "pass").scores[0] == 5 + bonus


def _of_number(number: int) -> str:
    """All spaces of a number on the outer stars of the grey side, in mixed colours."""
    return " ".join(f"s{n}{number}{LETTERS[n - 1]}" for n in range(1, 7))


@pytest.mark.parametrize(("number", "bonus"), [(1, 4), (2, 8), (4, 16), (5, 0), (6, 0)])
def test_grey_number_bonus_needs_the_six_outer_spaces(number: int, bonus: int):
    boards = [_of_number(number)]
    assert play(table(side="grey", round_number=6, passed="2", boards=boards), "pass").scores[0] == 5 + bonus


@pytest.mark.parametrize(
    ("centre", "score"), [("", 5), ("c1p c2g c3o c4y c5b", 5), ("c1p c2g c3o c4y c5b c6r", 5 + 12 + 12)]
)
def test_grey_number_bonus_for_three_needs_all_twelve(centre: str, score: int):
    """Six outer threes and the whole centre star, which also scores as a full star."""
    boards = [f"{_of_number(3)} {centre}"]
    assert play(table(side="grey", round_number=6, passed="2", boards=boards), "pass").scores[0] == score
