"""The evaluation bar: everybody's chances, shown to those who can gain no unfair advantage from it.

Players see the present position under the same rule as hints, and the game remembers it. Whoever watches sees the
position in which the current round began, before its tiles were dealt: any player could watch in another window, and
what was known before the deal helps nobody to choose a move after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from tilewright.game.position import Position
from tilewright.insight.expectation import Expectation
from tilewright.server.errors import Forbidden
from tilewright.server.hints import BY_CONSENT, GIVEN
from tilewright.server.table import Table
from tilewright.server.viewer import Viewer
from tilewright.view.grammar import percent
from tilewright.view.language import say

if TYPE_CHECKING:
    from tilewright.server.room import Room

DELAYED = "delayed"
"""The bar shows how the round began."""


class Moment(NamedTuple):
    """A position to evaluate; ``round`` is the last round that was over, None for the present position."""

    position: Position
    round: int | None


class EvaluationBar:
    """The evaluation bar of one table. A position is evaluated once, however many look at the bar."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._known: list[tuple[Moment, Expectation]] = []
        self._beginning: Moment | None = None
        """Of the current round, or of an earlier one if nobody has asked since."""
        self._is_running = False

    def offer_to(self, seats: list[int]) -> str | None:
        """What whoever plays in these seats may see: the present position, with consent, or how the round began."""
        table = self._room.table
        if table.position.is_over or table.waits_for_players or table.stored.guided or table.stored.is_contest:
            return None
        if not seats:
            return DELAYED
        return GIVEN if table.allows_help_to(seats) else BY_CONSENT

    async def watch(self, viewer: Viewer, seats: list[int], *, on: bool) -> None:
        """Show somebody the bar from now on, or no longer."""
        if on and self.offer_to(seats) not in (GIVEN, DELAYED):
            raise Forbidden("no_evaluation")
        viewer.wants_evaluation = on
        if on:
            for seat in seats:
                await self._room.playing.remember_bar(seat)
            self._send([viewer])
            self.refresh()

    def refresh(self) -> None:
        """Evaluate what those who look at the bar do not know yet, one position at a time."""
        if not self._is_running and self._next() is not None:
            self._is_running = True
            self._room.in_background(self._evaluate())

    async def _evaluate(self) -> None:
        try:
            while (moment := self._next()) is not None:
                owners = [viewer.owner for viewer in self._viewers()]
                found = await self._room.rooms.analyst.evaluate(moment.position, owners)
                self._known = [*self._known[-1:], (moment, found)]
                self._send(viewer for viewer in self._viewers() if _is_same(moment, self._moment_of(viewer)))
        finally:
            self._is_running = False

    def _viewers(self) -> list[Viewer]:
        return [viewer for viewer in self._room.viewers if viewer.wants_evaluation]

    def _next(self) -> Moment | None:
        """A position that somebody looks at and that is not evaluated yet."""
        moments = (self._moment_of(viewer) for viewer in self._viewers())
        return next((moment for moment in moments if moment and self._expectation(moment) is None), None)

    def _moment_of(self, viewer: Viewer) -> Moment | None:
        """The position that somebody may see evaluated now; none in the first round for those who only watch."""
        table = self._room.table
        offer = self.offer_to(table.seats_of(viewer.key))
        if offer == GIVEN:
            return Moment(table.position, None)
        return self._beginning_of(table) if offer == DELAYED else None

    def _beginning_of(self, table: Table) -> Moment | None:
        if self._beginning is None or self._beginning.round != table.position.round - 1:
            self._beginning = _beginning_of_round(table)
        return self._beginning

    def _expectation(self, moment: Moment) -> Expectation | None:
        return next((found for known, found in self._known if _is_same(known, moment)), None)

    def _send(self, viewers: Iterable[Viewer]) -> None:
        for viewer in viewers:
            moment = self._moment_of(viewer)
            found = None if moment is None else self._expectation(moment)
            if moment is None or found is not None:
                viewer.send(json.dumps(self._told(moment, found, viewer.language)))

    def _told(self, moment: Moment | None, found: Expectation | None, language: str) -> dict[str, Any]:
        names = self._room.table.names(language)
        message = {"type": "evaluation", "event": self._room.table.event}
        if moment is None or found is None:
            return {**message, "chances": None, "text": say(language, "review.evaluation_later")}
        shares = [percent(chance, language) for chance in found.chances]
        return {
            **message,
            "chances": list(found.chances),
            "shares": shares,
            "round": moment.round,
            "text": _in_words(moment, found, names, language),
        }


def _is_same(one: Moment, other: Moment | None) -> bool:
    """Positions of tables never change, so that nobody has moved as long as the object is the same."""
    return other is not None and one.position is other.position


def _beginning_of_round(table: Table) -> Moment | None:
    """The position before the tiles of this round were dealt; None in the first round, where it says nothing."""
    now = table.position.round
    if now == 1:
        return None
    found = next((position for _, _, position in table.moments() if position.round == now), table.position)
    return Moment(found.copy(), now - 1)


def _in_words(moment: Moment, found: Expectation, names: list[str], language: str) -> str:
    listed = ", ".join(f"{name} {percent(chance, language)}" for name, chance in zip(names, found.chances, strict=True))
    text = (
        say(language, "review.evaluation_now", list=listed)
        if moment.round is None
        else say(language, "review.evaluation_round", number=moment.round, list=listed)
    )
    ahead = max(range(len(names)), key=lambda seat: found.margins[seat])
    points = round(found.margins[ahead])
    if points < 1:
        return text
    return f"{text} {say(language, 'review.evaluation_margin', name=names[ahead], n=points)}"
