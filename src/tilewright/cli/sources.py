"""Records and positions from what was typed: texts, files, standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tilewright.game.errors import BadOption, BadPosition, BadRecord, RecordFault
from tilewright.game.position import Position
from tilewright.game.record import FIRST_LINE, Record, read_record
from tilewright.game.registry import read_position
from tilewright.game.validation import echo


def read_text(source: str) -> str:
    """A file's text, or that of the standard input for ``-``."""
    try:
        if source == "-":
            return sys.stdin.read() if sys.stdin is not None else ""
        return Path(source).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        reason = "the input is not text" if source == "-" else "this is not a text file"
        raise BadRecord(reason, 1, RecordFault.NOT_A_RECORD) from None


def find_record(source: str) -> Record:
    """A record from a file or the standard input; errors name the file."""
    try:
        return read_record(read_text(source))
    except BadRecord as error:
        raise BadRecord(f"{error.reason} (in {source})", error.line, error.fault) from None


def is_position_text(text: str) -> bool:
    """Whether something looks like the text of a position: sections separated by semicolons."""
    return ";" in text


def find_position(source: str, event: int | None) -> tuple[Position, list[str] | None]:
    """A position from its text, a record file or the standard input; with the players' names if it has them."""
    if not source.strip():
        raise BadPosition("there is nothing to show: give a record file, the text of a position, or - for input")
    if source != "-" and is_position_text(source):
        text = source
    elif source != "-" and not os.path.exists(source):
        raise BadPosition(
            f"there is no file {echo(source)}, and it is not the text of a position, which would contain semicolons"
        )
    else:
        text = read_text(source)
        if not text.strip():
            raise BadPosition("there is nothing to show: the input is empty")
    if not text.startswith(FIRST_LINE) and is_position_text(text):
        if event is not None:
            raise BadOption("--move needs a record; the text of a position has no moves")
        return read_position(text), None
    record = find_record(source) if source != "-" else read_record(text)
    return position_after(record, event), record.names


def position_after(record: Record, event: int | None) -> Position:
    """The position after the first ``event`` events of a record, or after all of them."""
    if event is None:
        return record.replay()
    if event > len(record.events):
        raise BadOption(f"the record has {len(record.events)} events, so --move goes from 0 to {len(record.events)}")
    return Record(record.game, record.events[:event], record.names).replay()
