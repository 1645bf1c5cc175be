"""Functions that are written once and called with different kernels: for each game, on a GPU, or interpreted."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any


def rebind(function: Callable[..., Any], known: dict[str, Any], name: str | None = None) -> FunctionType:
    """A copy of a function that looks up its globals in ``known``, which may be filled later.

    >>> def double(number):
    ...     return factor * number
    >>> rebind(double, {"factor": 2})(21)
    42
    """
    copy = FunctionType(
        function.__code__, known, name or function.__name__, function.__defaults__, function.__closure__
    )
    copy.__doc__, copy.__module__ = function.__doc__, function.__module__
    return copy
