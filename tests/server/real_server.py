"""A real server for tests: in a thread of this process, or in a process of its own that can be killed."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from tilewright.server.draining import DrainingServer
from tilewright.server.room import Room
from tilewright.server.rooms import Rooms
from tilewright.server.run import configured, listen

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds for what should happen at once, on a machine that is busy with other things."""


PORTS = range(11_000, 32_000)
"""Below the ports that systems give to outgoing connections: one of those could take a port before its server does."""


def free_port() -> int:
    """A port of this machine that nobody uses; chosen at random, since other tests choose at the same time."""
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("100 ports were tried, and none of them is free")


def wait_until(true: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Ask again and again, until the answer is yes."""
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline, f"waited {patience:.0f} seconds in vain: {what}"
        time.sleep(0.02)


def answers(url: str) -> bool:
    """Whether a server is there."""
    try:
        return httpx.get(f"{url}/api/games", trust_env=False, verify=False, timeout=5).is_success
    except httpx.TransportError:
        return False


class ThreadServer:
    """An application in a thread of this process, so that a test can reach into it."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.config = configured(app)
        self._server = DrainingServer(self.config, app.state)
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._loop: asyncio.AbstractEventLoop | None = None

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._server.serve([listen("127.0.0.1", self.port)])

    def inside(self, act: Callable[[Rooms], T]) -> T:
        """Do something in the server's own thread; what it gives."""

        async def work(rooms: Rooms) -> T:
            return act(rooms)

        return self.inside_async(work)

    def inside_async(self, work: Callable[[Rooms], Coroutine[Any, Any, T]]) -> T:
        """The same for something that takes a while, during which the server goes on."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(work(self.app.state.rooms), self._loop).result(PATIENCE)

    def __enter__(self) -> ThreadServer:
        self._thread.start()
        wait_until(lambda: self._server.started or not self._thread.is_alive(), "the server should start")
        assert self._server.started
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), f"the server does not end:\n{self._stacks()}"

    def _stacks(self) -> str:
        """What all threads and tasks are doing."""
        stacks = ["".join(traceback.format_stack(frame)) for frame in sys._current_frames().values()]
        tasks = asyncio.all_tasks(self._loop) if self._loop is not None else ()
        return "\n\n".join([*stacks, *map(repr, tasks)])


def viewers(live: Rooms) -> int:
    """How many look at any table, for ``ThreadServer.inside``."""
    return sum(len(room.viewers) for room in live._rooms.values())


def room_of(live: Rooms, table: str) -> Room:
    """The room of a table that somebody asked for, for ``ThreadServer.inside``."""
    return live._rooms[table]


class ProcessServer:
    """``python -m tilewright.server.run`` on a free port; its output goes to a file beside the database."""

    def __init__(
        self,
        database: Path | str,
        pause: float = 0.0,
        absent: float | None = None,
        log: Path | None = None,
        options: Sequence[str] = (),
    ) -> None:
        self.database = database
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = log or Path(database).with_suffix(".log")
        self._options = ["--thinking", str(pause), "--limits", "0", "--review-budget", "60"]
        self._options += [*(["--absent", str(absent)] if absent else []), *options]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> ProcessServer:
        """Start, on the same port and file as before, and wait until it answers."""
        command = [sys.executable, "-m", "tilewright.server.run", "--port", str(self.port)]
        command += ["--database", str(self.database), *self._options]
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        wait_until(lambda: self._ended() or answers(self.url), "the server should answer")
        assert not self._ended(), self.log.read_text(encoding="utf-8")
        return self

    def _ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        """``kill -9``: no time for anything."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(PATIENCE)

    def tell_to_end(self) -> None:
        """SIGTERM; it may take its time."""
        assert self._process is not None
        self._process.terminate()

    def wait(self) -> None:
        """Until it has ended."""
        assert self._process is not None
        self._process.wait(PATIENCE)

    def stop(self) -> float:
        """End it in the friendly way; the seconds that it took."""
        begun = time.monotonic()
        if self._process is not None and not self._ended():
            self._process.terminate()
            self._process.wait(PATIENCE)
        return time.monotonic() - begun

    def __enter__(self) -> ProcessServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
