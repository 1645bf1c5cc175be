"""A process in which bots think for one server: ``python -m tilewright.server.bot_process``.

It reads a line of JSON for each job, ``{"id": NUMBER, "table": ID, "seat": SEAT, "bot": NAME, "position": TEXT}``, and
answers ``{"id": NUMBER, "move": NUMBER}``, or with an ``"error"``. ``{"cancel": NUMBER}`` ends a search early, and
``{"release": ID}`` closes the bots of a table. It ends with the server, however that ended. With ``--interpret`` it
leaves compiling to other processes, and meanwhile runs as plain Python what is not compiled yet.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import threading
from typing import Any

from tilewright.game.registry import read_position
from tilewright.kernels.interpreting import interpret_until_compiled
from tilewright.search.cancellation import Cancellation
from tilewright.server.bot_pool import BotPool, Question

MOST_BOTS = 4
"""Bots that keep their memory between moves: up to 230 MB each at level 6."""
_NICENESS = 5
"""Servers go first when the processors are busy."""


class Thinker:
    """Does one job at a time, and hears meanwhile that it is no longer wanted."""

    def __init__(self) -> None:
        self._bots = BotPool(threads=1, most_bots=MOST_BOTS)
        self._searches: dict[int, Cancellation] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, message: dict[str, Any]) -> None:
        """Begin a job, end one, or forget a table."""
        if "cancel" in message:
            if (search := self._searches.get(message["cancel"])) is not None:
                search.cancel()
        elif "release" in message:
            self._bots.release(message["release"])
        else:
            search = self._searches[message["id"]] = Cancellation()  # it may be cancelled before the task begins
            task = asyncio.get_running_loop().create_task(self._do(message, search))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _do(self, job: dict[str, Any], search: Cancellation) -> None:
        found: dict[str, int | str]
        try:
            question = Question(read_position(job["position"]), search, (), is_wanted=lambda: True)
            found = {"move": int(await self._bots.choose(job["table"], job["seat"], job["bot"], question))}
        except Exception as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        del self._searches[job["id"]]
        print(json.dumps({"id": job["id"], **found}), flush=True)


async def _think_forever() -> None:
    loop, thinker = asyncio.get_running_loop(), Thinker()

    def listen() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(thinker.hear, json.loads(line))
        os._exit(0)  # the server has ended, and nobody waits for a search in progress

    threading.Thread(target=listen, name="listening", daemon=True).start()
    await asyncio.Event().wait()


def main() -> None:
    """Think until the server has ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--interpret", action="store_true", help="other processes compile")
    interpret_until_compiled(parser.parse_args().interpret)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    asyncio.run(_think_forever())


if __name__ == "__main__":
    main()
