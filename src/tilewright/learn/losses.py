"""What the network is trained to minimise, on a batch of samples."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch.nn import functional

from tilewright.learn.store import AFTERSTATE_SAMPLE

_IMPOSSIBLE = -1e9
"""The logit of an illegal move."""
_LEAST_LOG = -50.0


class Batch(NamedTuple):
    """Samples from the replay buffer."""

    observations: torch.Tensor
    policy: torch.Tensor
    """Targets; negative where a move is illegal."""
    values: torch.Tensor
    """Targets, from the observer's seat on: win shares, then margins."""
    kind: torch.Tensor
    weight: torch.Tensor
    """0 where there was no sample to draw."""


def policy_losses(logits: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """The cross-entropy with the policy target, and the Kullback-Leibler divergence from it; decisions only."""
    weight = batch.weight * (batch.kind != AFTERSTATE_SAMPLE)
    legal, target = batch.policy >= 0, batch.policy.clamp(min=0).float()
    log_policy = functional.log_softmax(logits.masked_fill(~legal, _IMPOSSIBLE), dim=1).clamp(min=_LEAST_LOG)
    cross_entropy = _mean(-(target * log_policy).sum(1), weight)
    entropy = _mean(-(target * target.clamp(min=1e-9).log()).sum(1), weight)
    return cross_entropy, cross_entropy - entropy


def value_losses(
    wins: torch.Tensor, margins: torch.Tensor, batch: Batch, afterstate_weight: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """The cross-entropy with the winner, and the squared error of the margins."""
    players = wins.shape[1]
    weight = batch.weight * (1 + (afterstate_weight - 1) * (batch.kind == AFTERSTATE_SAMPLE))
    win_loss = -(batch.values[:, :players] * functional.log_softmax(wins, dim=1)).sum(1)
    margin_loss = ((margins - batch.values[:, players:]) ** 2).mean(1)
    return _mean(win_loss, weight), _mean(margin_loss, weight)


def _mean(values: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """The weighted mean; 0 if no sample has a weight."""
    return (values * weight).sum() / weight.sum().clamp(min=1)
