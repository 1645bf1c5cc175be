"""The scenes that were drawn last: a move is shown from the scene before it, and the next move begins with this one."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.view.picture.compose import picture_of
from tilewright.view.picture.scene import Scene

KEPT = 2048
"""How many scenes are kept: about 6 kB each. Enough for one of each game that is being played on a busy server."""

_known: OrderedDict[tuple[Game, bytes], Scene] = OrderedDict()
_lock = Lock()


def scene_of(position: Position) -> Scene:
    """What lies where, drawn once for the same position of the same game; for reading only."""
    key = (position.game, position.states.tobytes())
    with _lock:
        found = _known.get(key)
    if found is None:
        found = picture_of(position.game).scene(position)
        with _lock:
            _known[key] = found
            if len(_known) > KEPT:
                _known.popitem(last=False)
    return found
