"""Analysis of single positions, for hints: one at a time, in a thread that gives way to the tables."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tilewright.game.position import Position
from tilewright.insight.analysis import Analysis, analyse
from tilewright.search.cancellation import Cancellation
from tilewright.server.bot_pool import give_way
from tilewright.server.fair_slots import FairSlots, Owner

BUDGET = "6000"
"""Simulations: about a second."""
LINES = 4
"""The best move, and some to compare it with."""


class Analyst:
    """Looks for the best moves of positions; those who ask take turns."""

    def __init__(self, budget: str | None = None) -> None:
        self._budget = budget or BUDGET
        self._slots = FairSlots(1, "hints")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="analyst", initializer=give_way)
        self._cancellation = Cancellation()

    async def analyse(self, position: Position, owners: Sequence[Owner]) -> Analysis:
        """The best moves of a position."""
        async with self._slots.slot(owners):
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._analyse, position)

    def _analyse(self, position: Position) -> Analysis:
        return analyse(position, self._budget, LINES, cancellation=self._cancellation)

    def close(self) -> None:
        """End the thought in progress."""
        self._cancellation.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)
