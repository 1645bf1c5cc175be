"""How a search is cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancellation:
    """A token that a host cancels, from any thread, and that a bot checks while it thinks.

    Each search gets its own token. A token stays cancelled, so it makes no difference whether the bot had already begun
    to think.

    >>> cancellation = Cancellation()
    >>> cancellation.cancel()
    >>> cancellation.is_cancelled
    True
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """Ask for the best move found so far."""
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    @property
    def is_cancelled(self) -> bool:
        """Whether the search should end."""
        return self._event.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the cancellation for at most this many seconds; returns whether it came."""
        return self._event.wait(seconds)

    @contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call a function on cancellation, or at once if already cancelled: for a bot that blocks and cannot check."""
        with self._lock:
            late = self._event.is_set()
            if not late:
                self._callbacks.append(callback)
        if late:
            callback()
        try:
            yield
        finally:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)
