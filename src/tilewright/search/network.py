"""A network on one core of the processor, in kernels: no Torch is needed to play."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tilewright.kernels.compile import Cells, jit_options
from tilewright.search.packing import read_arrays


class Weights(NamedTuple):
    """The weights in single precision, laid out so that inner loops run along memory."""

    first: Any  # [input, unit]
    first_bias: Any
    blocks: Any  # [block, unit before, unit after]
    block_biases: Any
    policy: Any  # [move, unit]
    policy_bias: Any
    value: Any  # [output, unit]: win logits, then margins, seats counting from the observer
    value_bias: Any


class Pads(NamedTuple):
    """What an evaluation writes on."""

    observation: Any
    active: Any  # places of the inputs or units that are not 0
    hidden: Any
    layer: Any
    legal: Any
    values: Any


def read_weights(path: Path) -> tuple[Weights, dict[str, Any]]:
    """Stored weights, and what the file says about them."""
    arrays, about = read_arrays(path)
    blocks = [name.removesuffix(".weight") for name in arrays if re.fullmatch(r"blocks\.\d+\.weight", name)]
    weights = Weights(
        first=np.ascontiguousarray(arrays["first.weight"].T),
        first_bias=arrays["first.bias"],
        blocks=np.stack([np.ascontiguousarray(arrays[f"{block}.weight"].T) for block in blocks]),
        block_biases=np.stack([arrays[f"{block}.bias"] for block in blocks]),
        policy=np.ascontiguousarray(arrays["policy.weight"]),
        policy_bias=arrays["policy.bias"],
        value=np.ascontiguousarray(arrays["value.weight"]),
        value_bias=arrays["value.bias"],
    )
    return weights, about


def new_pads(weights: Weights) -> Pads:
    """Room for one evaluation at a time."""
    width = len(weights.first_bias)
    return Pads(
        observation=np.zeros(len(weights.first), np.float32),
        active=np.zeros(max(len(weights.first), width) + 1, np.int32),
        hidden=np.zeros(width, np.float32),
        layer=np.zeros(width, np.float32),
        legal=np.zeros(len(weights.policy_bias), np.bool_),
        values=np.zeros(len(weights.value_bias), np.float32),
    )


@jit_options(fastmath=True)
def list_active(signals: Cells, active: Cells) -> int:
    """The places of all signals that are not 0; returns how many."""
    count = 0
    for n in range(len(signals)):
        active[count] = n
        count += 1 if signals[n] != 0 else 0
    return count


@jit_options(fastmath=True)
def add_rows(weights: Cells, signals: Cells, active: Cells, count: int, sums: Cells) -> None:
    """Add the rows of the active signals, four at a time: each sum is then read and written a quarter as often."""
    width = len(sums)
    for n in range(0, count - 3, 4):
        a, b, c, d = active[n], active[n + 1], active[n + 2], active[n + 3]
        first, second, third, fourth = signals[a], signals[b], signals[c], signals[d]
        for unit in range(width):
            sums[unit] += (
                first * weights[a, unit]
                + second * weights[b, unit]
                + third * weights[c, unit]
                + fourth * weights[d, unit]
            )
    for n in range(count - count % 4, count):
        a = active[n]
        for unit in range(width):
            sums[unit] += signals[a] * weights[a, unit]


@jit_options(fastmath=True)
def hidden_layers(weights: Weights, pads: Pads) -> None:
    """From the observation to the last hidden layer; units and inputs that are 0 cost nothing."""
    hidden, layer = pads.hidden, pads.layer
    hidden[:] = weights.first_bias
    add_rows(weights.first, pads.observation, pads.active, list_active(pads.observation, pads.active), hidden)
    for unit in range(len(hidden)):
        hidden[unit] = max(hidden[unit], np.float32(0))
    for block in range(len(weights.blocks)):
        layer[:] = weights.block_biases[block]
        add_rows(weights.blocks[block], hidden, pads.active, list_active(hidden, pads.active), layer)
        for unit in range(len(hidden)):
            hidden[unit] += max(layer[unit], np.float32(0))


@jit_options(fastmath=True)
def dot(weights: Cells, row: int, hidden: Cells) -> float:
    """One output."""
    total: Any = np.float32(0)
    for unit in range(len(hidden)):
        total += weights[row, unit] * hidden[unit]
    return total


def read_out_values(weights: Weights, pads: Pads, observer: int, values: Cells, at: int) -> None:
    """By seat, the chance to win, then the margin."""
    players = len(weights.value_bias) // 2
    top = np.float32(-1e30)
    for n in range(2 * players):
        pads.values[n] = weights.value_bias[n] + dot(weights.value, n, pads.hidden)
        if n < players:
            top = max(top, pads.values[n])
    total = np.float32(0)
    for n in range(players):
        pads.values[n] = np.exp(pads.values[n] - top)
        total += pads.values[n]
    for step in range(players):
        seat = (observer + step) % players
        values[at + seat] = pads.values[step] / total
        values[at + players + seat] = pads.values[players + step]
