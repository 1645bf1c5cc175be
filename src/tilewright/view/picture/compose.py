"""One whole picture of a position: the panels side by side, the tiles in their slots, colours filled in.

The web client puts a scene into the panels itself; this does the same in Python, for notebooks, files and the
command line. What comes out needs no style sheet: every colour is written out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Protocol, cast

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.view.picture import tiles
from tilewright.view.picture.scene import Panel, Path, Scene
from tilewright.view.picture.style import number, palette

_GAP, _MARGIN = 12.0, 14.0
_COLUMNS = {2: [[0], [1, 2]], 3: [[0, 1], [2, 3]], 4: [[1, 4], [0], [2, 3]]}
"""Which panels stand below each other: 0 is the market, the seats go round it clockwise."""

_TWO_TALL = [[1], [0], [2]]
"""Two boards that are taller than wide stand on either side of the market."""


class Picture(Protocol):
    """What a game's module of pictures provides."""

    RHOMBI: bool
    """Whether its tiles are rhombi."""

    def panels(self, game: Game, names: Sequence[str], language: str) -> list[Panel]:
        """The drawings of everything that stays."""

    def scene(self, position: Position) -> Scene:
        """Which tile lies where."""

    def paths(self, game: Game) -> list[Path]:
        """The clicks of every move."""

    def buttons(self, game: Game, language: str) -> dict[str, str]:
        """The labels of the buttons that paths name."""

    def tile_names(self, language: str) -> dict[str, str]:
        """What each kind of tile is called."""

    def place_names(self, game: Game, language: str) -> dict[str, str]:
        """What the places are called."""


def picture_of(game: Game) -> Picture:
    """The module that draws a game."""
    return cast(Picture, game.spec.part("picture"))


def symbols(game: Game) -> str:
    """The tiles of a game as symbols, for the ``<svg>`` of no size that a page begins with."""
    return tiles.sheet(game.tiles.letters, rhombi=picture_of(game).RHOMBI)


# ---------------------------------------------------------------------------------------- A scene in a panel


def fill(panel: Panel, scene: Scene) -> str:
    """A panel's body with the tiles, texts and marks of a scene."""
    body = re.sub(r'(<g data-slot="([^"]+)"[^>]*>)(?=</g>)', lambda slot: slot[1] + _tile_in(slot, scene), panel.body)
    body = re.sub(
        r'(<text data-text="([^"]+)"[^>]*>)[^<]*', lambda text: text[1] + escape(scene.texts.get(text[2], "")), body
    )
    return re.sub(r'(<g data-mark="([^"]+)")', lambda mark: mark[1] + _mark_state(mark[2], scene), body)


def _tile_in(slot: re.Match[str], scene: Scene) -> str:
    kind = scene.tiles.get(slot[2])
    if kind is None:
        return ""
    shape = re.search(r'data-shape="([^"]+)"', slot[1])
    return tiles.place_tile(kind, shape[1] if shape else "tile")


def _mark_state(name: str, scene: Scene) -> str:
    return ' data-marked=""' if name in scene.marks else ' visibility="hidden"'


# --------------------------------------------------------------------------------------------- The whole


def draw_svg(position: Position, names: Sequence[str] | None = None, language: str = "en", theme: str = "light") -> str:
    """The whole table as one SVG that stands alone.

    >>> import tilewright as tw
    >>> picture = draw_svg(tw.Azul(players=2).start(seed=7), ["Anna", "Ben"])
    >>> picture.startswith("<svg"), picture.count("tile-") >= 20, "var(" in picture
    (True, True, False)
    """
    game = position.game
    picture = picture_of(game)
    names = list(names or (f"Player {seat + 1}" for seat in range(game.players)))
    panels = picture.panels(game, names, language)
    scene = picture.scene(position)
    places, width, height = _arrange(panels, game.players)
    nested = "".join(
        f'<svg x="{number(x)}" y="{number(y)}" width="{number(panel.width)}" height="{number(panel.height)}"'
        f' viewBox="0 0 {number(panel.width)} {number(panel.height)}">{fill(panel, scene)}</svg>'
        for panel, (x, y) in zip(panels, places, strict=True)
    )
    table = f'<rect width="100%" height="100%" fill="var(--table)"/>{nested}'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
        f' width="{number(width)}" height="{number(height)}" role="img" aria-label="{escape(game.title)}">'
    )
    return head + _standing_alone(symbols(game) + table, theme, game.name) + "</svg>"


def _arrange(panels: Sequence[Panel], players: int) -> tuple[list[tuple[float, float]], float, float]:
    """Where each panel goes, and the size of the whole: columns, each in the middle of the height."""
    tall = players == 2 and panels[1].height > panels[1].width
    columns = [[panels[n] for n in column] for column in (_TWO_TALL if tall else _COLUMNS[players])]
    heights = [sum(panel.height + _GAP for panel in column) - _GAP for column in columns]
    tallest = max(heights)
    places: dict[str, tuple[float, float]] = {}
    left = _MARGIN
    for column, height in zip(columns, heights, strict=True):
        widest = max(panel.width for panel in column)
        top = _MARGIN + (tallest - height) / 2
        for panel in column:
            places[panel.name] = left + (widest - panel.width) / 2, top
            top += panel.height + _GAP
        left += widest + _GAP
    return [places[panel.name] for panel in panels], left - _GAP + _MARGIN, tallest + 2 * _MARGIN


def _standing_alone(drawing: str, theme: str, game: str) -> str:
    """Colours written out, and names that do not meet those of another picture on the same page."""
    colours = palette(theme, game)
    drawing = re.sub(r"var\(--([\w-]+)[^)]*\)", lambda found: colours[found[1]], drawing)
    return re.sub(r'(id="|href="#|url\(#)([\w-]+)', rf"\1{theme}-{game}-\2", drawing)
