"""Drawings of tiles: glazed, bevelled, and each colour with a painted motif, so that colour is never the only clue.

Kinds are painted by their names: those in ``MOTIFS`` have a motif, every other kind shows its letter. Every symbol has
the viewBox ``0 0 40 40``. A motif is drawn once, in one ink (``currentColor``) round the origin, and serves the square
tile, the rhombus and the faint print on an empty space. The page holds the symbols once, in an ``<svg>`` of no size
(not hidden with ``display:none``, which would switch the gradient off).

Every painted kind has a second, plain motif: one large shape that is recognised at a glance and at any size. The tile
set says which of the two is shown (``motif-painted``, ``motif-plain`` in the palette).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.game.game import Game
from tilewright.view.picture.drawing import number
from tilewright.view.picture.palette import LIGHT, NUMBERED, own_colours, var
from tilewright.view.picture.style import SERIF

MARKER = "marker"
"""The kind of the starting player marker."""
JOKER = "joker"
"""The name of the kind that is every colour."""


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
    "blue": _round("M0-2.5C-5.5-6-5-12.5 0-17C5-12.5 5.5-6 0-2.5Z", 4, 45) + _dots(11.5, 1.9, 4) + '<circle r="1.7"/>',
    # A sun with eight rays.
    "yellow": '<circle r="5.6"/>' + _round("M-2.9-7.6L0-15.2L2.9-7.6Q0-8.7-2.9-7.6Z", 8),
    # A lozenge in a lozenge.
    "red": '<path d="M0-15.5L15.5 0L0 15.5L-15.5 0Z" fill="none" stroke="currentColor" stroke-width="3"/>'
    '<path d="M0-7.6L7.6 0L0 7.6L-7.6 0Z"/>',
    # A cross with flared arms.
    "black": _round("M-1.6-2.6L-6.4-14.6Q0-11.6 6.4-14.6L1.6-2.6Q0-1.6-1.6-2.6Z", 4),
    # An eight-pointed star, open in the middle.
    "white": '<path fill="none" stroke="currentColor" stroke-width="2.6" stroke-linejoin="round" '
    'd="M-9.6-9.6H9.6V9.6H-9.6ZM0-13.6L13.6 0L0 13.6L-13.6 0Z"/><circle r="3.2"/>',
    # A ring round a disc.
    "purple": '<circle r="12.2" fill="none" stroke="currentColor" stroke-width="3.6"/><circle r="5.2"/>',
    # A clover leaf.
    "green": _round("M0 0C-10-4-9-15.5-3.4-15.5C-1.4-15.5-.4-14.4 0-13C.4-14.4 1.4-15.5 3.4-15.5C9-15.5 10-4 0 0Z", 3)
    + '<circle r="2.2"/>',
    # Three waves.
    "orange": '<path fill="none" stroke="currentColor" stroke-width="3.4" stroke-linecap="round" '
    'stroke-linejoin="round" '
    'd="M-13-6.6L-6.5-11.6L0-6.6L6.5-11.6L13-6.6M-13 2.5L-6.5-2.5L0 2.5L6.5-2.5L13 2.5'
    'M-13 11.6L-6.5 6.6L0 11.6L6.5 6.6L13 11.6"/>',
}

PLAIN_MOTIFS = {
    "blue": '<circle r="11.5"/>',
    "yellow": '<path d="M0-13.5L13.2 10.5H-13.2Z"/>',
    "red": '<path d="M0-14.5L14.5 0L0 14.5L-14.5 0ZM0-5.8L-5.8 0L0 5.8L5.8 0Z"/>',
    "black": '<path d="M-13-8L-8-13L0-5L8-13L13-8L5 0L13 8L8 13L0 5L-8 13L-13 8L-5 0Z"/>',
    "white": '<path d="M-12-12H12V12H-12ZM-6.4-6.4V6.4H6.4V-6.4Z"/>',
    "purple": '<path d="M-4-13H4V-4H13V4H4V13H-4V4H-13V-4H-4Z"/>',
    "green": '<path d="M-12-12.5H-6V12.5H-12ZM-3-12.5H3V12.5H-3ZM6-12.5H12V12.5H6Z"/>',
    "orange": '<path d="M0-13.5L13-1.5V6L0-5.5L-13 6V-1.5ZM0 1L13 13V14.5H4.5L0 10L-4.5 14.5H-13V13Z"/>',
}
_STAR = "M0-15L4.1-5.2L14.3-4.6L6.5 2L9 12.1L0 6.6L-9 12.1L-6.5 2L-14.3-4.6L-4.1-5.2Z"

_PETALS = ("blue", "yellow", "red", "black") * 2
_GLAZE = (
    '<linearGradient id="glaze" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".3"/>'
    '<stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".2"/>'
    "</linearGradient>"
)
_GLOSS = (
    f'<g id="gloss" opacity="{var("tile-gloss")}">'
    '<rect x="1" y="1" width="38" height="38" rx="4.5" fill="url(#glaze)"/>'
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
    f'<g id="rhomb-gloss" opacity="{var("tile-gloss")}"><path d="{_RHOMBUS}" fill="url(#glaze)"/>'
    '<path d="M10.9 20L20 4.2L28.4 18.6" fill="none" '
    'stroke="#fff" stroke-opacity=".5" stroke-linecap="round" stroke-linejoin="round"/>'
    '<path d="M29.1 20L20 35.8L11.6 21.4" fill="none" stroke="#000" stroke-opacity=".22" '
    'stroke-linecap="round" stroke-linejoin="round"/></g>'
)


@dataclass(frozen=True)
class Kind:
    """How tiles of a kind are painted: their letter in names, their colours and their motif."""

    letter: str
    base: str
    ink: str
    print: str
    """The tone of the motif where it is printed on an empty space."""
    motif: str
    is_joker: bool = False
    narrow: float = 0.55
    """How much smaller the motif is on a rhombus."""


def kinds_of(game: Game) -> list[Kind]:
    """The kinds of a game: those that are painted here by name, those whose colours it brings, others by number."""
    own = own_colours(game.name, "light")
    named = zip(game.tiles.letters, game.tiles.names, strict=True)
    return [_kind(letter, name, n, own) for n, (letter, name) in enumerate(named)]


def _kind(letter: str, name: str, n: int, own: Mapping[str, str]) -> Kind:
    if name == JOKER:
        motif = _either_motif(_rosette(), f'<path d="{_STAR}"/>')
        return Kind(letter, var("tile-joker"), var("tile-joker-ink"), var("muted"), motif, is_joker=True)
    motif = _either_motif(MOTIFS[name], PLAIN_MOTIFS[name]) if name in MOTIFS else _initial(letter)
    if name in MOTIFS or f"tile-{name}" in own:
        base, ink, print_ = (var(f"tile-{name}{part}", {**own, **LIGHT}) for part in ("", "-ink", "-print"))
        return Kind(letter, base, ink, print_, motif, narrow=0.48 if name == "orange" else 0.55)
    number_ = n % NUMBERED + 1
    base = var(f"tile-{number_}")
    return Kind(letter, base, var(f"tile-{number_}-ink"), base, motif)


def _either_motif(painted: str, plain: str) -> str:
    """Both motifs of a kind; the tile set shows one of them."""
    shapes = f'<g display="{var("motif-plain")}" fill-rule="evenodd" transform="scale(.88)">{plain}</g>'
    return f'<g display="{var("motif-painted")}">{painted}</g>{shapes}'


def _initial(letter: str) -> str:
    """The motif of a kind that nobody has painted: its letter."""
    look = f'text-anchor="middle" font-size="25" font-weight="700" font-family="{SERIF}"'
    return f'<text y="8.6" {look} stroke="none">{letter.upper()}</text>'


def sheet(game: Game, *, rhombi: bool = False) -> str:
    """All that a page needs to show the tiles of a game, as the inside of an ``<svg>``."""
    kinds = kinds_of(game)
    motifs = "".join(f'<g id="motif-{kind.letter}" fill="currentColor">{kind.motif}</g>' for kind in kinds)
    shared = f"<defs>{_GLAZE}{_GLOSS}{_RHOMBUS_GLOSS}{_CORNERS}{_ORNAMENT}{motifs}</defs>{_cell()}"
    squares = "".join(_square(kind) + _print(kind) for kind in kinds) + _marker()
    return shared + squares + ("".join(_rhombus(kind) for kind in kinds) if rhombi else "")


def painted_sheet(names: Mapping[str, str]) -> str:
    """The symbols of square tiles of painted kinds, by their letters, for a drawing that belongs to no game."""
    kinds = [_kind(letter, name, 0, {}) for letter, name in names.items()]
    motifs = "".join(f'<g id="motif-{kind.letter}" fill="currentColor">{kind.motif}</g>' for kind in kinds)
    return f"<defs>{_GLAZE}{_GLOSS}{_CORNERS}{motifs}</defs>" + "".join(map(_square, kinds))


def _rosette() -> str:
    """The joker's motif: eight petals in the colours of the other tiles round a golden heart."""
    petal = "M0-3.4C-5-7-4.6-12 0-16C4.6-12 5-7 0-3.4Z"
    petals = "".join(
        f'<path d="{petal}" fill="{var("tile-" + colour)}" transform="rotate({45 * n})"/>'
        for n, colour in enumerate(_PETALS)
    )
    return f'{petals}<circle r="4.2" fill="{var("gold")}"/><circle r="1.7" fill="{var("tile-white")}"/>'


