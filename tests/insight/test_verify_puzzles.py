"""The tool that searches shipped puzzles again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import tilewright as tw
from tilewright.insight.puzzle import puzzles_of

TOOLS = Path(__file__).parents[2] / "tools"


def test_a_solution_stands_and_another_move_in_its_place_does_not(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    from verify_puzzles import CLEARLY, verify

    puzzle = next(iter(puzzles_of(tw.GAMES["azul"].spec).values()))
    first, second, *others = puzzle.answers
    right, wrong = verify([puzzle, replace(puzzle, answers=(second, first, *others))], simulations=4000)
    assert right.stands
    assert right.lead > CLEARLY
    assert not wrong.stands
    assert wrong.lead < -CLEARLY
