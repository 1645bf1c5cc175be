"""Bots live as long as their games, in a bounded number of threads and with bounded memory."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Hashable, Iterator
from typing import ClassVar

import pytest
from people import Person
from real_server import ThreadServer, room_of, wait_until

import tilewright as tw
from tilewright.bots.bot import Bot, Thought
from tilewright.bots.registry import BOTS, OFFERED, make_bot
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation
from tilewright.server.bot_pool import QUICK, BotPool, NobodyWaits, Question
from tilewright.server.fair_slots import Owner

ANN, BOB = Owner("192.0.2.1", "ann"), Owner("192.0.2.2", "bob")
POSITION = tw.Azul(2).start(seed=7)


class Noted(Bot):
    """A bot that notes what happens to it."""

    made: ClassVar[list[Noted]] = []

    def __init__(self) -> None:
        self.made.append(self)
        self.asked = 0
        self.closed = threading.Event()

    def choose(self, position: tw.Position) -> tw.Move:
        assert position.dealer is None
        self.asked += 1
        return next(iter(position.legal_moves))

    def close(self) -> None:
        self.closed.set()


class Failing(Noted):
    """A bot whose moves are illegal."""

    def choose(self, position: tw.Position) -> tw.Move:
        return position.game.move("1kf")


class Endless(Noted):
    """A bot that thinks until it is cancelled."""

    def think(
        self, position: tw.Position, budget: Budget | None = None, cancellation: Cancellation | None = None
    ) -> Thought:
        assert cancellation is not None
        assert cancellation.wait(20)
        return Thought(self.choose(position))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Noted]:
    """The bots that were made, of kinds that only these tests know."""
    for name, kind in {"noted": Noted, "failing": Failing, "endless": Endless}.items():
        monkeypatch.setitem(BOTS, name, kind)
    monkeypatch.setattr(Noted, "made", [])
    return Noted.made


@pytest.fixture
def pool() -> Iterator[BotPool]:
    pool = BotPool(threads=1, most_bots=3)
    yield pool
    pool.close()


def question(owner: Owner = ANN, *, is_wanted: Callable[[], bool] = lambda: True) -> Question:
    return Question(POSITION, Cancellation(), [owner], is_wanted)


def choose(pool: BotPool, table: str, seat: int, name: str = "noted") -> tw.Move:
    return asyncio.run(pool.choose(table, seat, name, question()))


def test_a_bot_plays_its_whole_game(pool: BotPool, made: list[Noted]):
    for _ in range(3):
        for seat in (0, 1):
            assert choose(pool, "a", seat) in POSITION.legal_moves
    assert [bot.asked for bot in made] == [3, 3]
    pool.release("a")
    assert all(bot.closed.wait(20) for bot in made)
    assert len(pool) == 0


def test_another_bot_in_the_same_seat_is_another_bot(pool: BotPool, made: list[Noted]):
    choose(pool, "a", 0)
    choose(pool, "a", 0, "random")
    assert made[0].closed.wait(20)
    assert len(pool) == 1


def test_the_bots_that_moved_least_recently_are_closed(pool: BotPool, made: list[Noted]):
    for table in ("a", "b", "c", "a", "d"):
        choose(pool, table, 0)
    assert made[1].closed.wait(20)
    assert [bot.closed.is_set() for bot in made] == [False, True, False, False]
    choose(pool, "b", 0)
    assert [bot.asked for bot in made] == [2, 1, 1, 1, 1], "it was made again"


def test_a_bot_that_fails_is_replaced_for_one_move(pool: BotPool, made: list[Noted], caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.ERROR):
        assert choose(pool, "a", 0, "failing") in POSITION.legal_moves
    assert "a bot failed" in caplog.text
    assert made[0].closed.wait(20)


def test_releasing_a_table_ends_its_searches(pool: BotPool, made: list[Noted]):
    async def release_meanwhile() -> tw.Move:
        search = asyncio.create_task(pool.choose("a", 0, "endless", question()))
        await asyncio.sleep(0)
        pool.release("a")
        return await search

    assert asyncio.run(release_meanwhile()) in POSITION.legal_moves
    assert made[0].closed.wait(20)


def test_a_search_that_nobody_waits_for_any_more_is_not_begun(pool: BotPool, made: list[Noted]):
    with pytest.raises(NobodyWaits):
        asyncio.run(pool.choose("a", 0, "noted", question(is_wanted=lambda: False)))
    assert made[0].asked == 0
    assert choose(pool, "a", 0) in POSITION.legal_moves, "the thread is free again"


def test_a_visitor_with_many_tables_makes_nobody_wait_for_all_of_them(pool: BotPool, made: list[Noted]):
    """One thread thinks, and two hundred moves are wanted before Bob wants his."""

    async def served() -> list[str]:
        order: list[str] = []
        first = asyncio.create_task(pool.choose("first", 0, "endless", blocking := question()))

        async def play(table: str, owner: Owner) -> None:
            await pool.choose(table, 0, "noted", question(owner))
            order.append(table)

        tasks = [asyncio.create_task(play(f"table {n}", ANN)) for n in range(200)]
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(play("of Bob", BOB)))
        await asyncio.sleep(0)
        blocking.cancellation.cancel()
        await asyncio.gather(first, *tasks)
        return order

    assert asyncio.run(served())[:3] == ["table 0", "of Bob", "table 1"]


def test_long_searches_never_occupy_the_thread_of_the_quick_bots(pool: BotPool, made: list[Noted]):
    async def answered() -> tw.Move:
        long = [question() for _ in range(5)]
        tasks = [asyncio.create_task(pool.choose(f"table {n}", 0, "endless", one)) for n, one in enumerate(long)]
        move = await pool.choose("a", 0, "random", question())
        assert not any(task.done() for task in tasks)
        for one in long:
            one.cancellation.cancel()
        await asyncio.gather(*tasks)
        return move

    assert asyncio.run(answered()) in POSITION.legal_moves


@pytest.mark.parametrize("name", OFFERED)
def test_only_a_bot_with_a_time_to_think_is_kept_from_the_quick_lane(name: str):
    budget = getattr(make_bot(name), "budget", None)
    assert (name in QUICK) is (budget is None or budget.seconds is None)


def test_a_room_keeps_its_bots_until_the_game_is_over_or_nobody_looks(me: Person, server: ThreadServer):
    table = me.open("me", "bot", game="azul-mini")

    def seats() -> list[Hashable]:
        return server.inside(lambda live: [seat for owner, seat in live.bots._players if owner == table])

    event = me.play_first(table)
    me.read(table, after=event, wait=20)
    wait_until(lambda: seats() == [1], "the bot should have moved")
    wait_until(lambda: not server.inside(lambda live: room_of(live, table).is_running), "it is my turn")
    server.inside(lambda live: live.close_idle(idle=-1.0))
    assert seats() == []
    while (now := me.read(table))["over"] is None:
        if now["turn"] == 1:
            me.play_first(table)
    assert seats() == []
