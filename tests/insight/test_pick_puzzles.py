"""The tool that picks puzzles to ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.insight.puzzle import Answer, Puzzle

TOOLS = Path(__file__).parents[2] / "tools"


def made(number: int, rating: int, lead: float) -> Puzzle:
    """A puzzle that only the tool can use."""
    return Puzzle(f"position {number}", rating, (), (Answer(("a",), 0.5, 0.0), Answer(("b",), 0.5 - lead, 0.0)))


def test_ratings_are_spread_and_the_clearest_puzzles_come_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    from pick_puzzles import picked

    common = [made(n, 1550, 0.1 + n / 1000) for n in range(20)]
    rare = [made(100, 1250, 0.1), made(101, 2050, 0.1)]
    chosen = picked([*common, *rare], 5)
    assert [puzzle.rating for puzzle in chosen] == [1250, 1550, 1550, 1550, 2050]
    assert {puzzle.text for puzzle in chosen[1:4]} == {"position 17", "position 18", "position 19"}
