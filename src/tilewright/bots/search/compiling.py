"""How the search becomes machine code: as the rules do, and forgotten when the rules or the search change."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np

from tilewright.rules.kernel import INTERPRETED, RULES_STAMP, Cells

P = ParamSpec("P")
R = TypeVar("R")


def _stamp_of_the_search() -> str:
    digest = hashlib.sha256(RULES_STAMP.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


SEARCH_STAMP = _stamp_of_the_search()


def search_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of the search on first use. Unlike rules these are long, and not inlined by force."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if INTERPRETED:
        return function
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder to write the cache to: compile in each process
        compiled = numba.njit(**options)(function)
    else:
        cache_file = compiled._cache._cache_file
        cache_file._source_stamp = (cache_file._source_stamp, SEARCH_STAMP)
    return compiled


def bind(function: Any, names: dict[str, Any]) -> Any:
    """Compile a function of the search with a game's names, which later ones then find among them."""
    module = function.__module__
    bound = FunctionType(function.__code__, names, function.__name__)
    bound.__doc__, bound.__module__ = function.__doc__, module
    names[function.__name__] = compiled = search_kernel(bound)
    return compiled


def new_rows(size: int, dtype: np.dtype[np.void]) -> Cells:
    """So many blank rows, as the kernels want them."""
    rows = np.zeros(size, dtype=dtype)
    return rows.view(np.recarray) if INTERPRETED else rows
