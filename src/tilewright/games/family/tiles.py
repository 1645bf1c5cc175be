"""Heaps of tiles in text, for the games that count their tiles in heaps."""

from __future__ import annotations

import re

from tilewright.game.errors import TilewrightError
from tilewright.game.tiles import TileSet
from tilewright.game.validation import echo
from tilewright.games.family.heap import counts_of, heap_of


class HeapTiles(TileSet):
    """A tile set whose tiles lie in heaps.

    >>> tiles = HeapTiles("byrkwj", ("blue", "yellow", "red", "black", "white", "joker"))
    >>> tiles.spell(tiles.heap("ybbr")), tiles.tally(tiles.heap("ybbr"))
    ('bbyr', '2b1y1r')
    """

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
