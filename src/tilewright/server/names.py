"""What people at a table are called: names as they were typed, made harmless, and default names for the others.

Bots, free seats and people without a name have none in the database: viewers read it in their own language.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import islice

from wcwidth import iter_graphemes

from tilewright.bots.registry import OFFERED
from tilewright.server.stored import FREE, StoredSeat
from tilewright.view.language import say

LONGEST = 20
"""Characters as a reader counts them (grapheme clusters): an accented letter is one, and so is a family of emoji."""
MOST_MARKS = 2
LONGEST_CLUSTER = 10
"""Code points of one character: the longest in use, families of emoji, have no more."""
_JOINER = "\u200d"
_INVISIBLE = set("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Code points that Unicode classifies as letters, marks or symbols but that show nothing."""
_EMOJI_PARTS = {_JOINER, "\ufe0f"}
"""Invisible by themselves, but part of many emoji."""


def clean_name(name: str) -> str:
    """A name in one short line."""
    return clean_line(name, LONGEST)


def clean_line(text: str, longest: int) -> str:
    """A text in one line, without anything invisible or that would disturb the text around it."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    characters = (_cleaned(cluster) for cluster in iter_graphemes(line))
    return "".join(islice(filter(None, characters), longest)).strip()


def _cleaned(cluster: str) -> str:
    """A grapheme cluster without invisible code points and piles of marks; empty if nothing can be seen."""
    is_emoji = unicodedata.category(cluster[0]) == "So"
    shown, marks = "", 0
    for letter in cluster[:LONGEST_CLUSTER]:
        kind = unicodedata.category(letter)
        if letter in _EMOJI_PARTS:
            shown += letter if is_emoji else ""
        elif kind.startswith("M"):
            marks += 1
            shown += letter if shown and marks <= MOST_MARKS and _is_visible(letter) else ""
        elif _is_visible(letter) and (shown or kind != "Sk"):
            shown += letter
    return shown.rstrip(_JOINER)


def _is_visible(letter: str) -> bool:
    hidden = letter in _INVISIBLE or "\ufe00" <= letter <= "\ufe0e" or letter >= "\U000e0000"
    return not hidden and not unicodedata.category(letter).startswith("C")


def names_of(seats: Sequence[StoredSeat], language: str) -> list[str]:
    """The names at a table in a viewer's language; of two equal names the second gets a number."""
    names: list[str] = []
    for number, seat in enumerate(seats):
        name = own_name = _name_of(seat, number, language)
        count = 2
        while name in names and seat.kind not in FREE:
            name = f"{own_name} {count}"
            count += 1
        names.append(name)
    return [
        say(language, "page.played_by_bot", name=name) if seat.substitute else name
        for name, seat in zip(names, seats, strict=True)
    ]


def _name_of(seat: StoredSeat, number: int, language: str) -> str:
    if seat.kind in FREE:
        return say(language, "page.free_seat")
    if seat.name:
        return seat.name
    if seat.kind == "bot":
        return bot_title(seat.bot, language) if seat.bot in OFFERED else str(seat.bot)
    return say(language, "page.player", number=number + 1)


def renamed(record: str, names: Sequence[str]) -> str:
    """The text of a record with other names.

    >>> renamed("player 2: Bob", ["Player 1", "Player 2"])
    'player 2: Player 2'
    """
    known = {f"player {number}": name for number, name in enumerate(names, start=1)}
    parts = [(line, line.partition(":")[0]) for line in record.split("\n")]
    return "\n".join(f"{first}: {known[first]}" if first in known else line for line, first in parts)


def bot_title(bot: str, language: str) -> str:
    """The name of a bot that people see."""
    return say(language, f"bots.{bot}")
