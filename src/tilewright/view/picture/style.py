"""The look that all pictures share: colours by name, and the few kinds of element that a client knows.

Colours are CSS custom properties, ``var(--ink,#...)``: the web page changes them for the dark theme and for each
game (``stylesheet``), and ``compose`` replaces them by plain colours so that a picture can stand alone.

A *slot* is an empty ``<g>`` whose origin is the middle of the tile; a tile is put into it as
``<use href="#tile-b" x="-20" y="-20" width="40" height="40"/>``, the same for every shape (``data-shape``: ``tile``
unless it says ``rhomb``). A *mark* is an element that is seen only while it has the attribute ``data-marked``.
"""

from __future__ import annotations

import unicodedata
from html import escape

SERIF = "Palatino,'Palatino Linotype','Book Antiqua',Georgia,serif"
SANS = "'Segoe UI',system-ui,'Helvetica Neue',Arial,'Liberation Sans',sans-serif"

TILE = 40
"""The width of a tile in its own units: the viewBox of every symbol."""

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

MINI_LIGHT = {
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
}

MINI_DARK = {
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
}

GAMES = {"azul-mini": {"light": MINI_LIGHT, "dark": MINI_DARK}}
"""Games with a look of their own: what they change, the same colours in both themes. Others have the palette above."""


def palette(theme: str = "light", game: str = "") -> dict[str, str]:
    """All colours of a theme, as a game sees them."""
    whole = DARK if theme == "dark" else LIGHT
    return whole | GAMES.get(game, {}).get(theme, {})


def var(name: str) -> str:
    """A colour by name, with the light one for pages that have no style sheet."""
    return f"var(--{name},{LIGHT[name]})"


def stylesheet() -> str:
    """Both themes for a web page: ``data-theme`` on its root, or what the system prefers; ``data-game`` inside."""
    rules = [_rule(":root", LIGHT), *(_rule(f"[data-game={game}]", looks["light"]) for game, looks in GAMES.items())]
    for condition, root in (("", ":root[data-theme=dark]"), ("dark", ":root:not([data-theme=light])")):
        dark = _rule(root, DARK)
        dark += "".join(_rule(f"{root} [data-game={game}]", looks["dark"]) for game, looks in GAMES.items())
        rules.append(f"@media(prefers-color-scheme:dark){{{dark}}}" if condition else dark)
    return "\n".join([*rules, "[data-mark]:not([data-marked]){visibility:hidden}"])


def _rule(selector: str, colours: dict[str, str]) -> str:
    return f"{selector}{{{''.join(f'--{name}:{colour};' for name, colour in colours.items())}}}"


# ----------------------------------------------------------------------------------------------- Elements


