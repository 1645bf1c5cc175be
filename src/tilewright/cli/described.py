"""Positions, games and outcomes as plain objects for JSON. Players and turns count from 1, as in records."""

from __future__ import annotations

from typing import Any

from tilewright.game.game import Game
from tilewright.game.outcome import Outcome
from tilewright.game.position import Position
from tilewright.view.narrator import tell


def game_object(game: Game) -> dict[str, Any]:
    """Which game."""
    return {"game": game.name, "players": game.players, "options": dict(game.options)}


def outcome_object(outcome: Outcome | None) -> dict[str, Any] | None:
    """How it ended, if it did."""
    if outcome is None:
        return None
    return {
        "winners": [seat + 1 for seat in outcome.winners],
        "scores": list(outcome.scores),
        "points": [dict(points) for points in outcome.points],
    }


def turn_number(position: Position) -> int | None:
    """Who is to move, from 1."""
    return None if position.turn is None else position.turn + 1


def position_object(position: Position, names: list[str] | None, language: str) -> dict[str, Any]:
    """All about a position."""
    return {
        **game_object(position.game),
        "names": names,
        "text": position.to_text(),
        "round": position.round,
        "phase": position.phase,
        "turn": turn_number(position),
        "scores": list(position.scores),
        "over": position.is_over,
        "outcome": outcome_object(position.outcome()),
        "chances": {name: float(chance) for name, chance in position.chances().items()},
        "legal_moves": [
            {"number": int(move), "text": move.text, "description": tell(position, move, language).sentence}
            for move in position.legal_moves
        ],
    }
