"""What the functions of a game return, checked: whoever asks gets what the types promise, or a ``GameFault``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from tilewright.game.effects import Effect
from tilewright.game.errors import GameFault
from tilewright.game.validation import echo

if TYPE_CHECKING:
    from tilewright.game.position import Position


def checked_effects(position: Position, told: object) -> tuple[Effect, ...]:
    """The effects of a move in this position, at least one, from whatever they can be taken one by one."""
    title = position.game.title
    if not isinstance(told, Iterable) or isinstance(told, str):
        raise GameFault(title, f"its effects returned {echo(told)} instead of a list of effects")
    effects = tuple(told)
    if not effects:
        raise GameFault(title, "its effects returned no effect; every move has at least one")
    for effect in effects:
        if not isinstance(effect, Effect):
            raise GameFault(title, f"its effects contain {echo(effect)}, which is not an Effect")
        game = getattr(effect.after, "game", None)
        if game is not position.game and game != position.game:
            raise GameFault(
                title, f"the effect {effect.what!r} has no position of {position.game!r} in its field after"
            )
        if effect.seat is not None and effect.seat not in range(position.game.players):
            raise GameFault(title, f"the effect {effect.what!r} is for seat {echo(effect.seat)}, which does not exist")
    return effects


def checked_numbers(part: str, position: Position, told: object) -> dict[str, int]:
    """Numbers by name: the points of a seat by their source, or what decides between players with equal points."""
    if isinstance(told, Mapping) and all(map(_is_named_number, told.items())):
        return {name: int(number) for name, number in told.items()}
    raise GameFault(position.game.title, f"its {part} returned {echo(told)} instead of whole numbers by name")


def _is_named_number(item: tuple[object, object]) -> bool:
    name, number = item
    return isinstance(name, str) and isinstance(number, int | np.integer) and not isinstance(number, bool)
