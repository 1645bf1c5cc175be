"""How a rule becomes machine code.

A rule is a small plain function over one row of a structured array. ``@kernel`` compiles it with Numba
and keeps the result on disk; with ``NUMBA_DISABLE_JIT=1`` the same function runs as ordinary Python, for
a debugger. Kernels allocate nothing, raise nothing and print nothing: input is checked once, at the border.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numba
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")

Row: TypeAlias = Any
"""One position: a row of a structured array, its fields read and written as attributes."""

Cells: TypeAlias = NDArray[Any]
"""A small array inside a row, or beside it."""

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def stamp_of(folder: Path, *earlier: str) -> str:
    """What tells two versions of the sources in a folder apart, and of what they build on."""
    digest = hashlib.sha256("".join(earlier).encode())
    for source in sorted(folder.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


RULES_STAMP = stamp_of(Path(__file__).parent)


def compile_with(function: Callable[P, R], stamp: str, **options: Any) -> Callable[P, R]:
    """Compile a function on first use and remember the machine code on disk, as long as the stamp is the same.

    Numba forgets a cached function only when that function's own file changes. Kernels swallow the
    kernels they call, also from other files, so ours are forgotten when any of those files changes.
    """
    if INTERPRETED:
        return function
    options = {"nogil": True, "error_model": "numpy", **options}
    compiled: Any
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder to write the cache to: compile in each process
        compiled = numba.njit(**options)(function)
    else:
        cache_file = compiled._cache._cache_file
        cache_file._source_stamp = (cache_file._source_stamp, stamp)
    return compiled


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a rule: a small function that becomes a part of whatever calls it."""
    return compile_with(function, RULES_STAMP, forceinline=True)
