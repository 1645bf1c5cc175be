"""Text with or without colour. A letter always says the kind of a tile; colour only helps the eye.

Drawings are put together from strings that may hold ANSI codes, so widths are measured without them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest

_RESET = "\x1b[0m"
_CODES = re.compile(r"\x1b\[[0-9;]*m")

TileColours = tuple[int, int, int]
"""Background, letter, and the letter of an empty space: numbers of the 256-colour palette."""
_KNOWN: dict[str, TileColours] = {
    "blue": (26, 231, 68),
    "yellow": (220, 16, 136),
    "red": (160, 231, 131),
    "black": (239, 231, 243),
    "white": (255, 16, 250),
    "purple": (91, 231, 97),
    "green": (28, 231, 65),
    "orange": (208, 16, 137),
}
_OTHERS: tuple[TileColours, ...] = (
    (25, 231, 67),
    (178, 16, 136),
    (124, 231, 131),
    (64, 231, 65),
    (96, 231, 97),
    (166, 16, 137),
)
"""For kinds that neither we nor their game have coloured, by their number."""
_MARKER_COLOURS = (231, 160)


class Paint:
    """Draws tiles and emphasis: with ANSI codes if ``colour``, else with brackets and capital letters.

    A game's drawing may bring colours for its kinds of tile, by name, as ``TILE_COLOURS``.
    """

    def __init__(self, colour: bool, kinds: Sequence[str] = (), own: Mapping[str, TileColours] | None = None) -> None:
        self.colour = colour
        numbered = {name: _OTHERS[n % len(_OTHERS)] for n, name in enumerate(kinds)}
        self._colours = numbered | _KNOWN | dict(own or {})

    def _coded(self, text: str, codes: str) -> str:
        return f"\x1b[{codes}m{text}{_RESET}" if self.colour and text else text

    def strong(self, text: str) -> str:
        """What should be seen first."""
        return self._coded(text, "1")

    def faint(self, text: str) -> str:
        """What is there to be looked up."""
        return self._coded(text, "38;5;244")

    def letters(self, letter: str, number: int, name: str) -> str:
        """Loose tiles of a kind: a capital letter for each."""
        background, foreground, _ = self._colours[name]
        return self._coded(letter.upper() * number, f"1;48;5;{background};38;5;{foreground}")

    def tile(self, letter: str, name: str) -> str:
        """A tile on a space, three characters wide."""
        background, foreground, _ = self._colours[name]
        text = f" {letter.upper()} " if self.colour else f"[{letter.upper()}]"
        return self._coded(text, f"1;48;5;{background};38;5;{foreground}")

    def marker(self) -> str:
        """The starting player marker, as wide as a tile."""
        background, foreground = _MARKER_COLOURS
        return self._coded(" 1 " if self.colour else "[1]", f"1;48;5;{background};38;5;{foreground}")

    def space(self, text: str, name: str | None = None) -> str:
        """An empty space, as wide as a tile, with a small letter, number or dot; of a tile's colour or of none."""
        return self._coded(f" {text} ", f"38;5;{self._colours[name][2] if name else 244}")

    def done(self, text: str) -> str:
        """Something completed, as wide as a tile."""
        return self._coded(text.rjust(3), "1;38;5;35")


def width(text: str) -> int:
    """The columns that a line takes on the screen."""
    return len(_CODES.sub("", text))


def pad(text: str, columns: int) -> str:
    """A line filled up with spaces."""
    return text + " " * (columns - width(text))


def spread(left: str, right: str, columns: int) -> str:
    """Two texts at the ends of a line."""
    return left + " " * max(1, columns - width(left) - width(right)) + right


def side_by_side(panels: Sequence[Sequence[str]], columns: int, gap: int) -> list[str]:
    """Panels next to each other, each filled up to the same width."""
    rows = zip_longest(*panels, fillvalue="")
    return [(" " * gap).join(pad(line, columns) for line in row).rstrip() for row in rows]


def printable(name: str, longest: int) -> str:
    """A name that cannot disturb the drawing: no control characters, not too long."""
    name = "".join(character if character.isprintable() else "?" for character in name)
    return name if len(name) <= longest else name[: longest - 2] + ".."
