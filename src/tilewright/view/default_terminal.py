"""The default drawing as text: the fields of the position, by name."""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.view import narrator
from tilewright.view.fields import EMPTY, Content, Field, fields_of
from tilewright.view.language import say_for
from tilewright.view.paint import Paint, spread, width

_MARGIN = "  "


def draw_player(position: Position, seat: int, name: str, paint: Paint, columns: int, language: str) -> list[str]:
    """A name, a score, and the fields of one seat."""
    to_move = position.turn == seat
    title = f"{'>' if to_move else ' '} {name}"
    points = narrator.score(position.scores[seat], language)
    lines = [spread(paint.strong(title) if to_move else title, points, columns)]
    for field in fields_of(position.game):
        if field.of_seats:
            lines += _lines(position, field, seat, paint, columns, language)
    return lines


def draw_offer(position: Position, paint: Paint, columns: int, language: str) -> list[str]:
    """What belongs to no seat."""
    fields = [field for field in fields_of(position.game) if not field.of_seats]
    return [line for field in fields for line in _lines(position, field, 0, paint, columns, language)]


def legend(game: Game, language: str) -> str:
    """How to read the drawing; 80 columns wide."""
    if not game.tiles.letters:
        return say_for(game.spec, language, "terminal.legend_without_tiles")
    return say_for(game.spec, language, "terminal.legend", letter=game.tiles.letters[0].upper())


def kinds(game: Game) -> list[int]:
    """The kinds of tile."""
    return list(range(len(game.tiles.names)))


def _lines(position: Position, field: Field, seat: int, paint: Paint, columns: int, language: str) -> list[str]:
    """A field beside its name if there is room, else below it; a line or more for each row."""
    title = _MARGIN + field.title(position.game, language)
    rows = [_cells(position.game, field, numbers, paint) for numbers in field.values(position, seat)]
    beside = " ".join([title, "".join(rows[0]).rstrip()])
    if len(rows) == 1 and width(beside) <= columns:
        return [beside]
    return [title, *(_MARGIN * 2 + line for row in rows for line in _broken(row, columns - 2 * len(_MARGIN)))]


def _broken(cells: list[str], columns: int) -> list[str]:
    """Cells in lines of at most this width."""
    lines = [""]
    for cell in cells:
        if lines[-1] and width(lines[-1] + cell.rstrip()) > columns:
            lines.append("")
        lines[-1] += cell
    return [line.rstrip() for line in lines]


def _cells(game: Game, field: Field, numbers: list[int], paint: Paint) -> list[str]:
    tiles = game.tiles
    if field.content is Content.SPACES:
        return [
            paint.space(".") if kind == EMPTY else paint.tile(tiles.letters[kind], tiles.names[kind])
            for kind in numbers
        ]
    if field.content is Content.COUNTS:
        counted = zip(numbers, tiles.letters, tiles.names, strict=True)
        return [f"{n}{paint.letters(letter, 1, name)} " for n, letter, name in counted if n] or ["-"]
    return [f"{number} " for number in numbers]
