"""The luck of a deal: zero on average, whatever the evaluator thinks, and with an error estimated from the samples."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

import tilewright as tw
from tilewright.insight.expectation import Expectation
from tilewright.insight.luck import SAMPLES, luck_of


def opinion(position: tw.Position) -> Expectation:
    """An evaluator with firm opinions about every deal, all of them arbitrary."""
    chance = zlib.crc32(position.states.tobytes()) % 1000 / 1000
    return Expectation((chance, 1 - chance), (10 * chance, -10 * chance))


def dealt(seed: int) -> tw.Position:
    position = tw.Azul().set_up()
    position.deal(seed=seed)
    return position


def test_it_averages_zero_even_if_the_evaluator_is_wrong():
    before = tw.Azul().set_up()
    lucks = np.array([luck_of(before, dealt(seed), opinion, (seed,)).luck[0] for seed in range(300)])
    assert abs(lucks.mean()) < 4 * lucks.std() / np.sqrt(len(lucks))
    assert lucks.std() > 0.1


def test_what_one_seat_gains_the_other_loses():
    luck = luck_of(tw.Azul().set_up(), dealt(5), opinion, (1,))
    assert luck.luck[0] == pytest.approx(-luck.luck[1], abs=1e-4)
    assert luck.luck_points[0] == pytest.approx(-luck.luck_points[1], abs=1e-4)
    assert luck.samples == SAMPLES
    assert 0.02 < luck.error[0] < 0.12


def test_a_deal_that_makes_no_difference_is_no_luck():
    even = Expectation((0.5, 0.5), (0.0, 0.0))
    luck = luck_of(tw.Azul().set_up(), dealt(5), lambda _: even, (1,))
    assert luck.luck == (0.0, 0.0)
    assert luck.error == (0.0, 0.0)
    assert luck.average == even


def test_the_samples_depend_on_the_seed_alone():
    before = tw.Azul().set_up()
    assert luck_of(before, dealt(5), opinion, (1, 2)) == luck_of(before, dealt(5), opinion, (1, 2))
    assert luck_of(before, dealt(5), opinion, (1, 2)) != luck_of(before, dealt(5), opinion, (1, 3))
