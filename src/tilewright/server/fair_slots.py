"""A bounded number of jobs at once; those that wait take turns.

With one queue for everybody, a visitor with two hundred tables would make all others wait for two hundred moves.
Here the addresses take turns, at each address the people, and each person's jobs come in the order of arrival. So
whoever waits is behind at most one job of every other address.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import NamedTuple

from tilewright.server.telemetry.metrics import waiting


class Owner(NamedTuple):
    """On whose behalf something is done."""

    address: str
    person: str
    """The hash of a key; empty for a visitor without one."""


NOBODY = Owner("", "")

_Turn = asyncio.Future[None]


class FairSlots:
    """Lets in as many jobs at once as there are slots. Used from one event loop."""

    def __init__(self, slots: int, name: str = "jobs") -> None:
        """``name`` is what the metrics call those who wait."""
        self._free = slots
        self._name = name
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_Turn]]] = OrderedDict()

    @asynccontextmanager
    async def slot(self, owners: Sequence[Owner]) -> AsyncIterator[None]:
        """Wait for a slot on behalf of one of these owners, whichever has the fewest jobs waiting."""
        await self._enter(min(owners, key=self._jobs_of, default=NOBODY))
        try:
            yield
        finally:
            self._leave()

    def _jobs_of(self, owner: Owner) -> tuple[int, int]:
        people: Mapping[str, deque[_Turn]] = self._waiting.get(owner.address, {})
        return sum(map(len, people.values())), len(people.get(owner.person, ()))

    async def _enter(self, owner: Owner) -> None:
        if self._free:
            self._free -= 1
            return
        turn: _Turn = asyncio.get_running_loop().create_future()
        people = self._waiting.setdefault(owner.address, OrderedDict())
        people.setdefault(owner.person, deque()).append(turn)
        try:
            with waiting(self._name):
                await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()  # it was let in at the same moment
            raise

    def _leave(self) -> None:
        """Pass the slot on to whoever is next."""
        while self._waiting:
            turn = self._next()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def _next(self) -> _Turn:
        """The next in turn; its address and person go to the back, or away if they have no other job waiting."""
        address, people = self._waiting.popitem(last=False)
        person, turns = people.popitem(last=False)
        turn = turns.popleft()
        if turns:
            people[person] = turns
        if people:
            self._waiting[address] = people
        return turn
