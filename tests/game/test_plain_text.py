"""Positions of games that bring no text of their own: a text that is not a position is refused with a reason."""

from __future__ import annotations

import pytest

import tilewright as tw
from bare_game import BareGame
from nim import Nim

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
    refused(STARTS["nim"], "stones=10", f"stones={number}", "stones=.* should be whole numbers between commas")


def test_a_position_in_which_nobody_can_move_is_over():
    refused(STARTS["nim"], "stones=10", "stones=0", "not over, but the player to move has no legal move")


def test_only_those_who_play_have_points():
    refused(STARTS["bare"], "score=0,0,0,0,0", "score=0,0,0,0,7", "gives points to a seat that is empty with 3 players")
    text = STARTS["bare"].to_text().replace("score=0,0,0,0,0", "score=0,0,-7,0,0")
    assert BareGame(3).position(text).scores == (0, 0, -7)
