"""Drawings that know their own moving parts: SVG text with slots, texts and marks in between.

What never changes is plain SVG text. What a scene changes is a part of its own: a *slot* has room for one tile, a
*text* is filled in, a *mark* is seen only while the scene marks it. Parts are put together with ``+`` and ``joined``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from tilewright.view.picture.scene import Scene

TILE = 40
"""The width of a tile in its own units: the viewBox of every symbol."""
SQUARE = "tile"
"""The shape of tiles, and of slots that do not name another: the beginning of the names of their symbols."""


def number(value: float) -> str:
    """A number as short as two decimals allow.

    >>> number(3.0), number(2.126), number(-0.001)
    ('3', '2.13', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def place_tile(kind: str, shape: str = SQUARE) -> str:
    """A tile round the origin."""
    return f'<use href="#{shape}-{kind}" x="{-TILE // 2}" y="{-TILE // 2}" width="{TILE}" height="{TILE}"/>'


@dataclass(frozen=True)
class Slot:
    """Room for one tile: an empty ``<g>`` whose origin is the middle of the tile."""

    name: str
    place: str
    """Where it is, as in ``factory-3``; empty for slots whose tiles are never clicked."""
    x: float
    y: float
    size: float
    turn: float = 0
    shape: str = SQUARE
    reach: float = 0
    """The side of the square in which a finger means the tile here, if that is more than the tile itself."""

    @property
    def scale(self) -> float:
        """How large a tile is drawn here."""
        return self.size / TILE

    @property
    def transform(self) -> str:
        """From the units of a tile to those of the panel."""
        move = f"translate({number(self.x)} {number(self.y)})"
        move += f" rotate({number(self.turn)})" if self.turn else ""
        return move + (f" scale({self.scale:.4g})" if self.size != TILE else "")

    def render(self, scene: Scene | None) -> str:
        """The slot with the tile that lies in it."""
        kind = scene.tiles.get(self.name) if scene else None
        marks = f' data-place="{self.place}"' if self.place else ""
        marks += f' data-shape="{self.shape}"' if self.shape != SQUARE else ""
        marks += f' data-reach="{number(self.reach / self.scale)}"' if self.reach else ""
        tile = place_tile(kind, self.shape) if kind else ""
        return f'<g data-slot="{self.name}"{marks} transform="{self.transform}">{tile}</g>'


@dataclass(frozen=True)
class Text:
    """A line of text that the scene fills in."""

    key: str
    attributes: str

    def render(self, scene: Scene | None) -> str:
        """The text with what it says now."""
        content = escape(scene.texts.get(self.key, "")) if scene else ""
        return f'<text data-text="{self.key}" {self.attributes}>{content}</text>'


@dataclass(frozen=True)
class Mark:
    """Something seen only while the scene marks it."""

    name: str
    content: Drawing

    def render(self, scene: Scene | None) -> str:
        """The mark, hidden if a scene does not have it; on a page, the style sheet hides what is not marked."""
        state = "" if scene is None else ' data-marked=""' if self.name in scene.marks else ' visibility="hidden"'
        return f'<g data-mark="{self.name}"{state}>{self.content.render(scene)}</g>'


Part = str | Slot | Text | Mark


@dataclass(frozen=True)
class Drawing:
    """A piece of SVG with its moving parts.

    >>> dish = "<g>" + Drawing((Slot("dish-0", "dish", 8, 9, 40),)) + "</g>"
    >>> dish.render()
    '<g><g data-slot="dish-0" data-place="dish" transform="translate(8 9)"></g></g>'
    >>> [slot.name for slot in dish.slots()]
    ['dish-0']
    """

    parts: tuple[Part, ...] = field(default=())

    def __add__(self, other: Markup) -> Drawing:
        return Drawing(self.parts + (other.parts if isinstance(other, Drawing) else (other,)))

    def __radd__(self, other: str) -> Drawing:
        return Drawing((other, *self.parts))

    def __format__(self, spec: str) -> NoReturn:
        raise TypeError("a drawing loses its slots in a string: put it together with + instead")

    def render(self, scene: Scene | None = None) -> str:
        """As SVG: empty, for a page that fills it in itself, or with what a scene shows."""
        return "".join(part if isinstance(part, str) else part.render(scene) for part in self.parts)

    def slots(self) -> Iterator[Slot]:
        """Every slot, those inside marks too."""
        for part in self.parts:
            if isinstance(part, Slot):
                yield part
            elif isinstance(part, Mark):
                yield from part.content.slots()


Markup = str | Drawing
"""What elements are made of: plain SVG, or SVG with moving parts."""


def joined(parts: Iterable[Markup]) -> Drawing:
    """Pieces one after the other.

    >>> joined(["<g>", "</g>"]).render()
    '<g></g>'
    """
    whole = Drawing()
    for part in parts:
        whole += part
    return whole
