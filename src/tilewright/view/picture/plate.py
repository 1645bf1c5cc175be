"""Plates: pieces of a table side by side, cut out, with rings round what matters. For pages that explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import NamedTuple

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.view.picture import compose
from tilewright.view.picture.drawing import SQUARE, TILE, Slot, number
from tilewright.view.picture.palette import plain_colours, var
from tilewright.view.picture.scene import Panel, Scene
from tilewright.view.picture.style import stroke
from tilewright.view.picture.tile_sets import GLAZED

ARROW, DOWN = "arrow", "down"
"""Between a moment and the next: beside it, or below it."""
_GAP, _ARROW_SIZE, _MARGIN, _PAD = 14.0, 40.0, 12.0, 16.0
_RING_COLOURS = ("turn", "accent", "penalty")
_RINGS = {
    "rhomb": '<path d="M0-23L13.3 0L0 23L-13.3 0Z" stroke-linejoin="round" ',
    "tile": '<rect x="-22" y="-22" width="44" height="44" rx="7" ',
}


@dataclass(frozen=True)
class Piece:
    """A panel of a position (0 the market, then the boards), or a part of it.

    ``around`` names the slots that must be in sight; the whole panel if none is named. ``rings`` are groups of
    slots to ring, each group in a colour of its own. A slot is meant by its own name, by how its name begins, or
    by its place and the kind of tile in it (``factory-1-b``).
    """

    position: Position
    panel: int
    around: tuple[str, ...] = ()
    rings: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class _Box:
    x: float
    y: float
    width: float
    height: float


class DrawnPlate(NamedTuple):
    """A plate as SVG, and its size in units of the drawing."""

    svg: str
    width: float
    height: float


def draw_plate(
    pieces: Sequence[Piece | str], names: Sequence[str], language: str, theme: str, tiles: str = GLAZED
) -> DrawnPlate:
    """Pieces in a row, or below each other if there is a ``DOWN`` among them, as one SVG that stands alone."""
    game = next(piece for piece in pieces if isinstance(piece, Piece)).position.game
    drawn = [_draw(piece, tuple(names), language) for piece in pieces]
    down = DOWN in pieces
    widest, tallest = max(box.width for _, box in drawn), max(box.height for _, box in drawn)
    at, body = _MARGIN, ""
    for piece, (content, box) in zip(pieces, drawn, strict=True):
        x, y = (_MARGIN + (widest - box.width) / 2, at) if down else (at, _MARGIN + (tallest - box.height) / 2)
        body += _framed(content, box, x, y, plain=isinstance(piece, str))
        at += (box.height if down else box.width) + _GAP
    length = at - _GAP + _MARGIN
    width, height = (widest + 2 * _MARGIN, length) if down else (length, tallest + 2 * _MARGIN)
    return DrawnPlate(_whole(game, body, width, height, theme, tiles), width, height)


def _whole(game: Game, body: str, width: float, height: float, theme: str, tiles: str) -> str:
    size = f'viewBox="0 0 {number(width)} {number(height)}" width="{number(width)}" height="{number(height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(game.title)}">'
    table = f'<rect width="100%" height="100%" rx="12" fill="{var("table")}"/>'
    return head + plain_colours(compose.symbols(game) + table + body, theme, game.name, tiles) + "</svg>"


def _draw(piece: Piece | str, names: tuple[str, ...], language: str) -> tuple[str, _Box]:
    if not isinstance(piece, Piece):
        shape = "M20 4V32M9 22L20 34L31 22" if piece == DOWN else "M4 20H32M22 9L34 20L22 31"
        head = f'<path d="{shape}" fill="none" stroke-linejoin="round" {stroke("accent", 4)}/>'
        return head, _Box(0, 0, _ARROW_SIZE, _ARROW_SIZE)
    picture = compose.picture_of(piece.position.game)
    panel = _panels(piece.position.game, names, language)[piece.panel]
    scene = picture.scene(piece.position)
    rings = "".join(
        _ring(slot, colour)
        for group, colour in zip(piece.rings, _RING_COLOURS, strict=False)
        for name in group
        for slot in _slots(panel, scene, name)
    )
    return panel.drawing.render(scene) + rings, _box(panel, scene, piece.around)


@cache
def _panels(game: Game, names: tuple[str, ...], language: str) -> list[Panel]:
    return compose.picture_of(game).panels(game, names, language)


def _framed(content: str, box: _Box, x: float, y: float, *, plain: bool) -> str:
    """A piece at its place, its corners rounded where it was cut out."""
    size = f'width="{number(box.width)}" height="{number(box.height)}"'
    view = f'viewBox="{number(box.x)} {number(box.y)} {number(box.width)} {number(box.height)}"'
    inside = f'<svg x="{number(x)}" y="{number(y)}" {size} {view}>{content}</svg>'
    if plain or (box.x, box.y) == (0, 0):
        return inside
    edge = f'<rect x="{number(x)}" y="{number(y)}" {size} rx="2" fill="none" {stroke("accent", 1.5, 0.55)}/>'
    return inside + edge


# --------------------------------------------------------------------------------------------------- Slots


def _slots(panel: Panel, scene: Scene, wanted: str) -> Iterator[Slot]:
    """The slots of a panel that a name means."""
    for slot in panel.drawing.slots():
        kind = scene.tiles.get(slot.name)
        means = slot.name == wanted or slot.name.startswith(f"{wanted}-")
        if slot.size and (means or (kind and f"{slot.place}-{kind}" == wanted)):
            yield slot


def _ring(slot: Slot, colour: str) -> str:
    shape = _RINGS.get(slot.shape, _RINGS[SQUARE])
    return f'<g transform="{slot.transform}">{shape}fill="none" {stroke(colour, 3.2 / slot.scale)}/></g>'


def _box(panel: Panel, scene: Scene, around: tuple[str, ...]) -> _Box:
    """The part of a panel in which the named slots lie, and a little more."""
    slots = [slot for name in around for slot in _slots(panel, scene, name)]
    if not slots:
        return _Box(0, 0, panel.width, panel.height)
    reach = [(slot, TILE / 2 * slot.scale + _PAD) for slot in slots]
    left = max(0.0, min(slot.x - r for slot, r in reach))
    top = max(0.0, min(slot.y - r for slot, r in reach))
    right = min(panel.width, max(slot.x + r for slot, r in reach))
    bottom = min(panel.height, max(slot.y + r for slot, r in reach))
    return _Box(left, top, right - left, bottom - top)
