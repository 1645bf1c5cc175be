"""What the machine code of a kernel depends on, as one word.

Numba keeps machine code on disk and asks for a stamp that changes when the code would. Ours covers the bytecode of
the function, of every function that it calls, and the values of every global that they use: an edit anywhere else
keeps the cache, and no edit that matters can be missed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np


def digest_of(function: Any, options: Mapping[str, Any]) -> str:
    """The stamp of a function that is compiled with these options."""
    digest = hashlib.sha256(repr(sorted(options.items())).encode())
    _add_function(digest, getattr(function, "py_func", function), set())
    return digest.hexdigest()


def _add_function(digest: Any, function: FunctionType, seen: set[CodeType]) -> None:
    if function.__code__ in seen:
        digest.update(function.__name__.encode())
        return
    seen.add(function.__code__)
    _add_code(digest, function.__code__)
    _add_value(digest, function.__defaults__, seen)
    for cell in function.__closure__ or ():
        _add_value(digest, cell.cell_contents, seen)
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            digest.update(name.encode())
            _add_value(digest, function.__globals__[name], seen)


def _names(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*(_names(constant) for constant in inner))


def _add_code(digest: Any, code: CodeType) -> None:
    digest.update(code.co_code)
    digest.update(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)).encode())
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _add_code(digest, constant)
        elif not isinstance(constant, str):  # docstrings do not matter, and kernels compute with no other text
            digest.update(repr(constant).encode())


def _add_value(digest: Any, value: Any, seen: set[CodeType]) -> None:
    source = getattr(value, "py_func", value)
    if isinstance(source, FunctionType):
        _add_function(digest, source, seen)
    elif isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
    elif isinstance(value, ModuleType):
        digest.update(value.__name__.encode())
    elif isinstance(value, type):
        digest.update(f"{value.__module__}.{value.__qualname__}{getattr(value, '_fields', '')}".encode())
    elif callable(value):  # NumPy's functions and Numba's types
        digest.update(f"{type(value).__name__} {getattr(value, '__name__', value)}".encode())
    else:
        digest.update(repr(value).encode())
