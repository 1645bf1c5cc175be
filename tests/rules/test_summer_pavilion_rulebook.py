"""Every example and every list of the rulebook of Azul: Summer Pavilion, in the order of the rulebook.

Next Move's rulebook of Azul: Summer Pavilion in its French edition, in our own words. Players are counted from 1.
"""

from __future__ import annotations

import pytest
from positions_summer import board, hand, heap, legal, play, star, table

import tilewright as tw

# ---------------------------------------------------------------------------------------------------- Section: set-up


@pytest.mark.parametrize(("players", "factories"), [(2, 5), (3, 7), (4, 9)])
def test_set_up_2_factories_for_the_number_of_players(players: int, factories: int):
    """Set-up 2 and 7: 5 factories for 2 players, 7 for 3, 9 for 4, with exactly 4 tiles on each."""
    position = tw.SummerPavilion(players).start(seed=1)
    sizes = [len(heap(position, str(n))) for n in range(1, factories + 1)]
    assert sizes == [4] * factories
    assert list(position.state.places[factories + 1 :]) == [0] * (9 - factories)


def test_set_up_4_the_first_joker_is_purple():
    """Set-up 4: purple is the joker colour of the first round."""
    position = tw.SummerPavilion(2).set_up()
    position.draw("ggoo yybb rr" + "pprr ggoo yybb rrgg oopp")
    assert position.round == 1
    assert legal(position, "1") == {"1r"}  # purple is only taken along with another colour
    assert hand(play(position, "1r"), 1) == "prr"


def test_set_up_5_the_score_begins_at_5():
    """Set-up 5: all score markers start on 5."""
    assert tw.SummerPavilion(4).set_up().scores == (5, 5, 5, 5)


def test_set_up_6_ten_supply_tiles_are_drawn_first():
    """Set-up 6: 132 tiles in the bag, ten of them to the supply, before the factories."""
    position = tw.SummerPavilion(2).set_up()
    assert position.game.tiles.tally(position.state.bag) == "22p22g22o22y22b22r"
    assert position.phase == "supply"
    position.draw("pgoybr pgo")
    assert (position.phase, len(heap(position, "supply"))) == ("supply", 9)
    position.draw("y")
    assert (heap(position, "supply"), position.phase) == ("ppggooyybr", "factories")
    position.draw("pgoy brpg oybr pgoy brpg")
    assert (position.phase, position.turn) == ("draft", 0)
    assert [heap(position, str(n)) for n in range(1, 6)] == ["pgoy", "pgbr", "oybr", "pgoy", "pgbr"]
    assert heap(position, "supply") == "ppggooyybr"


def test_set_up_8_the_marker_lies_in_the_centre():
    """Set-up 8: the marker lies in the centre; it is not a tile, so it cannot be taken by itself."""
    position = tw.SummerPavilion(2).start(seed=1)
    assert position.state.marker == -1
    assert heap(position, "centre") == "-"
    assert legal(position, "c") == set()


# ------------------------------------------------------------------------------------------------ Phase 1


def test_phase_1_example_of_anna_paul_and_tom():
    """Example of phase 1, first round, purple the joker: Anna, Paul and Tom take tiles."""
    anna, paul, tom = 1, 2, 3
    position = table(3, phase="draft", factories=["rryy", "gppy", "bbbb", "oooo", "gggg", "rrrr", "bbgg"])

    position.push("1r")  # both red tiles of a factory without a joker
    assert hand(position, anna) == "rr"
    assert heap(position, "centre") == "yy"

    position.push("2g")  # a green tile, and one of the joker colour with it
    assert hand(position, paul) == "pg"
    assert heap(position, "centre") == "pyyy"

    position.push("cy")  # the three yellow tiles of the centre, and one joker
    assert hand(position, tom) == "pyyy"
    assert position.state.marker == tom - 1
    assert position.scores == (5, 5, 1)  # four tiles came with the marker


def test_phase_1_ends_when_factories_and_centre_are_empty():
    """Phase 1 ends when all factories and the centre are empty."""
    position = table(phase="draft", factories=["rryy"], marker=2, turn=1)
    position.push("1r")
    assert position.phase == "draft"
    position.push("cy")
    assert position.phase == "place"


