"""Cancelling tasks that use Redis.

Before Python 3.12, ``asyncio.wait_for``, through which redis-py sends its commands, may swallow a cancellation.
"""

from __future__ import annotations

import asyncio

ENDS_WITHIN = 2.0
"""Seconds after which a task that was cancelled, and goes on, is cancelled again."""


async def end_task(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=ENDS_WITHIN)
