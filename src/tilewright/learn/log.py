"""The log of a training run: a JSON object in each line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

LOG = "log.jsonl"

Line = dict[str, Any]


def append_line(path: Path, line: Line) -> None:
    """Add a line to a log."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def write_log(path: Path, lines: Iterable[Line]) -> None:
    """Write a whole log."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def read_log(path: Path) -> list[Line]:
    """The lines of a log; one that was cut off, by a process that was killed, ends it."""
    lines: list[Line] = []
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            break
    return lines
