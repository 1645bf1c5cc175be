"""Drawings of tiles: glazed, bevelled, and each colour with a painted motif of its own, never told by colour alone.

Every symbol has the viewBox ``0 0 40 40``. A motif is drawn once, in one ink (``currentColor``) round the origin,
and serves the square tile, the rhombus and the faint print on an empty wall cell. The page holds the symbols once,
in an ``<svg>`` of no size (not hidden with ``display:none``, which would switch the gradient off).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from tilewright.view.picture.style import number, var

NAMES = {
    "b": "blue",
    "y": "yellow",
    "r": "red",
    "k": "black",
    "w": "white",
    "j": "joker",
    "p": "purple",
    "g": "green",
    "o": "orange",
}
"""The colour of each letter, as the palette calls it. No two games use a letter for different colours."""

MARKER = "marker"
"""The kind of the starting player marker."""


def _round(path: str, times: int, first: float = 0) -> str:
    """A path repeated round the origin."""
    turns = (first + 360 * n / times for n in range(times))
    return "".join(f'<path d="{path}"' + (f' transform="rotate({number(t)})"' if t else "") + "/>" for t in turns)


def _dots(radius: float, size: float, times: int, first: float = 0) -> str:
    turns = (first + 360 * n / times for n in range(times))
    return "".join(
        f'<circle cy="{number(-radius)}" r="{number(size)}"' + (f' transform="rotate({number(t)})"' if t else "") + "/>"
        for t in turns
    )


MOTIFS = {
    # Four leaves towards the corners, four dots between them.
    "b": _round("M0-2.5C-5.5-6-5-12.5 0-17C5-12.5 5.5-6 0-2.5Z", 4, 45) + _dots(11.5, 1.9, 4) + '<circle r="1.7"/>',
    # A sun with eight rays.
    "y": '<circle r="5.6"/>' + _round("M-2.9-7.6L0-15.2L2.9-7.6Q0-8.7-2.9-7.6Z", 8),
    # A lozenge in a lozenge.
    "r": '<path d="M0-15.5L15.5 0L0 15.5L-15.5 0Z" fill="none" stroke="currentColor" stroke-width="3"/>'
    '<path d="M0-7.6L7.6 0L0 7.6L-7.6 0Z"/>',
    # A cross with flared arms.
    "k": _round("M-1.6-2.6L-6.4-14.6Q0-11.6 6.4-14.6L1.6-2.6Q0-1.6-1.6-2.6Z", 4),
    # An eight-pointed star, open in the middle.
    "w": '<path fill="none" stroke="currentColor" stroke-width="2.6" stroke-linejoin="round" '
    'd="M-9.6-9.6H9.6V9.6H-9.6ZM0-13.6L13.6 0L0 13.6L-13.6 0Z"/><circle r="3.2"/>',
    # A ring round a disc.
    "p": '<circle r="12.2" fill="none" stroke="currentColor" stroke-width="3.6"/><circle r="5.2"/>',
    # A clover leaf.
    "g": _round("M0 0C-10-4-9-15.5-3.4-15.5C-1.4-15.5-.4-14.4 0-13C.4-14.4 1.4-15.5 3.4-15.5C9-15.5 10-4 0 0Z", 3)
    + '<circle r="2.2"/>',
    # Three waves.
    "o": '<path fill="none" stroke="currentColor" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round" '
    'd="M-13-6.6L-6.5-11.6L0-6.6L6.5-11.6L13-6.6M-13 2.5L-6.5-2.5L0 2.5L6.5-2.5L13 2.5'
    'M-13 11.6L-6.5 6.6L0 11.6L6.5 6.6L13 11.6"/>',
}

_PETALS = ("blue", "yellow", "red", "black") * 2
_GLAZE = (
    '<linearGradient id="glaze" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".3"/>'
    '<stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".2"/>'
    "</linearGradient>"
)
_GLOSS = (
    '<g id="gloss"><rect x="1" y="1" width="38" height="38" rx="4.5" fill="url(#glaze)"/>'
    '<path d="M3 31V7.5Q3 3 7.5 3H31" fill="none" stroke="#fff" stroke-width="1.5" stroke-opacity=".5" '
    'stroke-linecap="round"/><path d="M37 9V32.5Q37 37 32.5 37H9" fill="none" stroke="#000" stroke-width="1.5" '
    'stroke-opacity=".22" stroke-linecap="round"/></g>'
)
_CORNERS = (
    '<path id="corners" fill="none" stroke="currentColor" stroke-width="1.3" stroke-opacity=".55" '
    'd="M1 9.5A8.5 8.5 0 0 0 9.5 1M30.5 1A8.5 8.5 0 0 0 39 9.5M39 30.5A8.5 8.5 0 0 0 30.5 39'
    'M9.5 39A8.5 8.5 0 0 0 1 30.5"/>'
)
_ORNAMENT = (
    f'<g id="ornament" fill="currentColor">{_round("M0-10C-8.5-19-6.5-31 0-39C6.5-31 8.5-19 0-10Z", 8)}'
    f'<circle r="6.5"/>{_dots(33, 2.4, 8, 22.5)}</g>'
)
_RHOMBUS = "M20 .6L31.2 20L20 39.4L8.8 20Z"
_RHOMBUS_GLOSS = (
    f'<g id="rhomb-gloss"><path d="{_RHOMBUS}" fill="url(#glaze)"/><path d="M10.9 20L20 4.2L28.4 18.6" fill="none" '
    'stroke="#fff" stroke-opacity=".5" stroke-linecap="round" stroke-linejoin="round"/>'
    '<path d="M29.1 20L20 35.8L11.6 21.4" fill="none" stroke="#000" stroke-opacity=".22" '
    'stroke-linecap="round" stroke-linejoin="round"/></g>'
)


@cache
def shared(kinds: str = "".join(NAMES)) -> str:
    """What the symbols of these kinds refer to. Once on a page."""
    motifs = "".join(f'<g id="motif-{k}" fill="currentColor">{MOTIFS[k]}</g>' for k in kinds if k in MOTIFS)
    motifs += f'<g id="motif-j">{_rosette()}</g>' if "j" in kinds else ""
    return f"<defs>{_GLAZE}{_GLOSS}{_RHOMBUS_GLOSS}{_CORNERS}{_ORNAMENT}{motifs}</defs>{_cell()}"


@cache
def sheet(kinds: str, *, rhombi: bool = False) -> str:
    """All that a page needs to show the tiles of a game, as the inside of an ``<svg>``."""
    return shared(kinds) + symbols(kinds) + (rhombus_symbols(kinds) if rhombi else "")


def _rosette() -> str:
    """The joker's motif: eight petals in the colours of the other tiles round a golden heart."""
    petal = "M0-3.4C-5-7-4.6-12 0-16C4.6-12 5-7 0-3.4Z"
    petals = "".join(
        f'<path d="{petal}" fill="{var("tile-" + colour)}" transform="rotate({45 * n})"/>'
        for n, colour in enumerate(_PETALS)
    )
    return f'{petals}<circle r="4.2" fill="{var("gold")}"/><circle r="1.7" fill="{var("tile-white")}"/>'


