"""While a server compiles: people play, pages say how far it is, and what somebody waits for comes first."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from people import Person, people_at
from real_server import ProcessServer, ThreadServer, wait_until
from services import children_of, command_of

import tilewright as tw
from tilewright.game.game import Game
from tilewright.server import compiled_mark, warm
from tilewright.server.warm import PARTS, Step
from tilewright.server.warming import INSIGHT, PROCESSES, Warming

FIRST = next(iter(tw.GAMES))


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A mark of its own: nothing is known to be compiled."""
    monkeypatch.setenv("TILEWRIGHT_WARM_UP", "1")
    monkeypatch.setenv("TILEWRIGHT_NATIVE", "1")
    monkeypatch.setattr(compiled_mark, "_mark", lambda: tmp_path / "compiled.txt")
    compiled_mark.shipped.why_not.cache_clear()
    return tmp_path / "compiled.txt"


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Step]:
    """The parts of games do nothing but note that they were prepared."""
    noted: list[Step] = []

    def note(part: str) -> Callable[[Game], None]:
        return lambda game: noted.append(Step(game.name, part))

    for part in PARTS:
        monkeypatch.setitem(PARTS, part, note(part))
    return noted


def test_steps_are_done_in_the_order_in_which_players_need_them(mark: Path, done: list[Step]):
    mark.write_text(compiled_mark._digest_of_sources())
    warming = Warming()
    assert not warming.is_compiling
    assert warming.progress == (0, len(warm.all_steps()))
    warming.run()
    assert sorted(done) == sorted(warm.all_steps())
    assert [step.part for step in done[:2]] == ["rules", "rules"]
    assert done[-1].part == "insight"
    assert warming.progress == (len(done), len(done))


def test_games_that_share_their_rules_are_compiled_once():
    searched = {step.game for step in warm.all_steps() if step.part == "search"}
    assert len(searched) < len(tw.GAMES)
    assert {warm.representative(name) for name in tw.GAMES} == searched


def test_what_somebody_waits_for_comes_first(mark: Path, done: list[Step], monkeypatch: pytest.MonkeyPatch):
    mark.write_text(compiled_mark._digest_of_sources())
    monkeypatch.setattr("tilewright.server.warming.PROCESSES", 1)
    warming, last = Warming(), list(tw.GAMES)[-1]

    async def wait_for_a_hint() -> None:
        asked = asyncio.create_task(warming.until_ready(last, INSIGHT))
        await asyncio.sleep(0)
        warming.hurry(last, "level6")
        threading.Thread(target=warming.run).start()
        await asked

    asyncio.run(wait_for_a_hint())
    assert done[:2] == [Step(warm.representative(last), part) for part in ("strongest", INSIGHT)]


def test_a_process_compiles_and_the_next_start_only_loads(mark: Path, monkeypatch: pytest.MonkeyPatch):
    steps = [Step(FIRST, "rules")]
    monkeypatch.setattr("tilewright.server.warming.all_steps", lambda: steps)
    warming = Warming()
    assert warming.is_compiling
    warming.run()
    assert warming.progress == (1, 1)
    assert not warming.is_compiling
    assert not Warming().is_compiling
    monkeypatch.setattr("tilewright.kernels.shipped.VERSION", "another")
    assert Warming().is_compiling


@pytest.fixture
def compiling(server: ThreadServer, mark: Path, done: list[Step]) -> Iterator[Warming]:
    """A server that has just been started and has everything still to compile."""
    rooms = server.app.state.rooms
    before, rooms.warming = rooms.warming, Warming()
    yield rooms.warming
    rooms.warming = before


def test_the_page_says_how_far_it_is(compiling: Warming, me: Person):
    assert 'id="compiling"' in me.get("/").text
    assert f"0 of {compiling.progress[1]} parts" in me.get("/compiling").json()["told"]
    compiling.is_compiling = False
    compiling.run()
    assert me.get("/compiling").json() == {"told": ""}
    assert 'id="compiling"' not in me.get("/").text


def compilers_of(server: ProcessServer) -> list[int]:
    """The processes that compile for a server."""
    return [pid for pid in children_of(server.pid) if b"tilewright.server.warm" in command_of(pid)]


@contextmanager
def stopped(processes: list[int]) -> Iterator[None]:
    """They do nothing, however long it takes."""
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in processes:
            os.kill(pid, signal.SIGCONT)


@pytest.mark.skipif(not Path("/proc").exists(), reason="the processes of a server are found in /proc")
def test_a_game_is_played_while_everything_is_compiled(
    process_server: ProcessServer, mark: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    with process_server as running, people_at(running.url) as person:
        wait_until(lambda: len(compilers_of(running)) == PROCESSES, "it should begin to compile")
        with stopped(compilers_of(running)):
            me = person()
            table = me.open("me", "bot", seats=[{"kind": "me"}, {"kind": "bot", "bot": "level3"}])
            event = me.play_first(table)
            wait_until(lambda: me.read(table)["event"] > event, "the bot should answer", 180.0)
            assert me.get("/compiling").json()["told"], "it is still being compiled"
