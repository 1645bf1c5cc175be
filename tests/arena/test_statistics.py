"""Elo, pairs and the sequential test against values that are known or were computed by hand."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

import tilewright as tw
from tilewright.arena.sprt import Sprt, SprtRun, log_likelihood_ratio
from tilewright.arena.statistics import (
    PAIR_RESULTS,
    Z95,
    Mean,
    count_pairs,
    elo_from_sets,
    elo_of_share,
    share_of_elo,
)


@pytest.mark.parametrize(
    ("share", "elo"), [(0.5, 0.0), (0.75, 190.85), (0.25, -190.85), (10 / 11, 400.0), (0.64, 99.95), (0.99, 798.25)]
)
def test_elo_of_a_share(share: float, elo: float):
    assert elo_of_share(share) == pytest.approx(elo, abs=0.01)
    assert share_of_elo(elo) == pytest.approx(share, abs=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_fair_share_is_no_difference(players: int):
    assert elo_of_share(1 / players, players) == pytest.approx(0)
    for elo in (-300, -20, 55, 400):
        assert elo_of_share(share_of_elo(elo, players), players) == pytest.approx(elo)


def test_400_more_means_ten_to_one_against_each_of_three():
    assert share_of_elo(400, players=4) == pytest.approx(10 / 13)


def pairs(*counts: int) -> list[float]:
    return [score for score, count in zip(PAIR_RESULTS, counts, strict=True) for _ in range(count)]


def test_the_pentanomial():
    assert count_pairs(pairs(1, 2, 3, 4, 5)) == [1, 2, 3, 4, 5]


def test_the_error_comes_from_pairs():
    """10 pairs 0-2, 30 pairs 1-1, 20 pairs 2-0: mean 35/60, variance by hand."""
    mean = Mean.of(pairs(10, 0, 30, 0, 20))
    average = 35 / 60
    variance = (10 * average**2 + 30 * (0.5 - average) ** 2 + 20 * (1 - average) ** 2) / 59
    assert mean.value == pytest.approx(average)
    assert mean.error == pytest.approx(sqrt(variance / 60))


def test_pairs_that_cancel_out_are_surer_than_single_games():
    """Whoever has the better deal wins: the pairs all end 1-1, and single games would not know that."""
    assert Mean.of(pairs(0, 0, 100, 0, 0)).error == 0
    assert Mean.of([0.0, 1.0] * 100).error == pytest.approx(0.0354, abs=1e-4)


def test_elo_and_its_interval():
    scores = pairs(20, 10, 140, 30, 200)
    estimate = elo_from_sets(scores)
    assert estimate.value == pytest.approx(elo_of_share(float(np.mean(scores))))
    padded = [*scores, 0.0, 1.0]
    error = float(np.std(padded, ddof=1)) / sqrt(len(padded))
    assert estimate.low == pytest.approx(elo_of_share(float(np.mean(padded)) - Z95 * error))
    assert estimate.high == pytest.approx(elo_of_share(float(np.mean(padded)) + Z95 * error))
    assert estimate.reversed().high == -estimate.low


def test_who_won_everything_is_not_infinitely_strong():
    few, many = elo_from_sets(pairs(0, 0, 0, 0, 5)), elo_from_sets(pairs(0, 0, 0, 0, 500))
    assert few.value == pytest.approx(elo_of_share(0.95))
    assert few.low < 150
    assert 700 < many.low <= many.value == many.high < 1500
    assert elo_from_sets([1.0]).low < 0


@pytest.mark.parametrize("players", [2, 3])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(players: int):
    chance, truth, held = np.random.default_rng(1), 60, 0
    share = share_of_elo(truth, players)
    for _ in range(400):
        estimate = elo_from_sets(list((chance.random((100, players)) < share).mean(axis=1)), players)
        held += estimate.low <= truth <= estimate.high
    assert 0.92 <= held / 400 <= 0.98


def test_the_bounds_of_a_test():
    test = Sprt(0, 5)
    assert test.upper == pytest.approx(log(19))
    assert test.lower == pytest.approx(-log(19))
    assert [test.decision(llr) for llr in (-3, 0, 3)] == ["H0", "undecided", "H1"]


@pytest.mark.parametrize(("elo0", "elo1"), [(5, 0), (3, 3), (0, float("nan")), (0, float("inf"))])
def test_a_test_is_between_a_lower_and_a_higher_elo(elo0: float, elo1: float):
    with pytest.raises(tw.BadOption, match="lower and a higher"):
        Sprt(elo0, elo1)


def test_errors_of_a_test_are_small():
    with pytest.raises(tw.BadOption, match=r"0\.05"):
        Sprt(0, 5, alpha=0.6)


def test_the_ratio_of_coin_tosses_is_that_of_the_classical_test():
    """If pairs only end 0-2 or 2-0 the likelihoods are known: n1 log(s1 / s0) + n0 log((1 - s1) / (1 - s0))."""
    test = Sprt(0, 50)
    low, high = share_of_elo(0), share_of_elo(50)
    expected = 70 * log(high / low) + 40 * log((1 - high) / (1 - low))
    assert log_likelihood_ratio({1.0: 70, 0.0: 40}, test) == pytest.approx(expected, abs=0.01)


def test_the_ratio_is_close_to_its_normal_approximation():
    """For many pairs and small differences: n (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    counts = dict(zip(PAIR_RESULTS, (300, 100, 1200, 120, 380), strict=True))
    scores = pairs(300, 100, 1200, 120, 380)
    test = Sprt(0, 10)
    low, high = share_of_elo(0), share_of_elo(10)
    mean, variance = float(np.mean(scores)), float(np.var(scores))
    approximation = len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_likelihood_ratio(counts, test) == pytest.approx(approximation, rel=0.02)


def test_a_run_stops_listening_when_it_has_decided():
    run = SprtRun(Sprt(0, 100))
    for _ in range(1000):
        run.take(1.0)
    assert run.decided
    assert run.decision == "H1"
    assert len(run.curve) < 100
    assert run.llr >= run.test.upper > run.curve[-2]


@pytest.mark.parametrize(("players", "truth"), [(2, 0), (2, 100), (3, 0), (3, 100)])
def test_a_sequential_test_errs_as_seldom_as_it_promises(players: int, truth: float):
    chance, wrong, runs = np.random.default_rng(7), 0, 60
    share = share_of_elo(truth, players)
    for _ in range(runs):
        run = SprtRun(Sprt(0, 100), players)
        while not run.decided:
            run.take(float((chance.random(players) < share).mean()))
        wrong += run.decision != ("H1" if truth else "H0")
    assert wrong <= 9  # 3 are promised; more than 9 of 60 would be a chance of one in a thousand
