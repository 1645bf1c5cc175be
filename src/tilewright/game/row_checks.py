"""Rows that come from elsewhere: kernels do not check what they read, so the rows are checked before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tilewright.game.errors import BadOption, BadPosition, GameFault
from tilewright.game.validation import echo
from tilewright.kernels.compile import Cells

if TYPE_CHECKING:
    from tilewright.game.game import Game


def check_dtype(game: Game, states: Cells) -> None:
    """The array must hold rows of the game."""
    if not isinstance(states, np.ndarray) or states.dtype != game.kernels.dtype:
        kind = states.dtype if isinstance(states, np.ndarray) else type(states).__name__
        told = f"expected states of {game!r}, such as position.states or vector.states, not {echo(kind)}"
        listed = isinstance(states, list | tuple)
        raise BadOption(told + "; np.concatenate([position.states for position in positions]) makes one" * listed)


def check_rule_set(game: Game, states: Cells, i: int, start: Cells) -> None:
    """A row must be of the same number of players and the same options as the start of a game."""
    for name in game.spec.rule_set_fields:
        found, wanted = states[name][i], start[name][0]
        if found != wanted:
            raise BadOption(f"position {i} is not of {game!r}: its field {name} is {found}, not {wanted}")


def check_position(game: Game, states: Cells) -> None:
    """An array must be one row with a position of the game from which play stays sound.

    Those positions are the ones whose text ``game.position`` accepts, so the row is written and read back.
    """
    check_dtype(game, states)
    if states.shape != (1,):
        raise BadOption(f"a position is one row, as in states[[0]], not an array of shape {states.shape}")
    if not states.flags.carray:
        raise BadOption("a position changes its row, which must be writable and contiguous: pass states.copy()")
    check_rule_set(game, states, 0, game.set_up().states)
    read = game.spec.notation.read_position(game, _write(game, states))
    for name in states.dtype.names or ():
        if not np.array_equal(states[name], read[name]):
            found, wanted = states[name][0].tolist(), read[name][0].tolist()
            raise BadPosition(
                f"the field {name} is {echo(found)}; with the other fields as they are, it should be {echo(wanted)}"
            )


def _write(game: Game, states: Cells) -> str:
    try:
        return game.trusted_position(states.copy()).to_text()
    except GameFault as fault:
        raise BadPosition(f"this row cannot occur: writing it as text failed ({fault.fault})") from fault
