"""Analysis of single positions, for hints and the evaluation bar.

One at a time, in a thread that gives way to the tables, and only with machine code: as plain Python a search of
thousands of simulations would take minutes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

from tilewright.game.position import Position
from tilewright.insight.analysis import Analysis, analyse
from tilewright.insight.expectation import Expectation
from tilewright.search.cancellation import Cancellation
from tilewright.server.bot_pool import give_way
from tilewright.server.fair_slots import FairSlots, Owner
from tilewright.server.warming import INSIGHT, Warming

BUDGET = "6000"
"""Simulations: about a second."""
FOR_THE_BAR = "3000"
"""Simulations for the evaluation bar, which follows every move."""
LINES = 4
"""The best move, and some to compare it with."""


class Analyst:
    """Looks for the best moves of positions; those who ask take turns."""

    def __init__(self, warming: Warming, budget: str | None = None) -> None:
        self._warming = warming
        self._budget, self._budget_of_bar = budget or BUDGET, budget or FOR_THE_BAR
        self._slots = FairSlots(1, "hints")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="analyst", initializer=give_way)
        self._cancellation = Cancellation()

    async def analyse(
        self, position: Position, owners: Sequence[Owner], cancellation: Cancellation | None = None
    ) -> Analysis:
        """The best moves of a position; after a cancellation, what was found so far."""
        await self._warming.until_ready(position.game.spec.name, INSIGHT)
        async with self._slots.slot(owners):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._analyse, position, cancellation)

    async def evaluate(self, position: Position, owners: Sequence[Owner]) -> Expectation:
        """What the players can expect in a position, even before a draw."""
        await self._warming.until_ready(position.game.spec.name, INSIGHT)
        async with self._slots.slot(owners):
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._evaluate, position)

    def _analyse(self, position: Position, cancellation: Cancellation | None) -> Analysis:
        with self._cancellation.calling(cancellation.cancel) if cancellation else nullcontext():
            return analyse(position, self._budget, LINES, cancellation=cancellation or self._cancellation)

    def _evaluate(self, position: Position) -> Expectation:
        return analyse(position, self._budget_of_bar, lines=1, cancellation=self._cancellation).expectation

    def close(self) -> None:
        """End the search in progress."""
        self._cancellation.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
