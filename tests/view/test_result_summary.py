"""What decided a game, in words."""

from __future__ import annotations

import pytest

from tilewright.game.outcome import Outcome
from tilewright.game.registry import find_spec
from tilewright.view.language import LANGUAGES
from tilewright.view.result_summary import summary_of

NAMES = ["Ada", "Bob", "Cleo"]
AZUL = find_spec("azul")


def points(tiles: int, columns: int, floor: int) -> dict[str, int]:
    return {"tiles on the wall": tiles, "full columns": columns, "floor line": -floor}


def test_the_source_with_the_largest_lead_made_the_difference():
    outcome = Outcome((1,), (20, 31), (points(22, 0, 2), points(20, 14, 3)))
    assert summary_of(outcome, AZUL, None, NAMES, "en") == (
        "11 points ahead of Ada. What made the difference: full columns, 14 against 0."
    )


def test_fewer_penalties_can_make_the_difference():
    outcome = Outcome((0,), (20, 19), (points(22, 0, 2), points(25, 0, 6)))
    assert summary_of(outcome, AZUL, None, NAMES, "en") == (
        "1 point ahead of Bob. What made the difference: floor line, −2 against −6."
    )


def test_all_who_come_second_are_named():
    outcome = Outcome((2,), (10, 10, 12), (points(10, 0, 0), points(10, 0, 0), points(12, 0, 0)))
    assert summary_of(outcome, AZUL, None, NAMES, "en").startswith("2 points ahead of Ada and Bob.")


def test_a_tie_break_is_told():
    outcome = Outcome((0,), (20, 20), (points(20, 0, 0), points(20, 0, 0)))
    assert summary_of(outcome, AZUL, None, NAMES, "en") == "Level on points: the tie-break decided."
    assert (
        summary_of(outcome, AZUL, "full rows", NAMES, "en") == "Level on points. The tie-break decided: more full rows."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shared_win_is_told_in_every_language(language: str):
    outcome = Outcome((0, 1), (20, 20), (points(20, 0, 0), points(20, 0, 0)))
    assert summary_of(outcome, AZUL, None, NAMES, language)
