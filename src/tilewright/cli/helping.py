"""What ``?`` shows during a game."""

from __future__ import annotations

from textwrap import wrap

from tilewright.cli.listing import example_word
from tilewright.game.position import Position
from tilewright.view.language import say
from tilewright.view.narrator import tell
from tilewright.view.phrasing import tile_name
from tilewright.view.text_drawing import terminal_of

_LABELS_WIDTH = 13
_WIDTH = 80
_EXAMPLES = 3


def help_text(position: Position, language: str) -> str:
    """Commands, examples of moves, and how to read the table; 80 columns wide."""
    game = position.game
    terminal = terminal_of(game)
    names = [(letter.upper(), tile_name(game.spec, letter, language)) for letter in game.tiles.letters]
    tiles = ", ".join(f"{letter} {name}" for letter, name in (names[kind] for kind in terminal.kinds(game)))
    return "\n".join(
        [
            say(language, "terminal.commands", tile=example_word(position, language)),
            *_labelled(say(language, "terminal.moves_like"), _examples(position, language)),
            *_labelled(say(language, "terminal.tiles"), [tiles]),
            terminal.legend(game, language),
        ]
    )


def _examples(position: Position, language: str) -> list[str]:
    """A few legal moves with what they do, from all over the list."""
    moves = list(position.legal_moves)
    step = -(-len(moves) // _EXAMPLES)
    return [f"{move}  {tell(position, move, language).sentence}" for move in moves[::step]]


def _labelled(label: str, entries: list[str]) -> list[str]:
    """Entries under each other, the first beside its label."""
    lines = [line for entry in entries for line in wrap(entry, _WIDTH - _LABELS_WIDTH, subsequent_indent="  ")]
    margin = " " * _LABELS_WIDTH
    return [(label.ljust(_LABELS_WIDTH) if n == 0 else margin) + line for n, line in enumerate(lines)]
