"""What no game of a rule set can exceed: decisions, draws, points."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Bounds:
    """Bounds of a rule set. They hold for every game; an ordinary one stays far below them."""

    decisions: int
    draws: int
    kinds: int
    """Kinds of tile that may be drawn, numbered from 0."""
    most_points: int
    least_points: int
