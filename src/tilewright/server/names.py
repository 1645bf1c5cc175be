"""What people at a table are called: names as they were typed, made harmless, and names for who typed none.

Bots, free seats and people without a name have none in the database: each viewer reads it in the own language.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from tilewright.bots.registry import OFFERED
from tilewright.server.store import FREE, StoredSeat
from tilewright.view.language import say

LONGEST = 20
"""Characters as a reader counts them: a letter with its accents is one, and so is a family of emoji."""
MOST_MARKS = 2
_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
_INVISIBLE = set("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks, as Unicode has it, that show nothing; its format and control characters are known as such."""


def clean_name(name: str) -> str:
    """A name in one short line, without what cannot be seen or would disturb what stands around it."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    return "".join(list(_characters(shown))[:LONGEST]).strip()


def _characters(text: str) -> Iterator[str]:
    """The characters as a reader counts them, each with at most two marks; what is invisible is left out."""
    character, marks, joining = "", 0, False
    for letter in text:
        kind = unicodedata.category(letter)
        if letter == _JOINER:
            joining = _is_picture(character)
        elif letter == _EMOJI_STYLE or _is_skin(letter):
            character += letter if _is_picture(character) and not character.endswith(letter) else ""
        elif letter in _INVISIBLE or "\ufe00" <= letter <= "\ufe0e" or letter >= "\U000e0000":
            continue
        elif kind.startswith("M"):
            marks += 1
            character += letter if character.strip() and marks <= MOST_MARKS else ""
        elif kind.startswith("C"):
            continue
        elif joining and _is_picture(letter):
            character += _JOINER + letter
            joining = False
        elif _is_flag(letter) and len(character) == 1 and _is_flag(character):
            character += letter
        else:
            if character:
                yield character
            character, marks, joining = letter, 0, False
    if character:
        yield character


def _is_picture(character: str) -> bool:
    """Whether this is an emoji, which others can be joined to. A long chain of them is no picture any more."""
    return bool(character) and len(character) < 8 and unicodedata.category(character[0]) == "So"


def _is_skin(letter: str) -> bool:
    return "\U0001f3fb" <= letter <= "\U0001f3ff"


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def names_of(seats: Sequence[StoredSeat], language: str) -> list[str]:
    """The names at a table in a viewer's language; of two that are the same the second gets a number."""
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


def bot_title(bot: str, language: str) -> str:
    """What people call a bot: the levels have names of their own."""
    return say(language, f"bots.{bot}")
