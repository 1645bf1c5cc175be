"""The losses, against numbers worked out by hand."""

from __future__ import annotations

from math import log

import pytest
import torch

from tilewright.learn.losses import Batch, policy_losses, value_losses
from tilewright.learn.store import AFTERSTATE_SAMPLE, DECISION_SAMPLE

BATCH = Batch(
    observations=torch.zeros(3, 1),
    policy=torch.tensor([[0.5, 0.5, -1.0], [9.0, 9.0, 9.0], [9.0, 9.0, 9.0]]),
    values=torch.tensor([[1.0, 0.0, 0.5, -0.5], [0.5, 0.5, 0.0, 0.0], [9.0, 9.0, 9.0, 9.0]]),
    kind=torch.tensor([DECISION_SAMPLE, AFTERSTATE_SAMPLE, DECISION_SAMPLE]),
    weight=torch.tensor([1.0, 1.0, 0.0]),
)
"""A decision between two legal moves, an afterstate, and nothing."""


def test_the_policy_is_compared_with_its_target_over_legal_moves_of_decisions():
    logits = torch.tensor([[log(3.0), 0.0, 100.0]]).repeat(3, 1)
    loss, divergence = policy_losses(logits, BATCH)
    expected = -0.5 * (log(0.75) + log(0.25))
    assert float(loss) == pytest.approx(expected, abs=1e-5)
    assert float(divergence) == pytest.approx(expected - log(2), abs=1e-5)


def test_a_policy_that_is_its_target_has_no_divergence():
    assert float(policy_losses(torch.zeros(3, 3), BATCH)[1]) == pytest.approx(0, abs=1e-6)


def test_afterstates_count_as_often_as_they_should_in_the_value_losses():
    win, margin = value_losses(torch.zeros(3, 2), torch.zeros(3, 2), BATCH, afterstate_weight=3.0)
    assert float(win) == pytest.approx(log(2), abs=1e-6)
    assert float(margin) == pytest.approx(0.25 * 1 / 4, abs=1e-6)


def test_without_samples_there_is_nothing_to_learn():
    empty = BATCH._replace(weight=torch.zeros(3))
    assert float(policy_losses(torch.zeros(3, 3), empty)[0]) == 0
    assert float(value_losses(torch.zeros(3, 2), torch.zeros(3, 2), empty, 3.0)[0]) == 0
