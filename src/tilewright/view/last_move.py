"""The last move as it stays visible on the table: where its tiles lay, and where they have come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.game.effects import MARKER, Effect
from tilewright.game.position import Position
from tilewright.view.picture.fallback import shown_scene
from tilewright.view.picture.scene import flights
from tilewright.view.picture.scenes import scene_of
from tilewright.view.slots import on_board_of


def last_move(before: Position, effects: Sequence[Effect], now: Position) -> dict[str, Any]:
    """For viewers: the slots that were left and those that were reached, with the kinds, and the place of origin.

    Only what is still true is shown: after the end of a round the place was filled again, and tiles that were scored
    are elsewhere.
    """
    scene = shown_scene if now.is_over else scene_of
    old, new, shown = scene(before), scene(effects[0].after), scene(now).tiles
    mover = before.turn or 0
    lay = old.tiles
    moved = [one for one in flights(old, new) if on_board_of(mover, one.target) or on_board_of(mover, one.origin)]
    same_round = now.round == before.round and not now.is_over
    return {
        "seat": mover + 1,
        "place": _origin(effects[0], mover) if same_round else None,
        "left": [
            [one.kind, one.origin] for one in moved if same_round and one.origin in lay and one.origin not in shown
        ],
        "reached": [[one.kind, one.target] for one in moved if shown.get(one.target) == one.kind],
    }


def _origin(move: Effect, mover: int) -> str | None:
    """The place on the table that the mover's tiles come from; None if it is their own board."""
    taken = (one.origin for one in move.tiles if one.kind != MARKER and on_board_of(mover, one.target))
    origin = next(taken, None)
    return None if origin is None or on_board_of(mover, origin) else origin