def test_marker_first_to_place_and_first_in_the_next_round():
    """The starting player marker: first in phase 2, and first in phase 1 of the next round."""
    position = table(3, phase="draft", turn=3, first=2, centre="yy")
    position.push("cy")
    assert (position.phase, position.turn) == ("place", 2)
    play(position, "pass", "keep none", "pass", "pass")
    position.deal(seed=1)
    assert (position.round, position.phase, position.turn) == (2, "draft", 2)


def test_score_1_may_still_take_from_the_centre_without_a_loss():
    """Phase 1: a player whose score is already 1 loses nothing more."""
    position = play(table(phase="draft", centre="yyyy", factories=["rrrr"], scores=[1]), "cy")
    assert position.scores[0] == 1
    assert position.state.marker == 0


# -------------------------------------------------------------------------------- Phase 2: joker colour


def test_joker_example_of_tom_first_bullet():
    """The joker colour, example: Tom pays for green 4 with three purple tiles and his green one."""
    position = play(table(hands=["gppp"]), "g4+3")
    assert board(position, 1) == {"g4g"}
    assert hand(position, 1) == "-"
    assert heap(position, "tower") == "ppp"


def test_joker_example_of_tom_second_bullet():
    """The same example: jokers used alone go to the star of their own colour, here purple."""
    position = table(hands=["gppp"])
    assert {"p1", "p2", "p3"} <= legal(position)
    assert legal(position, "g") == {"g1", "g2+1", "g3+2", "g4+3"}
    play(position, "p3")
    assert board(position, 1) == {"p3p"}
    assert hand(position, 1) == "g"


def test_joker_example_of_tom_centre_star():
    """The same example: both colours may go to the centre star as long as it does not have them."""
    assert legal(table(hands=["gppp"]), "c4") == {"c4g+3"}
    assert legal(table(hands=["gppp"]), "c3") == {"c3g+2", "c3p"}
    assert legal(table(hands=["gppp"], boards=["c1g"]), "c") == {"c2p", "c3p"}
    assert legal(table(hands=["gppp"], boards=["c1p"]), "c") == {"c2g+1", "c3g+2", "c4g+3"}


# --------------------------------------------------------------------------------- Page 5: examples A to F of phase 2


def test_phase_2_example_a():
    """A: Anna fills blue 6 with six of her seven blue tiles: 1 point, one tile stays with her."""
    position = play(table(hands=["bbbbbbb"]), "b6")
    assert board(position, 1) == {"b6b"}
    assert heap(position, "tower") == "bbbbb"
    assert hand(position, 1) == "b"
    assert position.scores[0] == 5 + 1


def test_phase_2_example_b():
    """B: Anna fills red 3 with three red tiles; no tile lies next to it, so 1 point."""
    position = play(table(hands=["rrr"], boards=["r1 r5"]), "r3")
    assert heap(position, "tower") == "rr"
    assert position.scores[0] == 5 + 1


def test_phase_2_example_c():
    """C: Paul fills blue 6 with three blue and three purple tiles, next to 4 and 5: 3 points."""
    position = play(table(hands=["bbbppp"], boards=["b4 b5"]), "b6+3")
    assert board(position, 1) == {"b4b", "b5b", "b6b"}
    assert heap(position, "tower") == "pppbb"
    assert position.scores[0] == 5 + 3


@pytest.mark.parametrize("before", ["o5 o6", "o3 o5", "o2 o3"])
def test_phase_2_example_d(before: str):
    """D: Paul fills orange 4 with one orange and three purple tiles, 3 points; then passes and keeps his green.

    The picture turns the star; any two tiles connected through space 4 give the 3 points.
    """
    position = play(table(hands=["ogppp"], boards=[before]), "o4+3")
    assert heap(position, "tower") == "ppp"
    assert position.scores[0] == 5 + 3
    play(position, "pass")  # the other player
    play(position, "pass", "keep g")  # in his next turn Paul passes
    position.deal(seed=1)
    assert (position.round, position.scores[0]) == (2, 5 + 3)
    assert hand(position, 1) == "g"  # the joker colour of this round


