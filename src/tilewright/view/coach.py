"""A coach for a first game: short sentences that fit the moment, none of them more than once or twice.

What was said before needs no memory: the coach goes through the earlier decisions of the player, which a
position knows, and finds again what it must have said there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from tilewright.game.guarding import guarded
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.spec import GameSpec
from tilewright.view import narrator
from tilewright.view.coach_topic import TextKey, Topic
from tilewright.view.language import say_for


@dataclass(frozen=True)
class Advice:
    """What the coach says."""

    text: str


def advice(position: Position, seat: int, language: str) -> Advice | None:
    """What to tell the player in a seat now; None while others think.

    A game without a coach says what the player has to do.
    """
    spec = position.game.spec
    if position.is_over:
        return Advice(_spoken(spec, _ending(position, seat), language))
    if position.turn != seat:
        return None
    topic, said = None, Counter[tuple[str, str]]()
    for moment in _decisions(position, seat):
        topic = _fresh(moment, seat, said)
        if topic is not None:
            said[topic.key, topic.about] += 1
    return Advice(narrator.prompt(position, language) if topic is None else _spoken(spec, topic, language))


def _decisions(position: Position, seat: int) -> list[Position]:
    """The moments at which a player had to decide, the present one last."""
    past = position.copy()
    past.dealer = None
    moments = [past.copy()]
    moves = sum(isinstance(event, Move) for event in past.events)
    while moves:
        moves -= isinstance(past.pop(), Move)
        if past.turn == seat:
            moments.append(past.copy())
    return moments[::-1]


def _fresh(position: Position, seat: int, said: Counter[tuple[str, str]]) -> Topic | None:
    """The most important topic that was not said often enough."""
    for topic in _topics(position, seat):
        if said[topic.key, topic.about] < topic.times:
            return topic
    return None


def _topics(position: Position, seat: int) -> list[Topic]:
    coach: Any = position.game.spec.part("coach")
    if coach is None:
        return []
    topics: list[Topic] = guarded(position.game.title, "coach.topics", lambda: list(coach.topics(position, seat)))()
    return topics


def _ending(position: Position, seat: int) -> Topic:
    if seat not in position.winners:
        return Topic("over_lost")
    return Topic("over_won" if len(position.winners) == 1 else "over_shared")


def _spoken(spec: GameSpec, topic: Topic, language: str) -> str:
    values = {
        name: say_for(spec, language, value) if isinstance(value, TextKey) else value
        for name, value in topic.values.items()
    }
    return say_for(spec, language, f"coach.{topic.key}", **values)
