"""Ratings against known values: odds, and the numbers of the openskill library."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright.arena.ratings import Skill, bradley_terry, bradley_terry_intervals, rate_games, rate_table
from tilewright.arena.statistics import elo_of_share, share_of_elo


def test_two_bots_have_the_elo_of_their_odds():
    first, second = bradley_terry(np.array([[0, 75], [25, 0]]), prior=0)
    assert first - second == pytest.approx(elo_of_share(0.75))
    assert first + second == pytest.approx(0)


def test_ratings_that_explain_all_results_are_found():
    truth = np.array([250.0, 100.0, 0.0, -50.0, -300.0])
    won = 1000 * np.array([[0 if i == j else share_of_elo(truth[i] - truth[j]) for j in range(5)] for i in range(5)])
    assert bradley_terry(won, prior=0) == pytest.approx(list(truth), abs=0.01)


def test_a_bot_that_lost_everything_has_a_rating():
    ratings = bradley_terry(np.array([[0, 50, 50], [0, 0, 25], [0, 25, 0]]))
    assert ratings[0] > 500 > ratings[1] == pytest.approx(ratings[2])


def test_intervals_hold_the_value_and_shrink():
    chance = np.random.default_rng(3)

    def sets(count: int) -> np.ndarray:
        points = np.zeros((count, 3, 3))
        for k in range(count):
            i, j = ((0, 1), (0, 2), (1, 2))[k % 3]
            points[k, i, j] = chance.binomial(2, 0.6)
            points[k, j, i] = 2 - points[k, i, j]
        return points

    few, many = bradley_terry_intervals(sets(60)), bradley_terry_intervals(sets(960))
    for wide, narrow in zip(few, many, strict=True):
        assert wide.low < wide.value < wide.high
        assert narrow.high - narrow.low < (wide.high - wide.low) / 2.5


@pytest.mark.parametrize(
    ("before", "places", "after"),
    [
        ([(25, 25 / 3)] * 2, [1, 2], [(27.63523138, 8.06550632), (22.36476862, 8.06550632)]),
        (
            [(25, 25 / 3)] * 4,
            [1, 2, 3, 4],
            [
                (27.79508497, 8.26316076),
                (26.55282498, 8.1792137),
                (24.689435, 8.08373131),
                (20.96265504, 8.08373131),
            ],
        ),
        (
            [(25, 25 / 3), (27, 3), (20, 5)],
            [1, 1, 3],
            [(25.82601485, 8.04490279), (27.06290682, 2.99493423), (19.52789349, 4.97090752)],
        ),
        (
            [(25, 25 / 3), (27, 3), (20, 5), (30, 2)],
            [2, 1, 2, 4],
            [
                (24.73663188, 7.91786355),
                (27.49401053, 2.99660531),
                (20.22940721, 4.95934905),
                (29.75890461, 1.99839262),
            ],
        ),
    ],
)
def test_the_numbers_of_openskill(
    before: list[tuple[float, float]], places: list[int], after: list[tuple[float, float]]
):
    """From openskill 6.2.0, ``PlackettLuce(tau=0).rate(..., ranks=places)``."""
    rated = rate_table([Skill(*skill) for skill in before], places)
    for skill, (mu, sigma) in zip(rated, after, strict=True):
        assert (skill.mu, skill.sigma) == pytest.approx((mu, sigma), abs=1e-7)


def test_the_better_bot_comes_out_ahead_at_larger_tables():
    chance = np.random.default_rng(5)
    games = []
    for _ in range(200):
        form = np.array([30.0, 25.0, 20.0]) + chance.normal(0, 5, 3)
        games.append(((0, 1, 2), [1 + int((form > own).sum()) for own in form]))
    skills = rate_games(3, games)
    assert skills[0].mu > skills[1].mu > skills[2].mu
    assert all(skill.sigma < 3 for skill in skills)
    assert skills[0].ordinal > skills[2].mu


def test_a_bot_on_two_seats_has_one_skill():
    first, second = rate_games(2, [((0, 1, 1), (1, 2, 3))] * 20)
    assert first.mu > 25 > second.mu


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_league_of_a_few_sets_is_sure_of_nothing(count: int):
    points = np.zeros((count, 3, 3))
    for k in range(count):
        i, j = ((0, 1), (0, 2), (1, 2))[k]
        points[k, i, j] = 2
    for rating in bradley_terry_intervals(points):
        assert rating.low < 0 < rating.high
        assert rating.high - rating.low > 200


def test_intervals_hold_the_truth():
    """In 95 of 100 leagues; the urn's imagined sets make them a little wider than that."""
    chance = np.random.default_rng(8)
    truth = np.array([60.0, 0.0, -60.0])
    held = []
    for _ in range(40):
        points = np.zeros((90, 3, 3))
        for k in range(90):
            i, j = ((0, 1), (0, 2), (1, 2))[k % 3]
            points[k, i, j] = chance.binomial(2, share_of_elo(truth[i] - truth[j]))
            points[k, j, i] = 2 - points[k, i, j]
        held += [one.low <= true <= one.high for one, true in zip(bradley_terry_intervals(points), truth, strict=True)]
    assert np.mean(held) >= 0.9
