"""What the machine code of a kernel depends on, as one stamp.

Numba keeps machine code on disk and asks for a stamp that changes whenever the code would. Ours covers the bytecode of
the function and of every function it calls, the values of all globals they use, and how kernels are linked. Editing
anything else, a comment or a docstring for example, keeps the cache; no edit that matters goes unnoticed, in whichever
file it is made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

LIBRARIES = ("builtins", "math", "numba", "numpy")
"""Packages whose functions Numba knows by name; it discards the cache itself when its version changes."""


def python_function(function: Any) -> Any:
    """The Python function that a kernel was compiled from; anything else is returned as it is."""
    return getattr(function, "py_func", function)


def is_library(module: str | None) -> bool:
    """Whether a module belongs to one of the libraries that Numba knows."""
    return module is not None and module.partition(".")[0] in LIBRARIES


def names_in(code: CodeType) -> Iterator[str]:
    """The global names that a function, and the functions defined inside it, may use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def digest_of(function: Any, options: Mapping[str, Any]) -> str:
    """The stamp of a function that is compiled with these options."""
    digest = hashlib.sha256(repr(sorted(options.items())).encode())
    _add_function(digest, python_function(function), set())
    return digest.hexdigest()


def digest_of_module(module: ModuleType) -> str:
    """A stamp of the functions, methods and constants that a module defines."""
    digest = hashlib.sha256()
    _add_members(digest, vars(module), module.__name__)
    return digest.hexdigest()


def _add_members(digest: Any, members: Mapping[str, Any], module: str) -> None:
    """What a module or a class defines; what Python adds to it differs from process to process."""
    for name, value in sorted(members.items()):
        function = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
        if isinstance(function, FunctionType) and function.__module__ == module:
            digest.update(name.encode())
            _add_code(digest, function.__code__, function.__doc__)
        elif isinstance(value, type) and value.__module__ == module:
            digest.update(name.encode())
            _add_members(digest, vars(value), module)
        elif isinstance(value, str | int | float) and not name.startswith("__"):
            digest.update(f"{name} {value!r}".encode())


def _add_function(digest: Any, function: FunctionType, seen: set[Any]) -> None:
    digest.update(function.__name__.encode())
    if function in seen:
        return
    seen.add(function)
    _add_code(digest, function.__code__, function.__doc__)
    _add_value(digest, function.__defaults__, (), seen)
    for cell in function.__closure__ or ():
        _add_value(digest, cell.cell_contents, (), seen)
    names = sorted(set(names_in(function.__code__)))
    for name in names:
        if name in function.__globals__:
            digest.update(name.encode())
            _add_value(digest, function.__globals__[name], names, seen)


def _add_code(digest: Any, code: CodeType, docstring: str | None = None) -> None:
    digest.update(code.co_code)
    digest.update(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)).encode())
    for n, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            _add_code(digest, constant)
        elif n > 0 or docstring is None or constant != docstring:
            digest.update(f"{type(constant).__name__} {constant!r}".encode())


def _add_value(digest: Any, value: Any, names: Iterable[str], seen: set[Any]) -> None:
    """A global; of a module only what is asked of it by one of these names."""
    source = python_function(value)
    if isinstance(source, FunctionType) and not is_library(source.__module__):
        _add_function(digest, source, seen)
    elif isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
    elif isinstance(value, ModuleType):
        digest.update(value.__name__.encode())
        key = (value, *names)
        if key not in seen and not is_library(value.__name__):
            seen.add(key)
            for name in names:
                if hasattr(value, name):
                    _add_value(digest, getattr(value, name), names, seen)
    elif isinstance(value, type):
        digest.update(f"{value.__module__}.{value.__qualname__}{getattr(value, '_fields', '')}".encode())
    elif callable(value):  # functions of NumPy, types of Numba
        digest.update(f"{type(value).__name__} {getattr(value, '__name__', value)}".encode())
    else:
        digest.update(f"{type(value).__name__} {value!r}".encode())
