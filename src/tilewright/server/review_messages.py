"""What the page of a review is sent: the game as scenes, and the review in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.insight import report, wording
from tilewright.insight.grades import NOTEWORTHY, Grade
from tilewright.insight.review import MoveReview, Review
from tilewright.insight.wording import signed_percent
from tilewright.server import messages
from tilewright.server.reviews import ReviewedGame
from tilewright.view import animation, narrator
from tilewright.view.language import say
from tilewright.view.picture import compose
from tilewright.view.picture.fallback import shown_scene
from tilewright.view.slots import spot_of


def game_message(game: ReviewedGame, key: str | None, language: str) -> dict[str, Any]:
    """The drawings, and every position of the game with its scene and what led to it."""
    record, names = game.record, game.names(language)
    rules = record.game
    positions = list(record.positions())
    moments = [
        {
            "seat": None if before is None or before.turn is None else before.turn + 1,
            "text": "" if before is None else _told_event(before, record.events[n - 1], language),
            "round": position.round,
            "scores": list(position.scores),
            "scene": messages.as_message(shown_scene(position)),
        }
        for n, (before, position) in enumerate(zip([None, *positions], positions, strict=False))
    ]
    return {
        "game": {"name": rules.name, "title": rules.title, "players": rules.players},
        "names": names,
        "mine": [seat + 1 for seat in game.table.owned_by(key)] if game.table else [],
        "table": None if game.table is None else f"/t/{game.table.id}",
        "winners": [seat + 1 for seat in outcome.winners] if (outcome := positions[-1].outcome()) else [],
        "moments": moments,
        **messages.drawings_of(rules, names, language),
    }


def _told_event(before: Position, event: object, language: str) -> str:
    if isinstance(event, Move):
        return narrator.tell(before, event, language).sentence
    return say(language, "page.replay_draw")


def review_message(review: Review, names: Sequence[str], language: str) -> dict[str, Any]:
    """What is known of a review so far, in words where people read them."""
    positions = list(review.record.positions())
    turning = review.turning_point if review.is_complete else None
    return {
        "progress": round(review.progress, 3),
        "complete": review.is_complete,
        "chances": [None if one is None else list(one.chances) for one in review.expectations],
        "margins": [None if one is None else list(one.margins) for one in review.expectations],
        "moves": {move.event: _move(positions[move.event], move, names, language) for move in review.moves},
        "deals": {
            draw.event: {
                "round": draw.round,
                "luck": [
                    f"{name} {signed_percent(luck, language)}" for name, luck in zip(names, draw.luck, strict=True)
                ],
            }
            for draw in review.draws
        },
        "summary": list(wording.summary(review, names, language)) if review.is_complete else [],
        "turning_point": None if turning is None else turning.event,
        "totals": _totals(review, names, language) if review.is_complete else [],
    }


def _totals(review: Review, names: Sequence[str], language: str) -> list[dict[str, Any]]:
    found = []
    for name, seat in zip(names, review.seats, strict=True):
        accuracy, given_away, luck = report.totals_of(seat, language)
        grades = [seat.grades[grade] for grade in Grade]
        sums = report.sum_of(name, seat, language)
        found.append({"accuracy": accuracy, "given_away": given_away, "luck": luck, "grades": grades, "sum": sums})
    return found


def _move(position: Position, move: MoveReview, names: Sequence[str], language: str) -> dict[str, Any]:
    """A move of the list; those that gave something away with the better one."""
    grade = None if move.grade is None else wording.grade_name(move.grade, language)
    told = {"grade": move.grade, "grade_name": grade, "loss": move.loss}
    if move.grade not in NOTEWORTHY:
        return told
    played, better = report.both_moves(position, move, names, language)
    return {
        **told,
        "cost": report.cost_of(move, language),
        "told": [played, better],
        "played": shown_move(position, move.move),
        "better": shown_move(position, move.best),
        "reasons": wording.tell_reasons(move.reasons, position.game, names, language),
    }


def shown_move(position: Position, move: Move) -> dict[str, Any]:
    """How a move is shown on the board: what is clicked for it, where its tiles land, and the table after it."""
    picture, effects = compose.picture_of(position.game), position.effects(move)
    mover = position.turn or 0
    return {
        "spots": [spot_of(mover, spot) for spot in picture.paths(position.game)[int(move)].spots],
        "tiles": animation.landing(position, move, effects),
        "scene": messages.as_message(shown_scene(effects[-1].after)),
    }
