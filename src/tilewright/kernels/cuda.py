"""The rules on a GPU: the kernels of the CPU, compiled a second time as CUDA device functions."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any

import numba
import numpy as np

from tilewright.kernels.digest import is_library, python_function
from tilewright.kernels.playing import Kernels
from tilewright.kernels.rebinding import rebind

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")
"""Whether Numba's simulator runs the threads of a GPU one by one in Python, for tests on machines without one."""


class NoDevice(OSError):
    """There is no CUDA GPU, or the package to use it is missing."""


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
            "no CUDA device was found: an NVIDIA GPU with its driver and pip install 'tilewright[gpu]' are needed; "
            "NUMBA_ENABLE_CUDASIM=1 simulates one, slowly"
        )
    return cuda


def device_row(kernels: Kernels) -> np.dtype[np.void]:
    """The dtype of a position on the GPU: the same bytes, overlaid by a field ``words`` to copy it by.

    Without that field the GPU would copy a row byte by byte. ``align`` tells it that every field is aligned.
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
    """The type of a position in device code. The simulator reads attributes of rows only if they are records."""
    row = device_row(kernels)
    return np.dtype((np.record, row)) if SIMULATED else numba.from_dtype(row)


def row_on_device(kernels: Kernels, row: np.ndarray[Any, Any]) -> Any:
    """One position, copied to the GPU."""
    words = np.frombuffer(row.tobytes(), np.uint64).copy()
    if SIMULATED:
        return cuda_module().to_device(words.view(row_type(kernels)))
    return cuda_module().to_device(words).view(device_row(kernels))


def records_on_device(records: np.ndarray[Any, Any]) -> Any:
    """An array of records, copied to the GPU."""
    return cuda_module().to_device(records.view(np.dtype((np.record, records.dtype))) if SIMULATED else records)


def device_function(function: Callable[..., Any], made: dict[Any, Any] | None = None) -> Any:
    """The device version of a kernel, bound to the device versions of the kernels it calls.

    ``made`` holds those that exist already, so that each is compiled once.
    """
    cuda, made = cuda_module(), {} if made is None else made
    source = python_function(function)
    if source not in made:
        made[source] = cuda.jit(device=True)(_with_device_functions(source, made))
    return made[source]


def device_kernel(function: Callable[..., Any], made: dict[Any, Any] | None = None) -> Any:
    """A CUDA kernel, which the GPU runs in many threads, made from a function that calls our kernels."""
    return cuda_module().jit(_with_device_functions(python_function(function), {} if made is None else made))


def _with_device_functions(source: FunctionType, made: dict[Any, Any]) -> FunctionType:
    """The same function, with device versions in place of the kernels it calls."""
    known = dict(source.__globals__)
    for name in source.__code__.co_names:
        if has_device_version(known.get(name)):
            known[name] = device_function(known[name], made)
    return rebind(source, known)


def has_device_version(value: Any) -> bool:
    """Whether something is a kernel or a plain function, of this package or of a game from elsewhere."""
    source = python_function(value)
    return isinstance(source, FunctionType) and not is_library(source.__module__)
