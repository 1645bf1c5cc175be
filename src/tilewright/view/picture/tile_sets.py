"""Tile sets: other looks of all tiles, and of the boards where that helps to tell things apart.

Every picture is drawn once, in the colours of the palette by name. A set changes these colours, and the few properties
of a tile that are not colours (``PROPERTIES``): so a page changes its set with one attribute (``data-tiles``), without
another drawing.

The colours of ``clear`` are told apart by all kinds of colour vision: any two tiles of a game differ by at least 17
(CIEDE2000, as drawn) for people without red, green or blue receptors, and each colour has a lightness of its own. Those
of ``bold`` have a contrast of at least 7 between a tile and its motif. ``tests/view/test_tile_sets.py`` measures both.
"""

from __future__ import annotations

from collections.abc import Mapping

GLAZED = "glazed"
"""The set that is shown unless another is chosen."""

PROPERTIES = {
    "tile-gloss": "1",  # the opacity of highlights,
    "tile-ornament": "1",  # and of what is painted round the motif
    "tile-edge-width": "1",
    "tile-edge-opacity": ".55",
    "print-behind": ".6",  # the opacity of a print on which a number stands
    "motif-painted": "inline",  # which of its two motifs a tile shows, as values of `display`
    "motif-plain": "none",
}
"""What a set may change of a tile besides its colours, as the glazed tiles have it."""

_PLAIN_MOTIFS = {"tile-ornament": "0", "print-behind": ".26", "motif-painted": "none", "motif-plain": "inline"}
_NAMES = ("blue", "yellow", "red", "green", "purple", "orange", "black", "white")


def _tiles(bases: Mapping[str, str], inks: Mapping[str, str], prints: Mapping[str, str]) -> dict[str, str]:
    """The colours of tiles by name, and by number for tiles of games that bring no colours of their own."""
    named = {f"tile-{name}": base for name, base in bases.items()}
    named |= {f"tile-{name}-ink": ink for name, ink in inks.items()}
    named |= {f"tile-{name}-print": tone for name, tone in prints.items()}
    numbered = {f"tile-{n}": bases[name] for n, name in enumerate(_NAMES, start=1)}
    return named | numbered | {f"tile-{n}-ink": inks[name] for n, name in enumerate(_NAMES, start=1)}


_CLEAR_TILES = {
    "blue": "#004fb5",
    "yellow": "#ffe81f",
    "red": "#b93120",
    "black": "#1d1b20",
    "white": "#fafdff",
    "purple": "#4f1844",
    "green": "#069b8e",
    "orange": "#e3853a",
}
_CLEAR_INKS = {
    "blue": "#ffffff",
    "yellow": "#231a00",
    "red": "#ffffff",
    "black": "#ffffff",
    "white": "#14181f",
    "purple": "#ffffff",
    "green": "#00110f",
    "orange": "#241000",
}
_CLEAR_LIGHT = _PLAIN_MOTIFS | _tiles(
    _CLEAR_TILES,
    _CLEAR_INKS,
    {
        "blue": "#5d86c4",
        "yellow": "#b39a00",
        "red": "#c97a68",
        "black": "#4a474f",
        "white": "#8d949c",
        "purple": "#8f6a86",
        "green": "#4fa89c",
        "orange": "#cf8a4e",
    },
)
_CLEAR_DARK = {
    "tile-blue-print": "#4a7ccc",
    "tile-yellow-print": "#b8a520",
    "tile-red-print": "#b5584a",
    "tile-black-print": "#6f6b76",
    "tile-white-print": "#c5ccd4",
    "tile-purple-print": "#93638a",
    "tile-green-print": "#2f9c90",
    "tile-orange-print": "#b8733a",
}

_BOLD_TILES = {
    "blue": "#0033a0",
    "yellow": "#ffd400",
    "red": "#b00020",
    "black": "#000000",
    "white": "#ffffff",
    "purple": "#5c0a7a",
    "green": "#00592f",
    "orange": "#ff8a1f",
}
_BOLD_INKS = {name: "#000000" if name in ("yellow", "white", "orange") else "#ffffff" for name in _BOLD_TILES}
_BOLD_TONES = dict.fromkeys(_BOLD_TILES, "#595959")
_BOLD_LIGHT = (
    _PLAIN_MOTIFS
    | {"tile-gloss": "0", "tile-edge-width": "2", "tile-edge-opacity": "1", "tile-edge": "#000000"}
    | _tiles(_BOLD_TILES, _BOLD_INKS, _BOLD_TONES)
    | {
        "tile-marker": "#ffffff",
        "tile-marker-ink": "#000000",
        "table": "#e6e6e6",
        "plaster": "#ffffff",
        "plaster-deep": "#f2f2f2",
        "plaster-edge": "#000000",
        "ink": "#000000",
        "muted": "#333333",
        "accent": "#001f7a",
        "accent-soft": "#c7d6ff",
        "on-accent": "#ffffff",
        "gold": "#7a5200",
        "dish": "#ffffff",
        "dish-rim": "#000000",
        "dish-line": "#5f78b8",
        "cell": "#ffffff",
        "cell-edge": "#000000",
        "penalty": "#8f0000",
        "gain": "#004a1c",
        "turn": "#c25e00",
        "shadow": "#000000",
    }
)
_BOLD_DARK = {
    "tile-edge": "#ffffff",
    "tile-marker": "#000000",
    "tile-marker-ink": "#ffffff",
    "table": "#000000",
    "plaster": "#0b0b0b",
    "plaster-deep": "#000000",
    "plaster-edge": "#ffffff",
    "ink": "#ffffff",
    "muted": "#dddddd",
    "accent": "#9cc2ff",
    "accent-soft": "#1d3a6e",
    "on-accent": "#000000",
    "gold": "#ffd25e",
    "dish": "#141414",
    "dish-rim": "#ffffff",
    "dish-line": "#5f86c9",
    "cell": "#000000",
    "cell-edge": "#ffffff",
    "penalty": "#ffa594",
    "gain": "#7dffab",
    "turn": "#ffb300",
} | {f"tile-{name}-print": "#a8a8a8" for name in _BOLD_TONES}

TILE_SETS: dict[str, dict[str, dict[str, str]]] = {
    GLAZED: {"light": {}, "dark": {}},
    "clear": {"light": _CLEAR_LIGHT, "dark": _CLEAR_DARK},
    "bold": {"light": _BOLD_LIGHT, "dark": _BOLD_DARK},
}
"""What each set changes in the light theme, and what of that differs in the dark one."""
