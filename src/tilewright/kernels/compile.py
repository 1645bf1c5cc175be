"""How a function becomes machine code.

A rule is a small plain function over one row of a structured array. ``@kernel`` compiles it with Numba and keeps
the machine code on disk; with ``NUMBA_DISABLE_JIT=1`` the same function runs as ordinary Python, for a debugger.
Kernels allocate nothing, raise nothing and print nothing: input is checked once, where it enters the package.

Loops, searches and environments are written once for all games. They call kernels that each game defines
(``apply_move``, ``is_over``, ...); ``Kernels.compile`` in ``playing.py`` compiles them with the kernels of one game.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import cache
from types import FunctionType, MappingProxyType
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast

import numba
from numpy.typing import NDArray

from tilewright.kernels.cache import keep_on_disk
from tilewright.kernels.digest import names_in, python_function
from tilewright.kernels.linking import LinkedCompiler
from tilewright.kernels.rebinding import rebind

P = ParamSpec("P")
R = TypeVar("R")

Row: TypeAlias = Any
"""One position: a row of a structured array, its fields read and written as attributes."""

Cells: TypeAlias = NDArray[Any]
"""A small array inside a row, or beside it."""

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a rule: a small function that is inlined wherever it is called."""
    return _compile_both_ways(function, forceinline=True)


def search_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a long function, which is called rather than inlined."""
    return _compile_both_ways(function)


def jit_options(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Choose how Numba compiles a function that is written for any game."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        function.__dict__["jit_options"] = options
        return function

    return mark


def compile_function(function: Callable[P, R], from_python: bool = True, **options: Any) -> Callable[P, R]:
    """Compile a function on first use and keep the machine code on disk for as long as it is valid.

    A function that only kernels call compiles faster: the entry point for Python contains another copy of everything
    that is inlined into the function.
    """
    if INTERPRETED:
        return function
    options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}  # C never calls it
    if not from_python:
        options.update(no_cpython_wrapper=True, pipeline_class=LinkedCompiler)
    compiled: Any = numba.njit(**options)(function)
    keep_on_disk(compiled, options, is_inner=not from_python)
    return cast(Callable[P, R], compiled)


def _compile_both_ways(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Compile a function for calls from Python and, separately, for calls by kernels: most need only the latter."""
    compiled: Any = compile_function(function, **options)
    if INTERPRETED:
        return function

    @cache
    def inner() -> Any:
        made: Any = compile_function(function, from_python=False, **options)
        made._compiling_counter = compiled._compiling_counter  # a function may call itself
        return made

    compiled.get_call_template = lambda args, kws: inner().get_call_template(args, kws)
    compiled.get_overload = lambda signature: inner().get_overload(signature)
    return cast(Callable[P, R], compiled)


# ------------------------------------------------------------------------------- Functions for any game


class Specialiser:
    """Compiles functions written for any game with the kernels and constants of one game, each once.

    Where a function uses a name that its own module does not define, the game's value is used. For the names in
    ``always`` the game's value is used even if the module has one (a default). Plain functions that it calls are
    specialised in the same way.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        game: str,
        always: Collection[str] = (),
        options: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.names = names
        self.options = options
        self.game = game
        self.always = always
        self._compiled: dict[tuple[FunctionType, bool], Any] = {}

    def compile(self, function: Callable[..., Any], from_python: bool = True) -> Any:
        """A function compiled for this game, to be called from Python or, which compiles faster, only by kernels."""
        source = python_function(function)
        key = source, from_python
        if key not in self._compiled:
            bound = self.bind(function)
            options = {**self.options, **source.__dict__.get("jit_options", {})}
            self._compiled[key] = compiled = compile_function(bound, from_python, **options)
            bound.__globals__[function.__name__] = compiled  # a function may call itself
        return self._compiled[key]

    def bind(self, function: Callable[..., Any]) -> FunctionType:
        """The function with this game's kernels, not compiled yet."""
        source = python_function(function)
        known = dict(source.__globals__)
        bound = rebind(source, known)
        bound.__qualname__ = f"{source.__name__}[{self.game}]"  # each game has cache files of its own
        for name in names_in(source.__code__):
            if name in self.names and (name not in known or name in self.always):
                value = self.names[name]
                known[name] = self.compile(value, from_python=False) if isinstance(value, FunctionType) else value
            elif isinstance(known.get(name), FunctionType) and known[name] is not source:
                known[name] = self.compile(known[name], from_python=False)
        return bound
