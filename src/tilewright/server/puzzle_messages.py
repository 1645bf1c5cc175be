"""What the page of puzzles is sent: a position to solve, and after the answer why it was right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.insight.puzzle import Answer, Puzzle
from tilewright.insight.reasons import explain
from tilewright.insight.wording import tell_reasons
from tilewright.server import messages
from tilewright.server.review_messages import shown_move
from tilewright.server.solvers import Solver
from tilewright.view.game_texts import GameTexts
from tilewright.view.grammar import percent
from tilewright.view.language import say
from tilewright.view.narrator import prompt, tell
from tilewright.view.picture import compose


def solver_message(solver: Solver) -> dict[str, Any]:
    """How the person does."""
    return {
        "rating": round(solver.rating.rating),
        "deviation": round(solver.rating.deviation),
        "streak": solver.streak,
        "best_streak": solver.best_streak,
        "solved": solver.solved,
        "tried": solver.tried,
    }


def puzzle_message(puzzle: Puzzle, solver: Solver, is_new: bool, language: str) -> dict[str, Any]:
    """The position and the moves to choose from. Neither the solution nor the rating of the puzzle is in it."""
    game, position = puzzle.game, puzzle.position
    return {
        "id": puzzle.id,
        "game": {"name": game.name, "title": game.title, "players": game.players},
        "variant": GameTexts(game.spec, language).variant(game.options),
        "paths": f"/api/paths/{messages.rules_of(game)}",
        "names": _names(puzzle, language),
        "turn": (position.turn or 0) + 1,
        "round": position.round,
        "scores": list(position.scores),
        "scene": messages.as_message(compose.picture_of(game).scene(position)),
        "legal": [int(number) for number in position.legal_moves.numbers()],
        "prompt": prompt(position, language),
        "new": is_new,
        "solver": solver_message(solver),
        **messages.drawings_of(game, _names(puzzle, language), language),
    }


def answer_message(puzzle: Puzzle, played: Answer | None, language: str) -> dict[str, Any]:
    """What the solution is, why it is better than the move played, and how the round would go on."""
    position, solution = puzzle.position, puzzle.solution
    is_right = played is not None and played.move == solution.move
    other = puzzle.answers[1] if played is None or is_right else played
    was_played = played is not None and not is_right
    return {
        "right": is_right,
        "rating": puzzle.rating,
        "levels": sum(share >= 0.5 for share in puzzle.found),
        "solution": _told(puzzle, solution, language),
        "other": _told(puzzle, other, language),
        "reasons": _reasons(puzzle, other, language, was_played=was_played),
        "line": line_message(position, puzzle.line_of(solution), _names(puzzle, language), language),
    }


def _told(puzzle: Puzzle, answer: Answer, language: str) -> dict[str, Any]:
    """A move in words, what it is worth, and how it is shown on the board."""
    position, move = puzzle.position, puzzle.game.move(answer.move)
    told = tell(position, move, language).sentence
    return {"move": int(move), "told": told, "chance": percent(answer.chance, language), **shown_move(position, move)}


def _reasons(puzzle: Puzzle, other: Answer, language: str, *, was_played: bool) -> list[str]:
    """Why the solution is better than another move."""
    lost = puzzle.solution.margin - other.margin
    line, best_line = puzzle.line_of(other), puzzle.line_of(puzzle.solution)
    reasons = explain(puzzle.position, line, best_line, lost, puzzle.solution.chance)
    return tell_reasons(reasons, puzzle.game, _names(puzzle, language), language, was_played=was_played)


def line_message(position: Position, line: Sequence[Move], names: Sequence[str], language: str) -> list[dict[str, Any]]:
    """The moves of a line, each with the table after it."""
    now, picture, moments = position.copy(), compose.picture_of(position.game), []
    for move in line:
        seat, told = now.turn or 0, tell(now, move, language).sentence
        now.push(move)
        scene = messages.as_message(picture.scene(now))
        moments.append({"seat": seat + 1, "text": f"{names[seat]} {told}", "scene": scene, "scores": list(now.scores)})
    return moments


def _names(puzzle: Puzzle, language: str) -> list[str]:
    return [say(language, "page.player", number=seat + 1) for seat in range(puzzle.game.players)]
