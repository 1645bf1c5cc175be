"""Placing tiles in Summer Pavilion, and features, as in docs/summer-pavilion.md. Players are counted from 1."""

from __future__ import annotations

import pytest
from positions_summer import board, hand, heap, legal, play, table

import tilewright as tw

# ----------------------------------------------------------------------------------------- Placing tiles


@pytest.mark.parametrize("number", range(1, 7))
def test_payment_every_mixture_with_at_least_one_of_the_colour(number: int):
    position = table(hands=["rrrrrrpppppp"], supply="ggggooooyy")
    wanted = {f"r{number}" + (f"+{jokers}" if jokers else "") for jokers in range(number)}
    assert legal(position, f"r{number}") == wanted
    for jokers in range(number):
        paid = play(position.copy(), f"r{number}" + (f"+{jokers}" if jokers else ""))
        assert hand(paid, 1).count("p") == 6 - jokers
        assert hand(paid, 1).count("r") == 6 - (number - jokers)
        assert heap(paid, "tower") == ("p" * jokers + "r" * (number - jokers - 1) or "-")
        assert board(paid, 1) == {f"r{number}r"}


def test_payment_exactly_the_number_with_the_tiles_in_hand():
    """With two red tiles and two jokers, a 4 can be paid in one way, a 3 in two ways, and a 5 not at all."""
    position = table(hands=["rrpp"])
    assert legal(position, "r") == {"r1", "r2", "r2+1", "r3+1", "r3+2", "r4+2"}


def test_payment_jokers_alone_cannot_stand_in_for_another_colour():
    position = table(hands=["pppppp"])
    assert {move[0] for move in legal(position) if move != "pass"} == {"p", "c"}
    assert legal(position, "c") == {f"c{n}p" for n in range(1, 7)}


def test_payment_the_joker_colour_as_itself():
    """All tiles paid are of the joker colour: there is one way to pay, and other colours do not help."""
    position = table(hands=["pprr"])
    assert legal(position, "p") == {"p1", "p2", "pass"}
    with pytest.raises(tw.BadMove, match="purple is the joker colour"):
        position.push("p2+1")
    grey = table(side="grey", hands=["pprr"])
    assert {move for move in legal(grey, "s1") if "p" in move} == {"s11p", "s12p"}


def test_payment_other_colours_never_help():
    position = table(hands=["rggg"])
    assert legal(position, "r") == {"r1"}


def test_placing_coloured_stars_take_their_colour_only():
    position = table(hands=["rrrrrr"])
    assert {move[0] for move in legal(position) if move != "pass"} == {"r", "c"}


def test_placing_a_covered_space_is_closed():
    position = table(hands=["rr"], boards=["r1 c1b"])
    assert legal(position) == {"r2", "c2r", "pass"}
    with pytest.raises(tw.BadMove, match="that space is covered"):
        position.push("r1")


def test_placing_centre_star_any_colour_that_it_lacks():
    position = table(hands=["pgoybr"], boards=["c6r c5b"])
    assert legal(position, "c1") == {"c1p", "c1g", "c1o", "c1y"}
    with pytest.raises(tw.BadMove, match="no longer takes red tiles"):
        position.push("c1r")


@pytest.mark.parametrize(
    ("before", "move", "points"),
    [
        ("", "r3", 1),
        ("r1 r5", "r3", 1),  # neither is a neighbour
        ("r2", "r3", 2),
        ("r1 r2", "r3", 3),
        ("r2 r4", "r3", 3),  # joins two runs
        ("r1 r2 r4 r5", "r3", 5),
        ("r6", "r1", 2),  # the ring is closed: 6 is next to 1
        ("r5 r6 r2", "r1", 4),
        ("r1 r2", "r6", 3),
        ("r1 r2 r4 r5 r6", "r3", 6),  # the whole star counts once
        ("b1 b2 b3 c2p c3g", "r2", 1),  # other stars never count
    ],
)
def test_points_are_the_connected_run_of_the_ring(before: str, move: str, points: int):
    position = play(table(hands=["rrrrrr"], boards=[before]), move)
    assert position.scores[0] == 5 + points
    assert position.state.placing_points[0] == points


