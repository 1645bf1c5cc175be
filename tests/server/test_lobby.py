"""The list of tables that anybody may join: nobody crowds out the others."""

from __future__ import annotations

from collections.abc import Callable

from people import Person
from real_server import ThreadServer

from tilewright.server import lobby
from tilewright.server.lobby import Lobby
from tilewright.server.stored import WaitingTable


def listed(person: Person) -> list[str]:
    return [one["id"] for one in person.get("/api/tables").json()]


def test_twenty_tables_of_one_person_do_not_hide_anybody_elses(me: Person, friend: Person):
    theirs = friend.open("me", "open")
    mine = [me.open("me", "open") for _ in range(lobby.LENGTH)]
    for seen in (listed(me), listed(friend)):
        assert [table for table in seen if table in mine] == mine[: -lobby.MOST_OF_PERSON - 1 : -1], "the newest ones"
        assert theirs in seen


def test_who_takes_a_new_key_for_every_table_is_known_by_the_address(
    server: ThreadServer, person: Callable[[], Person]
):
    tables = []
    for _ in range(lobby.LENGTH):
        tables.append(person().open("me", "open"))
    known = server.app.state.lobby
    assert {known._addresses[table] for table in tables} == {"127.0.0.1"}


def test_one_address_fills_only_what_others_leave():
    known = Lobby()
    flood = [WaitingTable(f"flood {n}", f"key {n}") for n in range(100)]
    for table in flood:
        known.opened(table.id, "192.0.2.1")
    others = [WaitingTable(f"other {n}", f"person {n}") for n in range(5)]
    for n, table in enumerate(others):
        known.opened(table.id, f"198.51.100.{n}")
    chosen = known.choose([*flood, *others])
    assert chosen == [*(f"flood {n}" for n in range(15)), *(table.id for table in others)]
    assert known.choose(flood) == [table.id for table in flood[: lobby.LENGTH]], "there is nobody else"


def test_tables_that_were_opened_before_a_restart_are_all_listed():
    old = [WaitingTable(f"old {n}", f"person {n}") for n in range(10)]
    without_people = [WaitingTable(f"empty {n}", None) for n in range(5)]
    assert len(Lobby().choose([*old, *without_people])) == 15


def test_the_oldest_addresses_are_forgotten_first():
    known = Lobby()
    for n in range(lobby.MOST_KNOWN + 5):
        known.opened(str(n), "192.0.2.1")
    assert len(known._addresses) == lobby.MOST_KNOWN
    assert "0" not in known._addresses
