"""The layout of an observation: its parts, and the kernels that write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tilewright.game.errors import BadOption
from tilewright.game.row_checks import check_dtype, check_rule_set
from tilewright.game.validation import echo
from tilewright.kernels.compile import Cells, kernel

if TYPE_CHECKING:
    from tilewright.game.game import Game


@dataclass(frozen=True)
class Part:
    """Numbers of an observation that belong together."""

    name: str
    shape: tuple[int, ...]
    scale: float
    """What a count is divided by; 1 for flags."""
    high: float
    """The largest possible value, after the division."""
    meaning: str
    low: float = 0.0
    """The smallest possible value."""

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def starts_of(parts: Sequence[Part]) -> dict[str, int]:
    """Where each part begins, by its name."""
    ends = np.cumsum([part.size for part in parts])
    return {part.name: int(end) - part.size for part, end in zip(parts, ends, strict=True)}


class Layout:
    """Where each part is in a row of numbers."""

    whole = "a row of numbers"
    """What the parts make up, in words."""

    def __init__(self, game: Game, parts: Sequence[Part]) -> None:
        self.game = game
        self.parts = tuple(parts)
        self.starts = starts_of(self.parts)
        """Where each part begins."""
        self.size = sum(part.size for part in self.parts)
        """How many numbers there are."""
        self.high: NDArray[np.float32] = np.repeat(
            np.array([part.high for part in self.parts], np.float32), [part.size for part in self.parts]
        )
        """The largest possible value of each number."""
        self.low: NDArray[np.float32] = np.repeat(
            np.array([part.low for part in self.parts], np.float32), [part.size for part in self.parts]
        )
        """The smallest possible value of each number."""
        self._start = game.set_up().states

    def check_row(self, states: Cells, i: int) -> None:
        """Kernels do not check what they read, so the row must be a position of this rule set."""
        check_dtype(self.game, states)
        if not 0 <= i < len(states):
            raise BadOption(f"there are positions from 0 to {len(states) - 1}, not {echo(i)}")
        check_rule_set(self.game, states, i, self._start)

    def check_rows(self, states: Cells) -> None:
        """The same for all rows."""
        if not isinstance(states, np.ndarray) or len(states) > 0:
            self.check_row(states, 0)
        for name in self.game.spec.rule_set_fields:
            wrong = np.flatnonzero(states[name] != self._start[name][0])
            if wrong.size:
                self.check_row(states, int(wrong[0]))

    def check_array(self, out: NDArray[np.float32], shape: tuple[int, ...]) -> None:
        """Kernels do not check where they write, so the array must have the right shape and type."""
        if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float32:
            told = f"of {out.dtype} {out.shape}" if isinstance(out, np.ndarray) else echo(out)
            raise BadOption(f"{self.whole} is written to an array of float32 {shape}, not {told}")

    def part(self, numbers: NDArray[Any], name: str) -> NDArray[Any]:
        """A view of one part, in its own shape, of such a row or of an array whose last axis is such rows."""
        shape = np.shape(numbers)
        if shape[-1:] != (self.size,):
            raise BadOption(f"{self.whole} has {self.size} numbers, the last axis of the array; its shape is {shape}")
        for part in self.parts:
            if part.name == name:
                start = self.starts[name]
                return numbers[..., start : start + part.size].reshape(*numbers.shape[:-1], *part.shape)
        raise KeyError(f"{self.whole} has no part {name!r}; it has {', '.join(self.starts)}")


@kernel
def seat_after(observer: int, step: int, players: int) -> int:
    """The seat ``step`` seats after the observer's, without a division, which would cost more than everything else."""
    seat = int(observer) + step
    return seat - players if seat >= players else seat


# Indices are unsigned: because negative indices cannot occur then, the compiler vectorises these loops.


@kernel
def write_bits(bits: int, count: int, out: Cells, at: int) -> int:
    """Bits as flags, the lowest first. Returns the index after the last number written, as all writers do."""
    first = np.uint64(at)
    for n in range(np.uint64(count)):
        out[first + n] = np.float32(bits >> int(n) & 1)
    return at + count


@kernel
def write_number(number: int, scale: float, out: Cells, at: int) -> int:
    """One count."""
    out[np.uint64(at)] = np.float32(number) * np.float32(scale)
    return at + 1


@kernel
def write_choice(chosen: int, count: int, out: Cells, at: int) -> int:
    """A one-hot vector; all zeros if ``chosen`` is negative."""
    first = np.uint64(at)
    for n in range(np.uint64(count)):
        out[first + n] = np.float32(int(n) == chosen)
    return at + count
