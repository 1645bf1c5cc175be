"""The colours that all pictures share, by name, and those that a game changes.

In drawings they are CSS custom properties, ``var(--ink,#...)``: the web page changes them for the dark theme and for
each game (``stylesheet``), and a picture that stands alone has them written out (``plain_colours``). A game's picture
may bring a ``PALETTE``: what it changes in the light and in the dark theme, and colours for tiles of its own
(``tile-NAME``, ``tile-NAME-ink``, ``tile-NAME-print``).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache
from typing import TypeGuard

from tilewright.game.registry import GAMES, find_spec
from tilewright.game.spec import GameSpec
from tilewright.game.validation import echo

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
    "tile-joker": "#fff6dd",
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
    "tile-own-ink": "#fffaf0",
}

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
    "tile-joker": "#ece1c4",
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


def own_colours(game: str, theme: str) -> Mapping[str, str]:
    """What the picture of a game changes in a theme."""
    return _own_palette(find_spec(game)).get(theme, {})


@cache
def _own_palette(spec: GameSpec) -> Mapping[str, Mapping[str, str]]:
    """The ``PALETTE`` of a game; one that is not made of colours is ignored, since every page contains all palettes."""
    own: object = getattr(spec.part("picture"), "PALETTE", {})
    if _is_palette(own):
        return own
    expected = "colours by name, as texts, for each of the themes light and dark"
    warnings.warn(
        f"the PALETTE in the picture of {spec.title} should hold {expected}, not {echo(own)}; it is ignored",
        stacklevel=2,
    )
    return {}


def _is_palette(own: object) -> TypeGuard[Mapping[str, Mapping[str, str]]]:
    if not isinstance(own, Mapping) or not all(theme in THEMES for theme in own):
        return False
    return all(isinstance(colours, Mapping) and _are_colours(colours) for colours in own.values())


def _are_colours(colours: Mapping[object, object]) -> bool:
    return all(isinstance(name, str) and isinstance(colour, str) for name, colour in colours.items())


def palette(theme: str = "light", game: str = "") -> dict[str, str]:
    """All colours of a theme, as a game shows them; what it changes only in the light theme holds in both."""
    own = {**own_colours(game, "light"), **own_colours(game, theme)} if game else {}
    return THEME_COLOURS[theme] | own


def var(name: str, colours: Mapping[str, str] = LIGHT) -> str:
    """A colour by name, with the light one for pages that have no style sheet."""
    return f"var(--{name},{colours[name]})"


def plain_colours(svg: str, theme: str, game: str) -> str:
    """A drawing with its colours written out, for readers that know no custom properties."""
    named = palette("light", game) | LIGHT
    for name, colour in palette(theme, game).items():
        svg = svg.replace(var(name, named), colour)
    return svg


def stylesheet() -> str:
    """Both themes for a web page: ``data-theme`` on its root, or what the system prefers; ``data-game`` inside."""
    rules = [_rule(":root", LIGHT), *(_game_rule("", game, "light") for game in GAMES)]
    for condition, root in (("", ":root[data-theme=dark]"), ("dark", ":root:not([data-theme=light])")):
        dark = _rule(root, DARK) + "".join(_game_rule(f"{root} ", game, "dark") for game in GAMES)
        rules.append(f"@media(prefers-color-scheme:dark){{{dark}}}" if condition else dark)
    return "\n".join([*filter(None, rules), "[data-mark]:not([data-marked]){visibility:hidden}"])


def _game_rule(root: str, game: str, theme: str) -> str:
    own = own_colours(game, theme)
    return _rule(f"{root}[data-game={game}]", own) if own else ""


def _rule(selector: str, colours: Mapping[str, str]) -> str:
    return f"{selector}{{{''.join(f'--{name}:{colour};' for name, colour in colours.items())}}}"
