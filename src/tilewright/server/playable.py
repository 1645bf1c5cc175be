"""Whether a game can be played at a table: asked before the first table of a rule set is opened."""

from __future__ import annotations

from functools import cache

from tilewright.game.game import Game
from tilewright.server import messages
from tilewright.view import animation, narrator


@cache
def check_playable(game: Game) -> None:
    """Raise ``GameFault`` if the first move of a rule set cannot be listed, worded or drawn; each is checked once."""
    position = game.start(seed=1)
    if position.is_over:
        return
    move = next(iter(position.legal_moves), None)
    if move is None:
        raise position.legal_moves.why_none()
    effects = position.effects(move)
    narrator.prompt(position)
    narrator.tell(position, move, effects=effects)
    after = position.copy()
    after.push(move)
    animation.steps(position, move, after, effects)
    messages.paths_of(game)
