"""Kernels run as plain Python for as long as another process compiles them.

A server that was installed a moment ago can then be played on at once. Plain Python is a few thousand times slower, and
each kernel is replaced by its machine code as soon as that is on disk. The rules give the same results either way; the
numbers of a search may differ in their last digits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import OmittedArg

from tilewright.kernels.digest import is_library, names_in, python_function
from tilewright.kernels.rebinding import rebind


class _Mode:
    is_on = False


def interpret_until_compiled(is_on: bool) -> None:
    """Choose whether this process interprets kernels that are not on disk yet, or compiles them as usual."""
    _Mode.is_on = is_on


def is_interpreting() -> bool:
    """Whether this process interprets kernels that are not on disk yet."""
    return _Mode.is_on


@cache
def interpreted(function: FunctionType) -> Callable[..., Any]:
    """The function as Python calls its compiled form, but interpreted together with everything that it calls."""
    plain = _plain(function)

    def call(*given: Any) -> Any:
        with np.errstate(over="ignore"):  # words wrap around: compiled code does so silently, NumPy with a warning
            return _as_python(plain(*[_as_records(value) for value in given]))

    return call


def _as_records(value: Any) -> Any:
    """Rows as records, whose fields can be read as attributes, also inside tuples of arrays."""
    if isinstance(value, np.ndarray):
        return value.view(np.recarray) if value.dtype.names else value
    if isinstance(value, OmittedArg):  # how Numba passes a default
        return value.value
    if isinstance(value, tuple):
        records = [_as_records(part) for part in value]
        return type(value)(*records) if hasattr(value, "_fields") else tuple(records)
    return value


def _as_python(result: Any) -> Any:
    """A number of Python, as compiled code returns it."""
    if isinstance(result, tuple):
        return tuple(_as_python(part) for part in result)
    return result.item() if isinstance(result, np.generic) and not isinstance(result, np.void) else result


_copies: dict[FunctionType, FunctionType] = {}


def _plain(function: FunctionType) -> FunctionType:
    """A copy of a function that calls plain functions where the original calls compiled ones."""
    if function in _copies:
        return _copies[function]
    known = dict(function.__globals__)
    _copies[function] = plain = rebind(function, known)  # before what it calls: a function may call itself
    for name in names_in(function.__code__):
        if name in known:
            known[name] = _value(known[name])
    return plain


def _value(value: Any) -> Any:
    source = python_function(value)
    if isinstance(source, FunctionType):
        return source if is_library(source.__module__) else _plain(source)
    if isinstance(value, ModuleType) and not is_library(value.__name__):
        return _PlainModule(value)
    return value


class _PlainModule:
    """The functions of a module of rules, as plain Python."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = _value(getattr(self._module, name))
        setattr(self, name, value)
        return value
