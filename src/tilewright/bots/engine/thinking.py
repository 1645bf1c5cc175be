"""A bot that thinks in a thread of its own, so that its program can still read commands, such as ``stop``."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter

from tilewright.bots.bot import Bot, Thought, ask_thought
from tilewright.bots.engine.protocol import BadLine
from tilewright.bots.errors import BotFailed
from tilewright.game.errors import TilewrightError, describe_error
from tilewright.game.position import Position
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation

Answer = Callable[["Thought | TilewrightError", int], None]
"""Takes the thought, or why there is none, and the milliseconds that it took."""


class Thinking:
    """One thought. It is answered once, from its thread."""

    def __init__(self, bot: Bot, position: Position, budget: Budget | None, answer: Answer) -> None:
        self._bot = bot
        self._position = position
        self._budget = budget
        self._answer = answer
        self._cancellation = Cancellation()
        self._thread = threading.Thread(target=self._run, name="thinking", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wait(self) -> None:
        """Until it is answered."""
        self._thread.join()

    def stop(self) -> None:
        """Ask for the best move so far. A bot that cannot be interrupted answers when it is done."""
        self._cancellation.cancel()

    def _run(self) -> None:
        started = perf_counter()
        thought = self._think()
        with suppress(BrokenPipeError):  # the host is gone
            self._answer(thought, round((perf_counter() - started) * 1000))

    def _think(self) -> Thought | TilewrightError:
        try:
            return ask_thought(self._bot, self._position, self._budget, "the bot", self._cancellation)
        except BotFailed as failure:
            if failure.__cause__ is not None and not isinstance(failure.__cause__, TilewrightError):
                traceback.print_exception(failure.__cause__, file=sys.stderr)  # for the author of the bot
            return failure
        except BaseException as error:  # KeyboardInterrupt: in this thread it can only be the bot's own
            return BadLine(f"the bot failed: choosing a move raised {describe_error(error)}")
