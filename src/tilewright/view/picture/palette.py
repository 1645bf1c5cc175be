"""The colours that all pictures share, by name, and those that a game changes.

In drawings they are CSS custom properties, ``var(--ink,#...)``: the web page changes them for the dark theme and for
each game (``stylesheet``), and a picture that stands alone has them written out (``plain_colours``). A game's picture
may bring a ``PALETTE``: what it changes in the light and in the dark theme, and colours for tiles of its own
(``tile-NAME``, ``tile-NAME-ink``, ``tile-NAME-print``). Tile sets (``tile_sets``) come before what a game brings: its
own tiles then have the colours of the set by number, unless its palette names the set too.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache
from typing import TypeGuard

from tilewright.game.registry import GAMES, find_spec
from tilewright.game.spec import GameSpec
from tilewright.game.validation import echo
from tilewright.view.picture.tile_sets import GLAZED, PROPERTIES, TILE_SETS

THEMES = ("light", "dark")

LIGHT = {
    "table": "#ece0c8",  # the table under everything
    "plaster": "#fbf5e6",  # boards
    "plaster-deep": "#f3e8d0",  # sunken parts of boards
    "plaster-edge": "#d8c7a2",
    "ink": "#2a2a33",
    "muted": "#6a5f4b",
    "accent": "#1f4a94",  # cobalt: frames, ornaments, headings
    "accent-soft": "#b9c9e6",
    "on-accent": "#fdf8ec",
    "gold": "#b8862b",
    "dish": "#fffdf6",
    "dish-rim": "#c3b491",
    "dish-line": "#7e97c6",
    "cell": "#efe4cb",  # an empty space for a tile
    "cell-edge": "#cbb88f",
    "penalty": "#a3341f",
    "gain": "#1d6b3a",
    "turn": "#d9992b",  # whose turn it is
    "shadow": "#5b4a26",
    "tile-blue": "#2558ab",
    "tile-blue-ink": "#e3edfd",
    "tile-yellow": "#f2b733",
    "tile-yellow-ink": "#7b4300",
    "tile-red": "#bf3b2b",
    "tile-red-ink": "#ffe6d6",
    "tile-black": "#2a2d38",
    "tile-black-ink": "#8fd0c6",
    "tile-white": "#f7f5ee",
    "tile-white-ink": "#177b86",
    "tile-purple": "#75408f",
    "tile-purple-ink": "#f3e0fb",
    "tile-green": "#3a8a4c",
    "tile-green-ink": "#e8f8d9",
    "tile-orange": "#e6742b",
    "tile-orange-ink": "#fff1dc",
    "tile-marker": "#fdf8ec",
    "tile-marker-ink": "#1f4a94",
    "tile-edge": "#1d1a14",
    "tile-blue-print": "#9bb3da",
    "tile-yellow-print": "#dcb052",
    "tile-red-print": "#dc9d8d",
    "tile-black-print": "#a9a79f",
    "tile-white-print": "#8fbab8",
    "tile-purple-print": "#c3abd0",
    "tile-green-print": "#a7c9a8",
    "tile-orange-print": "#ebbb93",
    "tile-1": "#2f6f9f",  # tiles of games that bring no colours of their own, by number
    "tile-2": "#d8a32c",
    "tile-3": "#a8452f",
    "tile-4": "#4d7d3f",
    "tile-5": "#6d4c8d",
    "tile-6": "#c9702e",
    "tile-7": "#3f8d8a",
    "tile-8": "#4c4a48",
} | PROPERTIES
_OWN_INK = "#fffaf0"
LIGHT |= {f"tile-{n}-ink": _OWN_INK for n in range(1, 9)}

DARK = LIGHT | {
    "table": "#151b27",
    "plaster": "#222b3b",
    "plaster-deep": "#1b2331",
    "plaster-edge": "#3c4a63",
    "ink": "#f0e9d8",
    "muted": "#b3b1a9",
    "accent": "#7fa6ea",
    "accent-soft": "#34507f",
    "on-accent": "#10182a",
    "gold": "#d9ac55",
    "dish": "#2b3548",
    "dish-rim": "#566583",
    "dish-line": "#5776b3",
    "cell": "#1a2130",
    "cell-edge": "#45536d",
    "penalty": "#f29b86",
    "gain": "#8fd6a5",
    "turn": "#e8b04a",
    "shadow": "#05070b",
    "tile-blue": "#2f66c2",
    "tile-yellow": "#e0a62c",
    "tile-black": "#0b0c11",
    "tile-white": "#dcd9cf",
    "tile-white-ink": "#0f626c",
    "tile-purple": "#8550a1",
    "tile-marker": "#e9e2d0",
    "tile-edge": "#8994a8",
    "tile-blue-print": "#3f5f9c",
    "tile-yellow-print": "#80693a",
    "tile-red-print": "#84463f",
    "tile-black-print": "#5b6270",
    "tile-white-print": "#4f7f83",
    "tile-purple-print": "#65487a",
    "tile-green-print": "#3f6a4a",
    "tile-orange-print": "#87552f",
}

NUMBERED = 8
"""The number of colours for tiles that have none of their own; further kinds start again with the first."""
THEME_COLOURS = {"light": LIGHT, "dark": DARK}
_DARK_ROOTS = (":root[data-theme=dark]", ":root:not([data-theme=light])")
"""The page that was chosen to be dark, and the one that follows the system."""


def own_colours(game: str, theme: str) -> Mapping[str, str]:
    """What the picture of a game changes in a theme; every tile that it colours has an ink and a print too."""
    own = _own_palette(find_spec(game)).get(theme, {})
    bases = {name: own[f"tile-{name}"] for name in find_spec(game).tiles.names if f"tile-{name}" in own}
    inks = {f"tile-{name}-ink": _OWN_INK for name in bases if theme == "light" and f"tile-{name}-ink" not in LIGHT}
    prints = {f"tile-{name}-print": base for name, base in bases.items() if f"tile-{name}-print" not in LIGHT}
    return {**inks, **prints, **own}


@cache
def _own_palette(spec: GameSpec) -> Mapping[str, Mapping[str, str]]:
    """The ``PALETTE`` of a game; one that is not made of colours is ignored, since every page contains all palettes."""
    own: object = getattr(spec.part("picture"), "PALETTE", {})
    if _is_palette(own):
        return own
    expected = "colours by name, as texts, for each of the themes light and dark, and for tile sets"
    warnings.warn(
        f"the PALETTE in the picture of {spec.title} should hold {expected}, not {echo(own)}; it is ignored",
        stacklevel=2,
    )
    return {}


def _is_palette(own: object) -> TypeGuard[Mapping[str, Mapping[str, str]]]:
    if not isinstance(own, Mapping) or not all(key in (*THEMES, *TILE_SETS) for key in own):
        return False
    return all(isinstance(colours, Mapping) and _are_colours(colours) for colours in own.values())


def _are_colours(colours: Mapping[object, object]) -> bool:
    return all(isinstance(name, str) and isinstance(colour, str) for name, colour in colours.items())


def palette(theme: str = "light", game: str = "", tiles: str = GLAZED) -> dict[str, str]:
    """All colours of a theme and tile set in a game; what it changes only in the light theme holds in both."""
    own = {**own_colours(game, "light"), **own_colours(game, theme)} if game else {}
    chosen = TILE_SETS[tiles]
    of_set = chosen["light"] | (chosen["dark"] if theme == "dark" else {})
    return THEME_COLOURS[theme] | own | of_set | (_own_tiles(game, tiles) if game else {})


def _own_tiles(game: str, tiles: str) -> dict[str, str]:
    """The tiles that only a game knows, in the colours of a set: those that it brings for it, else by number."""
    colours, own = TILE_SETS[tiles]["light"], own_colours(game, "light")
    found: dict[str, str] = {}
    for n, name in enumerate(find_spec(game).tiles.names):
        if colours and f"tile-{name}" in own and f"tile-{name}" not in LIGHT:
            base, ink = (colours[f"tile-{n % NUMBERED + 1}{part}"] for part in ("", "-ink"))
            found |= {f"tile-{name}": base, f"tile-{name}-ink": ink, f"tile-{name}-print": base}
    return {**found, **_own_palette(find_spec(game)).get(tiles, {})}


def var(name: str, colours: Mapping[str, str] = LIGHT) -> str:
    """A colour by name, with the light one for pages that have no style sheet."""
    return f"var(--{name},{colours[name]})"


def plain_colours(svg: str, theme: str, game: str, tiles: str = GLAZED) -> str:
    """A drawing with its colours written out, for readers that know no custom properties."""
    named = palette("light", game) | LIGHT
    for name, colour in palette(theme, game, tiles).items():
        svg = svg.replace(var(name, named), colour)
    return svg


def stylesheet() -> str:
    """Both themes for a web page: ``data-theme`` on its root, or what the system prefers; ``data-game`` inside.

    Tile sets come after them: ``data-tiles`` on the root.
    """
    rules = [_rule(":root", LIGHT), *(_game_rule("", game, "light") for game in GAMES)]
    for root in _DARK_ROOTS:
        dark = _rule(root, DARK) + "".join(_game_rule(f"{root} ", game, "dark") for game in GAMES)
        rules.append(_in_the_dark(root, dark))
    for name, colours in TILE_SETS.items():
        rules += _set_rules(name, colours)
    return "\n".join([*filter(None, rules), "[data-mark]:not([data-marked]){visibility:hidden}"])


def _set_rules(name: str, colours: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A tile set, for the page and for all games on it, whatever colours they bring."""
    own = {game: _own_tiles(game, name) for game in GAMES}
    own_rules = [_rule(f":root[data-tiles={name}] [data-game={game}]", found) for game, found in own.items() if found]
    if not colours["light"]:
        return own_rules
    light = _rule(f":root[data-tiles={name}],:root[data-tiles={name}] [data-game]", colours["light"])
    chosen = [f"{root}[data-tiles={name}]" for root in _DARK_ROOTS]
    dark = [_in_the_dark(root, _rule(f"{root},{root} [data-game]", colours["dark"])) for root in chosen]
    return [light, *dark, *own_rules]


def _in_the_dark(root: str, rules: str) -> str:
    """Rules for a dark page, as they are or for systems that prefer that."""
    return rules if root.startswith(_DARK_ROOTS[0]) else f"@media(prefers-color-scheme:dark){{{rules}}}"


def _game_rule(root: str, game: str, theme: str) -> str:
    own = own_colours(game, theme)
    return _rule(f"{root}[data-game={game}]", own) if own else ""


def _rule(selector: str, colours: Mapping[str, str]) -> str:
    return f"{selector}{{{''.join(f'--{name}:{colour};' for name, colour in colours.items())}}}"
