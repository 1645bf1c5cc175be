"""A table as a picture: what never changes, what lies where, and how tiles move between two moments.

A game's picture has three parts, so that a client needs to know no game:

- **Panels**: SVG drawings of everything that stays: the market (factories, centre, bag), a board for each
  player. A panel holds *slots* (``<g data-slot="factory-3-0" data-place="factory-3">``: room for one tile)
  and *spots* (elements with ``data-spot="p1-line-2"``: things that can be clicked).
- **Scene**: which tile lies in which slot, the numbers and words that change, what is marked. The same for
  every viewer and language. A tile in a slot is itself a spot: its slot's place and its kind, ``factory-3-b``.
- **Paths**: for every move of the action space the spots to click, in order (or in any order, if ``loose``,
  but for the last). ``@`` stands for the board of the player to move. Spots that begin with ``button-`` are
  drawn as buttons beside the table.

Seats are counted from 1 in slots and spots, as people count them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from tilewright.view.picture.drawing import Drawing

BAG = "bag"
"""The slot from which drawn tiles come, on every market panel."""
DISCARDS = "discards"
"""The slot to which tiles go that leave the table: the lid or the tower."""


@dataclass(frozen=True)
class Panel:
    """One drawing: its name (``market``, ``player-1``) and its size in units of the drawing."""

    name: str
    width: float
    height: float
    drawing: Drawing
    compact: Panel | None = None
    """The same slots in another drawing, for phones: closer together, so that tiles are large enough for fingers."""

    @property
    def body(self) -> str:
        """The empty drawing as SVG, for a page that fills in scenes itself."""
        return self.drawing.render()


@dataclass
class Scene:
    """What changes from moment to moment."""

    tiles: dict[str, str] = field(default_factory=dict)
    """The kind of tile (its letter, or ``marker``) in each slot that has one."""
    texts: dict[str, str] = field(default_factory=dict)
    """The content of each text element, by its ``data-text``: scores, counts."""
    marks: list[str] = field(default_factory=list)
    """The elements that are marked now, by their ``data-mark``: the player to move, who has passed."""


@dataclass(frozen=True)
class Path:
    """The spots to click for a move."""

    spots: tuple[str, ...]
    loose: bool = False


@dataclass(frozen=True)
class Flight:
    """A tile that moves from one slot to another."""

    kind: str
    origin: str
    target: str


@dataclass(frozen=True)
class Step:
    """One moment of what a move brings about: the scene after it, and the points it gave or cost a seat.

    ``points`` are shown rising from the slot or spot ``at``; a step without points just moves tiles.
    """

    scene: Scene
    seat: int | None = None
    points: int = 0
    at: str = ""
    score: int = 0
    """What the seat has then."""


Tiles: TypeAlias = dict[str, str]
"""Kinds of tiles by slot."""


def moved_tiles(before: Scene, after: Scene) -> tuple[Tiles, Tiles]:
    """The tiles that are no longer where they were, and those that are where they were not."""
    then, now = before.tiles, after.tiles
    gone = {slot: kind for slot, kind in then.items() if now.get(slot) != kind}
    return gone, {slot: kind for slot, kind in now.items() if then.get(slot) != kind}


def flights(before: Scene, after: Scene) -> list[Flight]:
    """How tiles moved between two scenes."""
    return flown(*moved_tiles(before, after))


def flown(gone: Tiles, come: Tiles) -> list[Flight]:
    """How tiles moved: those that left their slots went to the new slots of their kind, in order.

    What came from nowhere came out of the bag; what is nowhere went to the discards.
    """
    left: dict[str, list[str]] = {}
    for slot, kind in gone.items():
        left.setdefault(kind, []).append(slot)
    moved: list[Flight] = []
    for slot, kind in come.items():
        origins = left.get(kind, [])
        moved.append(Flight(kind, origins.pop(0) if origins else BAG, slot))
    moved += [Flight(kind, slot, DISCARDS) for kind, slots in left.items() for slot in slots]
    return moved