def _symbol(name: str, content: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 40 40">{content}</symbol>'


def _square(kind: Kind) -> str:
    base = f'<rect x="1" y="1" width="38" height="38" rx="4.5" fill="{kind.base}" {_edge()}/>'
    motif = f'<use href="#motif-{kind.letter}" transform="translate(20 20)"/>'
    frame = '<rect x="4.4" y="4.4" width="31.2" height="31.2" rx="2.5" fill="none" stroke="currentColor"/>'
    corners = frame if kind.is_joker else f'<use href="#corners" opacity="{var("tile-ornament")}"/>'
    return _symbol(f"tile-{kind.letter}", f'{base}<g color="{kind.ink}">{corners}{motif}</g><use href="#gloss"/>')


def _edge() -> str:
    strength = f'stroke-opacity="{var("tile-edge-opacity")}" stroke-width="{var("tile-edge-width")}"'
    return f'stroke="{var("tile-edge")}" {strength}'


def _print(kind: Kind) -> str:
    """The motif as it is printed where no tile lies yet: told apart as well as the tile, but plainly not one."""
    motif = f'<use href="#motif-{kind.letter}" transform="translate(20 20)" color="{kind.print}"/>'
    return _symbol(f"print-{kind.letter}", motif)


def _rhombus(kind: Kind) -> str:
    """A tile standing on its long diagonal (40, the height of the viewBox), and its faint print."""
    base = f'<path d="{_RHOMBUS}" fill="{kind.base}" {_edge()} stroke-linejoin="round"/>'
    motif = f'<use href="#motif-{kind.letter}" transform="translate(20 20) scale({number(kind.narrow)})"/>'
    tips = '<path d="M20 5.6l1.6 3L20 11.6l-1.6-3ZM20 34.4l1.6-3L20 28.4l-1.6 3Z" fill="currentColor" '
    tips += f'opacity="{var("tile-ornament")}"/>'
    painted = f'<g color="{kind.ink}">{tips}{motif}</g>'
    return _symbol(f"rhomb-{kind.letter}", base + painted + '<use href="#rhomb-gloss"/>') + _symbol(
        f"rhomb-print-{kind.letter}", f'<g color="{kind.print}">{motif}</g>'
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
