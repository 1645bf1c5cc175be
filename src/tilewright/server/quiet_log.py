"""A log that a flood cannot fill: of records that repeat, one in a while is written, with a count of the others."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict

INTERVAL = 10.0
"""Seconds."""
MOST_KNOWN = 200
LOGGERS = ("asyncio", "uvicorn.error", "tilewright.server", "tilewright.worker")


class OncePerInterval(logging.Filter):
    """Lets a record pass if none from the same line of code, about the same kind of error, passed a moment ago."""

    def __init__(self, interval: float = INTERVAL) -> None:
        super().__init__()
        self._interval = interval
        self._passed: OrderedDict[tuple[object, ...], tuple[float, int]] = OrderedDict()
        """When a record of this kind last passed, and how many were suppressed since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a record; one that stands for others says so."""
        error = record.exc_info[0] if record.exc_info else None
        kind = (record.name, record.pathname, record.lineno, str(record.msg).partition("\n")[0], error)
        at, suppressed = self._passed.get(kind, (float("-inf"), 0))
        now = time.monotonic()
        if now - at < self._interval:
            self._passed[kind] = (at, suppressed + 1)
            return False
        self._passed[kind] = (now, 0)
        self._passed.move_to_end(kind)
        if len(self._passed) > MOST_KNOWN:
            self._passed.popitem(last=False)
        if suppressed:
            record.msg = f"{record.getMessage()} ({suppressed} more like this since the last one)"
            record.args = ()
        return True


def limit_logging() -> None:
    """Limit the loggers that write something for each connection or request."""
    only = OncePerInterval()
    for name in LOGGERS:
        logging.getLogger(name).addFilter(only)
