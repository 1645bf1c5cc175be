"""Calibrated chances: still chances, certain and even ones unchanged, and only for rule sets that exist."""

from __future__ import annotations

import tomllib

import pytest

import tilewright as tw
from tilewright.game.registry import every_rule_set
from tilewright.insight.calibration import CALIBRATION_FILE, Calibration, calibration_of
from tilewright.insight.expectation import Expectation
from tilewright.insight.network_evaluator import NetworkEvaluator
from tilewright.search.rule_sets import network_file, slug


@pytest.mark.parametrize("exponent", [0.8, 1.0, 1.2])
def test_they_stay_chances(exponent: float):
    calibration = Calibration(exponent)
    for chances in ((0.3, 0.7), (0.2, 0.3, 0.5), (0.0, 1.0), (0.5, 0.5), (0.0, 0.5, 0.5)):
        calibrated = calibration.chances(chances)
        assert sum(calibrated) == pytest.approx(1)
        assert sorted(range(len(chances)), key=chances.__getitem__) == sorted(
            range(len(chances)), key=calibrated.__getitem__
        )
    assert calibration.chances((0.0, 1.0)) == (0.0, 1.0)
    assert calibration.chances((0.5, 0.5)) == (0.5, 0.5)


def test_a_higher_exponent_is_bolder():
    assert Calibration(1.2).chances((0.7, 0.3))[0] > 0.7
    assert Calibration(0.8).chances((0.7, 0.3))[0] < 0.7


def test_every_entry_belongs_to_a_rule_set():
    games = list(every_rule_set())
    for folder in {network_file(game).parent for game in games if network_file(game).exists()}:
        path = folder / CALIBRATION_FILE
        if path.exists():
            exponents = tomllib.loads(path.read_text(encoding="utf-8"))
            assert set(exponents) <= {slug(game) for game in games}
            assert all(0.8 <= exponent <= 1.6 for exponent in exponents.values())


def test_games_with_the_same_rules_share_a_calibration():
    assert calibration_of(tw.AzulMini()) == calibration_of(tw.Azul())
    assert calibration_of(tw.SummerPavilion()) != Calibration(1.0), "the file is read"


def test_an_evaluator_applies_it():
    position = tw.Azul().start(seed=2)
    plain, bold = (
        NetworkEvaluator(tw.Azul(), calibration=Calibration(exponent)).evaluate(
            position, tw.Budget(simulations=200), tw.Cancellation()
        )
        for exponent in (1.0, 2.0)
    )
    expected = Calibration(2.0).chances(plain.expectation.chances)
    assert bold.expectation.chances == pytest.approx(expected, abs=1e-4)
    assert bold.expectation.margins == plain.expectation.margins


def test_an_outcome_needs_no_calibration():
    position = tw.Azul().start(seed=1)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    assert set(Expectation.of_outcome(position).chances) <= {0.0, 0.5, 1.0}
