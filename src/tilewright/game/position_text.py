"""Reading and writing positions as one line: sections separated by semicolons, each a few ``name=value`` fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.game.errors import BadPosition
from tilewright.game.illegal_reason import IllegalReason
from tilewright.game.validation import echo, expect_text, shorten, small_number

if TYPE_CHECKING:
    from tilewright.game.game import Game


def heading(game: Game) -> str:
    """The first section of every position: the game and its options."""
    options = (f"{option.name}={option.write(game.options[option.name])}" for option in game.spec.options)
    return " ".join([game.name, f"players={game.players}", *options])


def split_sections(game: Game, text: str, count: int) -> list[str]:
    """The sections after the first, which must be the heading of the game."""
    text = expect_text(text, "a position", BadPosition)
    first, *rest = (section.strip() for section in text.strip().split(";"))
    if len(rest) != count:
        raise BadPosition(
            f"the text of a position of {game.title} has {count + 1} sections separated by semicolons; this one has"
            f" {len(rest) + 1}"
        )
    if first.split() != heading(game).split():
        raise BadPosition(f"this is a position of {echo(first)}, not of {heading(game)!r}")
    return rest


class Section:
    """One section of a position's text, being read. Errors name the section and the field."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self._values: dict[str, str] = {}
        for field in text.split():
            name, equals, value = field.partition("=")
            if not equals or not value:
                raise BadPosition(f"{where}: {echo(field)} should be name=value")
            if name in self._values:
                raise BadPosition(f"{where}: {shorten(name)} is given twice")
            self._values[name] = value

    def value(self, name: str) -> str:
        """The value of a name that must be there."""
        try:
            return self._values.pop(name)
        except KeyError:
            raise BadPosition(f"{self.where}: {name}=... is missing") from None

    def choice(self, name: str, choices: Sequence[str]) -> int:
        """The index of a value among those that it may have."""
        value = self.value(name)
        if value not in choices:
            right = choices[0] if len(choices) == 1 else f"one of {', '.join(choices)}"
            raise BadPosition(f"{self.where}: {name}={shorten(value)} should be {right}")
        return choices.index(value)

    def number(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self.value(name)
        number = small_number(value)
        if number is None or not least <= number <= most:
            raise BadPosition(f"{self.where}: {name}={shorten(value)} should be a number from {least} to {most}")
        return number

    def parts(self, name: str, separator: str, count: int) -> list[str]:
        """A value made of a fixed number of parts."""
        value = self.value(name)
        parts = value.split(separator)
        if len(parts) != count:
            raise BadPosition(
                f"{self.where}: {name}={shorten(value)} should have {count} parts separated by {separator!r}"
            )
        return parts

    def cells(self, name: str, separator: str, rows: int, columns: int, letters: str) -> list[list[int]]:
        """Rows of cells, a letter for the kind of tile on each and a dot for none (-1)."""
        grid: list[list[int]] = []
        for part in self.parts(name, separator, rows):
            if len(part) != columns or any(letter not in letters + "." for letter in part):
                raise BadPosition(f"{self.where}: {name}: {echo(part)} should be {columns} of {letters!r} or dots")
            grid.append([letters.find(letter) for letter in part])
        return grid

    def end(self) -> None:
        """Nothing else may stand in the section."""
        if self._values:
            raise BadPosition(f"{self.where}: unknown field {', '.join(echo(name) for name in list(self._values)[:3])}")


def check(condition: Any, key: str, english: str, **values: object) -> None:
    """Reject a position that cannot occur; the game's translations have the reason under ``impossible``."""
    if not condition:
        raise impossible(key, english, **values)


def impossible(key: str, english: str, **values: object) -> BadPosition:
    """The error for a position that cannot occur, with its reason."""
    reason = IllegalReason(key, english, values)
    error = BadPosition(f"impossible position: {reason}")
    error.reason = reason
    return error
