"""What can still be drawn of a game whose picture fails: a finished game must stay visible."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.errors import GameFault
from tilewright.game.position import Position
from tilewright.view.faults import warn_of
from tilewright.view.picture.compose import draw_svg
from tilewright.view.picture.default import DefaultPicture
from tilewright.view.picture.scene import Scene
from tilewright.view.picture.scenes import scene_of


def shown_scene(position: Position) -> Scene:
    """What lies where; nothing if the game cannot say, so that the rest of the page is shown."""
    try:
        return scene_of(position)
    except GameFault as fault:
        warn_of(fault)
        return Scene()


def shown_svg(position: Position, names: Sequence[str], language: str, theme: str) -> str:
    """The whole table as one picture, drawn from its fields if the game's own picture fails."""
    try:
        return draw_svg(position, names, language, theme)
    except GameFault as fault:
        warn_of(fault)
        return draw_svg(position, names, language, theme, DefaultPicture(position.game))
