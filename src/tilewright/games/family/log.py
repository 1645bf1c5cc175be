"""Tiles and places in the log of a table, for the games of the family."""

from __future__ import annotations

from tilewright.game.position import Position
from tilewright.games.family.heap import counts_of
from tilewright.view.language import say


def tiles_text(position: Position, heap: int, language: str) -> str:
    """A heap of tiles: "3 × blue, 1 × red"."""
    names = position.game.tiles.names
    parts = [f"{n} × {say(language, 'log.' + names[kind])}" for kind, n in enumerate(counts_of(heap)) if n]
    return ", ".join(parts) or say(language, "log.nothing")


def place_text(place: int, language: str) -> str:
    """Where tiles are taken from."""
    return say(language, "log.centre") if place == 0 else say(language, "log.factory", number=place)
