"""A coach for a first game: short sentences that fit the moment, none of them more than once or twice.

What was said before needs no memory: the coach goes through the earlier decisions of the player, which a
position knows, and finds again what it must have said there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.view.coach_topic import Topic, Word
from tilewright.view.language import say


@dataclass(frozen=True)
class Advice:
    """What the coach says, and the move that it would make (filled in by who asks a bot)."""

    text: str
    suggestion: Move | None = field(default=None)


def advice(position: Position, seat: int, language: str) -> Advice | None:
    """What to tell the player in a seat now; None while others think.

    >>> import tilewright as tw
    >>> print(advice(tw.Azul(players=2).start(seed=7), 0, "en").text[:8])
    Welcome!
    """
    if position.is_over:
        return Advice(_spoken(_ending(position, seat), language))
    if position.turn != seat:
        return None
    said: Counter[tuple[str, str]] = Counter()
    for moment in _decisions(position, seat):
        topic = _fresh(moment, seat, said)
        said[topic.key, topic.about] += 1
    return Advice(_spoken(topic, language))


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


def _fresh(position: Position, seat: int, said: Counter[tuple[str, str]]) -> Topic:
    """The most important topic that was not said often enough; if there is none, a short reminder."""
    for topic in _topics(position, seat):
        if said[topic.key, topic.about] < topic.times:
            return topic
    return Topic(_area(position) + f"quiet_{position.phase}")


def _topics(position: Position, seat: int) -> Iterator[Topic]:
    coach: Any = position.game.spec.part("coach")
    topics: Iterator[Topic] = coach.topics(position, seat)
    return topics


def _area(position: Position) -> str:
    coach: Any = position.game.spec.part("coach")
    return str(coach.AREA)


def _ending(position: Position, seat: int) -> Topic:
    outcome = position.outcome()
    assert outcome is not None
    if seat not in outcome.winners:
        return Topic("over_lost")
    return Topic("over_won" if len(outcome.winners) == 1 else "over_shared")


def _spoken(topic: Topic, language: str) -> str:
    values = {name: say(language, value) if isinstance(value, Word) else value for name, value in topic.values.items()}
    return say(language, f"coach.{topic.key}", **values)
