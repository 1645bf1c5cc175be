"""Positions for the pictures of a lesson: reached by real play, so that every picture is a legal position.

They are defined by draws and moves as they would be typed in at a table, once for all languages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files

from tilewright.game.moves import Draw
from tilewright.game.position import Position
from tilewright.game.record import read_record
from tilewright.game.registry import make_game
from tilewright.view.picture.plate import Piece

Plate = Sequence[Piece | str]
Plates = dict[str, Callable[[str], Plate]]
"""The pictures of a lesson by name; each is drawn for the game of a name."""
MARKET, ANNA, BEN = 0, 1, 2
"""The panels that are shown."""


def play(game: str, script: str, **options: str | bool) -> Position:
    """A game for the usual number of players, as far as a script of moves and draws goes; semicolons separate them."""
    position = make_game(game, None, **options).set_up()
    for event in script.split(";"):
        _play_event(position, event.strip())
    return position


def _play_event(position: Position, event: str) -> None:
    if event.startswith("draw "):
        position.draw(event.removeprefix("draw "))
    else:
        position.push(event)


@cache
def model_game(game: str, package: str) -> list[Position]:
    """Every position of the whole game in ``model_game.txt`` of a lesson's package, that bots played."""
    record = read_record(files(package).joinpath("model_game.txt").read_text(encoding="utf-8"))
    position = make_game(game).set_up()
    moments = []
    for event in record.events:
        _play_event(position, f"draw {event}" if isinstance(event, Draw) else str(event))
        moments.append(position.copy())
    return moments


def end_of_model_game(package: str) -> Callable[[str], Plate]:
    """Anna's board at the end of that game."""
    return lambda game: [Piece(model_game(game, package)[-1], ANNA)]
