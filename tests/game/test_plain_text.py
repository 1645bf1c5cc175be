"""Positions of games that bring no text of their own: a text that is not a position is refused with a reason."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

import nim
import tilewright as tw
from bare_game import BareGame
from nim import Nim
from tilewright.kernels.playing import Kernels

STARTS = {"nim": Nim().start(), "bare": BareGame(3).start(seed=3)}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_every_position_of_a_game_is_read_back(start: tw.Position):
    position = start.copy()
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
        assert position.game.position(position.to_text()) == position


def refused(start: tw.Position, old: str, new: str, complaint: str) -> None:
    text = start.to_text()
    assert old in text
    with pytest.raises(tw.BadPosition, match=complaint):
        start.game.position(text.replace(old, new))


@pytest.mark.parametrize("number", ["1_0", "+10", "１０", "١٠", "10.", "--10", "10,", "9" * 5000])
def test_numbers_are_written_in_plain_digits(number: str):
    refused(STARTS["nim"], "stones=10", f"stones={number}", "stones=.* should be whole numbers separated by commas")


def test_a_position_in_which_nobody_can_move_is_over():
    refused(STARTS["nim"], "stones=10", "stones=0", "not over, but the player to move has no legal move")


def test_only_those_who_play_have_points():
    refused(STARTS["bare"], "score=0,0,0,0,0", "score=0,0,0,0,7", "gives points to a seat that is empty with 3 players")
    text = STARTS["bare"].to_text().replace("score=0,0,0,0,0", "score=0,0,-7,0,0")
    assert BareGame(3).position(text).scores == (0, 0, -7)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("phase=1", "phase=-1", "phase=-1 should be from 0 to 2"),
        ("phase=1", "phase=3", "phase=3 should be from 0 to 2"),
        ("turn=0", "turn=3", "turn=3 should be from 0 to 2"),
        ("round_number=1", "round_number=-1", "round_number=-1 should not be negative"),
        ("bag=", "bag=-1,", "bag= needs 3 numbers from 0 to 127"),
        ("round_number=1", "round_number=99999999", "round_number= needs a number from 0 to"),
        ("hands=0,", "hands=-2,", "hands=-2,0,.* should not be negative"),
    ],
)
def test_what_counts_is_never_below_nothing(old: str, new: str, complaint: str):
    refused(STARTS["bare"], old, new, complaint)


def test_a_field_may_be_negative_if_it_starts_so_or_the_rules_say_so():
    assert "last_kind=-1" in STARTS["bare"].to_text(), "there is no last kind yet"
    assert BareGame(3).position(STARTS["bare"].to_text()) == STARTS["bare"]
    rules = ModuleType("owing_rules")
    vars(rules).update(vars(nim), SIGNED=("stones",))

    class Owing(Nim):
        spec = replace(Nim.spec, kernels=Kernels("owing", rules))

    text = Owing().start().to_text().replace("stones=10", "stones=-3")
    with pytest.raises(tw.BadPosition, match="the rules count -3 legal moves in it, so it cannot occur in play"):
        Owing().position(text)
    with pytest.raises(tw.BadPosition, match="stones=-3 should not be negative"):
        Nim().position(text)
