"""The log of a process: lines for people, or JSON for machines, with the id of the request that caused them.

Neither has addresses, keys or whole ids of tables, since whoever knows an id may sit down there.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

TEXT, JSON = "text", "json"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""The request or live connection on whose behalf the current task works."""
ACCESS = logging.getLogger("tilewright.access")
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")


def request_id(given: str | None) -> str:
    """The id that a proxy gave, if it is a sensible one, or else a new one."""
    return given if given and _WELL_FORMED.fullmatch(given) else secrets.token_hex(8)


class TextFormatter(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """With the id of the request, if there is one."""
        found, rest = super().format(record), REQUEST_ID.get()
        first, line, more = found.partition("\n")
        return f"{first} [request {rest}]{line}{more}" if rest else found


class JsonFormatter(logging.Formatter):
    """An object in a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The time, what is said and by whom, and whatever else the record carries."""
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if REQUEST_ID.get():
            said["request"] = REQUEST_ID.get()
        said |= getattr(record, "fields", {})
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)


def configure(style: str = TEXT, *, requests: bool = False) -> None:
    """Write warnings and errors to the standard error stream, and every request too if a host wants that.

    A program that has set up its log itself keeps it.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if style == JSON else TextFormatter())
    logging.basicConfig(handlers=[handler])
    ACCESS.setLevel(logging.INFO if requests else logging.WARNING)
