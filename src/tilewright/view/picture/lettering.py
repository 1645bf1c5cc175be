"""How wide words are when they are drawn, so that long names can be cut and neighbours keep apart."""

from __future__ import annotations

import unicodedata

from wcwidth import iter_graphemes


def fitted(text: str, room: float, size: float) -> str:
    """A text that is cut, with an ellipsis, if its bold letters would be wider than the room there is for them.

    >>> fitted("Anna", 200, 24), fitted("W" * 20, 100, 24), fitted("龍" * 9, 100, 24)
    ('Anna', 'WW…', '龍龍龍…')
    """
    parts = list(iter_graphemes(text))
    if width_of(text, size) <= room:
        return text
    while parts and (sum(map(_letter_width, parts)) + 1) * size > room:
        parts.pop()
    return "".join(parts).rstrip() + "…"


def width_of(text: str, size: float) -> float:
    """About how much room a text takes in letters of this size."""
    return sum(map(_letter_width, iter_graphemes(text))) * size


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
