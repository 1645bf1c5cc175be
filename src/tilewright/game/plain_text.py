"""Positions of games that bring no text of their own: the fields of the row by name, ``name=1,2,3``.

Fields that follow from others must agree with them; whether the position can occur in play is for the game to say,
in ``Notation.check_position``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from tilewright.game.errors import BadPosition
from tilewright.game.position import Position
from tilewright.game.position_text import Section, heading, split_sections
from tilewright.game.validation import echo

if TYPE_CHECKING:
    from tilewright.game.game import Game
    from tilewright.kernels.compile import Cells

_NUMBER = re.compile(r"-?[0-9]{1,20}")
"""Long enough for every type of a field; ``int`` alone would also take ``1_000`` and the digits of other scripts."""


def write(position: Position) -> str:
    """Every field of the row."""
    states = position.states
    fields = (f"{name}={_numbers(states[name][0])}" for name in states.dtype.names or ())
    return f"{heading(position.game)}; {' '.join(fields)}"


def _numbers(value: Cells) -> str:
    return ",".join(str(number) for number in np.asarray(value).ravel().tolist())


def read(game: Game, text: str) -> Cells:
    """A row from its text; the fields that follow from others must agree with them."""
    (fields,) = split_sections(game, text, 1)
    states = game.set_up().states.copy()
    start = states.copy()
    section = Section(fields, "the position")
    for name in states.dtype.names or ():
        _read_field(states, name, section.value(name), signed=_may_be_negative(game, start, name))
    section.end()
    for name in game.spec.rule_set_fields:
        if states[name][0] != start[name][0]:
            raise BadPosition(f"the position: {name}={states[name][0]} is not that of {heading(game)!r}")
    for name, end in (("phase", len(game.spec.phases)), ("turn", game.players)):
        if not 0 <= int(states[name][0]) < end:
            raise BadPosition(f"the position: {name}={states[name][0]} should be from 0 to {end - 1}")
    for name in states.dtype.names or ():
        if states[name].min() < 0 and not _may_be_negative(game, start, name):
            raise BadPosition(f"the position: {name}={_numbers(states[name][0])} should not be negative")
    if (states["score"][0][game.players :] != start["score"][0][game.players :]).any():
        raise BadPosition(f"the position: score= gives points to a seat that is empty with {game.players} players")
    given = states.tobytes()
    game.kernels.refresh_at(states, 0)
    if states.tobytes() != given:
        raise BadPosition("the position: some fields contradict the others")
    position = game.trusted_position(states.copy())
    _check_end(position)
    game.spec.notation.check_position(position)
    if position.awaits_draw and not any(position.draw_weights()):
        raise BadPosition("the position: a tile must be drawn, but there is none to draw")
    if not position.is_over and not position.awaits_draw:
        _check_moves(position)
    return states


def _may_be_negative(game: Game, start: Cells, name: str) -> bool:
    """A field that counts something never holds less than nothing; one that starts below zero does not count."""
    signed = {"score", *game.kernels.names.get("SIGNED", ())}
    return name in signed or bool(start[name].min() < 0)


def _check_end(position: Position) -> None:
    """The last phase is the end of the game, and no other phase is."""
    game, phase = position.game, int(position.state.phase)
    over = bool(game.spec.run(game.kernels.is_over_at, position.states, 0))
    if over != (phase == len(game.phases) - 1):
        raise BadPosition(f"the position: phase={phase}, but by the rules the game {'is over' if over else 'goes on'}")


def _check_moves(position: Position) -> None:
    """The rules, asked about a position that cannot be, may count any number of moves."""
    count = int(position.game.spec.run(position.game.kernels.count_moves_at, position.states, 0))
    if count == 0:
        raise BadPosition("the position: the game is not over, but the player to move has no legal move")
    if not 0 < count <= position.game.actions:
        raise BadPosition(f"the position: the rules count {count} legal moves in it, so it cannot occur in play")


def _read_field(states: Cells, name: str, text: str, *, signed: bool) -> None:
    field = states[name]
    numbers = text.split(",")
    if not all(map(_NUMBER.fullmatch, numbers)):
        raise BadPosition(f"the position: {name}={echo(text)} should be whole numbers separated by commas")
    values = [int(number) for number in numbers]
    bounds = np.iinfo(field.dtype)
    if len(values) != field[0].size or not all(bounds.min <= value <= bounds.max for value in values):
        size, least = field[0].size, bounds.min if signed else 0
        wanted = "a number" if size == 1 else f"{size} numbers"
        raise BadPosition(f"the position: {name}= needs {wanted} from {least} to {bounds.max}")
    field[0] = np.array(values, dtype=field.dtype).reshape(field[0].shape)
