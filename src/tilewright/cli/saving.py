"""Saved games in the current folder. Nothing but the same game's own file is ever overwritten."""

from __future__ import annotations

import shlex
from itertools import count
from pathlib import Path

from tilewright.cli.seats import clean
from tilewright.cli.terminal import harmless
from tilewright.game.errors import TilewrightError
from tilewright.game.position import Position
from tilewright.game.record import FIRST_LINE, load_record
from tilewright.view.language import DEFAULT, say

_NO_TEXT = "\N{REPLACEMENT CHARACTER}"


def free_name(position: Position) -> Path:
    """A name that no file has yet: that of the game and a number."""
    names = (Path(f"{position.game.name}-{number}.txt") for number in count(1))
    return next(name for name in names if not name.exists())


def save(position: Position, names: list[str], path: Path, own: bool, language: str = DEFAULT) -> None:
    """Write the record. A file that already exists must be ``own`` or hold the beginning of this game."""
    if not str(path).isprintable() or _NO_TEXT in str(path):
        raise TilewrightError(say(language, "terminal.bad_file_name"))
    if not path.parent.is_dir():
        raise TilewrightError(say(language, "terminal.no_folder", folder=path.parent))
    if path.exists():
        if not _is_record(path):
            raise TilewrightError(say(language, "terminal.not_a_record", path=path))
        if not own and not _holds_beginning(path, position, names):
            raise TilewrightError(say(language, "terminal.another_game", path=path))
    position.record(names).save(path)


def how_to_resume(path: Path) -> str:
    """The command that continues a saved game, to be copied into a shell."""
    name = str(path)
    return f"tilewright play --resume {harmless(shlex.quote(f'./{name}' if name.startswith('-') else name))}"


def _is_record(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(FIRST_LINE)) == FIRST_LINE.encode()


def _holds_beginning(path: Path, position: Position, names: list[str]) -> bool:
    try:
        record = load_record(path)
    except TilewrightError:
        return False
    same_people = [clean(name) for name in record.names] == names
    return record.game == position.game and same_people and record.events == position.events[: len(record.events)]
