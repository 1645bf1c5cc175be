"""What decided a game, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.outcome import Outcome
from tilewright.game.spec import GameSpec
from tilewright.view.language import say
from tilewright.view.narrator import source_name
from tilewright.view.phrasing import listed


def verdict(outcome: Outcome, spec: GameSpec, names: Sequence[str], language: str) -> str:
    """By how much the game was won, and which source of points made most of the difference."""
    if len(outcome.winners) > 1:
        return say(language, "narrator.dead_heat")
    (winner,) = outcome.winners
    best = max(score for seat, score in enumerate(outcome.scores) if seat != winner)
    second = [seat for seat, score in enumerate(outcome.scores) if score == best and seat != winner]
    ahead = outcome.scores[winner] - best
    if ahead == 0:
        return say(language, "narrator.level")
    followers = listed([names[seat] for seat in second], language)
    return f"{say(language, 'narrator.ahead', n=ahead, names=followers)} {_decided(outcome, spec, second[0], language)}"


def _decided(outcome: Outcome, spec: GameSpec, second: int, language: str) -> str:
    """The source of points in which the winner was furthest ahead of the second player."""
    mine, theirs = outcome.points[outcome.winners[0]], outcome.points[second]
    source = max(mine, key=lambda name: mine[name] - theirs.get(name, 0))
    return say(
        language,
        "narrator.decided",
        source=source_name(spec, source, language),
        mine=_plain(mine[source]),
        theirs=_plain(theirs.get(source, 0)),
    )


def _plain(points: int) -> str:
    """Points with a minus as long as a plus."""
    return str(points).replace("-", "−")
