"""The picture of Azul Mini: that of Azul in other colours, with another border."""

from __future__ import annotations

from tilewright.games.azul.picture import PALETTE as PALETTE_OF_AZUL
from tilewright.games.azul.picture import buttons, panels, paths, place_names, scene, symbols, tile_names
from tilewright.view.picture.frame import scalloped_border as border

__all__ = [
    "PALETTE",
    "border",
    "buttons",
    "panels",
    "paths",
    "place_names",
    "scene",
    "symbols",
    "tile_names",
]

PALETTE = PALETTE_OF_AZUL | {
    "light": PALETTE_OF_AZUL["light"]
    | {
        "table": "#dfe6dc",
        "plaster": "#f6f8ef",
        "plaster-deep": "#e6ecdf",
        "plaster-edge": "#b5c4b1",
        "muted": "#55635c",
        "accent": "#0e5f5c",
        "accent-soft": "#aed0c9",
        "on-accent": "#f8fbf3",
        "gold": "#b06a3a",
        "dish": "#fcfdf8",
        "dish-rim": "#9fb5a9",
        "dish-line": "#5aa39b",
        "cell": "#e0e8da",
        "cell-edge": "#a9bcab",
        "turn": "#cf6f3c",
        "tile-blue": "#1d63a8",
        "tile-yellow": "#efc04a",
        "tile-red": "#c2503f",
        "tile-marker-ink": "#0e5f5c",
    },
    "dark": PALETTE_OF_AZUL["dark"]
    | {
        "table": "#101c1d",
        "plaster": "#1b2b2c",
        "plaster-deep": "#152324",
        "plaster-edge": "#35504f",
        "muted": "#a8bbb4",
        "accent": "#6fc4b9",
        "accent-soft": "#2a5654",
        "on-accent": "#0c1d1d",
        "gold": "#dd9a68",
        "dish": "#233738",
        "dish-rim": "#4b6a68",
        "dish-line": "#3f8f87",
        "cell": "#142223",
        "cell-edge": "#3d5857",
        "turn": "#e59563",
        "tile-blue": "#2b73bd",
        "tile-yellow": "#dcae3d",
        "tile-red": "#c2503f",
        "tile-marker-ink": "#0e5f5c",
    },
}
