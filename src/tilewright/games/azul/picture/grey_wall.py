"""The grey side of the wall: every cell is a blossom with a petal for each colour that may still come there.

A colour may stand once in a row and once in a column, so a tile on the wall takes its petal from all cells of its row
and its column. Those petals stay engraved in the stone. The petals of a colour always point the same way.
"""

from __future__ import annotations

from typing import Any

from tilewright.game.game import Game
from tilewright.games.azul.rules import EMPTY, LINES
from tilewright.games.azul.wall import COLOURS
from tilewright.view.picture.drawing import Drawing, joined, number
from tilewright.view.picture.palette import var
from tilewright.view.picture.style import mark, stroke

_PETAL = "M0-4.6C-5.4-8-5.2-12.6 0-17C5.2-12.6 5.4-8 0-4.6Z"
_ACROSS, _DOWN = "row", "column"


def is_grey(game: Game) -> bool:
    """Whether a game is played on the grey side."""
    return game.options["wall"] == "grey"


def symbols(game: Game, pitch: float, size: float) -> str:
    """A blossom for a cell of a size, and for each colour the engraved petals of a whole row and column of cells."""
    if not is_grey(game):
        return ""
    shown = [f"rotate({360 // COLOURS * kind}) scale({size / 40:.4g})" for kind in range(COLOURS)]
    petals = "".join(
        f'<path d="{_PETAL}" transform="{turn}" fill="{var("tile-" + name)}"/>'
        for turn, name in zip(shown, game.tiles.names, strict=False)
    )
    edge = f'{stroke("tile-edge", 0.8, 0.4)} stroke-linejoin="round"'
    heart = f'<circle r="2.6" fill="{var("gold")}" stroke="none"/>'
    blossom = f'<g id="blossom" {edge}><g opacity=".78">{petals}</g>{heart}</g>'
    engraved = f'fill="{var("cell")}" {stroke("cell-edge")}'
    taken = "".join(_engraved(kind, turn, pitch, engraved) for kind, turn in enumerate(shown))
    return f"<defs>{blossom}{taken}</defs>"


def _engraved(kind: int, turn: str, pitch: float, look: str) -> str:
    """The petals of a colour in five cells side by side, and in five below each other."""
    one = f'<path id="petal-{kind}" d="{_PETAL}" transform="{turn}" {look}/>'
    steps = [number(pitch * n) for n in range(1, LINES)]
    across = "".join(f'<use href="#petal-{kind}" x="{step}"/>' for step in steps)
    down = "".join(f'<use href="#petal-{kind}" y="{step}"/>' for step in steps)
    return f'<g id="row-{kind}">{one}{across}</g><g id="column-{kind}"><use href="#petal-{kind}"/>{down}</g>'


def blossoms(me: str, left: float, top: float, pitch: float) -> Drawing:
    """What is printed on a wall: blossoms, and the petals that the tiles on it have taken."""
    middles = [(left + pitch * (n + 0.5), top + pitch * (n + 0.5)) for n in range(LINES)]
    printed = "".join(_at("blossom", x, y) for _, y in middles for x, _ in middles)
    (first_x, first_y), taken = middles[0], Drawing()
    for kind in range(COLOURS):
        for n, (x, y) in enumerate(middles, start=1):
            taken += mark(f"{me}-{_ACROSS}-{n}-{kind}", _at(f"{_ACROSS}-{kind}", first_x, y))
            taken += mark(f"{me}-{_DOWN}-{n}-{kind}", _at(f"{_DOWN}-{kind}", x, first_y))
    return joined(['<g pointer-events="none">', printed, taken, "</g>"])


def _at(name: str, x: float, y: float) -> str:
    return f'<use href="#{name}" x="{number(x)}" y="{number(y)}"/>'


def taken_petals(me: str, wall: list[list[int]]) -> list[str]:
    """The marks of the colours that the rows and columns of a wall have; jokers are of no colour."""
    marks: dict[str, None] = {}
    for row, cells in enumerate(wall, start=1):
        for column, kind in enumerate(cells, start=1):
            if kind != EMPTY and kind < COLOURS:
                marks[f"{me}-{_ACROSS}-{row}-{kind}"] = None
                marks[f"{me}-{_DOWN}-{column}-{kind}"] = None
    return list(marks)


def marks_of(row: Any, players: int, seats: list[str]) -> list[str]:
    """The petals taken on all walls of a position that is played on the grey side."""
    walls = row["wall"].tolist()[:players]
    return [name for me, wall in zip(seats, walls, strict=False) for name in taken_petals(me, wall)]
