"""The Joker tile: a frame round a rosette in the colours of the other tiles, for it can be any of them."""

from __future__ import annotations

from tilewright.games.azul.notation import TILES
from tilewright.games.azul.rules import JOKER
from tilewright.view.picture.palette import var
from tilewright.view.picture.tiles import Kind, either_motif

PALETTE = {
    "light": {"tile-joker": "#fff6dd", "tile-joker-ink": "#b8862b"},
    "dark": {"tile-joker": "#ece1c4", "tile-joker-ink": "#8a6420"},
    "clear": {"tile-joker": "#8b858a", "tile-joker-ink": "#0b0b0d"},
    "bold": {"tile-joker": "#c4c4c4", "tile-joker-ink": "#000000"},
}
"""Its colours in the themes and tile sets, which know the other colours of the game by name."""
_PETAL = "M0-3.4C-5-7-4.6-12 0-16C4.6-12 5-7 0-3.4Z"
_PETALS = ("blue", "yellow", "red", "black") * 2
_STAR = "M0-15L4.1-5.2L14.3-4.6L6.5 2L9 12.1L0 6.6L-9 12.1L-6.5 2L-14.3-4.6L-4.1-5.2Z"


def joker() -> Kind:
    """How the Joker is painted."""
    motif = either_motif(_rosette(), f'<path d="{_STAR}"/>')
    base, ink = (var(name, PALETTE["light"]) for name in ("tile-joker", "tile-joker-ink"))
    return Kind(TILES.letters[JOKER], base, ink, var("muted"), motif, is_framed=True)


def _rosette() -> str:
    """Eight petals round a golden heart."""
    petals = "".join(
        f'<path d="{_PETAL}" fill="{var("tile-" + colour)}" transform="rotate({45 * n})"/>'
        for n, colour in enumerate(_PETALS)
    )
    return f'{petals}<circle r="4.2" fill="{var("gold")}"/><circle r="1.7" fill="{var("tile-white")}"/>'
