"""Pieces of sentences in every language, for whatever is said about any game.

Tiles are counted as "3 × blue", with as little grammar as possible, so that sentences read well in languages where
the names of colours would have to agree with the tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tilewright.game.effects import MARKER
from tilewright.game.moves import Move
from tilewright.game.spec import GameSpec
from tilewright.view.grammar import listed
from tilewright.view.language import find_key, say


class Told(NamedTuple):
    """A move in words, in the third person and without the player's name: "takes 2 × blue from factory 1 for line 2".

    Lists of moves show it in two parts: a heading that some moves share, and what is the move's own, if anything.
    """

    sentence: str
    heading: str
    detail: str
    has_text: bool = False
    """Whether the sentence contains the text of the move, which then need not be shown beside it."""
    advice: str = ""
    """The same said to the player: "take 2 × blue from factory 1 for line 2"; empty if the game has no such words."""

    def with_text(self, move: Move) -> str:
        """The sentence and how the move is written, once."""
        return self.sentence if self.has_text else f"{self.sentence}  ({move})"


class Phrase(NamedTuple):
    """Something that a move would bring or cost, in a few words: "completes blue: +10"."""

    text: str
    points: int = 0
    """How many points it wins, or loses if they are negative."""


def labelled(what: str, which: str, language: str) -> str:
    """What something is called, and what it is, with a colon as the language sets it.

    >>> labelled("floor line", "−2", "en")
    'floor line: −2'
    """
    return say(language, "page.labelled", what=what, which=which)


def tile_name(spec: GameSpec, kind: str, language: str) -> str:
    """A kind of tile, by its letter, or another piece such as the marker."""
    key = find_key(spec, language, f"tile_{kind}")
    if key is not None:
        return say(language, key)
    if kind in spec.tiles.letters:
        return spec.tiles.names[spec.tiles.letters.index(kind)]
    return say(language, "narrator.marker") if kind == MARKER else kind


def tiles_listed(spec: GameSpec, numbers: Mapping[str, int], language: str) -> str:
    """Tiles by kind, in the order of the game's kinds: "2 × blue and 1 × red"."""
    return listed(tiles_counted(spec, numbers, language), language)


def tiles_counted(spec: GameSpec, numbers: Mapping[str, int], language: str) -> list[str]:
    """The parts of ``tiles_listed``, for a list that has other things too."""
    kinds = sorted(numbers, key=spec.tiles.letters.find)
    return [f"{numbers[kind]} × {tile_name(spec, kind, language)}" for kind in kinds if numbers[kind]]


def signed(points: int) -> str:
    """Points won or lost, with a sign as long as a plus.

    >>> signed(3), signed(-2)
    ('+3', '−2')
    """
    return f"{points:+}".replace("-", "−")
