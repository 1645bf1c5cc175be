"""Which legal moves the words after ``moves`` pick."""

from __future__ import annotations

import pytest

import tilewright as tw
from tilewright.cli.listing import list_moves

COLUMNS = 100


@pytest.mark.parametrize(
    ("language", "same"),
    [("en", ["r 2r", "red 2r", "RED 2"]), ("fr", ["r 2r", "rouge 2r", "Rouge 2"]), ("it", ["r 2r", "rosso 2r"])],
)
def test_a_colour_is_found_by_its_letter_and_its_name_in_capitals_too(language: str, same: list[str]):
    position = tw.Azul(players=2).start(seed=7)
    lists = {list_moves(position, wanted, COLUMNS, language) for wanted in same}
    assert len(lists) == 1
    assert " 2r1 " in lists.pop()


def test_a_word_is_found_in_the_sentence_of_a_move_but_not_a_part_of_one():
    position = tw.Azul(players=2).start(seed=7)
    found = list_moves(position, "floor 2r", COLUMNS, "en")
    assert "2rf" in found
    assert "2r1" in found, "a tile falls on the floor line"
    assert "2r2" not in found
    assert "No legal move matches" in list_moves(position, "floo", COLUMNS, "en")


@pytest.mark.parametrize("wanted", ["(", "-", ".*", "red ("])
def test_signs_pick_no_move(wanted: str):
    position = tw.Azul(players=2).start(seed=7)
    assert "No legal move matches" in list_moves(position, wanted, COLUMNS, "en")
