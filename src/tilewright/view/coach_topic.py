"""Something that a coach can say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tilewright.game.tiles import TileSet


class TextKey(str):
    """The key of a text in the game's translations, said in the player's language."""


def tile_key(tiles: TileSet, kind: int) -> TextKey:
    """The name of a kind of tile."""
    return TextKey(f"tile_{tiles.letters[kind]}")


@dataclass(frozen=True)
class Topic:
    """A text of the table ``[coach]`` in the game's translations, what to fill in, and how often to say it in a game.

    What is said about one thing may be said again about another: ``about`` tells them apart.
    """

    key: str
    values: Mapping[str, object] = field(default_factory=dict)
    times: int = 1
    about: str = ""
