"""Bots that take long think in processes beside the server, which may be killed and end with it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from people import people_at
from real_server import ProcessServer, wait_until

import tilewright as tw
from tilewright.kernels.interpreting import interpret_until_compiled
from tilewright.search.cancellation import Cancellation
from tilewright.server import child_bots
from tilewright.server.bot_pool import NobodyWaits, Question
from tilewright.server.child_bots import ChildBots
from tilewright.server.queued_bots import QueuedBots

POSITION = tw.Azul(2).start(seed=7)
DEEP = "level6"
ENDLESS = "search:3600s"
T = TypeVar("T")


@pytest.fixture(autouse=True)
def everything_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that was started in this process limits its log."""
    monkeypatch.setattr(child_bots.logger, "filters", [])


def question(cancellation: Cancellation | None = None, *, wanted: bool = True) -> Question:
    return Question(POSITION, cancellation or Cancellation(), (), lambda: wanted)


def with_bots(work: Callable[[ChildBots], Coroutine[Any, Any, T]]) -> T:
    """Do something with one process in which bots think."""

    async def run() -> T:
        bots = ChildBots(processes=1)
        try:
            return await work(bots)
        finally:
            bots.close()
            await bots.disconnect()

    return asyncio.run(run())


def pid_of(bots: ChildBots) -> int | None:
    process = bots._children[0]._process
    return process.pid if process is not None and process.returncode is None else None


def test_a_bot_keeps_its_process_from_move_to_move():
    async def play(bots: ChildBots) -> None:
        bots.expect(DEEP)
        moves, processes = [], set()
        for seat in (0, 0, 1):
            moves.append(await bots.choose("table", seat, DEEP, question()))
            processes.add(pid_of(bots))
        assert all(move in POSITION.legal_moves for move in moves)
        assert len(processes) == 1
        assert None not in processes
        bots.release("table")
        assert await bots.choose("table", 0, "random", question()) in POSITION.legal_moves
        with pytest.raises(NobodyWaits):
            await bots.choose("table", 0, DEEP, question(wanted=False))

    with_bots(play)


def test_a_search_is_cancelled_where_it_runs():
    async def play(bots: ChildBots) -> tw.Move:
        cancellation = Cancellation()
        thinking = asyncio.create_task(bots.choose("table", 0, ENDLESS, question(cancellation)))
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(0.1, cancellation.cancel)
        return await thinking

    assert with_bots(play) in POSITION.legal_moves


def test_while_workers_cannot_be_asked_bots_take_turns_in_the_processes_of_the_server():
    """A server asks workers for more moves at once than it has processes of its own."""

    async def play() -> list[tw.Move]:
        bots = QueuedBots("redis://127.0.0.1:9/0")
        try:
            return await asyncio.gather(*(bots.choose(f"table {n}", 0, "search:5ms", question()) for n in range(5)))
        finally:
            bots.close()
            await bots.disconnect()

    assert all(move in POSITION.legal_moves for move in asyncio.run(play()))


def test_another_process_thinks_if_one_is_killed():
    async def play(bots: ChildBots) -> None:
        thinking = asyncio.create_task(bots.choose("table", 0, ENDLESS, question(cancellation := Cancellation())))
        while (first := pid_of(bots)) is None:
            await asyncio.sleep(0.01)
        os.kill(first, signal.SIGKILL)
        while (second := pid_of(bots)) in (None, first):
            await asyncio.sleep(0.01)
        cancellation.cancel()
        assert await thinking in POSITION.legal_moves
        assert pid_of(bots) == second

    with_bots(play)


def test_a_process_that_was_started_while_the_server_compiled_is_replaced_afterwards():
    async def play(bots: ChildBots) -> None:
        interpret_until_compiled(True)
        await bots.choose("table", 0, DEEP, question())
        first = pid_of(bots)
        await bots.choose("table", 0, DEEP, question())
        assert pid_of(bots) == first
        interpret_until_compiled(False)
        await bots.choose("table", 0, DEEP, question())
        assert pid_of(bots) not in (None, first)

    try:
        with_bots(play)
    finally:
        interpret_until_compiled(False)


def test_when_the_server_ends_nobody_goes_on_thinking():
    async def play(bots: ChildBots) -> None:
        thinking = asyncio.create_task(bots.choose("table", 0, ENDLESS, question()))
        while pid_of(bots) is None:
            await asyncio.sleep(0.01)
        bots.close()
        await bots.disconnect()
        assert not thinking.done()
        assert pid_of(bots) is None

    with_bots(play)


def test_a_game_goes_on_even_if_every_process_dies(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    monkeypatch.setattr(child_bots.sys, "executable", "/bin/false")
    assert with_bots(lambda bots: bots.choose("table", 0, DEEP, question())) in POSITION.legal_moves
    assert caplog.text.count("ended with status 1") == child_bots.TRIES


def test_a_bot_that_cannot_be_made_is_replaced(caplog: pytest.LogCaptureFixture):
    assert with_bots(lambda bots: bots.choose("table", 0, "search:nonsense", question())) in POSITION.legal_moves
    assert "a bot failed: BadOption" in caplog.text


def children_of(process: int) -> list[int]:
    with suppress(OSError):
        return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return []


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="children are found by Linux's /proc")
def test_no_process_is_left_behind_by_a_server_that_was_killed(process_server: ProcessServer):
    process_server.start()
    with people_at(process_server.url) as person:
        seats = [{"kind": "bot", "bot": DEEP}] * 2
        table = person().post("/api/tables", {"seats": seats}).json()["id"]
        with person().watch(table) as line:
            line.hear("event")
            children = children_of(process_server.pid)
            process_server.kill()
            assert children
            wait_until(lambda: not any(map(is_alive, children)), "its processes should end with it")


def test_a_process_that_was_expected_in_vain_ends(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(child_bots, "IDLE", 0.1)

    async def wait(bots: ChildBots) -> None:
        bots.expect(DEEP)
        await asyncio.gather(*bots._starting)
        assert pid_of(bots) is not None
        await asyncio.wait_for(bots._children[0].ended(), 30)

    with_bots(wait)
