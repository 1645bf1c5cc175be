"""The legal moves as a list to read and choose from."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.view.language import say
from tilewright.view.narrator import tell
from tilewright.view.phrasing import tile_name
from tilewright.view.text_drawing import terminal_of

SHORT_FROM = 30
"""A longer list shows only the texts of the moves; asking for some of them shows what each does."""
_MARGIN = "   "


def list_moves(position: Position, wanted: str, columns: int, language: str) -> str:
    """The legal moves in groups, each with the number that plays it; all, or those that match some words."""
    numbered = list(enumerate(position.legal_moves, start=1))
    for word in wanted.lower().split():
        numbered = [numbered[i] for i in _matching(position, [move for _, move in numbered], word, language)]
    if not numbered:
        return say(language, "terminal.no_match", typed=echo(wanted), all=len(position.legal_moves))
    short = len(numbered) > SHORT_FROM
    groups: dict[str, list[str]] = {}
    for number, move in numbered:
        told = tell(position, move, language)
        entry = f"{number:3} {move.text}" if short else f"{number:3} {move.text:6} {told.detail}".rstrip()
        groups.setdefault(told.heading, []).append(entry)
    lines: list[str] = []
    for heading, entries in groups.items():
        lines += [heading, *_in_columns(entries, columns)]
    if short:
        lines.append(say(language, "terminal.more", tile=example_word(position, language)))
    return "\n".join(lines)


def example_word(position: Position, language: str) -> str:
    """A word to ask for: a kind of tile, named as in moves, or the first word of a move if there are none."""
    game = position.game
    if kinds := terminal_of(game).kinds(game):
        return tile_name(game.spec, game.tiles.letters[kinds[-1]], language)
    return next(iter(position.legal_moves)).text.split()[0]


def _matching(position: Position, moves: Sequence[Move], word: str, language: str) -> list[int]:
    """Which moves a word picks: a colour's name or letter, the beginning of a move's text, a number or word in it."""
    names = {letter: tile_name(position.game.spec, letter, language) for letter in position.game.tiles.letters}
    word = names.get(word, word)
    begun = [i for i, move in enumerate(moves) if move.text.replace(" ", "").startswith(word)]
    if begun and word not in names.values():
        return begun
    wanted = _words(word)
    return [i for i, move in enumerate(moves) if wanted and wanted <= _words(tell(position, move, language).sentence)]


def _words(text: str) -> set[str]:
    """The words and numbers of a text, whatever stands between them."""
    return set("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())


def _in_columns(entries: Sequence[str], columns: int) -> list[str]:
    width = max(len(entry) for entry in entries)
    per_line = max(1, (columns - len(_MARGIN)) // (width + len(_MARGIN)))
    return [
        (_MARGIN + _MARGIN.join(entry.ljust(width) for entry in entries[i : i + per_line])).rstrip()
        for i in range(0, len(entries), per_line)
    ]
