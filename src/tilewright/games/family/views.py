"""Tiles that lie together, as people count them: by the names of their kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tilewright.game.tiles import TileSet
from tilewright.game.validation import echo
from tilewright.games.family.heap import counts_of


class Tiles(Mapping[str, int]):
    """How many tiles of each kind there are: a mapping from the names of the kinds that are there, like a ``Counter``.

    >>> from tilewright.games.family.tiles import HeapTiles
    >>> kinds = HeapTiles("byrkwj", ("blue", "yellow", "red", "black", "white", "joker"))
    >>> tiles = Tiles(kinds, kinds.heap("byyr"))
    >>> tiles
    Tiles(blue=1, yellow=2, red=1)
    >>> tiles["yellow"], tiles["black"], tiles.total(), "black" in tiles
    (2, 0, 4, False)
    """

    __slots__ = ("_counts", "_names")

    def __init__(self, kinds: TileSet, heap: int) -> None:
        self._names = kinds.names
        self._counts = {name: n for name, n in zip(kinds.names, counts_of(heap), strict=True) if n}

    def __getitem__(self, name: str) -> int:
        if name not in self._names:
            raise KeyError(f"no tile is called {echo(name)}; there are {', '.join(self._names)}")
        return self._counts.get(name, 0)

    def __contains__(self, name: object) -> bool:
        return name in self._counts

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def total(self) -> int:
        """The number of tiles, of all kinds together."""
        return sum(self._counts.values())

    def __hash__(self) -> int:
        return hash(frozenset(self._counts.items()))

    def __repr__(self) -> str:
        return f"Tiles({', '.join(f'{name}={n}' for name, n in self._counts.items())})"
