"""The one process of this server that reviews games, started when there is something to do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from typing import Any

from tilewright.game.errors import TilewrightError

IDLE = 120.0
"""Seconds without work after which the process ends: it takes a few to start, and 300 MB as long as it runs."""
_LONGEST_LINE = 1 << 26


class ReviewFailed(TilewrightError):
    """A review could not be made."""


class Reviewer:
    """Asks the process for reviews, one at a time."""

    at_once = 1

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._ending: asyncio.Handle | None = None
        self._ended: set[asyncio.Task[int]] = set()
        """Processes that were killed, until they are gone."""

    async def review(
        self, record: str, budget: str | None, begun: dict[str, Any] | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """The review of a record while it is being made, the last one complete; it goes on from what was begun."""
        if self._ending is not None:
            self._ending.cancel()
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            job = {"record": record, "budget": budget, "begun": begun}
            process.stdin.write(json.dumps(job).encode() + b"\n")
            while (answer := await _read(process.stdout)).get("progress", 1) < 1:
                yield answer
            if "error" in answer:
                raise ReviewFailed(answer["error"])
            yield answer
        except BaseException:
            self._kill()  # what it would still say belongs to a review that nobody waits for
            raise
        self._ending = asyncio.get_running_loop().call_later(IDLE, self._kill)

    async def underway(self, record: str, budget: str | None) -> dict[str, Any] | None:
        """What is known of a review that another server asked for; here there is none."""
        return None

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "tilewright.server.review_worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
            )
        return self._process

    def _kill(self) -> None:
        """End the process; the next review gets another one."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            self._ended.add(ending := asyncio.create_task(process.wait()))
            ending.add_done_callback(self._ended.discard)

    async def close(self) -> None:
        """End the process, and wait until it has ended."""
        if self._ending is not None:
            self._ending.cancel()
        self._kill()
        await asyncio.gather(*self._ended)


async def _read(answers: asyncio.StreamReader) -> dict[str, Any]:
    line = await answers.readline()
    if not line:
        raise ReviewFailed("the process that reviews games has ended")
    answer: dict[str, Any] = json.loads(line)
    return answer
