"""Remembers that everything is compiled, so that the next start of a server only has to load it."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from llvmlite import binding as llvm

import tilewright
from tilewright.game.registry import GAMES
from tilewright.kernels import shipped
from tilewright.kernels.cache import cache_folder

_MARK = "compiled.txt"
"""In the cache: a digest of the sources for which everything was compiled."""


def is_compiled() -> bool:
    """Whether everything came with the package, or was compiled by an earlier start of the same sources.

    If the mark is wrong because somebody has deleted a part of the cache, that part is compiled when it is needed.
    """
    if shipped.is_usable():
        return True
    try:
        return _mark().read_text(encoding="ascii") == _digest_of_sources()
    except OSError:
        return False


def remember() -> None:
    """Everything has been compiled."""
    with suppress(OSError):  # nowhere to write: then the next start compiles too
        _mark().write_text(_digest_of_sources(), encoding="ascii")


def _mark() -> Path:
    return Path(cache_folder() or os.devnull) / _MARK


def _digest_of_sources() -> str:
    """Changes whenever something may have to be compiled again."""
    digest = hashlib.sha256(f"{shipped.VERSION} {llvm.get_host_cpu_name()} {sorted(GAMES)}".encode())
    for path in sorted(Path(tilewright.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
