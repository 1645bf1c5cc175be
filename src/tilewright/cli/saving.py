"""Saved games in the current folder. A file that is no record is never overwritten."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from tilewright.game.errors import TilewrightError
from tilewright.game.position import Position
from tilewright.game.record import FIRST_LINE


def free_name(position: Position) -> Path:
    """A name that no file has yet: azul-1.txt and so on."""
    names = (Path(f"{position.game.name}-{number}.txt") for number in count(1))
    return next(name for name in names if not name.exists())


def save(position: Position, names: list[str], path: Path) -> None:
    """Write the record."""
    if path.exists() and not _is_record(path):
        raise TilewrightError(f"{path} is there already and is no saved game; choose another name")
    position.record(names).save(path)


def _is_record(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(FIRST_LINE)) == FIRST_LINE.encode()
