"""The queue of bot moves. A job is a position as text, which has neither the dealer nor anybody's key."""

from __future__ import annotations

from typing import NamedTuple

from tilewright.server.job_queue import JobQueue, Timeouts

STREAM = "tilewright:bots"
TIMEOUTS = Timeouts(claimed_after=10.0, given_up_after=30.0, kept=60)
"""No search takes as long as ten seconds."""


class BotJob(NamedTuple):
    """A bot's decision. A position of a table is asked about once: its name says which one it is."""

    name: str
    bot: str
    position: str
    trace: str = ""
    """The span of whoever asks."""


class JobFailed(Exception):
    """A worker could not choose a move."""


class BotQueue(JobQueue[BotJob]):
    """What bots have to think about."""

    def __init__(self, url: str) -> None:
        super().__init__(url, STREAM, BotJob, TIMEOUTS)

    async def move(self, job: BotJob) -> int:
        """The move that a worker chooses."""
        first = (await self.wait(job))[0].content
        if "error" in first:
            raise JobFailed(first["error"])
        return int(first["move"])
