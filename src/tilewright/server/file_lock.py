"""The lock beside an SQLite file: one server at a time uses it, or one copy at a time is made under its name."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from tilewright.server.database import CannotServe

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

COPYING = "copying"
"""What is written into the lock while a copy is made; a server writes its address."""


class FileInUse(CannotServe):
    """Somebody else has the lock."""


class FileLock:
    """The lock of a file, which need not exist. A second server would continue games from stale positions.

    The path is that of the file itself, with all symbolic links resolved.
    """

    def __init__(self, path: Path, name: str) -> None:
        """Take the lock, or raise FileInUse. ``name`` is what people call the file."""
        self._name = name
        self._path = Path(f"{path}.lock")
        self._file = self._take()
        while not self._is_there():  # whoever had it has deleted it
            self._file.close()
            self._file = self._take()

    def _take(self) -> IO[str]:
        file, self._is_new = self._open()
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            with file:
                file.seek(0)
                raise FileInUse(f"{self._name} is in use: {_who(file.read().strip())}") from None
        return file

    def _open(self) -> tuple[IO[str], bool]:
        """The file, and whether it was made now."""
        try:
            return open(self._path, "x+", encoding="utf-8"), True
        except FileExistsError:
            return open(self._path, "a+", encoding="utf-8"), False

    def _is_there(self) -> bool:
        """Whether the locked file is still the one under that name."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self._path))
        except FileNotFoundError:
            return False

    def announce(self, who: str) -> None:
        """Write down who holds the lock, for those who ask for it: an address, or nobody in particular yet."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(who)
        self._file.flush()

    def close(self) -> None:
        """Release the lock. Its file stays for the next server."""
        self._file.close()

    def remove(self) -> None:
        """Release the lock, and leave nothing where nothing was before."""
        if self._is_new:
            with suppress(OSError):  # Windows deletes no open file
                self._path.unlink()
        self._file.close()


def _who(content: str) -> str:
    if content == COPYING:
        return "a backup or copy to this file is already being made"
    return f"a Tilewright server is already running at {content or 'another address'}"
