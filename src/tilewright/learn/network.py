"""The network: a small residual MLP with a policy head and, for every seat, a win and a margin output."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from tilewright.envs.move_classes import MoveClasses, move_classes
from tilewright.envs.observation import NetworkObserver
from tilewright.game.game import Game
from tilewright.learn.configuration import Configuration

ALIGNMENT = 16
"""Tensor cores are fast for matrices whose sizes are multiples of this."""


def aligned(size: int) -> int:
    """The next size that suits tensor cores."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class Network(nn.Module):
    """Maps observations to move logits, win logits and margins; seats count from the observer.

    The logit of a move is one of its own plus one of its class (``tilewright.envs.move_classes``).
    """

    class_first: torch.Tensor
    class_source: torch.Tensor
    class_scale: torch.Tensor
    class_most: torch.Tensor

    def __init__(self, inputs: int, classes: MoveClasses, players: int, width: int, blocks: int) -> None:
        super().__init__()
        self.inputs, self.actions, self.players, self.width = inputs, len(classes.first), players, width
        for name, values in classes._asdict().items():
            self.register_buffer(f"class_{name}", torch.from_numpy(values))
        self.first = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(blocks)])
        self.policy = nn.Linear(width, self.actions)
        self.classes = nn.Linear(width, classes.number)
        self.value = nn.Linear(width, 2 * players)
        with torch.no_grad():
            for head in (self.policy, self.classes, self.value):
                head.weight.mul_(0.1)
                head.bias.zero_()

    @classmethod
    def for_game(cls, game: Game, configuration: Configuration) -> Network:
        """A new network for a rule set."""
        inputs = NetworkObserver(game).size
        return cls(inputs, move_classes(game), game.players, configuration.width, configuration.blocks)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of all moves, win logits and margins by seat."""
        hidden = torch.relu(self.first(observations))
        for block in self.blocks:
            hidden = hidden + torch.relu(block(hidden))
        logits = self.policy(hidden) + self.classes(hidden).gather(1, self._classes_of(observations))
        values = self.value(hidden)
        return logits, values[:, : self.players], values[:, self.players :]

    def _classes_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The class of each move."""
        numbers = (observations[:, self.class_source.long()] * self.class_scale).round()
        return (self.class_first + torch.minimum(numbers, self.class_most)).long()


class InferenceNetwork:
    """A copy of the weights laid out for speed: padded, in half precision on a GPU, all outputs in one product.

    Move logits come first, then those of the classes, which are added to them where a position's moves are listed.
    """

    def __init__(self, network: Network, dtype: torch.dtype, device: str) -> None:
        width = network.first.out_features

        def blank(*shape: int) -> torch.Tensor:
            return torch.zeros(shape, dtype=dtype, device=device)

        self.first = blank(aligned(network.inputs), width)
        self.first_bias = blank(width)
        self.blocks = [(blank(width, width), blank(width)) for _ in network.blocks]
        outputs = aligned(network.actions + network.classes.out_features + 2 * network.players)
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
        end = actions + network.classes.out_features
        self.head[:, actions:end].copy_(network.classes.weight.t())
        self.head_bias[actions:end].copy_(network.classes.bias)
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
