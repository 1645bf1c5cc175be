"""A player's board of Azul as text: pattern lines, wall and floor line."""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.games.azul.notation import TILES
from tilewright.games.azul.rules import EMPTY, FLOOR_PENALTY, FLOOR_SPACES, JOKER, LINES
from tilewright.games.azul.wall import COLOURS, wall_colour
from tilewright.games.family.heap import counts_of
from tilewright.games.family.terminal import draw_factories, draw_heaps
from tilewright.view import narrator
from tilewright.view.language import say_for
from tilewright.view.paint import Paint, spread

TILE_COLOURS = {TILES.names[JOKER]: (37, 16, 37)}
_EMPTY_SPACE = "."
_BETWEEN = " | "
_SPACE_WIDTH = 3


def draw_player(position: Position, seat: int, name: str, paint: Paint, columns: int, language: str) -> list[str]:
    """The lines of one player's board. Lines carry the signs that moves name them by: 1 to 5, and f."""
    to_move = position.turn == seat
    title = f"{'>' if to_move else ' '} {name}"
    points = narrator.score(position.scores[seat], language)
    lines = [spread(paint.strong(title) if to_move else title, points, columns)]
    if position.game.options["wall"] == "grey" or position.game.options.get("jokers"):
        numbers = "".join(f" {column} " for column in range(1, LINES + 1))
        lines.append(paint.faint(" " * (2 + LINES * _SPACE_WIDTH + len(_BETWEEN)) + numbers))
    for line in range(LINES):
        left = _pattern_line(position, seat, line, paint)
        lines.append(f"{line + 1} {left}{_BETWEEN}{_wall_row(position, seat, line, paint)}")
    return [*lines, *_floor_line(position, seat, paint, language)]


def _pattern_line(position: Position, seat: int, line: int, paint: Paint) -> str:
    """Right-aligned, filled from right to left, as in the rulebook; jokers come last."""
    row, tiles = position.state, position.game.tiles
    held, jokers = int(row.line_tiles[seat, line]), int(row.line_jokers[seat, line])
    colour = int(row.line_colour[seat, line])
    kinds = [JOKER] * jokers + [colour] * (held - jokers)
    spaces = [paint.space(_EMPTY_SPACE)] * (line + 1 - held)
    spaces += [paint.tile(tiles.letters[kind], tiles.names[kind]) for kind in kinds]
    return " " * _SPACE_WIDTH * (LINES - 1 - line) + "".join(spaces)


def _wall_row(position: Position, seat: int, line: int, paint: Paint) -> str:
    tiles = position.game.tiles
    cells = []
    for column in range(LINES):
        kind = int(position.state.wall[seat, line, column])
        if kind != EMPTY:
            cells.append(paint.tile(tiles.letters[kind], tiles.names[kind]))
        elif position.game.options["wall"] == "grey":
            cells.append(paint.space(_EMPTY_SPACE))
        else:
            colour = int(wall_colour(line, column))
            cells.append(paint.space(tiles.letters[colour], tiles.names[colour]))
    return "".join(cells)


def _floor_line(position: Position, seat: int, paint: Paint, language: str) -> list[str]:
    row, tiles = position.state, position.game.tiles
    spaces = [paint.marker()] if row.marker == seat and not position.is_over else []
    for letter, name, number in zip(tiles.letters, tiles.names, counts_of(row.floor[seat]), strict=True):
        spaces += [paint.tile(letter, name)] * number
    taken = min(len(spaces), FLOOR_SPACES)
    beside = "".join(spaces[FLOOR_SPACES:])  # a marker that found the line full lies beside it
    spaces = spaces[:FLOOR_SPACES] + [paint.space(_EMPTY_SPACE)] * (FLOOR_SPACES - taken)
    penalties = [int(FLOOR_PENALTY[n] - FLOOR_PENALTY[n + 1]) for n in range(FLOOR_SPACES)]
    cost = f" {-int(FLOOR_PENALTY[taken])}" if taken else ""
    floor = say_for(position.game.spec, language, "terminal.floor")
    return [
        f"f {''.join(spaces)}{beside or ' '}{floor}{cost}",
        "  " + paint.faint("".join(f"{penalty} " for penalty in penalties).rstrip()),
    ]


def draw_offer(position: Position, paint: Paint, width: int, language: str) -> list[str]:
    """What is on offer, and what is left to come."""
    heaps = draw_heaps(position, paint, width, language, "lid", int(position.state.lid))
    return [*draw_factories(position, paint, width, language), *heaps]


def legend(game: Game, language: str) -> str:
    """How to read the table; 80 columns wide."""
    return say_for(game.spec, language, "terminal.legend")


def kinds(game: Game) -> list[int]:
    """The kinds of tile that this rule set plays with."""
    return list(range(len(TILES.names) if game.options.get("jokers") else COLOURS))
