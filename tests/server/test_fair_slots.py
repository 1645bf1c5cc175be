"""Whose turn it is when more wait than there are slots: the order of service, without a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tilewright.server.fair_slots import NOBODY, FairSlots, Owner

CITY, VILLAGE = "192.0.2.1", "198.51.100.1"
ANN, BEN, CLEO = Owner(CITY, "ann"), Owner(CITY, "ben"), Owner(VILLAGE, "cleo")


def order_of_service(jobs: Sequence[tuple[str, Sequence[Owner]]]) -> list[str]:
    """The names of jobs in the order in which one slot lets them in; they ask while it is taken."""

    async def serve() -> list[str]:
        slots, served = FairSlots(1), list[str]()

        async def work(name: str, owners: Sequence[Owner]) -> None:
            async with slots.slot(owners):
                served.append(name)
                await asyncio.sleep(0)

        async with slots.slot([NOBODY]):
            tasks = [asyncio.create_task(work(name, owners)) for name, owners in jobs]
            await asyncio.sleep(0)
            assert not served
        await asyncio.gather(*tasks)
        return served

    return asyncio.run(serve())


def test_one_person_is_served_in_the_order_of_arrival():
    assert order_of_service([(name, [ANN]) for name in "abc"]) == ["a", "b", "c"]


def test_addresses_take_turns():
    jobs = [(f"city {n}", [ANN]) for n in range(4)] + [(f"village {n}", [CLEO]) for n in range(2)]
    assert order_of_service(jobs) == ["city 0", "village 0", "city 1", "village 1", "city 2", "city 3"]


def test_people_at_one_address_take_turns():
    jobs = [*((f"ann {n}", [ANN]) for n in range(3)), ("cleo", [CLEO]), *((f"ben {n}", [BEN]) for n in range(2))]
    assert order_of_service(jobs) == ["ann 0", "cleo", "ben 0", "ann 1", "ben 1", "ann 2"]


def test_an_address_gains_nothing_from_many_people():
    jobs = [(f"city {n}", [Owner(CITY, str(n))]) for n in range(100)] + [(f"cleo {n}", [CLEO]) for n in range(3)]
    assert [name for name in order_of_service(jobs)[:6] if name.startswith("cleo")] == ["cleo 0", "cleo 1", "cleo 2"]


def test_a_job_of_several_owners_counts_for_the_one_with_the_fewest_waiting():
    jobs = [("ann 0", [ANN]), ("ann 1", [ANN]), ("shared", [ANN, CLEO])]
    assert order_of_service(jobs) == ["ann 0", "shared", "ann 1"]


def test_as_many_are_let_in_at_once_as_there_are_slots():
    async def most_at_once() -> int:
        slots, inside, most = FairSlots(3), 0, 0

        async def work() -> None:
            nonlocal inside, most
            async with slots.slot([ANN]):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0)
                inside -= 1

        await asyncio.gather(*(work() for _ in range(20)))
        return most

    assert asyncio.run(most_at_once()) == 3


def test_whoever_gives_up_leaves_their_place_to_the_next():
    async def served() -> list[str]:
        slots, order = FairSlots(1), list[str]()

        async def work(name: str) -> None:
            async with slots.slot([ANN]):
                order.append(name)

        async with slots.slot([CLEO]):
            tasks = {name: asyncio.create_task(work(name)) for name in "abc"}
            await asyncio.sleep(0)
            tasks["a"].cancel()
        tasks["b"].cancel()  # it has just been let in, and does not know it yet
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        await work("later")
        return order

    assert asyncio.run(served()) == ["c", "later"]


def test_a_failure_frees_the_slot():
    async def fail_and_go_on() -> int:
        slots, failures = FairSlots(1), 0
        for _ in range(2):
            try:
                async with asyncio.timeout(60), slots.slot([ANN]):
                    raise ValueError
            except ValueError:
                failures += 1
        return failures

    assert asyncio.run(fail_and_go_on()) == 2
