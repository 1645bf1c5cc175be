"""How the search becomes machine code: as the rules do, and forgotten when the rules or the search change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numpy as np

from tilewright.rules.kernel import INTERPRETED, RULES_STAMP, Cells, compile_with, stamp_of

P = ParamSpec("P")
R = TypeVar("R")

SEARCH_STAMP = stamp_of(Path(__file__).parent, RULES_STAMP)


def search_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function of the search. Unlike rules these are long, and not inlined by force."""
    return compile_with(function, SEARCH_STAMP)


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