def symbols(kinds: Iterable[str]) -> str:
    """``<symbol id="tile-b">`` and a faint ``<symbol id="print-b">`` for empty cells, for each letter; and the marker.

    >>> symbols("b").count("<symbol")
    3
    """
    return "".join(_square(kind) + _print(kind) for kind in kinds if kind != MARKER) + _marker()


def rhombus_symbols(kinds: Iterable[str]) -> str:
    """``<symbol id="rhomb-r">``, standing on its long diagonal (40, the height of the viewBox), and its faint print
    ``rhomb-print-r``.
    """
    return "".join(_rhombus(kind) for kind in kinds if kind != MARKER)


def _symbol(name: str, content: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 40 40">{content}</symbol>'


def _ink(kind: str) -> str:
    return var("gold") if kind == "j" else var(f"tile-{NAMES[kind]}-ink")


def _square(kind: str) -> str:
    base = f'<rect x="1" y="1" width="38" height="38" rx="4.5" fill="{var("tile-" + NAMES[kind])}" {_edge()}/>'
    motif = f'<use href="#motif-{kind}" transform="translate(20 20)"/>'
    frame = f'<rect x="4.4" y="4.4" width="31.2" height="31.2" rx="2.5" fill="none" stroke="{var("gold")}"/>'
    corners = frame if kind == "j" else '<use href="#corners"/>'
    return _symbol(f"tile-{kind}", f'{base}<g color="{_ink(kind)}">{corners}{motif}</g><use href="#gloss"/>')


def _edge() -> str:
    return f'stroke="{var("tile-edge")}" stroke-opacity=".55"'


def _print(kind: str) -> str:
    """The motif as it is printed where no tile lies yet: told apart as well as the tile, but plainly not one."""
    tone = var("muted") if kind == "j" else var(f"tile-{NAMES[kind]}-print")
    return _symbol(f"print-{kind}", f'<use href="#motif-{kind}" transform="translate(20 20)" color="{tone}"/>')


def _rhombus(kind: str) -> str:
    base = f'<path d="{_RHOMBUS}" fill="{var("tile-" + NAMES[kind])}" {_edge()} stroke-linejoin="round"/>'
    motif = f'<use href="#motif-{kind}" transform="translate(20 20) scale({".48" if kind == "o" else ".55"})"/>'
    tips = '<path d="M20 5.6l1.6 3L20 11.6l-1.6-3ZM20 34.4l1.6-3L20 28.4l-1.6 3Z" fill="currentColor"/>'
    painted = f'<g color="{_ink(kind)}">{tips}{motif}</g>'
    tone = var(f"tile-{NAMES[kind]}-print")
    return _symbol(f"rhomb-{kind}", base + painted + '<use href="#rhomb-gloss"/>') + _symbol(
        f"rhomb-print-{kind}", f'<g color="{tone}">{motif}</g>'
    )


def _marker() -> str:
    """The starting player marker: a tile of its own with a large 1."""
    base = f'<rect x="1" y="1" width="38" height="38" rx="10" fill="{var("tile-marker")}" {_edge()}/>'
    ring = f'<circle cx="20" cy="20" r="14.5" fill="none" stroke="{var("gold")}" stroke-width="2"/>'
    one = f'<path d="M15 14.6L20.6 10H23.6V27H27V30H16V27H19.6V15.4L15.6 18Z" fill="{var("tile-marker-ink")}"/>'
    return _symbol(f"tile-{MARKER}", base + ring + one + '<use href="#gloss"/>')


def _cell() -> str:
    """An empty space for a square tile: a shallow hollow, lit from the upper left as the tiles are."""
    base = f'<rect x=".7" y=".7" width="38.6" height="38.6" rx="4.5" fill="{var("cell")}" stroke="{var("cell-edge")}"/>'
    shade = f'<path d="M2.4 35V6.4Q2.4 2.4 6.4 2.4H35" fill="none" stroke="{var("shadow")}" stroke-opacity=".16" '
    return _symbol("cell", base + shade + 'stroke-width="2.4" stroke-linecap="round"/>')


def cell(x: float, y: float, size: float) -> str:
    """An empty space for a square tile round a point."""
    corner = f'x="{number(x - size / 2)}" y="{number(y - size / 2)}"'
    return f'<use href="#cell" {corner} width="{number(size)}" height="{number(size)}"/>'


def ornament(x: float, y: float, radius: float, *, opacity: float = 0.3, turn: float = 0) -> str:
    """A painted rosette, fainter than any tile and unlike all of them, for empty plaster."""
    where = f"translate({number(x)} {number(y)}) rotate({number(turn)}) scale({number(radius / 39)})"
    tone = f'color="{var("accent-soft")}" opacity="{number(opacity)}"'
    return f'<use href="#ornament" transform="{where}" {tone}/>'


def place_tile(kind: str, shape: str = "tile") -> str:
    """A tile inside a slot."""
    return f'<use href="#{shape}-{kind}" x="-20" y="-20" width="40" height="40"/>'