@pytest.mark.parametrize("before", ["p3 p4", "p1 p3", "p1 p6"])
def test_phase_2_example_e(before: str):
    """E: Danielle places a purple tile, the joker colour, on purple 2 and discards the other: 3 points."""
    position = play(table(hands=["pprrgggg"], boards=[before]), "p2")
    assert "p2p" in board(position, 1)
    assert heap(position, "tower") == "p"
    assert position.scores[0] == 5 + 3
    assert hand(position, 1) == "ggggrr"  # for a later turn of this round


def test_phase_2_example_f():
    """F: Danielle passes with two red and four green tiles, keeps the green ones and loses 2 points."""
    position = play(table(hands=["rrgggg"]), "pass", "keep gggg")
    assert hand(position, 1) == "gggg"
    assert heap(position, "tower") == "rr"
    assert position.scores[0] == 5 - 2
    assert position.turn == 1


# ----------------------------------------------------------------------- Phase 2: points and bonus tiles


def test_points_for_one_tile_and_for_connected_tiles():
    """Scoring: 1 for a tile alone, else 1 for each tile connected to it, itself included."""
    position = play(table(hands=["rrr"]), "r1", "pass", "r2")
    assert position.scores[0] == 5 + 1 + 2


@pytest.mark.parametrize(
    ("feature", "before", "move", "tiles"),
    [
        ("pillar", "r2 c1g c2o", "r3", 1),
        ("statue", "r2 b3 b4", "r1", 2),
        ("window", "r6", "r5", 3),
    ],
)
def test_bonus_tiles(feature: str, before: str, move: str, tiles: int):
    """Bonus tiles: a pillar gives one, a statue two, a window three, of the player's choice and at once."""
    position = play(table(hands=["rrrrr"], boards=[before]), move)
    assert (position.phase, position.turn, position.state.owed) == ("bonus", 0, tiles), feature
    assert all(len(choice) == len("bonus ") + tiles for choice in legal(position))
    chosen = "ppggo"[:tiles]
    play(position, f"bonus {chosen}")  # several of them may be of the joker colour
    assert hand(position, 1).startswith(chosen)


def test_supply_is_refilled_at_the_end_of_the_turn_from_the_bag():
    """Bonus tiles: the empty spaces of the supply are refilled at the end of the turn."""
    position = play(table(hands=["rrrrr"], boards=["r6"]), "r5", "bonus ppg")
    assert position.phase == "supply"
    position.draw("rrr")
    assert heap(position, "supply") == "gooyybrrrr"
    assert position.turn == 1


def test_supply_an_empty_bag_is_filled_from_the_tower():
    """Bonus tiles: an empty bag is refilled from the tower, and drawing continues."""
    position = play(table(hands=["rrrrr"], boards=["r6"], bag="b", rest="tower"), "r5", "bonus ppg")
    assert set(position.chances()) == {"blue"}
    position.draw("b")
    assert "red" in position.chances()  # including the tiles just paid
    position.draw("rr")
    assert heap(position, "tower") == "-"


# ----------------------------------------------------------------------------------------------- Phase 3


def test_phase_3_factories_are_filled_again_and_corners_emptied():
    """Phase 3: next joker colour, four tiles on each factory, marker to the centre, corner tiles to their owner."""
    position = table(hands=["rrgg"], turn=1, first=2, marker=2, passed="2")
    play(position, "pass", "keep rrgg")
    assert (position.round, position.phase, position.state.marker) == (2, "factories", -1)
    position.deal(seed=1)
    assert [len(heap(position, str(n))) for n in range(1, 6)] == [4] * 5
    assert hand(position, 1) == "ggrr"
    assert position.turn == 1  # the last holder of the marker begins


def test_phase_3_not_after_the_sixth_round():
    """Phase 3: the game ends after six rounds."""
    position = play(table(round_number=6, passed="2"), "pass")
    assert position.is_over


# ------------------------------------------------------------------------------------------- Section: end of the game


