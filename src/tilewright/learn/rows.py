"""How self-play copies a position into the row that the rules work on: word by word.

On a CPU the row has the type that all other code uses, so the kernels of the rules are compiled once for everything. On
a GPU it has a field ``words`` that overlays the others, without which it would be copied byte by byte.
"""

from __future__ import annotations

import numpy as np

from tilewright.kernels.compile import Cells


def read_word_on_cpu(own: Cells, word: int) -> np.uint64:
    """One word of a position."""
    return own.view(np.uint64)[word]


def write_word_on_cpu(own: Cells, word: int, value: np.uint64) -> None:
    """Overwrite one word of a position."""
    own.view(np.uint64)[word] = value


def read_word_on_gpu(own: Cells, word: int) -> np.uint64:
    """One word of a position."""
    return own[0].words[word]


def write_word_on_gpu(own: Cells, word: int, value: np.uint64) -> None:
    """Overwrite one word of a position."""
    own[0].words[word] = value
