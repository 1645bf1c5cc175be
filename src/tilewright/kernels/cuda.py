"""The rules on a graphics card: the very kernels of the processor, compiled once more as device functions."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any

import numba
import numpy as np

from tilewright.kernels.playing import Kernels

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
"""Numba's simulator runs the threads of a card one by one in Python, for tests without one."""


class NoDevice(OSError):
    """There is no graphics card to compute on, or no package to reach it."""


def cuda_module() -> Any:
    """``numba.cuda``, ready for use."""
    if not hasattr(np, "row_stack"):
        # NumPy 2.5 has dropped this old name of vstack, which numba-cuda up to 0.30 still asks for.
        np.row_stack = np.vstack
    try:
        cuda: Any = import_module("numba.cuda")
    except ImportError as error:
        raise NoDevice(f"the package numba-cuda is missing: pip install 'tilewright[gpu]' ({error})") from error
    if not cuda.is_available():
        raise NoDevice(
            "no CUDA device can be used: it takes an NVIDIA card with its driver and pip install 'tilewright[gpu]'; "
            "without one, NUMBA_ENABLE_CUDASIM=1 simulates it, slowly"
        )
    return cuda


def device_row(kernels: Kernels) -> np.dtype[np.void]:
    """A position for the card: the same bytes, and over all of them a field of whole words to copy it by.

    The card would copy a row as it is byte by byte; and it must know that every field lies on its proper address.
    """
    row: Any = kernels.dtype
    fields = {name: row.fields[name] for name in row.names}
    return np.dtype(
        {
            "names": [*fields, "words"],
            "formats": [*(kind for kind, _ in fields.values()), (np.uint64, row.itemsize // 8)],
            "offsets": [*(offset for _, offset in fields.values()), 0],
            "itemsize": row.itemsize,
        },
        align=True,
    )


def row_type(kernels: Kernels) -> Any:
    """How a position is called on the card. The simulator reads attributes of rows only if they are records."""
    row = device_row(kernels)
    return np.dtype((np.record, row)) if SIMULATED else numba.from_dtype(row)


def row_on_device(kernels: Kernels, row: np.ndarray[Any, Any]) -> Any:
    """One position, copied to the card."""
    words = np.frombuffer(row.tobytes(), np.uint64).copy()
    if SIMULATED:
        return cuda_module().to_device(words.view(row_type(kernels)))
    return cuda_module().to_device(words).view(device_row(kernels))


def device_function(function: Callable[..., Any], made: dict[Any, Any] | None = None) -> Any:
    """The device version of a kernel, bound to the device versions of all that it calls.

    ``made`` remembers those that exist already, so that each is compiled once.
    """
    cuda, made = cuda_module(), {} if made is None else made
    source = plain(function)
    if source not in made:
        made[source] = cuda.jit(device=True)(rebound(source, made))
    return made[source]


def device_kernel(function: Callable[..., Any], made: dict[Any, Any] | None = None) -> Any:
    """A function that the card runs in many threads, from a function that calls kernels."""
    return cuda_module().jit(rebound(plain(function), {} if made is None else made))


def rebound(source: FunctionType, made: dict[Any, Any]) -> FunctionType:
    """The same function, with device versions in place of the kernels that it calls."""
    known = dict(source.__globals__)
    for name in source.__code__.co_names:
        if is_ours(known.get(name)):
            known[name] = device_function(known[name], made)
    return FunctionType(source.__code__, known, source.__name__, source.__defaults__, source.__closure__)


def plain(function: Any) -> Any:
    """The Python function that a kernel was made of."""
    return getattr(function, "py_func", function)


def is_ours(value: Any) -> bool:
    """Whether something is a kernel or a function of this project."""
    source = plain(value)
    return isinstance(source, FunctionType) and source.__module__.partition(".")[0] not in ("math", "numba", "numpy")
