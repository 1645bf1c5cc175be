"""Communication between the threads of one game: a warp on a GPU, a single thread on a CPU.

The tree kernels are written once, for ``LANES`` threads that work on the same game. On a CPU there is one lane, and
the functions that exchange values between lanes return their arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    cuda: Any = None

Single: TypeAlias = Any
"""A float32 in a kernel; mypy does not accept NumPy scalars as Python numbers."""
Whole: TypeAlias = Any
"""An int32 in a kernel."""

WARP = 32
_EVERY_LANE = 0xFFFFFFFF


def sync_lanes_alone() -> None:
    """With a single lane there is nothing to wait for."""


def best_of_lanes_alone(value: Single, index: Whole) -> tuple[Single, Whole]:
    """The largest value and its index."""
    return value, index


def max_of_lanes_alone(value: Single) -> Single:
    """The largest value."""
    return value


def sum_of_lanes_alone(value: Single) -> Single:
    """The sum of the values."""
    return value


def sum_before_lane_alone(number: Whole) -> tuple[Whole, Whole]:
    """The sum over the lanes before this one, and the sum over all lanes."""
    return 0, number


def rank_of_lane_alone(flag: bool) -> tuple[Whole, Whole]:
    """How many lanes before this one have raised their flag, and how many have in all."""
    return 0, 1 if flag else 0


def sync_lanes_of_warp() -> None:
    """Make what each lane has written visible to the others."""
    cuda.syncwarp()


def best_of_lanes_of_warp(value: Single, index: Whole) -> tuple[Single, Whole]:
    """The largest value of a warp and its index."""
    value, index = np.float32(value), np.int32(index)
    offset = 16
    while offset > 0:
        other_value = cuda.shfl_xor_sync(_EVERY_LANE, value, offset)
        other_index = cuda.shfl_xor_sync(_EVERY_LANE, index, offset)
        if other_value > value or (other_value == value and other_index > index):
            value, index = other_value, other_index
        offset //= 2
    return value, index


def max_of_lanes_of_warp(value: Single) -> Single:
    """The largest value of a warp."""
    value = np.float32(value)
    offset = 16
    while offset > 0:
        value = max(value, cuda.shfl_xor_sync(_EVERY_LANE, value, offset))
        offset //= 2
    return value


def sum_of_lanes_of_warp(value: Single) -> Single:
    """The sum of a warp's values."""
    value = np.float32(value)
    offset = 16
    while offset > 0:
        value += cuda.shfl_xor_sync(_EVERY_LANE, value, offset)
        offset //= 2
    return value


def sum_before_lane_of_warp(number: Whole) -> tuple[Whole, Whole]:
    """The sum over the lanes before this one, and the sum over all lanes."""
    number = total = np.int32(number)
    offset = 1
    while offset < WARP:
        below = cuda.shfl_up_sync(_EVERY_LANE, total, offset)
        if cuda.laneid >= offset:
            total += below
        offset *= 2
    return total - number, cuda.shfl_sync(_EVERY_LANE, total, WARP - 1)


def rank_of_lane_of_warp(flag: bool) -> tuple[Whole, Whole]:
    """How many lanes before this one have raised their flag, and how many have in all."""
    raised = cuda.ballot_sync(_EVERY_LANE, flag)
    before = raised & ((1 << cuda.laneid) - 1)
    return cuda.popc(before), cuda.popc(raised)
