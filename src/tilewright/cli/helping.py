"""What ``?`` shows during a game."""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.game.summer_pavilion import SummerPavilion

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

_AZUL = """\
table        [B] is a tile, a small letter an empty wall cell of that colour,
             [1] the starting marker; pattern lines are 1 to 5, f is the floor line"""

_SUMMER_PAVILION = """\
table        [R] is a tile, a number an empty space and its price, [1] the
             starting marker; beside each star how many spaces are covered of
             its pillar (P, 1 bonus tile), of the statue between it and the next
             star below (S, 2 bonus tiles) and of its window (W, 3 bonus tiles)
full stars   red 14, blue 15, yellow 16, orange 17, green 18, purple 20,
             six different colours 12
numbers      all 1s 4, all 2s 8, all 3s 12, all 4s 16"""


def help_text(game: Game) -> str:
    """Commands, examples of moves, and how to read the table; 80 columns wide."""
    kinds = [f"{letter.upper()} {name}" for letter, name in zip(game.tiles.letters, game.tiles.names, strict=True)]
    if game.options.get("jokers") is False or ("jokers" not in game.options and not isinstance(game, SummerPavilion)):
        kinds.pop()
    examples = game.examples().replace("), ", ")" + _INDENT)
    table = _SUMMER_PAVILION if isinstance(game, SummerPavilion) else _AZUL
    return f"{_COMMANDS}\nmoves like   {examples}\ntiles        {', '.join(kinds)}\n{table}"
