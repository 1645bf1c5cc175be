"""The factories, the centre and heaps of tiles as text, for the games of the family."""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.family.factories import FACTORY_TILES, NOBODY, count_factories
from tilewright.games.family.heap import counts_of
from tilewright.view.language import say_for
from tilewright.view.paint import Paint
from tilewright.view.phrasing import labelled

NARROW = 80
"""Columns of a screen below which the parts of a line stand one below the other."""
_FACTORY_WIDTH = 8
_LABELS_WIDTH = 10


def label(game: Game, language: str, key: str) -> str:
    """The name of a line of the table, padded to the width of its column."""
    return say_for(game.spec, language, f"terminal.{key}").ljust(_LABELS_WIDTH)


def draw_factories(position: Position, paint: Paint, width: int, language: str) -> list[str]:
    """The factories, and the centre with the marker."""
    game, row = position.game, position.state
    factories = [
        f"{factory} {_factory(game, int(row.places[factory]), paint)}"
        for factory in range(1, count_factories(game.players) + 1)
    ]
    centre = [paint.marker()] if row.marker == NOBODY else []
    centre += [heap_in_groups(game, int(row.places[0]), paint)] if row.places[0] else []
    in_line = max(1, (width - _LABELS_WIDTH + 2) // _FACTORY_WIDTH)
    titles = [label(game, language, "factories")] + [" " * _LABELS_WIDTH] * len(factories)
    lines = [
        titles[first // in_line] + "  ".join(factories[first : first + in_line]).rstrip()
        for first in range(0, len(factories), in_line)
    ]
    lines.append(label(game, language, "centre") + (" ".join(centre) or "-"))
    return lines


def draw_heaps(position: Position, paint: Paint, width: int, language: str, discards: str, heap: int) -> list[str]:
    """The bag, and the tiles that were used; ``discards`` is the key of their label."""
    game = position.game
    bag = label(game, language, "bag") + tally(game, int(position.state.bag), paint, language)
    title, used = label(game, language, discards), tally(game, heap, paint, language)
    if width < NARROW:
        return [bag, title + used]
    return [f"{bag}    {title.rstrip()} {used}"]


def _factory(game: Game, heap: int, paint: Paint) -> str:
    tiles = counts_of(heap)
    drawn = "".join(
        paint.letters(letter, number, name)
        for letter, name, number in zip(game.tiles.letters, game.tiles.names, tiles, strict=True)
    )
    return drawn + paint.faint("." * (FACTORY_TILES - sum(tiles)))


def heap_in_groups(game: Game, heap: int, paint: Paint) -> str:
    """A heap with its tiles sorted, a group for each kind."""
    kinds = zip(game.tiles.letters, game.tiles.names, counts_of(heap), strict=True)
    return " ".join(paint.letters(letter, number, name) for letter, name, number in kinds if number)


def tally(game: Game, heap: int, paint: Paint, language: str) -> str:
    """How many tiles a large heap has, in all and of each kind."""
    kinds = zip(game.tiles.letters, game.tiles.names, counts_of(heap), strict=True)
    parts = [f"{number}{paint.letters(letter, 1, name)}" for letter, name, number in kinds if number]
    total = sum(counts_of(heap))
    return labelled(str(total), " ".join(parts), language) if parts else "0"
