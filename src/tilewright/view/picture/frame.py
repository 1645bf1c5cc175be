"""What a panel is painted on: a slab of plaster with a border. A game's picture may bring its own ``border``."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from tilewright.game.game import Game
from tilewright.view.picture.drawing import Drawing, Markup, number
from tilewright.view.picture.palette import var
from tilewright.view.picture.style import SANS, circle, rect, stroke


def frame(game: Game, width: float, height: float, content: Markup, label: str, *, bordered: bool = True) -> Drawing:
    """A panel's outermost group: its game (for the colours), its name and its letters."""
    border: Callable[[float, float], str] = getattr(game.spec.part("picture"), "border", ruled_border)
    slab = rect(1, 1, width - 2, height - 2, 14, "plaster", stroke("plaster-edge", 1.5))
    head = f'<g data-game="{game.name}" role="group" aria-label="{escape(label)}" font-family="{escape(SANS)}">'
    return head + slab + (border(width, height) if bordered else "") + Drawing() + content + "</g>"


def ruled_border(width: float, height: float) -> str:
    """A painted line with a leaf in each corner."""
    inset = 7.0
    line = rect(inset, inset, width - 2 * inset, height - 2 * inset, 9, "none", stroke("accent", 1.4, 0.5))
    leaf = f'{circle(0, 0, 5.5, "plaster")}<path d="M-3-3Q8-4 9 9Q-4 8-3-3Z" fill="{var("accent")}"/>'
    return line + _in_corners(width, height, inset + 2, leaf + circle(3, 3, 1.6, "gold"))


def scalloped_border(width: float, height: float) -> str:
    """A double line that turns inwards at the corners, round a golden dot."""
    lines = ""
    for inset, bite, thick in ((6.0, 10.0, 1.8), (10.0, 8.0, 0.8)):
        arc = f"a{number(bite)} {number(bite)} 0 0 0"
        across, down = number(width - 2 * (inset + bite)), number(height - 2 * (inset + bite))
        lines += (
            f'<path d="M{number(inset + bite)} {number(inset)}h{across}{arc} {number(bite)} {number(bite)}v{down}'
            f"{arc} {number(-bite)} {number(bite)}h-{across}{arc} {number(-bite)} {number(-bite)}v-{down}"
            f'{arc} {number(bite)} {number(-bite)}z" fill="none" {stroke("accent", thick, 0.6)}/>'
        )
    return lines + _in_corners(width, height, 8.5, circle(0, 0, 2.6, "gold"))


def _in_corners(width: float, height: float, inset: float, ornament: str) -> str:
    """An ornament drawn for the upper left corner, in all four."""
    return "".join(
        f'<g transform="translate({number(x)} {number(y)}) scale({sx} {sy})">{ornament}</g>'
        for x, sx in ((inset, 1), (width - inset, -1))
        for y, sy in ((inset, 1), (height - inset, -1))
    )
