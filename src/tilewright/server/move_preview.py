"""What a move would bring, for whoever considers it."""

from __future__ import annotations

from typing import Any

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.view import animation, narrator


def move_preview(position: Position, move: Move, language: str) -> dict[str, Any]:
    """Phrases with their points, and where the tiles of a legal move would come to lie."""
    effects = position.effects(move)
    lines = [phrase._asdict() for phrase in narrator.preview(position, move, language, effects)]
    return {"lines": lines, "tiles": animation.landing(position, move, effects)}
