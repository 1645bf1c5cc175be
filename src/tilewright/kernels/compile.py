"""How a function becomes machine code.

A rule is a small plain function over one row of a structured array. ``@kernel`` compiles it with Numba and keeps
the machine code on disk; with ``NUMBA_DISABLE_JIT=1`` the same function runs as ordinary Python, for a debugger.
Kernels allocate nothing, raise nothing and print nothing: input is checked once, at the border.

Loops, searches and environments are written once for all games. They name kernels that a game defines
(``apply_move``, ``is_over``, ...), and ``compile_for`` compiles them with the kernels of one game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast

import numba
from numba.core.caching import IndexDataCacheFile
from numpy.typing import NDArray

from tilewright.kernels.digest import digest_of

P = ParamSpec("P")
R = TypeVar("R")

Row: TypeAlias = Any
"""One position: a row of a structured array, its fields read and written as attributes."""

Cells: TypeAlias = NDArray[Any]
"""A small array inside a row, or beside it."""

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a rule: a small function that becomes a part of whatever calls it."""
    return compile_function(function, forceinline=True)


def search_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a long function, which stays a function of its own."""
    return compile_function(function)


def jit_options(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Choose how Numba compiles a function that is written for any game."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        function.__dict__["jit_options"] = options
        return function

    return mark


def compile_function(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Compile a function on first use and keep the machine code on disk for as long as it is valid.

    Numba discards a cached function only when that function's own file changes. Kernels include the kernels they
    call, also from other files, so ours are discarded when anything changes that the machine code depends on.
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
    """Numba's index of cached machine code, with our stamp in place of the time stamp of one file.

    The stamp is worked out when the index is first read: only then all functions are defined that a kernel calls.
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

    def _load_index(self) -> dict[Any, Any]:
        try:
            index: dict[Any, Any] = super()._load_index()  # type: ignore[no-untyped-call]
            return index
        except (AttributeError, ImportError):  # it names types that have been renamed or removed since
            return {}


# ------------------------------------------------------------------------------- Functions for any game


def names_in(code: CodeType) -> Iterator[str]:
    """The global names that a function and the functions inside it may use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


class Specialiser:
    """Functions written for any game, bound to the names of one: each is compiled once.

    A name that the function's own module does not define is the game's, and so are the names of ``always``. Every
    plain function that is called, such as a default for a part that the game does not have, is specialised too.
    """

    def __init__(self, names: Mapping[str, Any], game: str, always: Collection[str] = ()) -> None:
        self.names = names
        self.game = game
        self.always = always
        self._compiled: dict[Any, Any] = {}

    def compile(self, function: Callable[..., Any]) -> Any:
        """The machine code of a function for this game."""
        key = _source(function)
        if key not in self._compiled:
            bound = self.bind(function)
            self._compiled[key] = compiled = compile_function(bound, **key.__dict__.get("jit_options", {}))
            bound.__globals__[function.__name__] = compiled  # a function may call itself
        return self._compiled[key]

    def bind(self, function: Callable[..., Any]) -> FunctionType:
        """The function with this game's names, not compiled yet."""
        source = _source(function)
        known = dict(source.__globals__)
        bound = FunctionType(source.__code__, known, source.__name__, source.__defaults__, source.__closure__)
        bound.__doc__, bound.__module__ = source.__doc__, source.__module__
        bound.__qualname__ = f"{source.__name__}[{self.game}]"  # games keep their machine code in files of their own
        for name in names_in(source.__code__):
            if name in self.names and (name not in known or name in self.always):
                value = self.names[name]
                known[name] = self.compile(value) if isinstance(value, FunctionType) else value
            elif isinstance(known.get(name), FunctionType) and known[name] is not source:
                known[name] = self.compile(known[name])
        return bound


def _source(function: Any) -> FunctionType:
    """The Python function that a kernel was made of."""
    source: FunctionType = getattr(function, "py_func", function)
    return source
