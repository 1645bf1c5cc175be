"""What ``?`` shows during a game."""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.view.text_drawing import terminal_of

_INDENT = "\n" + " " * 13

_COMMANDS = """\
a move       its text, or its number in the list of moves
moves        all legal moves; 'moves 3', 'moves red' or 'moves centre' show a part
             of them and what each does
hint         what the search would play
undo         take back your last move and what followed
table        draw the table again
save [FILE]  save the game; 'tilewright play --resume FILE' goes on with it
quit         leave (so do Ctrl-C and Ctrl-D)"""


def help_text(game: Game) -> str:
    """Commands, examples of moves, and how to read the table; 80 columns wide."""
    terminal = terminal_of(game)
    examples = game.spec.notation.examples(game).replace("), ", ")" + _INDENT)
    tiles = ", ".join(f"{game.tiles.letters[kind].upper()} {game.tiles.names[kind]}" for kind in terminal.kinds(game))
    return f"{_COMMANDS}\nmoves like   {examples}\ntiles        {tiles}\n{terminal.HELP}"
