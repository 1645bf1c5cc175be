"""Why a move is illegal, or a position impossible: a sentence in English for programs, which a game's translations may
say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tilewright.game.tiles import TileSet


class TileName(str):
    """The English name of a kind of tile; its letter finds the name in another language."""

    letter: str

    @classmethod
    def of(cls, tiles: TileSet, kind: int) -> TileName:
        """The name of a kind, by its number."""
        name = cls(tiles.names[kind])
        name.letter = tiles.letters[kind]
        return name


class TileCounts(str):
    """Some tiles in English; the numbers by letter say it in another language.

    >>> tiles = TileSet("ab", ("amber", "beige"))
    >>> str(TileCounts.of(tiles, "aab")), str(TileCounts.of(tiles, "-"))
    ('2 × amber and 1 × beige', 'no tiles')
    """

    numbers: Mapping[str, int]

    @classmethod
    def of(cls, tiles: TileSet, spelled: str) -> TileCounts:
        """Tiles as texts of positions spell them."""
        numbers = {letter: spelled.count(letter) for letter in tiles.letters if letter in spelled}
        parts = [f"{number} × {tiles.names[tiles.letters.index(letter)]}" for letter, number in numbers.items()]
        counts = cls(" and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part) or "no tiles")
        counts.numbers = numbers
        return counts


@dataclass(frozen=True)
class IllegalReason:
    """A rule that a move can break. Call it with what to fill in; a game's translations have it under ``illegal``, and
    the rules that the text of a position can contradict under ``impossible``.

    >>> full = IllegalReason("line_full", "line {line} is full")
    >>> str(full(line=3))
    'line 3 is full'
    """

    key: str
    english: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __call__(self, **values: object) -> IllegalReason:
        """The same rule, broken in a particular position."""
        return replace(self, values=values)

    def __str__(self) -> str:
        return self.english.format(**self.values)


NOT_ALLOWED = IllegalReason("not_allowed", "the rules do not allow it in this position")
"""For games that do not say more."""
