"""The network: a small residual MLP with a policy head and, for every seat, a win and a margin output."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from tilewright.envs.observation import Observer
from tilewright.game.game import Game
from tilewright.learn.configuration import Configuration

ALIGNMENT = 16
"""Tensor cores are fast for matrices whose sizes are multiples of this."""


def aligned(size: int) -> int:
    """The next size that suits tensor cores."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class Network(nn.Module):
    """Maps observations to move logits, win logits and margins; seats count from the observer."""

    def __init__(self, inputs: int, actions: int, players: int, width: int, blocks: int) -> None:
        super().__init__()
        self.inputs, self.actions, self.players, self.width = inputs, actions, players, width
        self.first = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(blocks)])
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 2 * players)
        with torch.no_grad():
            for head in (self.policy, self.value):
                head.weight.mul_(0.1)
                head.bias.zero_()

    @classmethod
    def for_game(cls, game: Game, configuration: Configuration) -> Network:
        """A new network for a rule set."""
        inputs = Observer(game).size
        return cls(inputs, game.actions, game.players, configuration.width, configuration.blocks)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of all moves, win logits and margins by seat."""
        hidden = torch.relu(self.first(observations))
        for block in self.blocks:
            hidden = hidden + torch.relu(block(hidden))
        values = self.value(hidden)
        return self.policy(hidden), values[:, : self.players], values[:, self.players :]


class InferenceNetwork:
    """A copy of the weights laid out for speed: padded, in half precision on a GPU, all outputs in one product."""

    def __init__(self, network: Network, dtype: torch.dtype, device: str) -> None:
        width = network.first.out_features

        def blank(*shape: int) -> torch.Tensor:
            return torch.zeros(shape, dtype=dtype, device=device)

        self.first = blank(aligned(network.inputs), width)
        self.first_bias = blank(width)
        self.blocks = [(blank(width, width), blank(width)) for _ in network.blocks]
        outputs = aligned(network.actions + 2 * network.players)
        self.head = blank(width, outputs)
        self.head_bias = blank(outputs)

    @torch.no_grad()
    def refresh(self, network: Network) -> None:
        """Copy the weights."""
        self.first[: network.inputs].copy_(network.first.weight.t())
        self.first_bias.copy_(network.first.bias)
        layers: list[Any] = list(network.blocks)
        for (weight, bias), block in zip(self.blocks, layers, strict=True):
            weight.copy_(block.weight.t())
            bias.copy_(block.bias)
        actions, values = network.actions, 2 * network.players
        self.head[:, :actions].copy_(network.policy.weight.t())
        self.head_bias[:actions].copy_(network.policy.bias)
        self.head[:, -values:].copy_(network.value.weight.t())
        self.head_bias[-values:].copy_(network.value.bias)

    @torch.no_grad()
    def evaluate(self, observations: torch.Tensor, outputs: torch.Tensor) -> None:
        """From observations [input, game] to outputs [game, output]."""
        hidden = _linear_relu(observations.t(), self.first, self.first_bias)
        for weight, bias in self.blocks:
            hidden = hidden.add_(_linear_relu(hidden, weight, bias))
        torch.addmm(self.head_bias, hidden, self.head, out=outputs)


def _linear_relu(inputs: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """A layer; on a GPU, an undocumented function of PyTorch does all of it in one kernel."""
    fused: Any = getattr(torch, "_addmm_activation", None)
    if fused is not None and inputs.is_cuda:
        result: torch.Tensor = fused(bias, inputs, weight)
        return result
    return torch.addmm(bias, inputs, weight).relu_()
