"""What of the games is ready while a server starts, and what is still being compiled.

The first start after an installation or an update compiles for a minute. Processes of their own do it, in the order in
which players need it; then this process loads the result. Meanwhile it runs the same kernels as plain Python, so that
people can play at once (``kernels/interpreting.py``). Whatever would take too long that way waits.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import Future
from contextlib import suppress

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from tilewright.bots.levels import LEVEL_NAMES
from tilewright.game.registry import GAMES
from tilewright.kernels.interpreting import interpret_until_compiled
from tilewright.server.compiled_mark import is_compiled, remember
from tilewright.server.warm import Step, all_steps, attempt, is_wanted, representative
from tilewright.server.web import language_of
from tilewright.view.language import say

router = APIRouter(include_in_schema=False)

PROCESSES = 2
"""That compile at the same time."""
PART_OF_BOT = {LEVEL_NAMES[0]: "greedy", LEVEL_NAMES[1]: "greedy", LEVEL_NAMES[-1]: "strongest", "random": "rules"}
"""The step that a bot needs; the others search."""


INSIGHT = "insight"
"""The step that hints, the evaluation bar and the analysis board need."""


class Warming:
    """Prepares the steps one after the other, those that somebody waits for first."""

    def __init__(self) -> None:
        steps = all_steps() if is_wanted() else []
        self._waiting = steps[:]
        self._ready: dict[Step, Future[None]] = {step: Future() for step in steps}
        self._representatives = {name: representative(name) for name in GAMES} if steps else {}
        self._faulty: set[str] = set()
        self._lock = threading.Lock()
        self.is_compiling = bool(steps) and not is_compiled()
        """Whether anything has to be compiled: loading takes a second or two, and nobody needs to hear of it."""

    @property
    def progress(self) -> tuple[int, int]:
        """How many steps are done, and how many there are."""
        return sum(future.done() for future in self._ready.values()), len(self._ready)

    def hurry(self, game: str, bot: str) -> None:
        """A bot is being asked for a move: what it needs is compiled next."""
        self._hurry(self._step(game, PART_OF_BOT.get(bot, "search")))

    async def until_ready(self, game: str, part: str) -> None:
        """Wait until a part of a game is ready; it is compiled next."""
        step = self._step(game, part)
        if step in self._ready and not self._ready[step].done():
            self._hurry(step)
            await asyncio.shield(asyncio.wrap_future(self._ready[step]))  # whoever waits may leave, others go on

    def _step(self, game: str, part: str) -> Step:
        return Step(self._representatives.get(game, game), part)

    def _hurry(self, step: Step) -> None:
        with self._lock:
            if step in self._waiting:
                self._waiting.remove(step)
                self._waiting.insert(0, step)

    def run(self) -> None:
        """Prepare everything, and return when that is done."""
        interpret_until_compiled(self.is_compiling)
        try:
            self._prepare_all()
        finally:
            interpret_until_compiled(False)
        if self.is_compiling:
            self.is_compiling = False
            remember()

    def _prepare_all(self) -> None:
        workers = [threading.Thread(target=self._work, name="compiling", daemon=True) for _ in range(PROCESSES)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def _work(self) -> None:
        compiler = _Compiler() if self.is_compiling else None
        while (step := self._next()) is not None:
            if compiler is not None:
                compiler.compile(step)
            if step.game not in self._faulty and not attempt(step.do, "compiling", step.game):
                self._faulty.add(step.game)
            self._ready[step].set_result(None)
        if compiler is not None:
            compiler.close()

    def _next(self) -> Step | None:
        with self._lock:
            return self._waiting.pop(0) if self._waiting else None


@router.get("/compiling")
async def compiling(request: Request) -> JSONResponse:
    """How far it has come, for a page that shows it; nothing once it is done."""
    return JSONResponse({"told": told_to(request)}, headers={"Cache-Control": "no-store"})


def told_to(request: Request) -> str:
    """What a page says about it in the reader's language; nothing if nothing is being compiled."""
    warming: Warming = request.app.state.rooms.warming
    done, steps = warming.progress
    return say(language_of(request), "page.compiling", done=done, steps=steps) if warming.is_compiling else ""


class _Compiler:
    """A process that compiles what it is asked for; if it ends, the server compiles by itself."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tilewright.server.warm", "--asked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def compile(self, step: Step) -> None:
        """Compile a step, so that it only has to be loaded here."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.write(f"{step.game} {step.part}\n")
            self._process.stdin.flush()
            self._process.stdout.readline()

    def close(self) -> None:
        """End the process."""
        with self._process:
            self._process.kill()
