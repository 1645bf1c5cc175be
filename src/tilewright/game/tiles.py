"""The names of a game's tiles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewright.game.errors import BadDraw, BadOption
from tilewright.game.validation import echo, expect_text

_WORD = re.compile(r"[^\s,]+")


@dataclass(frozen=True)
class TileSet:
    """The kinds of tile of a game: a letter and a name for each, in the order of their numbers.

    >>> tiles = TileSet("bry", ("blue", "red", "yellow"))
    >>> tiles.kind("blue"), tiles.kind("y"), tiles.kinds("red, byy")
    (0, 2, [1, 0, 2, 2])
    """

    letters: str
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        letters, names = self.letters, self.names
        if not isinstance(letters, str) or not re.fullmatch(r"\w*", letters) or letters != letters.lower():
            raise BadOption(f"the letters of tiles must be a text of letters in lower case, not {echo(letters)}")
        if not isinstance(names, tuple) or not all(isinstance(name, str) and _WORD.fullmatch(name) for name in names):
            raise BadOption(f"the names of tiles must be a tuple of words, as in 'dark-blue', not {echo(names)}")
        if len(letters) != len(names):
            raise BadOption(f"the {len(names)} kinds of tile need as many letters, not {echo(letters)}")
        for what in (letters, names):
            if len({text.lower() for text in what}) < len(what):
                raise BadOption(f"each kind of tile needs a letter and a name of its own, not {echo(what)}")

    @cached_property
    def _typed_names(self) -> tuple[str, ...]:
        """The names as they are compared with what a person typed."""
        return tuple(name.lower() for name in self.names)

    def kind(self, text: str, possible: Sequence[int] = ()) -> int:
        """The number of a kind from its letter or its name; if it is unknown, the error lists the possible ones."""
        text = text.strip().lower()
        if len(text) == 1 and text in self.letters:
            return self.letters.index(text)
        if text in self._typed_names:
            return self._typed_names.index(text)
        listed = possible or range(len(self.names))
        known = ", ".join(f"{self.letters[kind]} ({self.names[kind]})" for kind in listed)
        raise BadDraw(
            f"unknown kind of tile {echo(text)}; the kinds {'that can be drawn ' if possible else ''}are {known}"
        )

    def kinds(self, text: str, possible: Sequence[int] = ()) -> list[int]:
        """The kinds of several tiles, in order: letters, or names with spaces or commas between them."""
        tokens = re.split(r"[\s,]+", expect_text(text, "a draw", BadDraw).strip().lower())
        kinds: list[int] = []
        for token in filter(None, tokens):
            kinds += (
                [self.kind(token)] if token in self._typed_names else [self.kind(letter, possible) for letter in token]
            )
        return kinds

    def name_all(self, kinds: Iterable[int]) -> str:
        """Several kinds by name, for a sentence."""
        return ", ".join(self.names[kind] for kind in kinds) or "none"


NO_TILES = TileSet("", ())
"""For games that are played without tiles."""
