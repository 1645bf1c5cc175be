"""How the kernels of the environments become machine code: as the rules do, forgotten when either changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

from tilewright.rules.kernel import RULES_STAMP, compile_with, stamp_of

P = ParamSpec("P")
R = TypeVar("R")

ENVS_STAMP = stamp_of(Path(__file__).parent, RULES_STAMP)


def env_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small function that becomes a part of whatever calls it, as a rule does."""
    return compile_with(function, ENVS_STAMP, forceinline=True)


def with_names(function: Any, names: dict[str, Any]) -> FunctionType:
    """A function that was written for all games, with the names of one; its own file's names come second."""
    names = {**function.__globals__, **names, "__name__": function.__module__}
    bound = FunctionType(function.__code__, names, function.__name__)
    bound.__doc__, bound.__module__ = function.__doc__, function.__module__
    return bound


def bind(function: Any, names: dict[str, Any]) -> Any:
    """The same, compiled."""
    return compile_with(with_names(function, names), ENVS_STAMP)


def bind_part(function: Any, names: dict[str, Any]) -> Any:
    """The same for a function that only others call: it is compiled with them, not once more by itself."""
    return compile_with(with_names(function, names), ENVS_STAMP, inline="always")
