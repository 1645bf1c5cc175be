"""What decided a game, in a sentence or two."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.game.outcome import Outcome
from tilewright.game.position import Position
from tilewright.game.spec import GameSpec
from tilewright.view.faults import shown_outcome, shown_tie_break
from tilewright.view.grammar import listed
from tilewright.view.language import say
from tilewright.view.narrator import source_name, tie_break_name


def result_summary(position: Position, names: Sequence[str], language: str) -> str:
    """By how much a finished game was won, and which source of points made most of the difference."""
    outcome = shown_outcome(position)
    assert outcome is not None
    return summary_of(outcome, position.game.spec, shown_tie_break(position), names, language)


def summary_of(outcome: Outcome, spec: GameSpec, tie_break: str | None, names: Sequence[str], language: str) -> str:
    """The same for an outcome; ``tie_break`` is what decided between players with equal points."""
    if len(outcome.winners) > 1:
        return say(language, "narrator.dead_heat")
    (winner,) = outcome.winners
    best = max(score for seat, score in enumerate(outcome.scores) if seat != winner)
    second = [seat for seat, score in enumerate(outcome.scores) if score == best and seat != winner]
    ahead = outcome.scores[winner] - best
    if ahead == 0:
        what = tie_break_name(spec, tie_break, language) if tie_break else ""
        return say(language, "narrator.level_decided" if what else "narrator.level", what=what)
    followers = listed([names[seat] for seat in second], language)
    margin = say(language, "narrator.ahead", n=ahead, names=followers)
    return f"{margin} {_decided(outcome, spec, second[0], language)}" if outcome.points[winner] else margin


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
