"""The engine of the analysis board: best lines of a position while somebody looks.

It has one thread of the lowest priority for all boards, which take turns at every step of their searches. So it never
makes a bot or a person wait, and no board waits for the end of another's search.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tilewright.game.position import Position
from tilewright.insight.analysis import DEFAULT_BUDGET, Analysis, analyse, analyse_live
from tilewright.search.cancellation import Cancellation
from tilewright.server.bot_pool import give_way
from tilewright.server.fair_slots import FairSlots, Owner
from tilewright.server.review_worker import NICENESS
from tilewright.server.warming import INSIGHT, Warming

BUDGET = "250000"
"""Simulations: a quarter of a minute or more."""
QUICK_BUDGET = "400"
"""For each of the moves that are compared to answer "what if they take these?"."""
BOARDS = 6
"""How many boards have a search at the same time: each takes some memory."""


class Explorer:
    """Searches for the boards of all viewers, one search for each of them."""

    def __init__(self, warming: Warming, budget: str | None = None) -> None:
        self._warming = warming
        self._budget = budget or BUDGET
        self._single_budget = budget or DEFAULT_BUDGET
        self._quick_budget = budget or QUICK_BUDGET
        self._boards = FairSlots(BOARDS)
        self._steps = FairSlots(1)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="explorer", initializer=partial(give_way, NICENESS))
        self._searches: dict[Owner, Cancellation] = {}

    @property
    def searches(self) -> int:
        """How many searches there are."""
        return len(self._searches)

    async def watch(self, position: Position, owner: Owner, lines: int) -> AsyncGenerator[Analysis, None]:
        """Analyses that become better. A person's next search ends the one before, in whatever tab that was."""
        if owner in self._searches:
            self._searches[owner].cancel()
        cancellation = self._searches[owner] = Cancellation()
        try:
            await self._warming.until_ready(position.game.spec.name, INSIGHT)
            async with self._boards.slot([owner]):
                search = analyse_live(position, self._budget, lines, cancellation=cancellation)
                while (found := await self._step(search, owner)) is not None and not cancellation.is_cancelled:
                    yield found
        finally:
            cancellation.cancel()
            if self._searches.get(owner) is cancellation:
                del self._searches[owner]

    async def analyse(self, position: Position, owner: Owner, lines: int) -> Analysis:
        """One analysis, for a program. It takes turns with the boards, and a person's board goes on meanwhile."""
        await self._warming.until_ready(position.game.spec.name, INSIGHT)
        async with self._boards.slot([owner]):
            search = analyse_live(position, self._single_budget, lines)
            found = await self._step(search, owner)
            while (better := await self._step(search, owner)) is not None:
                found = better
        assert found is not None
        return found

    async def _step(self, search: Iterator[Analysis], owner: Owner) -> Analysis | None:
        async with self._steps.slot([owner]):
            return await asyncio.get_running_loop().run_in_executor(self._thread, next, search, None)

    async def best_of(self, position: Position, moves: list[int], owner: Owner) -> int:
        """The best of some legal moves, by a short search after each of them."""
        if len(moves) == 1:
            return moves[0]
        await self._warming.until_ready(position.game.spec.name, INSIGHT)
        seat = position.turn or 0
        utilities = {}
        for move in moves:
            after = position.without_dealer()
            after.push(move)
            async with self._steps.slot([owner]):
                quick = partial(analyse, after, self._quick_budget, 1)
                found = await asyncio.get_running_loop().run_in_executor(self._thread, quick)
            utilities[move] = found.expectation.utility_for(seat)
        return max(utilities, key=utilities.__getitem__)

    def close(self) -> None:
        """End all searches."""
        for cancellation in self._searches.values():
            cancellation.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
