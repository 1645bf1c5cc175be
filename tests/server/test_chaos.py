"""Any process is killed or frozen while games go on: no acknowledged move is lost or played twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from disasters import Fleet, Party, check, fleet

SEED = 1510


@pytest.fixture
def small_fleet(tmp_path: Path) -> Iterator[Fleet]:
    with fleet(servers=2, workers=1, folder=tmp_path) as running:
        yield running


async def go_on(party: Party, playing: list[asyncio.Task[None]], moves: int = 10) -> None:
    """Let some more moves be played."""
    enough = party.acknowledged + moves
    while party.acknowledged < enough:
        failed = next((task for task in playing if task.done() and task.exception()), None)
        if failed is not None:
            await failed
        await asyncio.sleep(0.05)


async def survive(running: Fleet) -> Party:
    party, ended = Party.of(running, tables=6, pause=0.0, seed=SEED), asyncio.Event()
    goes_on = lambda: not ended.is_set()  # noqa: E731
    playing = [asyncio.create_task(party.play(n, goes_on, goes_on)) for n in range(6)]
    for kind, number, how in (
        ("server", 0, "killed"),
        ("Redis", 0, "killed"),
        ("server", 1, "killed"),
        ("PostgreSQL", 0, "killed"),
        ("worker", 0, "killed"),
        ("PostgreSQL", 0, "frozen"),
        ("server", 0, "frozen"),
        ("Redis", 0, "frozen"),
    ):
        await go_on(party, playing)
        await running.strike(kind, running.victims[kind][number], how, 0.2)
    await go_on(party, playing)
    ended.set()
    await asyncio.gather(*playing)
    await party.http.aclose()
    return party


def test_no_acknowledged_move_is_lost_whatever_is_killed(small_fleet: Fleet):
    party = asyncio.run(survive(small_fleet))
    for server in small_fleet.servers:
        server.stop()
    assert sum(small_fleet.lost.values()) == 8
    assert check(small_fleet.url, party, finished=False) == []
