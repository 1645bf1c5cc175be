"""Which tie-break decided a game, from what the rules report about the players who were tied."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.game.position import Position


def deciding_tie_break(position: Position) -> str | None:
    """The tie-break that left only the winners; None if points decided, or if all who were tied share the win."""
    outcome = position.outcome()
    if outcome is None:
        return None
    best = max(outcome.scores)
    tied = [seat for seat, score in enumerate(outcome.scores) if score == best]
    values = {seat: position.game.spec.tie_breaks(position, seat) for seat in tied}
    decided = None
    for name in values[tied[0]]:
        highest = max(values[seat][name] for seat in tied)
        left = [seat for seat in tied if values[seat][name] == highest]
        decided = name if len(left) < len(tied) else decided
        tied = left
    return decided if tuple(tied) == outcome.winners else None
