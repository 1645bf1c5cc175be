"""Taking moves back in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilewright as tw
from cli.player import Player, moves_in
from tilewright.view.text_drawing import draw_text


def test_undo_goes_back_to_the_persons_decision(player: Player):
    start = draw_text(tw.Azul(players=2).start(seed=7), ["Player 1", "random bot"])
    story = player.play("azul", "--seat", "me", "--seat", "random", "--seed", "7", typing=["undo", "1b1", "undo"])
    assert "Nothing to take back: Player 1 has not moved yet." in story
    assert "Taken back." in story
    assert story.count(start) == 2  # at the beginning, and after the second undo


def test_undo_spares_the_last_move_of_somebody_else(player: Player):
    people = ["azul", "--seed", "7", "--seat", "Anna", "--seat", "Paul"]
    story = player.play(*people, typing=["1b1", "undo", "2", "undo", "save a.txt"])
    assert story.count("Nothing to take back: Paul has not moved yet.") == 1
    assert story.count("Taken back.") == 1
    assert moves_in("a.txt") == []  # Anna's move and Paul's answer to it
    player.play(*people, typing=["1b1", "2", "1", "undo", "save b.txt"])
    assert [move.text for move in moves_in("b.txt")] == ["1b1"]  # Paul's first move and Anna's answer to it


@pytest.mark.parametrize("name", list(tw.GAMES))
def test_undo_over_rounds_deals_the_same_tiles_again(name: str, player: Player):
    people = [name, "--seat", "Anna", "--seat", "Paul", "--seed", "3"]
    moves = ["1"] * (60 if name == "summer-pavilion" else 30)
    back = ["undo"] * 12
    straight = player.play(*people, typing=[*moves, "save straight.txt"])
    assert "After round 1" in straight
    player.play(*people, typing=[*moves, *back, "save part.txt"])
    taken_back = len(moves) - len(moves_in("part.txt"))
    assert taken_back >= len(back)
    player.play(*people, typing=[*moves, *back, *["1"] * taken_back, "save crooked.txt"])
    assert Path("straight.txt").read_text() == Path("crooked.txt").read_text()