def number(value: float) -> str:
    """A number as short as two decimals allow.

    >>> number(3.0), number(2.126), number(-0.001)
    ('3', '2.13', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def slot(name: str, place: str, x: float, y: float, size: float, *, turn: float = 0, shape: str = "") -> str:
    """Room for one tile of a size round a point; an empty place name for slots whose tiles are never clicked."""
    marks = f' data-place="{place}"' if place else ""
    marks += f' data-shape="{shape}"' if shape else ""
    move = f"translate({number(x)} {number(y)})"
    move += f" rotate({number(turn)})" if turn else ""
    move += f" scale({size / TILE:.4g})" if size != TILE else ""
    return f'<g data-slot="{name}"{marks} transform="{move}"></g>'


def spot(name: str, label: str, content: str) -> str:
    """Something that can be clicked, with its name for those who cannot see it."""
    return f'<g data-spot="{name}" role="img" aria-label="{escape(label)}"><title>{escape(label)}</title>{content}</g>'


def named(label: str, content: str, **attributes: str) -> str:
    """A group with a name that is no spot: a factory, the bag."""
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<g role="group" aria-label="{escape(label)}"{more}><title>{escape(label)}</title>{content}</g>'


def mark(name: str, content: str) -> str:
    """Something seen only while the scene marks it."""
    return f'<g data-mark="{name}">{content}</g>'


def either(fine: str, bold: str) -> str:
    """Something drawn twice: finely, and boldly for boards that a page shows small (its style sheet chooses)."""
    return f'<g class="fine">{fine}</g><g class="bold" display="none">{bold}</g>'


def words(
    x: float,
    y: float,
    content: str = "",
    *,
    key: str = "",
    size: float = 13,
    anchor: str = "start",
    fill: str = "ink",
    bold: bool = False,
    serif: bool = False,
) -> str:
    """A line of text; with a key the scene fills it in."""
    keyed = f'data-text="{key}" ' if key else ""
    look = f'text-anchor="{anchor}" ' if anchor != "start" else ""
    look += 'font-weight="700" ' if bold else ""
    look += f'font-family="{SERIF}" ' if serif else ""
    where = f'x="{number(x)}" y="{number(y)}" font-size="{number(size)}"'
    return f'<text {keyed}{look}{where} fill="{var(fill)}">{escape(content)}</text>'


def fitted(text: str, room: float, size: float) -> str:
    """A text that is cut, with an ellipsis, if its bold letters would be wider than the room there is for them.

    >>> fitted("Anna", 200, 24), fitted("W" * 20, 100, 24), fitted("龍" * 9, 100, 24)
    ('Anna', 'WW…', '龍龍龍…')
    """
    parts = _letters(text)
    if sum(map(_letter_width, parts)) * size <= room:
        return text
    while parts and (sum(map(_letter_width, parts)) + 1) * size > room:
        parts.pop()
    return "".join(parts).rstrip() + "…"


def _letters(text: str) -> list[str]:
    """Letters as people see them: with their accents, and emoji that belong together in one."""
    parts: list[str] = []
    for letter in text:
        joined = bool(parts) and parts[-1].endswith("\u200d")
        if parts and (
            joined or unicodedata.combining(letter) or letter in "\u200d\ufe0e\ufe0f" or _is_modifier(letter)
        ):
            parts[-1] += letter
        else:
            parts.append(letter)
    return parts


def _is_modifier(letter: str) -> bool:
    return "\U0001f3fb" <= letter <= "\U0001f3ff"


def _letter_width(parts: str) -> float:
    """About how wide a bold serif letter is, of its size; rather too wide than too narrow, as fonts differ."""
    letter = parts[0]
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf") or _is_modifier(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.25 if unicodedata.category(letter) == "So" else 1.0
    for letters, width in _WIDTHS:
        if letter in letters:
            return width
    return 0.78 if letter.isupper() else 0.62


_WIDTHS = (
    ("WM@%—", 1.08),
    ("wm&", 0.95),
    ("ijlI.,:;!'|()[]’", 0.38),
    ("frst -", 0.5),
)


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


def frame(game: str, width: float, height: float, content: str, label: str) -> str:
    """A panel's outermost group: its game (for the colours), its name and its letters."""
    border = _scalloped_border(width, height) if game in GAMES else _ruled_border(width, height)
    slab = rect(1, 1, width - 2, height - 2, 14, "plaster", stroke("plaster-edge", 1.5))
    head = f'<g data-game="{game}" role="group" aria-label="{escape(label)}" font-family="{escape(SANS)}">'
    return f"{head}{slab}{border}{content}</g>"


def _ruled_border(width: float, height: float) -> str:
    """A painted line with a leaf in each corner."""
    inset = 7.0
    line = rect(inset, inset, width - 2 * inset, height - 2 * inset, 9, "none", stroke("accent", 1.4, 0.5))
    leaf = f'{circle(0, 0, 5.5, "plaster")}<path d="M-3-3Q8-4 9 9Q-4 8-3-3Z" fill="{var("accent")}"/>'
    return line + _in_corners(width, height, inset + 2, leaf + circle(3, 3, 1.6, "gold"))


def _scalloped_border(width: float, height: float) -> str:
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
