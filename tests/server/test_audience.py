"""Who waits at a table, and on whose behalf its bots think."""

from __future__ import annotations

import pytest

from tilewright.server import audience as module
from tilewright.server.audience import ATTENTION, MOST_ASKERS, Audience
from tilewright.server.fair_slots import Owner
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table
from tilewright.server.viewer import Viewer


class Watch:
    """A clock that a test moves on."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    made = Watch()
    monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture
def table() -> Table:
    """Ann plays against a bot."""
    seats = [StoredSeat("human", "Ann", hash_key("ann")), StoredSeat("bot", bot="random")]
    return Table.new(StoredTable(new_id(), "azul", 2, {}, "11" * 32, seats=seats))


def owner(name: str, address: str = "192.0.2.1") -> Owner:
    return Owner(address, hash_key(name))


def viewer(name: str, address: str = "192.0.2.1") -> Viewer:
    return Viewer(name, "en", owner(name, address))


def test_whoever_is_connected_waits(table: Table):
    viewers = {ann := viewer("ann")}
    audience = Audience(viewers)
    assert audience.is_there
    assert audience.owners(table) == [ann.owner]
    viewers.clear()
    assert not audience.is_there


def test_a_request_counts_as_waiting_for_a_while(watch: Watch, table: Table):
    audience = Audience(set())
    audience.ask(owner("ann"))
    watch.now += ATTENTION - 1
    assert audience.is_there
    audience.ask(owner("ann"))
    watch.now += ATTENTION - 1
    assert audience.owners(table) == [owner("ann")]
    watch.now += 2
    assert not audience.is_there
    assert audience.owners(table) == []


def test_spectators_do_not_pay_for_what_a_player_waits_for(table: Table):
    """Else somebody who is far behind in the queue could slow down a game by watching it."""
    ann, eve = viewer("ann"), viewer("eve", "198.51.100.1")
    audience = Audience({eve})
    assert audience.owners(table) == [eve.owner]
    audience.ask(ann.owner)
    assert audience.owners(table) == [ann.owner]
    assert Audience({ann, eve}).owners(table) == [ann.owner]


def test_only_so_many_askers_are_remembered_the_last_ones(table: Table):
    audience = Audience(set())
    for number in range(3 * MOST_ASKERS):
        audience.ask(owner(str(number)))
    audience.ask(owner("ann"))
    assert len(audience._asked) == MOST_ASKERS
    assert audience.owners(table) == [owner("ann")]
