"""Analysis of positions: what is promised about every result, whatever the game."""

from __future__ import annotations

import json

import pytest

import tilewright as tw
from bare_game import BareGame


def test_the_best_lines_are_searched_alike_and_ranked_by_what_they_are_worth():
    position = tw.Azul().start(seed=3)
    analysis = tw.analyse(position, budget="6000", lines=3)
    assert analysis.lines == 3
    chances = [analysis.chance(candidate) for candidate in analysis.candidates[:3]]
    assert chances == sorted(chances, reverse=True)
    assert min(candidate.visits for candidate in analysis.candidates[:3]) > 500
    assert analysis.expectation == analysis.best.expectation
    for candidate in analysis.candidates[:3]:
        after = position.without_dealer()
        for move in candidate.line:
            after.push(move)
        assert after.awaits_draw
        assert candidate.line[0] == candidate.move


def test_results_improve_until_the_budget_is_spent():
    results = list(tw.analyse_live(tw.Azul().start(seed=3), budget="3000"))
    simulations = [result.simulations for result in results]
    assert simulations == sorted(set(simulations))
    assert simulations[-1] == 3000
    assert len(results) > 3


def test_the_same_seed_gives_the_same_analysis():
    position = tw.SummerPavilion().start(seed=3)
    one, other = (tw.analyse(position, budget="1000", seed=5) for _ in range(2))
    assert one.to_dict() == other.to_dict()


def test_it_survives_json():
    analysis = tw.analyse(tw.Azul(players=3).start(seed=3), budget="500")
    again = tw.Analysis.from_dict(json.loads(json.dumps(analysis.to_dict())))
    assert again.to_dict() == analysis.to_dict()
    assert again.position == analysis.position
    assert len(again.expectation.chances) == 3


def test_a_cancelled_analysis_still_has_a_result():
    cancellation = tw.Cancellation()
    cancellation.cancel()
    analysis = tw.analyse(tw.Azul().start(seed=3), cancellation=cancellation)
    assert analysis.simulations == 0
    assert sum(analysis.expectation.chances) == pytest.approx(1, abs=1e-4)


def test_before_a_deal_there_is_an_expectation_but_no_move():
    analysis = tw.analyse(tw.Azul().set_up(), budget="100")
    assert analysis.candidates == ()
    assert sum(analysis.expectation.chances) == pytest.approx(1, abs=1e-4)
    with pytest.raises(tw.TilewrightError, match="no player can move"):
        _ = analysis.best


def test_a_finished_game_is_worth_its_result():
    position = tw.Azul().start(seed=1)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    analysis = tw.analyse(position)
    outcome = position.outcome()
    assert outcome is not None
    assert [seat for seat, chance in enumerate(analysis.expectation.chances) if chance] == list(outcome.winners)
    assert analysis.expectation.margins[0] == outcome.scores[0] - outcome.scores[1]


def test_the_dealer_is_never_asked():
    """Two games that will be dealt differently are the same to an analysis."""
    text = tw.Azul().start(seed=3).to_text()
    first, second = (tw.analyse(tw.Azul().position(text, seed=seed), budget="300") for seed in (1, 2))
    assert first.to_dict() == second.to_dict()


@pytest.mark.slow
def test_a_game_without_a_network_is_analysed_by_the_plain_search():
    position = BareGame().start(seed=1)
    analysis = tw.analyse(position, budget="500")
    assert analysis.best.move in position.legal_moves
    assert sum(analysis.expectation.chances) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("lines", [0, -1, True, "3"])
def test_a_wrong_number_of_lines_is_refused(lines: object):
    with pytest.raises(tw.BadOption, match="at least 1"):
        tw.analyse(tw.Azul().start(seed=3), lines=lines)  # type: ignore[arg-type]


def test_what_is_no_position_is_refused():
    position = tw.Azul().start(seed=3)
    for wrong in (position.to_text(), position.record()):
        with pytest.raises(tw.BadOption, match="an analysis is of a position"):
            tw.analyse(wrong)  # type: ignore[arg-type]


def test_an_analysis_ends_before_its_tree_is_full(monkeypatch: pytest.MonkeyPatch):
    """A full tree could not move its root back, and everything found so far would be lost."""
    monkeypatch.setattr("tilewright.search.champion.MAX_NODES", 3000)
    results = list(tw.analyse_live(tw.SummerPavilion().start(seed=3), budget="100000", lines=4))
    assert results[-1].lines == 4
    assert results[-1].best.visits >= results[0].best.visits


def test_a_line_that_the_network_would_not_try_costs_nothing_that_was_found():
    """The network is sure of two moves. When others were looked at, the tree used to be lost, the best move with it."""
    text = (
        "summer-pavilion players=2 side=coloured; round=5 stage=draft phase=draft turn=1 first=2 marker=1"
        " passed=- owed=0; bag=3p1g2o4y5b3r tower=4p12g9o13y2b7r supply=ggoobbbbrr centre=oy"
        " 1=gorr 2=pgoo 3=- 4=- 5=poyr; player=1 score=28 placing=26 marker-loss=3 passing-loss=0 hand=gobb"
        " board=pppp.p/..gg../..o.../....../.b..../.rrr../......;"
        " player=2 score=35 placing=35 marker-loss=5 passing-loss=0 hand=ppppbbbbb"
        " board=pppp../gg..../oo..../yyy.../bbb.../.rrr../..r..."
    )
    results = list(tw.analyse_live(tw.SummerPavilion().position(text), budget="4000", lines=4))
    assert {str(result.best.move) for result in results} == {"1r"}
    visits = [result.best.visits for result in results]
    assert visits == sorted(visits)
    assert results[-1].lines == 4
    assert sum(candidate.visits for candidate in results[-1].candidates) >= 3000
