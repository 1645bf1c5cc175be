"""Which tie-break decided a game, from what the rules report about the players who were tied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.game.errors import GameFault

if TYPE_CHECKING:
    from tilewright.game.position import Position


def deciding_tie_break(position: Position) -> str | None:
    """The tie-break that left only the winners; None if points decided, or if all who were tied share the win."""
    if not position.is_over:
        return None
    best = max(position.scores)
    tied = [seat for seat, score in enumerate(position.scores) if score == best]
    values = {seat: position.game.spec.tie_breaks(position, seat) for seat in tied}
    if any(values[seat].keys() != values[tied[0]].keys() for seat in tied):
        raise GameFault(position.game.title, "its tie_breaks have different names for different players")
    decided = None
    for name in values[tied[0]]:
        highest = max(values[seat][name] for seat in tied)
        left = [seat for seat in tied if values[seat][name] == highest]
        decided = name if len(left) < len(tied) else decided
        tied = left
    return decided if tuple(tied) == position.winners else None
