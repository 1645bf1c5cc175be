"""Machine code on disk: valid for as long as what it was compiled from, and compiled by one process for all.

Numba's own cache is valid for as long as one file is unchanged, and processes that need the same function at the same
time compile it once each. Ours also looks at the machine code that came with the package (``shipped.py``).
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock

from tilewright.kernels import linking, shipped
from tilewright.kernels.digest import digest_of, digest_of_module
from tilewright.kernels.interpreting import interpreted, is_interpreting
from tilewright.kernels.linking import rebuild, set_environments

try:
    import fcntl
except ImportError:  # Windows: processes that compile at the same time do so once each
    fcntl = None  # type: ignore[assignment]


HOW_LINKED = digest_of_module(linking)
"""Part of every stamp: the cache holds what was linked, and code that waits for it."""


def keep_on_disk(compiled: Any, options: dict[str, Any], is_inner: bool) -> None:
    """Let a compiled function use our cache, and compile while no other process does, or let that process do it."""
    compiled._cache = kernel_cache = KernelCache(compiled.py_func, options, is_inner)
    compile_now = compiled.compile

    def compile_in_turn(signature: Any) -> Any:
        if not is_inner and is_interpreting() and not kernel_cache.holds(signature, compiled.targetctx):
            return interpreted(compiled.py_func)  # Numba calls it in place of machine code, and asks again next time
        with global_compiler_lock, _turn(kernel_cache.path):  # this order: threads must not wait for each other's files
            entry_point = compile_now(signature)
        if not is_inner:
            set_environments(next(one for one in compiled.overloads.values() if one.entry_point is entry_point))
        return entry_point

    compiled.compile = compile_in_turn


class KernelCache(FunctionCache):
    """The machine code of one function: in the user's cache, or as it came with the package.

    Where it is looked for is decided on first use: most kernels of a process are never called from Python.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], is_inner: bool) -> None:
        self._py_func, self._name = function, repr(function)
        self._options, self._is_inner = options, is_inner
        self.enable()  # type: ignore[no-untyped-call]

    @property
    def path(self) -> str | None:
        """The index of the user's cache, or None if there is no folder to write to."""
        return self._own.path if self._own else None

    @property
    def cache_path(self) -> str | None:
        """The folder of the user's cache."""
        return os.path.dirname(self.path) if self.path else None

    @cached_property
    def _stamp(self) -> str:
        return digest_of(self._py_func, {**self._options, "linking": HOW_LINKED})

    @cached_property
    def _own(self) -> StampedIndex | None:
        """The user's cache: where Numba would keep it."""
        if shipped.BUILDING:
            return self._shipped
        files = _files_of(self._py_func)
        if files is None:
            return None
        name = files.filename_base + ("-inner" if self._is_inner else "")
        return StampedIndex(files.locator.get_cache_path(), name, self._stamp)

    @cached_property
    def _shipped(self) -> StampedIndex | None:
        """What came with the package, or, while a wheel is built, what will."""
        if self._is_inner and not shipped.BUILDING:
            return None
        name = f"{self._py_func.__module__}.{self._py_func.__qualname__}".replace("<", "").replace(">", "")
        return StampedIndex(str(shipped.FOLDER), name + ("-inner" if self._is_inner else ""), self._stamp)

    def holds(self, signature: Any, target: Any) -> bool:
        """Whether there is machine code for a signature."""
        own, portable = target.codegen(), shipped.PORTABLE
        if self._own and self._own.holds(self._index_key(signature, own)):  # type: ignore[no-untyped-call]
            return True
        if self._shipped is None or not shipped.is_usable():
            return False
        return self._shipped.holds(self._index_key(signature, portable))  # type: ignore[no-untyped-call]

    def _load_overload(self, signature: Any, target: Any) -> Any:
        """The user's machine code, which was compiled for this very processor, or else what came with the package."""
        codegen = target.codegen()
        found: Any = None
        if self._own:
            found = self._own.load(self._index_key(signature, codegen))  # type: ignore[no-untyped-call]
        if found is None and self._shipped and not shipped.BUILDING and shipped.is_usable():
            found = self._shipped.load(self._index_key(signature, shipped.PORTABLE))  # type: ignore[no-untyped-call]
        return None if found is None else rebuild(target, found)

    def _save_overload(self, signature: Any, compiled: Any) -> None:
        if self._own and not compiled.library.has_dynamic_globals:
            key = self._index_key(signature, compiled.codegen)  # type: ignore[no-untyped-call]
            with suppress(OSError):  # a full disk, or a folder that has become read-only
                self._own.save(key, compiled._reduce())  # type: ignore[no-untyped-call]


def _files_of(function: Callable[..., Any]) -> Any:
    """Where Numba would keep the machine code of a function, or None if it can write nowhere."""
    try:
        return CompileResultCacheImpl(function)  # type: ignore[no-untyped-call]
    except RuntimeError:
        return None


def cache_folder() -> str | None:
    """A folder of the user's cache, or None if there is none that can be written to."""
    files = _files_of(cache_folder)
    return None if files is None else str(files.locator.get_cache_path())


class StampedIndex(IndexDataCacheFile):
    """Numba's index of cached machine code, with our stamp in place of the modification time of one file.

    The machine code of a kernel also contains the kernels it calls, often from other files, so our stamp covers
    everything it depends on. It is also part of the names of the data files, so a process that still holds an older
    index cannot load code that another process has just replaced.
    """

    def __init__(self, folder: str, name: str, stamp: str) -> None:
        super().__init__(folder, name, stamp)  # type: ignore[no-untyped-call]
        self._version = shipped.VERSION

    @property
    def path(self) -> str:
        """Where the index is on disk."""
        return str(self._index_path)

    def holds(self, key: Any) -> bool:
        """Whether there is machine code under a key."""
        return key in self._load_index()

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
                pickle.load(file)  # the version
                return set(pickle.load(file)[1].values())
        except Exception:  # no index yet, or one that another version of Numba wrote
            return set()

    def _load_index(self) -> dict[Any, Any]:
        try:
            index: dict[Any, Any] = super()._load_index()  # type: ignore[no-untyped-call]
            return index
        except Exception:  # it is damaged, or names types that have been renamed or removed since
            return {}

    def _load_data(self, name: str) -> Any:
        try:
            return super()._load_data(name)  # type: ignore[no-untyped-call]
        except (AttributeError, EOFError, ImportError, pickle.UnpicklingError):
            raise FileNotFoundError(name) from None  # as good as none: it is compiled again


# ------------------------------------------------------------------------------------ One process at a time

LOCK_FILE = "compiling.lock"
"""In each folder of the cache; every function locks a byte of it, at an offset of its own."""

_held: set[str] = set()


@contextmanager
def _turn(path: str | None) -> Iterator[None]:
    """Wait until no other process compiles the function with this index.

    The operating system releases the lock if the process is killed. Where it cannot lock, or would have to wait for
    ever (functions that call each other, begun from both ends), the function may be compiled twice.
    """
    file = _lock_file(os.path.dirname(path)) if path else None
    if path is None or file is None or path in _held:  # the last: a function that calls itself
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
