"""The few kinds of element that drawings are made of and a client knows.

Colours are names of the palette. A *slot* has room for a tile, a *spot* can be clicked, a *mark* is an element that is
seen only while it has the attribute ``data-marked``, a *text* is filled in by the scene.
"""

from __future__ import annotations

from html import escape

from tilewright.view.picture.drawing import SQUARE, Drawing, Mark, Markup, Slot, Text, number
from tilewright.view.picture.palette import var

SERIF = "Palatino,'Palatino Linotype','Book Antiqua',Georgia,serif"
SANS = "'Segoe UI',system-ui,'Helvetica Neue',Arial,'Liberation Sans',sans-serif"


def slot(
    name: str, place: str, x: float, y: float, size: float, *, turn: float = 0, shape: str = SQUARE, reach: float = 0
) -> Drawing:
    """Room for one tile of a size round a point; an empty place name for slots whose tiles are never clicked."""
    return Drawing((Slot(name, place, x, y, size, turn, shape, reach),))


def spot(name: str, label: str, content: Markup) -> Drawing:
    """Something that can be clicked, with its name for those who cannot see it."""
    head = f'<g data-spot="{name}" role="img" aria-label="{escape(label)}"><title>{escape(label)}</title>'
    return Drawing((head,)) + content + "</g>"


def named(label: str, content: Markup, **attributes: str) -> Drawing:
    """A group with a name that cannot be clicked: a factory, the bag."""
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    head = f'<g role="group" aria-label="{escape(label)}"{more}><title>{escape(label)}</title>'
    return Drawing((head,)) + content + "</g>"


def moved(x: float, y: float, content: Markup) -> Drawing:
    """A group whose origin is at a point."""
    return Drawing((f'<g transform="translate({number(x)} {number(y)})">',)) + content + "</g>"


def mark(name: str, content: Markup) -> Drawing:
    """Something seen only while the scene marks it."""
    return Drawing((Mark(name, Drawing() + content),))


def either(fine: Markup, bold: Markup) -> Drawing:
    """Something drawn twice: finely, and boldly for boards that a page shows small (its style sheet chooses)."""
    return Drawing(('<g class="fine">',)) + fine + '</g><g class="bold" display="none">' + bold + "</g>"


def lettering(
    x: float,
    y: float,
    content: str,
    *,
    size: float = 13,
    anchor: str = "start",
    fill: str = "ink",
    bold: bool = False,
    serif: bool = False,
) -> str:
    """A line of text that stays."""
    return f"<text {_letters(x, y, size, anchor, fill, bold, serif)}>{escape(content)}</text>"


def text(
    x: float,
    y: float,
    key: str,
    *,
    size: float = 13,
    anchor: str = "start",
    fill: str = "ink",
    bold: bool = False,
    serif: bool = False,
) -> Drawing:
    """A line of text that the scene fills in."""
    return Drawing((Text(key, _letters(x, y, size, anchor, fill, bold, serif)),))


def _letters(x: float, y: float, size: float, anchor: str, fill: str, bold: bool, serif: bool) -> str:
    look = f'text-anchor="{anchor}" ' if anchor != "start" else ""
    look += 'font-weight="700" ' if bold else ""
    look += f'font-family="{SERIF}" ' if serif else ""
    return f'{look}x="{number(x)}" y="{number(y)}" font-size="{number(size)}" fill="{var(fill)}"'


def rect(x: float, y: float, width: float, height: float, radius: float, fill: str, more: str = "") -> str:
    """A rectangle in a colour of the palette (or ``none``)."""
    colour = fill if fill == "none" else var(fill)
    shape = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="{number(radius)}"'
    return f'<rect {shape} fill="{colour}"{" " + more if more else ""}/>'


def circle(x: float, y: float, radius: float, fill: str, more: str = "") -> str:
    """A circle in a colour of the palette (or ``none``)."""
    colour = fill if fill == "none" else var(fill)
    shape = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
    return f'<circle {shape} fill="{colour}"{" " + more if more else ""}/>'


def stroke(name: str, width: float = 1, opacity: float = 1) -> str:
    """The attributes of a line in a colour of the palette."""
    faint = f' stroke-opacity="{number(opacity)}"' if opacity != 1 else ""
    return f'stroke="{var(name)}" stroke-width="{number(width)}"{faint}'