def test_points_in_the_centre_star_count_all_colours():
    position = play(table(hands=["r"], boards=["c6b c5y c2o"]), "c1r")
    assert position.scores[0] == 5 + 4


def test_placing_goes_clockwise_one_placement_a_turn():
    position = table(3, turn=2, first=2, hands=["rr", "bb", "gg"])
    turns = [position.turn]
    for move in ["b1", "g1", "r1", "c1b"]:
        turns.append(play(position, move).turn)
    assert turns == [1, 2, 0, 1, 2]


# -------------------------------------------------------------------------------------------- Features


def test_feature_tiles_must_be_taken():
    position = play(table(hands=["rrrrr"], boards=["r6"]), "r5")
    assert all(move.startswith("bonus ") for move in legal(position))
    with pytest.raises(tw.BadMove, match="3 bonus tiles must be chosen now"):
        position.push("pass")
    with pytest.raises(tw.BadMove, match="3 tiles must be taken from the supply"):
        position.push("bonus gg")


def test_feature_tiles_of_any_colours_that_the_supply_has():
    position = play(table(hands=["rrrrr"], boards=["r6"], supply="pppgbbbbbb"), "r5")
    chosen = {"ppp", "ppg", "ppb", "pgb", "pbb", "gbb", "bbb"}
    assert legal(position) == {f"bonus {tiles}" for tiles in chosen}


@pytest.mark.parametrize(
    ("before", "move", "tiles"),
    [
        ("r1 r3 c1g c2o b3 b4", "r2", 3),  # pillar and statue
        ("r2 o1 o2 r4 c1g c2o", "r3", 3),  # pillar and the statue on the other side
        ("r2 r3 c1g b2 b3 c3o", "c2r", 2),  # two pillars
        ("r2 r3 c1g b2 c3o", "c2r", 1),
        ("r2 b3 b4", "r1", 2),
        ("o1 o2 r3", "r4", 2),
        ("r5", "r6", 3),
        ("r2 b3", "r1", 0),
    ],
)
def test_features_completed_at_once_pay_their_sum(before: str, move: str, tiles: int):
    position = play(table(hands=["rrrrrr"], boards=[before]), move)
    assert position.state.owed == tiles
    assert position.phase == ("bonus" if tiles else "place")


def test_features_no_refill_between_two_completed_at_once():
    """For a pillar and a statue all three tiles come from the ten in the supply; then three are drawn."""
    position = play(table(hands=["rr"], boards=["r1 r3 c1g c2o b3 b4"], supply="pppppppppg"), "r2")
    assert legal(position) == {"bonus ppp", "bonus ppg"}
    play(position, "bonus ppg")
    assert (position.phase, len(heap(position, "supply"))) == ("supply", 7)


def test_features_pay_only_when_they_are_completed():
    """A later tile that completes nothing earns nothing."""
    position = play(table(hands=["rrrr"], boards=["r5 r6"]), "r4")
    assert position.phase == "place"


def test_feature_tiles_are_usable_from_the_next_turn_of_the_round():
    position = play(table(hands=["rrrrr"], boards=["r6"], passed="2"), "r5", "bonus ybr")
    position.draw("ggg")
    assert (position.round, position.turn) == (1, 0)
    assert {"y1", "b1", "r1"} <= legal(position)


def test_feature_tiles_of_the_joker_colour_are_jokers():
    position = play(table(hands=["rrrrrr"], boards=["r6"], passed="2"), "r5", "bonus ppg", "draw ggg")
    assert {"r2+1", "r3+2", "g3+2"} <= legal(position)


def test_features_the_same_on_the_grey_side():
    """The statue between stars 1 and 2: on this side, spaces 3 and 2 of star 1 and spaces 1 and 4 of star 2."""
    position = play(table(side="grey", hands=["rrr"], boards=["s12r s21b s24b"]), "s13r")
    assert position.state.owed == 2
    window = play(table(side="grey", hands=["rrrrr"], boards=["s16r"]), "s15r")
    assert window.state.owed == 3
    pillar = play(table(side="grey", hands=["r"], boards=["s12r c1b c2g"]), "s11r")
    assert pillar.state.owed == 1
