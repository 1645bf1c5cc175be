"""Inference on one core, in kernels: playing needs no PyTorch.

Matrices are held as 16-bit integers with a scale for each row. Inference is bound by memory traffic, so this is nearly
twice as fast as single precision. It changes win probabilities by less than a thousandth.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption
from tilewright.game.game import Game
from tilewright.kernels.compile import Cells, jit_options
from tilewright.search.packing import read_arrays
from tilewright.search.rule_sets import network_file, observation_size

_LARGEST = 32767


class Matrix(NamedTuple):
    """A quantised matrix: row ``n`` is ``rows[n] * scales[n]``."""

    rows: Cells
    scales: Cells


class NetworkWeights(NamedTuple):
    """The weights of a residual MLP, laid out so that inner loops run along memory."""

    first: Matrix  # [input, unit]
    first_bias: Cells
    blocks: Matrix  # [block * width + unit before, unit after]
    block_biases: Cells  # [block, unit]
    policy: Matrix  # [move, unit]
    policy_bias: Cells
    classes: Matrix  # [class, unit]: what the logits of all moves of a class have in common
    class_biases: Cells
    class_first: Cells  # the class of each move, as in ``MoveClasses``
    class_source: Cells
    class_scale: Cells
    class_most: Cells
    value: Matrix  # [output, unit]: win logits, then margins, seats counted from the observer
    value_bias: Cells


class Activations(NamedTuple):
    """The scratch arrays of one evaluation."""

    observation: Cells
    active: Cells
    """Indices of the inputs or units that are not 0."""
    hidden: Cells
    layer: Cells
    legal: Cells
    class_logits: Cells
    """Those that have been computed for this position; the others are nan."""
    values: Cells


def quantise(weights: NDArray[np.float32]) -> Matrix:
    """A matrix as 16-bit integers with a scale for each row."""
    scales = np.maximum(np.abs(weights).max(axis=1), np.float32(1e-12)) / np.float32(_LARGEST)
    rows = np.rint(weights / scales[:, None])
    return Matrix(np.ascontiguousarray(rows, np.int16), np.ascontiguousarray(scales, np.float32))


def read_network_weights(path: Path) -> NetworkWeights:
    """The network in a file of exported weights."""
    arrays, _ = read_arrays(path)
    blocks = [name.removesuffix(".weight") for name in arrays if re.fullmatch(r"blocks\.\d+\.weight", name)]
    return NetworkWeights(
        first=quantise(arrays["first.weight"].T),
        first_bias=arrays["first.bias"],
        blocks=quantise(np.concatenate([arrays[f"{block}.weight"].T for block in blocks])),
        block_biases=np.stack([arrays[f"{block}.bias"] for block in blocks]),
        policy=quantise(arrays["policy.weight"]),
        policy_bias=arrays["policy.bias"],
        classes=quantise(arrays["classes.weight"]),
        class_biases=arrays["classes.bias"],
        class_first=arrays["class_first"].astype(np.int32),
        class_source=arrays["class_source"].astype(np.int32),
        class_scale=arrays["class_scale"],
        class_most=arrays["class_most"].astype(np.int32),
        value=quantise(arrays["value.weight"]),
        value_bias=arrays["value.bias"],
    )


def network_weights_for(game: Game) -> NetworkWeights:
    """The weights of the network of a rule set, which are read once."""
    path = network_file(game)
    if not path.exists():
        raise BadOption(f"there is no network for {game!r}, so champion cannot play it; search can")
    weights = _read_once(path)
    expected, given = len(weights.first.rows), observation_size(game)
    if expected != given:
        raise BadOption(f"the network in {path.name} reads {expected} numbers, but {game!r} is observed as {given}")
    return weights


@lru_cache(maxsize=4)
def _read_once(path: Path) -> NetworkWeights:
    return read_network_weights(path)


def new_activations(weights: NetworkWeights) -> Activations:
    """Scratch arrays for evaluating a network with these weights."""
    inputs, width = weights.first.rows.shape
    return Activations(
        observation=np.zeros(inputs, np.float32),
        active=np.zeros(max(inputs, width) + 1, np.int32),
        hidden=np.zeros(width, np.float32),
        layer=np.zeros(width, np.float32),
        legal=np.zeros(len(weights.policy_bias), np.bool_),
        class_logits=np.zeros(len(weights.class_biases), np.float32),
        values=np.zeros(len(weights.value_bias), np.float32),
    )


@jit_options(fastmath=True)
def list_active(signals: Cells, active: Cells) -> int:
    """List the indices of the signals that are not 0; returns how many there are."""
    count = 0
    for n in range(len(signals)):
        active[count] = n
        count += 1 if signals[n] != 0 else 0
    return count


@jit_options(fastmath=True)
def add_rows(matrix: Matrix, start: int, signals: Cells, active: Cells, count: int, sums: Cells) -> None:
    """Add the rows of the active signals, four at a time: each sum is then read and written a quarter as often."""
    rows, scales, width = matrix.rows, matrix.scales, len(sums)
    for n in range(0, count - 3, 4):
        a, b, c, d = start + active[n], start + active[n + 1], start + active[n + 2], start + active[n + 3]
        first, second = signals[active[n]] * scales[a], signals[active[n + 1]] * scales[b]
        third, fourth = signals[active[n + 2]] * scales[c], signals[active[n + 3]] * scales[d]
        for unit in range(width):
            sums[unit] += (
                first * np.float32(rows[a, unit])
                + second * np.float32(rows[b, unit])
                + third * np.float32(rows[c, unit])
                + fourth * np.float32(rows[d, unit])
            )
    for n in range(count - count % 4, count):
        a = start + active[n]
        first = signals[active[n]] * scales[a]
        for unit in range(width):
            sums[unit] += first * np.float32(rows[a, unit])


@jit_options(fastmath=True)
def compute_hidden(weights: NetworkWeights, activations: Activations) -> None:
    """From the observation to the last hidden layer; units and inputs that are 0 are skipped."""
    hidden, layer, active = activations.hidden, activations.layer, activations.active
    for unit in range(len(hidden)):
        hidden[unit] = weights.first_bias[unit]
    count = list_active(activations.observation, active)
    add_rows(weights.first, 0, activations.observation, active, count, hidden)
    for unit in range(len(hidden)):
        hidden[unit] = max(hidden[unit], np.float32(0))
    for block in range(len(weights.block_biases)):
        for unit in range(len(hidden)):
            layer[unit] = weights.block_biases[block, unit]
        add_rows(weights.blocks, block * len(hidden), hidden, active, list_active(hidden, active), layer)
        for unit in range(len(hidden)):
            hidden[unit] += max(layer[unit], np.float32(0))


@jit_options(fastmath=True)
def compute_output(matrix: Matrix, biases: Cells, row: int, hidden: Cells) -> float:
    """One output of the policy or value head."""
    total: Any = np.float32(0)
    for unit in range(len(hidden)):
        total += np.float32(matrix.rows[row, unit]) * hidden[unit]
    return biases[row] + total * matrix.scales[row]


def compute_logit(weights: NetworkWeights, activations: Activations, move: int) -> float:
    """The logit of a move: its own and that of its class. If there is a single class, its logit changes nothing."""
    own = compute_output(weights.policy, weights.policy_bias, move, activations.hidden)
    if len(weights.class_biases) == 1:
        return own
    number = activations.observation[weights.class_source[move]] * weights.class_scale[move]
    of = weights.class_first[move] + min(int(number + np.float32(0.5)), weights.class_most[move])
    if np.isnan(activations.class_logits[of]):
        activations.class_logits[of] = compute_output(weights.classes, weights.class_biases, of, activations.hidden)
    return own + activations.class_logits[of]


def compute_values(weights: NetworkWeights, activations: Activations, observer: int, values: Cells) -> None:
    """By seat, the win probability, then the margin."""
    outputs = activations.values
    players = len(outputs) // 2
    top = np.float32(-1e30)
    for n in range(2 * players):
        outputs[n] = compute_output(weights.value, weights.value_bias, n, activations.hidden)
        if n < players:
            top = max(top, outputs[n])
    total = np.float32(0)
    for n in range(players):
        outputs[n] = np.exp(outputs[n] - top)
        total += outputs[n]
    for step in range(players):
        seat = (observer + step) % players
        values[seat] = outputs[step] / total
        values[players + seat] = outputs[players + step]
