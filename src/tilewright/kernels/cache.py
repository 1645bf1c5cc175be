"""Machine code on disk: valid for as long as what it was compiled from, and compiled by one process for all.

Numba's own cache is valid for as long as one file is unchanged, and processes that need the same function at the same
time compile it once each.
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from typing import Any

from numba.core.caching import IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock

from tilewright.kernels.digest import digest_of

try:
    import fcntl
except ImportError:  # Windows: processes that compile at the same time do so once each
    fcntl = None  # type: ignore[assignment]


def share(compiled: Any, options: dict[str, Any], name: str = "") -> None:
    """Let a compiled function use our index, and compile while no other process does.

    ``name`` distinguishes the cache files of one function that is compiled in several ways.
    """
    index = StampedIndex(compiled._cache, compiled.py_func, options, name)
    compiled._cache._cache_file = index
    compile_now = compiled.compile

    def compile_in_turn(signature: Any) -> Any:
        with global_compiler_lock, _turn(index.path):  # in this order: threads must not wait for each other's files
            return compile_now(signature)

    compiled.compile = compile_in_turn


class StampedIndex(IndexDataCacheFile):
    """Numba's index of cached machine code, with our stamp in place of the modification time of one file.

    The machine code of a kernel also contains the kernels it calls, often from other files, so our stamp covers
    everything it depends on. It is computed when the index is first read, because only then are all functions defined
    that a kernel calls. It is also part of the names of the data files, so a process that still holds an older index
    cannot load code that another process has just replaced.
    """

    def __init__(self, cache: Any, function: Callable[..., Any], options: dict[str, Any], name: str) -> None:
        super().__init__(cache.cache_path, cache._impl.filename_base + name, None)  # type: ignore[no-untyped-call]
        vars(self).pop("_source_stamp")
        self.function, self.options = function, options

    @property
    def path(self) -> str:
        """Where the index is on disk."""
        return str(self._index_path)

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


# ------------------------------------------------------------------------------------ One process at a time

LOCK_FILE = "compiling.lock"
"""In each folder of the cache; every function locks a byte of it, at an offset of its own."""

_held: set[str] = set()


@contextmanager
def _turn(path: str) -> Iterator[None]:
    """Wait until no other process compiles the function with this index.

    The operating system releases the lock if the process is killed. Where it cannot lock, or would have to wait for
    ever (functions that call each other, begun from both ends), the function may be compiled twice.
    """
    file = _lock_file(os.path.dirname(path))
    if file is None or path in _held:  # a function that calls itself
        yield
        return
    offset = int.from_bytes(hashlib.sha256(os.path.basename(path).encode()).digest()[:7])
    try:
        fcntl.lockf(file, fcntl.LOCK_EX, 1, offset)
    except OSError:
        yield
        return
    _held.add(path)
    try:
        yield
    finally:
        _held.discard(path)
        fcntl.lockf(file, fcntl.LOCK_UN, 1, offset)


@cache
def _lock_file(folder: str) -> int | None:
    """A descriptor that stays open: closing any descriptor of a file releases all locks that a process has on it."""
    if fcntl is None:
        return None
    try:
        return os.open(os.path.join(folder, LOCK_FILE), os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        return None
