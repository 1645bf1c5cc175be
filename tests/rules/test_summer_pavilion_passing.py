"""How a round and a game of Summer Pavilion end, as in docs/summer-pavilion.md. Players are counted from 1."""

from __future__ import annotations

import pytest
from positions_summer import LETTERS, hand, heap, legal, play, star, table

import tilewright as tw

SUPPLY_OF_TEN = "ppggooyybr"

# ------------------------------------------------------------------------------------------------- Pass


def test_pass_keep_any_tiles_up_to_four():
    position = play(table(hands=["rrrgb"]), "pass")
    assert position.phase == "keep"
    sizes = {move: len(move.split()[1]) for move in legal(position) if move != "keep none"}
    assert set(sizes.values()) == {1, 2, 3, 4}
    assert "keep none" in legal(position)
    assert len(legal(position)) == 4 * 2 * 2 - 1  # every subset of the hand except all five tiles
    with pytest.raises(tw.BadMove, match="player 1 has gbrrr"):
        position.push("keep bb")


@pytest.mark.parametrize(
    ("kept", "tower", "score"), [("none", "gbrrr", 5), ("r", "gbrr", 6), ("rrgb", "r", 9), ("rrrb", "g", 9)]
)
def test_pass_the_others_go_to_the_tower_at_a_point_each(kept: str, tower: str, score: int):
    position = play(table(hands=["rrrgb"], scores=[10]), "pass", f"keep {kept}")
    assert heap(position, "tower") == tower
    assert position.scores[0] == score
    assert position.state.passing_loss[0] == 10 - score


def test_pass_never_takes_the_score_below_one():
    position = play(table(hands=["rrrrrrrrrr"], scores=[8]), "pass", "keep none")
    assert position.scores[0] == 1
    assert position.state.passing_loss[0] == 7


def test_pass_at_any_time_also_when_a_placement_is_possible():
    assert {"r1", "pass"} <= legal(table(hands=["r"]))


def test_pass_is_the_only_move_if_nothing_can_be_placed():
    position = table(hands=["rrrrr"], boards=[star("r") + " c1r"])
    assert legal(position) == {"pass"}
    play(position, "pass", "keep rrrr")
    assert position.scores[0] == 4  # by the same rule


def test_pass_without_tiles_costs_nothing_and_asks_nothing():
    position = play(table(), "pass")
    assert (position.phase, position.turn, position.scores) == ("place", 1, (5, 5))


def test_pass_for_the_rest_of_the_round_the_others_go_on():
    position = table(3, hands=["r", "bb", "gg"])
    turns = []
    for move in ["pass", "keep r", "b1", "g1", "c1b", "pass", "keep g"]:
        play(position, move)
        turns.append(position.turn)
    assert turns == [0, 1, 2, 1, 2, 2, 1]  # player 1 is skipped, then player 3
    assert legal(position) == {"pass"}


# ---------------------------------------------------------------------------------------------- Prepare


def test_prepare_the_joker_colours_in_turn():
    for round_number, letter in enumerate(LETTERS, start=1):
        other = "g" if letter == "r" else "r"
        position = table(round_number=round_number, hands=[letter + other])
        assert f"{other}2+1" in legal(position)
        assert f"{letter}2+1" not in legal(position)


def test_prepare_marker_back_and_its_last_holder_starts():
    position = play(table(3, phase="draft", turn=2, centre="rr"), "cr", "pass", "keep none", "pass", "pass")
    assert (position.round, position.phase) == (2, "factories")
    assert position.state.marker == -1
    position.deal(seed=5)
    assert position.turn == 1


def test_prepare_corner_tiles_come_back_and_more_are_taken():
    position = play(table(hands=["rrrr", "gg"]), "pass", "keep rrrr", "pass", "keep gg")
    position.draw("bbbb oooo yyyy bbbb oooo")
    assert (hand(position, 1), hand(position, 2)) == ("rrrr", "gg")
    assert hand(play(position, "1b"), 1) == "bbbbrrrr"


def test_prepare_the_supply_is_not_redrawn():
    position = play(table(passed="2"), "pass")
    assert (position.phase, heap(position, "supply")) == ("factories", SUPPLY_OF_TEN)


# ------------------------------------------------------------------------------------------------ The end


def test_end_stars_and_numbers_then_corners():
    """The bonuses come before the loss, so that even a low score loses points for its corners."""
    boards = [" ".join(f"{letter}1" for letter in LETTERS) + " c1p"]
    position = play(table(round_number=6, passed="2", boards=boards, hands=["bbbb"], scores=[1]), "pass", "keep bbbb")
    assert position.scores[0] == 1 + 4 - 4
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.points[0]["left in corners"] == -4
    assert outcome.points[0]["numbers covered"] == 4


def test_end_discarding_in_round_six_is_clamped_before_the_bonuses():
    boards = [" ".join(f"{letter}1" for letter in LETTERS) + " c1p"]
    position = play(table(round_number=6, passed="2", boards=boards, hands=["bbbb"], scores=[1]), "pass", "keep none")
    assert position.scores[0] == 1 + 4


def test_end_corners_never_take_the_score_below_one():
    position = play(table(round_number=6, passed="2", hands=["bbbb"], scores=[3]), "pass", "keep bbbb")
    assert position.scores[0] == 1


def test_end_after_the_last_pass_of_round_six_nothing_is_drawn():
    position = play(table(round_number=6, passed="2", hands=["bbbbbb"], supply="pp"), "pass", "keep none")
    assert position.is_over
    assert heap(position, "supply") == "pp"
    assert len(position.legal_moves) == 0


def test_end_five_rounds_do_not_end_the_game():
    position = play(table(round_number=5, passed="2"), "pass")
    assert (position.is_over, position.round) == (False, 6)


def test_end_ties_are_shared_by_all_who_lead():
    outcome = play(table(4, round_number=6, passed="2,3,4", scores=[9, 9, 8, 9]), "pass").outcome()
    assert outcome is not None
    assert outcome.winners == (0, 1, 3)
    assert str(outcome) == "players 1, 2 and 4 share the win 9-9-8-9"


def test_end_more_covered_spaces_do_not_break_a_tie():
    outcome = play(table(round_number=6, passed="2", boards=["r1 r2"], scores=[9, 9]), "pass").outcome()
    assert outcome is not None
    assert outcome.winners == (0, 1)
