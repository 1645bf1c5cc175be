"""The names of a game's tiles, and heaps of them in text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tilewright.game.errors import BadDraw, TilewrightError
from tilewright.game.words import echo, expect_text
from tilewright.rules.heap import counts_of, heap_of


@dataclass(frozen=True)
class TileSet:
    """The kinds of tile of a game: a letter and a name for each, in the order of their numbers.

    >>> tiles = TileSet("byrkwj", ("blue", "yellow", "red", "black", "white", "joker"))
    >>> tiles.kind("blue"), tiles.kind("k")
    (0, 3)
    >>> tiles.spell(tiles.heap("ybbr")), tiles.tally(tiles.heap("ybbr"))
    ('bbyr', '2b1y1r')
    """

    letters: str
    names: tuple[str, ...]

    def kind(self, text: str) -> int:
        """The number of a kind from its letter or its name."""
        text = text.strip().lower()
        if len(text) == 1 and text in self.letters:
            return self.letters.index(text)
        if text in self.names:
            return self.names.index(text)
        known = ", ".join(f"{letter} ({name})" for letter, name in zip(self.letters, self.names, strict=True))
        raise BadDraw(f"{echo(text)} is no kind of tile; the kinds are {known}")

    def kinds(self, text: str) -> list[int]:
        """The kinds of several tiles, in order: letters, or names with spaces or commas between them."""
        words = re.split(r"[\s,]+", expect_text(text, "a draw", BadDraw).strip().lower())
        kinds: list[int] = []
        for word in filter(None, words):
            kinds += [self.kind(word)] if word in self.names else [self.kind(letter) for letter in word]
        return kinds

    def spell(self, heap: int) -> str:
        """A small heap, a letter for each tile; ``-`` for none."""
        return "".join(letter * n for letter, n in zip(self.letters, counts_of(heap), strict=True)) or "-"

    def tally(self, heap: int) -> str:
        """A large heap, the number of each kind and its letter; ``-`` for none."""
        return "".join(f"{n}{letter}" for letter, n in zip(self.letters, counts_of(heap), strict=True) if n) or "-"

    def heap(self, text: str) -> int:
        """A heap from either spelling."""
        counts = [0] * len(self.letters)
        if text != "-":
            if not re.fullmatch(rf"([0-9]{{0,3}}[{self.letters}])+", text):
                raise TilewrightError(
                    f"{echo(text)} is no heap of tiles; write letters of {self.letters!r} with or without"
                    " numbers before them, as in 'bbyr' or '2b1y1r', or '-' for none"
                )
            for number, letter in re.findall(rf"(\d*)([{self.letters}])", text):
                counts[self.letters.index(letter)] += int(number or 1)
        if max(counts) > 127:
            raise TilewrightError(f"{echo(text)} has more tiles of a kind than any game")
        return heap_of(counts)

    def name_all(self, kinds: Iterable[int]) -> str:
        """Several kinds by name, for a sentence."""
        return ", ".join(self.names[kind] for kind in kinds) or "none"
