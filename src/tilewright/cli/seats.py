"""Who sits where: people and bots, as they are typed and as records name them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from tilewright.bots.bot import Bot
from tilewright.bots.levels import LEVEL_NAMES, is_level
from tilewright.bots.registry import BOTS, RUN, make_bot, named_elsewhere
from tilewright.game.errors import BadOption
from tilewright.game.validation import echo
from tilewright.view.language import DEFAULT, say

DEFAULT_BOT = "level3"
_OWN_CLASS = re.compile(r"[^\W\d][\w.]*:[^\W\d]\w*(:[\w.]+)?")
_ME = ("me", "i", "you")


@dataclass(frozen=True)
class Seat:
    """A player: the name in the record, and the bot unless it is a person."""

    name: str
    bot: Bot | None = None


def seats_as_typed(typed: Sequence[str], players: int, seed: int, language: str = DEFAULT) -> list[Seat]:
    """The seats that ``--seat`` and the questions name; those left are for a person first, then for bots."""
    check_number(len(typed), players)
    typed = list(typed)
    if not all(who.strip() for who in typed):
        raise BadOption("--seat needs a name, 'me' or a bot; it was empty")
    if not typed:
        typed.append("me")
    typed += [DEFAULT_BOT] * (players - len(typed))
    names = _all_different([name_of(who, seat, language) for seat, who in enumerate(typed)])
    seats = seats_as_saved(names, seed, language)
    for seat, who in enumerate(typed):
        if seats[seat].bot is None and (bot := bot_of(who)):
            seats[seat] = Seat(names[seat], make_bot(bot, _seed_of(seed, seat)))
    return seats


def seats_as_saved(names: Sequence[str], seed: int, language: str = DEFAULT) -> list[Seat]:
    """The seats of a record: 'level3 bot' and the like are bots again, every other name is a person's.

    Programs and classes of somebody's own are not started again: a file from somewhere must not run anything.
    """
    seats = []
    for seat, name in enumerate(names):
        name = clean(name) or default_name(seat, language)
        bot = _saved_bot(name)
        seats.append(Seat(name, make_bot(bot, _seed_of(seed, seat)) if bot else None))
    return seats


def _saved_bot(name: str) -> str | None:
    """The bot that a record names, as in ``search:300ms bot`` and ``level3 bot 2``; None for a person."""
    bot, *rest = name.split(" ")
    kind, *arguments = bot.split(":")
    is_known = kind in BOTS or kind in LEVEL_NAMES
    is_well_formed = all(argument.replace(".", "").isalnum() for argument in arguments)
    is_called_bot = rest[:1] == ["bot"] and (len(rest) == 1 or _is_number(rest[1:]))
    return bot if is_known and is_well_formed and is_called_bot else None


def _is_number(parts: Sequence[str]) -> bool:
    return len(parts) == 1 and parts[0].isdecimal()


def _seed_of(seed: int, seat: int) -> int:
    return (seed + seat) % (1 << 64)


def bot_of(who: str) -> str | None:
    """The bot that somebody typed, as the registry reads it; None if it is a person's name."""
    who = who.strip()
    word, colon, argument = who.partition(":")
    if word.lower() in BOTS or is_level(who.lower()):
        return f"{word.lower()}{colon}{argument}"
    named = word in named_elsewhere() or (colon and word == RUN)
    return who if named or _OWN_CLASS.fullmatch(who) else None


def check_number(seats: int, players: int | None) -> None:
    """Complain about more seats than players."""
    if players is not None and seats > players:
        raise BadOption(f"{seats} seats for {players} players; use --players {seats}, or leave out a --seat")


def check_seat(who: str, seat: int) -> None:
    """Complain about a name that looks like a bot's, or a bot that cannot be made."""
    name_of(who, seat)
    if bot := bot_of(who):
        make_bot(bot)


def clean(name: str) -> str:
    """A name without line breaks, control characters and halves of letters: it goes to terminals and into records."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())


def default_name(seat: int, language: str) -> str:
    """What a person without a name is called."""
    return say(language, "page.player", number=seat + 1)


def name_of(who: str, seat: int, language: str = DEFAULT) -> str:
    """The name that a record will have: a bot's kind and 'bot', or a person's name as it is."""
    who = clean(who)
    lower = who.lower()
    if lower in _ME or not who:
        return default_name(seat, language)
    if bot := bot_of(who):
        return f"{bot} bot"
    if _saved_bot(lower):
        return lower
    near = get_close_matches(lower, BOTS, n=1, cutoff=0.75)
    if near:
        raise BadOption(
            f"{echo(who)} is not a bot, and too much like {near[0]!r} to be a person's name; "
            f"the bots are {', '.join(BOTS)}"
        )
    return who


def _all_different(names: list[str]) -> list[str]:
    """The names, with a number after each that is already taken."""
    different: list[str] = []
    for name in names:
        number = 1
        numbered = name
        while numbered in different:
            number += 1
            numbered = f"{name} {number}"
        different.append(numbered)
    return different
