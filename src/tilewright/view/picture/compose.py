"""One whole picture of a position: the panels side by side, the tiles in their slots, colours filled in.

The web client puts a scene into the panels itself; this does the same in Python, for notebooks, files and the
command line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from typing import Protocol, cast

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.view.language import say
from tilewright.view.picture import tiles as drawn_tiles
from tilewright.view.picture.default import DefaultPicture
from tilewright.view.picture.drawing import number
from tilewright.view.picture.palette import plain_colours, var
from tilewright.view.picture.scene import Panel, Path, Scene
from tilewright.view.picture.tile_sets import GLAZED

_GAP, _MARGIN = 12.0, 14.0
_COLUMNS = {2: [[0], [1, 2]], 3: [[0, 1], [2, 3]], 4: [[1, 4], [0], [2, 3]]}
"""Which panels stand below each other: 0 is the market, the seats go round it clockwise."""

_TWO_TALL = [[1], [0], [2]]
"""Two boards that are taller than wide stand on either side of the market."""


class Picture(Protocol):
    """What a game's module of pictures provides.

    It may also have a ``PALETTE`` (see ``palette``), ``symbols(game)`` if its tiles are not the usual squares, and
    ``border(width, height)``, what is painted round a panel.
    """

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
    """The module that draws a game: its own, or the one that draws any game from the fields of its positions."""
    return cast(Picture, game.spec.part("picture") or _default_picture(game))


def is_laid_out(game: Game) -> bool:
    """Whether a game is drawn from its fields alone: no part of such a picture stands for the whole."""
    return game.spec.part("picture") is None


@cache
def _default_picture(game: Game) -> DefaultPicture:
    return DefaultPicture(game)


def symbols(game: Game) -> str:
    """The tiles of a game as symbols, for the ``<svg>`` of no size that a page begins with."""
    return _symbols(game, picture_of(game))


def _symbols(game: Game, picture: Picture) -> str:
    own: Callable[[Game], str] = getattr(picture, "symbols", drawn_tiles.sheet)
    return own(game)


def draw_svg(
    position: Position,
    names: Sequence[str] | None = None,
    language: str = "en",
    theme: str = "light",
    picture: Picture | None = None,
    tiles: str = GLAZED,
) -> str:
    """The whole table as one SVG that stands alone: it needs no style sheet.

    The picture is the game's own unless another one is given; ``tiles`` names a tile set.

    >>> from tilewright.game.registry import GAMES
    >>> games = [game() for game in GAMES.values()]
    >>> all(draw_svg(game.start(seed=7)).startswith("<svg") for game in games)
    True
    """
    game = position.game
    picture = picture or picture_of(game)
    names = list(names or (say(language, "page.player", number=seat + 1) for seat in range(game.players)))
    panels = picture.panels(game, names, language)
    scene = picture.scene(position)
    corners, width, height = _arrange(panels, game.players)
    nested = "".join(
        f'<svg x="{number(x)}" y="{number(y)}" width="{number(panel.width)}" height="{number(panel.height)}"'
        f' viewBox="0 0 {number(panel.width)} {number(panel.height)}">{panel.drawing.render(scene)}</svg>'
        for panel, (x, y) in zip(panels, corners, strict=True)
    )
    ground = f'<rect width="100%" height="100%" fill="{var("table")}"/>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
        f' width="{number(width)}" height="{number(height)}" role="img" aria-label="{escape(game.title)}">'
    )
    return head + standing_alone(_symbols(game, picture) + ground + nested, theme, game.name, tiles) + "</svg>"


def _arrange(panels: Sequence[Panel], players: int) -> tuple[list[tuple[float, float]], float, float]:
    """The upper left corner of each panel, and the size of the whole: columns, each in the middle of the height."""
    tall = players == 2 and panels[1].height > panels[1].width
    columns = [[panels[n] for n in column] for column in (_TWO_TALL if tall else _columns(players))]
    heights = [sum(panel.height + _GAP for panel in column) - _GAP for column in columns]
    tallest = max(heights)
    corners: dict[str, tuple[float, float]] = {}
    left = _MARGIN
    for column, height in zip(columns, heights, strict=True):
        widest = max(panel.width for panel in column)
        top = _MARGIN + (tallest - height) / 2
        for panel in column:
            corners[panel.name] = left + (widest - panel.width) / 2, top
            top += panel.height + _GAP
        left += widest + _GAP
    return [corners[panel.name] for panel in panels], left - _GAP + _MARGIN, tallest + 2 * _MARGIN


def _columns(players: int) -> list[list[int]]:
    """For a number of players without an arrangement of its own, half of them on either side of the market.

    >>> _columns(1), _columns(5)
    ([[1], [0]], [[1, 5], [0], [2, 3, 4]])
    """
    if players in _COLUMNS:
        return _COLUMNS[players]
    left = max(1, players // 2)
    seats = [1, *range(players, players - left + 1, -1)]
    return [column for column in (seats, [0], [n for n in range(1, players + 1) if n not in seats]) if column]


def standing_alone(svg: str, theme: str, game: str, tiles: str = GLAZED) -> str:
    """Colours written out, and ids that do not clash with those of another picture on the same page."""
    own = f"{theme}-{game}-"
    svg = svg.replace(' id="', f' id="{own}').replace(' href="#', f' href="#{own}')
    return plain_colours(svg.replace('="url(#', f'="url(#{own}'), theme, game, tiles)