@pytest.mark.parametrize(
    ("spaces", "bonus"),
    [
        (star("c", "pgoybr"), 12),
        (star("r"), 14),
        (star("b"), 15),
        (star("y"), 16),
        (star("o"), 17),
        (star("g"), 18),
        (star("p"), 20),
        (" ".join(f"{letter}1" for letter in "pgoybr") + " c1p", 4),
        (" ".join(f"{letter}2" for letter in "pgoybr") + " c2p", 8),
        (" ".join(f"{letter}3" for letter in "pgoybr") + " c3p", 12),
        (" ".join(f"{letter}4" for letter in "pgoybr") + " c4p", 16),
        (" ".join(f"{letter}5" for letter in "pgoybr") + " c5p", 0),
        (" ".join(f"{letter}6" for letter in "pgoybr") + " c6p", 0),
    ],
)
def test_end_of_the_game_bonus(spaces: str, bonus: int):
    """End of the game: points for each completed star, and for covering all spaces of a number."""
    position = play(table(round_number=6, passed="2", boards=[spaces]), "pass")
    assert position.scores == (5 + bonus, 5)
    short = play(table(round_number=6, passed="2", boards=[spaces.rsplit(" ", 1)[0]]), "pass")
    assert short.scores == (5, 5)


def test_end_of_the_game_tiles_in_corners_cost_a_point_each():
    """End of the game: each tile that is still in a corner after the sixth round costs a point."""
    position = play(table(round_number=6, passed="2", hands=["rrb", "gg"]), "pass", "keep rrb")
    assert position.scores == (5 - 3, 5 - 2)
    assert heap(position, "tower") == "ggbrr"
    assert hand(position, 1) == hand(position, 2) == "-"


def test_end_of_the_game_a_tie_is_a_shared_win():
    """End of the game: tied players share the win."""
    outcome = play(table(3, round_number=6, passed="2,3", scores=[30, 20, 30]), "pass").outcome()
    assert outcome is not None
    assert outcome.winners == (0, 2)


# ------------------------------------------------------------------------------------ Section: variant, the grey side


def test_variant_colours_are_chosen_for_all_seven_stars():
    """Variant, first bullet: the player chooses the colours of each of the seven stars."""
    position = table(side="grey", hands=["roygb"])
    for name in ("s11", "s21", "s31", "s41", "s51", "s61"):
        assert legal(position, name) == {name + tile for tile in "roygb"}
    position = table(side="grey", hands=["rrrooo"])
    assert legal(position, "c") == {f"c{place}{tile}" for place in "123456" for tile in "ro"}


def test_variant_multicolour_star():
    """Variant: the six tiles of a multicoloured star are all different."""
    position = table(side="grey", hands=["roygb"], boards=["s13r s12o"])
    assert legal(position, "s11") == {"s11y", "s11g", "s11b"}


def test_variant_uniform_star():
    """Variant: the tiles of a uniform star are all of one colour."""
    position = table(side="grey", hands=["roygb"], boards=["s13r s12r"])
    assert legal(position, "s11") == {"s11r"}


def test_variant_several_stars_of_one_kind():
    """Variant, second bullet: there can be several stars of a colour or several multicoloured ones; each scores."""
    reds = " ".join(star(name, "rrrrrr", "321456") for name in ("s1", "s4"))
    mixed = " ".join(star(name, "pgoybr", "321456") for name in ("s2", "s5")) + " " + star("c", "pgoybr")
    position = play(table(side="grey", round_number=6, passed="2", boards=[f"{reds} {mixed}"]), "pass")
    assert position.scores[0] == 5 + 2 * 14 + 3 * 12


def test_variant_other_order_of_the_numbers():
    """Variant, third bullet: the numbers are in a different order: 1 is next to 2 and 4, not to 6."""
    around_1 = {n: play(table(side="grey", hands=["r"], boards=[f"s1{n}r"]), "s11r").scores[0] - 5 for n in range(2, 7)}
    assert around_1 == {2: 2, 3: 1, 4: 2, 5: 1, 6: 1}
