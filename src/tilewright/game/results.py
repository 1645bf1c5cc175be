"""What the functions of a game return, checked: whoever asks gets what the types promise, or a ``GameFault``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from tilewright.game.effects import Effect, TilesMoved
from tilewright.game.errors import GameFault
from tilewright.game.validation import echo

if TYPE_CHECKING:
    from tilewright.game.game import Game
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
        fault = _fault_of(effect, position.game)
        if fault:
            raise GameFault(title, f"the effect {echo(effect.what)} {fault}")
    _check_sums(position, effects)
    return effects


def _fault_of(effect: Effect, game: Game) -> str:
    """What is wrong with the fields of an effect; empty if nothing is."""
    after = getattr(effect.after, "game", None)
    if after is not game and after != game:
        return f"has no position of {game!r} in its field after"
    if effect.seat is not None and effect.seat not in range(game.players):
        return f"is for seat {echo(effect.seat)}, which does not exist"
    if not _is_whole(effect.points):
        return f"has {echo(effect.points)} as its points, which is not a whole number"
    if not isinstance(effect.what, str) or not isinstance(effect.at, str):
        return f"is at {echo(effect.at)}; what happens and where must be texts"
    if not isinstance(effect.values, Mapping):
        return f"has {echo(effect.values)} as its values, which are not facts by name"
    if not isinstance(effect.tiles, tuple):
        return f"has {echo(effect.tiles)} as its tiles, which is not a tuple of TilesMoved"
    wrong = next((moved for moved in effect.tiles if not _can_move(moved, game.tiles.letters)), None)
    told = "needs a letter of the game or the name of a piece, a number from 1, and two places"
    return "" if wrong is None else f"moves {wrong!r}; TilesMoved {told}"


def _can_move(moved: object, letters: str) -> bool:
    """Whether tiles can have moved like that. The kind may also be the name of a piece, longer than a letter."""
    if not isinstance(moved, TilesMoved) or not _is_whole(moved.number) or moved.number < 1:
        return False
    if not all(isinstance(text, str) and text for text in (moved.kind, moved.origin, moved.target)):
        return False
    return len(moved.kind) > 1 or moved.kind in letters


def _check_sums(position: Position, effects: tuple[Effect, ...]) -> None:
    """The points of a move's effects are what the scores change by."""
    before, after = position.scores, effects[-1].after.scores
    for seat in range(position.game.players):
        told, gained = sum(effect.points for effect in effects if effect.seat == seat), after[seat] - before[seat]
        if told != gained:
            raise GameFault(
                position.game.title,
                f"its effects give player {seat + 1} {told} points in all, but the score changes by {gained}",
            )


def checked_numbers(part: str, position: Position, told: object) -> dict[str, int]:
    """Numbers by name: the points of a seat by their source, or what decides between players with equal points."""
    if isinstance(told, Mapping) and all(map(_is_named_number, told.items())):
        return {name: int(number) for name, number in told.items()}
    raise GameFault(position.game.title, f"its {part} returned {echo(told)} instead of whole numbers by name")


def _is_named_number(item: tuple[object, object]) -> bool:
    name, number = item
    return isinstance(name, str) and _is_whole(number)


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)
