"""How a function becomes machine code.

A rule is a small plain function over one row of a structured array. ``@kernel`` compiles it with Numba and keeps
the machine code on disk; with ``NUMBA_DISABLE_JIT=1`` the same function runs as ordinary Python, for a debugger.
Kernels allocate nothing, raise nothing and print nothing: input is checked once, where it enters the package.

Loops, searches and environments are written once for all games. They call kernels that each game defines
(``apply_move``, ``is_over``, ...); ``Kernels.compile`` in ``playing.py`` compiles them with the kernels of one game.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cached_property
from types import FunctionType
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast

import numba
from numba.core.caching import IndexDataCacheFile
from numpy.typing import NDArray

from tilewright.kernels.digest import digest_of, names_in, python_function

P = ParamSpec("P")
R = TypeVar("R")

Row: TypeAlias = Any
"""One position: a row of a structured array, its fields read and written as attributes."""

Cells: TypeAlias = NDArray[Any]
"""A small array inside a row, or beside it."""

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a rule: a small function that is inlined wherever it is called."""
    return compile_function(function, forceinline=True)


def search_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a long function, which is called rather than inlined."""
    return compile_function(function)


def jit_options(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Choose how Numba compiles a function that is written for any game."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        function.__dict__["jit_options"] = options
        return function

    return mark


def compile_function(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Compile a function on first use and keep the machine code on disk for as long as it is valid.

    Numba discards a cached function only when that function's own file changes. The machine code of a kernel also
    contains the kernels it calls, often from other files, so our stamp covers everything it depends on.
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
        compiled._cache._cache_file = _StampedIndex.of(compiled._cache._cache_file, function, options)
    return compiled


class _StampedIndex(IndexDataCacheFile):
    """Numba's index of cached machine code, with our stamp in place of the modification time of one file.

    The stamp is computed when the index is first read, because only then are all functions defined that a kernel
    calls. It is also part of the names of the data files, so a process that still holds an older index cannot load
    code that another process has just replaced.
    """

    function: Callable[..., Any]
    options: dict[str, Any]

    @classmethod
    def of(cls, index: Any, function: Callable[..., Any], options: dict[str, Any]) -> _StampedIndex:
        index.__class__ = cls
        vars(index).pop("_source_stamp")
        index.function, index.options = function, options
        return cast(_StampedIndex, index)

    @cached_property
    def _source_stamp(self) -> str:
        return digest_of(self.function, self.options)

    def _data_name(self, number: int) -> str:
        name: str = super()._data_name(number)  # type: ignore[no-untyped-call]
        return f"{name.removesuffix('.nbc')}.{self._source_stamp[:12]}.nbc"

    def _save_index(self, overloads: dict[Any, str]) -> None:
        before = self._all_data()
        super()._save_index(overloads)  # type: ignore[no-untyped-call]
        for stale in before - set(overloads.values()):
            with suppress(OSError):
                os.unlink(self._data_path(stale))  # type: ignore[no-untyped-call]

    def _all_data(self) -> set[str]:
        """The data files that the index on disk refers to, whatever its stamp."""
        try:
            with open(self._index_path, "rb") as file:
                pickle.load(file)  # Numba's version
                return set(pickle.load(file)[1].values())
        except Exception:  # no index yet, or one that another version of Numba wrote
            return set()

    def _load_index(self) -> dict[Any, Any]:
        try:
            index: dict[Any, Any] = super()._load_index()  # type: ignore[no-untyped-call]
            return index
        except (AttributeError, ImportError):  # it names types that have been renamed or removed since
            return {}


# ------------------------------------------------------------------------------- Functions for any game


class Specialiser:
    """Compiles functions written for any game with the kernels and constants of one game, each once.

    Where a function uses a name that its own module does not define, the game's value is used. For the names in
    ``always`` the game's value is used even if the module has one (a default). Plain functions that it calls are
    specialised in the same way.
    """

    def __init__(self, names: Mapping[str, Any], game: str, always: Collection[str] = ()) -> None:
        self.names = names
        self.game = game
        self.always = always
        self._compiled: dict[tuple[FunctionType, bool], Any] = {}

    def compile(self, function: Callable[..., Any], from_python: bool = True) -> Any:
        """A function compiled for this game, to be called from Python or, which compiles faster, only by kernels."""
        source = python_function(function)
        key = source, from_python
        if key not in self._compiled:
            bound = self.bind(function)
            options = source.__dict__.get("jit_options", {})
            if not from_python:
                bound.__qualname__ += "-inner"  # has cache files of its own
                options = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            self._compiled[key] = compiled = compile_function(bound, **options)
            bound.__globals__[function.__name__] = compiled  # a function may call itself
        return self._compiled[key]

    def bind(self, function: Callable[..., Any]) -> FunctionType:
        """The function with this game's kernels, not compiled yet."""
        source = python_function(function)
        known = dict(source.__globals__)
        bound = FunctionType(source.__code__, known, source.__name__, source.__defaults__, source.__closure__)
        bound.__doc__, bound.__module__ = source.__doc__, source.__module__
        bound.__qualname__ = f"{source.__name__}[{self.game}]"  # each game has cache files of its own
        for name in names_in(source.__code__):
            if name in self.names and (name not in known or name in self.always):
                value = self.names[name]
                known[name] = self.compile(value, from_python=False) if isinstance(value, FunctionType) else value
            elif isinstance(known.get(name), FunctionType) and known[name] is not source:
                known[name] = self.compile(known[name], from_python=False)
        return bound
