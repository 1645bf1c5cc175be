"""What is told about a game that points alone did not decide."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from positions import Board, table

import tilewright as tw
from tilewright.game.tie_breaks import deciding_tie_break
from tilewright.view import narrator
from tilewright.view.language import LANGUAGES

NAMES = ["Anna", "Ben", "Cleo"]
ROWS = ({}, {1: "byrkw"}, {1: "byrkw", 2: "wbyrk"})
TOLD = {
    "en": "Ben wins 30-30 (tie-break: more full rows)",
    "fr": "Ben gagne 30-30 (départage\N{NO-BREAK SPACE}: davantage de rangées complètes)",
    "it": "Ben vince 30-30 (spareggio: più righe complete)",
}


def ended(game: tw.Game, *players: tuple[int, int]) -> tw.Position:
    """A finished game with these scores and numbers of full rows."""
    return table(game, *(Board(score=score, wall=ROWS[rows]) for score, rows in players), phase="over")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [tw.Azul, tw.AzulMini])
def test_the_result_names_the_tie_break_that_decided(kind: type[tw.Game], language: str):
    position = ended(kind(2), (30, 0), (30, 1))
    assert narrator.final_result(position, NAMES[:2], language) == TOLD[language]
    assert TOLD[language] in narrator.awaited(position, NAMES[:2], language)


def test_a_shared_win_can_be_decided_by_rows_too():
    position = ended(tw.Azul(3), (30, 1), (30, 1), (30, 0))
    assert narrator.final_result(position, NAMES) == "Anna and Ben share the win 30-30-30 (tie-break: more full rows)"


def test_nothing_is_told_where_points_decide_or_rows_do_not():
    assert narrator.final_result(ended(tw.Azul(2), (30, 1), (31, 0)), NAMES[:2]) == "Ben wins 31-30"
    assert narrator.final_result(ended(tw.Azul(2), (30, 1), (30, 1)), NAMES[:2]) == "Anna and Ben share the win 30-30"


def test_what_is_told_agrees_with_the_winners_of_the_rules():
    for players in product(product((30, 31), range(3)), repeat=3):
        if not any(rows for _, rows in players):
            continue  # such a game is not over
        position = ended(tw.Azul(3), *players)
        outcome = position.outcome()
        assert outcome is not None
        tied = [seat for seat in range(3) if outcome.scores[seat] == max(outcome.scores)]
        decided = "full rows" if len(outcome.winners) < len(tied) else None
        assert deciding_tie_break(position) == decided, players


def test_a_tie_break_without_a_translation_is_told_by_its_name():
    class Bare(tw.Azul):
        spec = replace(tw.Azul.spec, parts={})

    assert narrator.final_result(ended(Bare(2), (30, 0), (30, 1)), NAMES[:2]) == "Ben wins 30-30 (tie-break: full rows)"
