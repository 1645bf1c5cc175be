"""Chance: the random number generator that is passed to every kernel that draws.

A generator is an array of one 64-bit word and never part of a position. It is SplitMix64: the word counts up by a
fixed step and is scrambled for output, so the n-th draw from a seed can be computed without the ones before it, which
makes undoing and resuming exact.
"""

from __future__ import annotations

import numpy as np

from tilewright.kernels.compile import INTERPRETED, Cells, kernel

STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@kernel
def scramble(word: np.uint64) -> np.uint64:
    """Spread a counter over all 64 bits."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@kernel
def below(generator: Cells, limit: int) -> int:
    """A uniformly random integer from 0 to limit - 1; advances the generator by one step."""
    generator[0] += STEP
    word = scramble(generator[0])
    bound = np.uint64(limit)
    product = (word >> _32) * bound
    while (product & _LOW_HALF) < bound:
        # A few of the 2**32 words would favour small results: those are scrambled again.
        if (product & _LOW_HALF) >= (_LOW_HALF - bound + np.uint64(1)) % bound:
            break
        word = scramble(word + STEP)
        product = (word >> _32) * bound
    return np.int64(product >> _32)  # type: ignore[return-value]  # Numba needs a signed number


if INTERPRETED:
    # 64-bit words wrap around: compiled code does so silently, NumPy with a warning.
    below = np.errstate(over="ignore")(below)


@kernel
def count_bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def _nth_bits() -> np.ndarray:
    nth = np.zeros((1 << 10, 10), dtype=np.int8)
    for mask in range(1 << 10):
        for n, bit in enumerate(bit for bit in range(10) if mask >> bit & 1):
            nth[mask, n] = bit
    return nth


_NTH_BIT = _nth_bits()


@kernel
def nth_bit(mask: int, n: int) -> int:
    """The index of the n-th set bit, counted from 0, of a mask of up to ten bits."""
    return int(_NTH_BIT[mask, n])
