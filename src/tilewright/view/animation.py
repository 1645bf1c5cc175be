"""A move as it is shown: the moments that it leads to, from the effects that the rules say it has."""

from __future__ import annotations

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.view.narrator import Effects
from tilewright.view.picture.fallback import shown_scene
from tilewright.view.picture.scene import Step
from tilewright.view.picture.scenes import scene_of
from tilewright.view.slots import on_board_of


def steps(before: Position, move: Move, after: Position, effects: Effects = None) -> list[Step]:
    """The moments of a move, one for each effect; the last is the position after it, with what was dealt.

    An effect that is about no player, such as the marker going back at the end of a round, is shown together with
    what follows it; one that moves nothing and scores nothing, such as the completion of a bonus still to come, is
    not shown by itself.
    """
    told = list(effects or before.game.spec.effects(before, move))
    while told and told[-1].seat is None:
        told.pop()
    shown = [
        Step(scene_of(effect.after), effect.seat, effect.points, effect.at, effect.after.scores[effect.seat or 0])
        for n, effect in enumerate(told)
        if n == 0 or effect.points or effect.tiles
    ]
    last = scene_of(after)
    if not shown or shown[-1].scene != last:
        shown.append(Step(last))
    return shown


def landing(position: Position, move: Move, effects: Effects = None) -> dict[str, str]:
    """Where on the mover's board tiles would come to lie, before anything is scored: slots and kinds."""
    first, mover = (effects or position.game.spec.effects(position, move))[0], position.turn or 0
    scene = shown_scene if first.after.is_over else scene_of
    now, then = scene(position).tiles, scene(first.after).tiles
    return {slot: kind for slot, kind in then.items() if on_board_of(mover, slot) and slot not in now}
