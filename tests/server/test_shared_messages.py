"""What all viewers of a moment see is put together once, however many they are."""

from __future__ import annotations

import pytest
from stored_tables import a_table

from tilewright.game.dealer import SecretDealer
from tilewright.game.registry import GAMES
from tilewright.server import messages
from tilewright.server.seated_table import new_id
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table


@pytest.fixture(params=list(GAMES))
def table(request: pytest.FixtureRequest) -> Table:
    seats = a_table("0" * 20, "human", "human").seats
    assert all(isinstance(seat, StoredSeat) for seat in seats)
    return Table.new(StoredTable(new_id(), request.param, 2, {}, SecretDealer().secret, seats=seats))


def test_a_moment_is_drawn_once_for_all_viewers(table: Table):
    mine, theirs = (messages.table_state(table, seats, "en") for seats in ([0], [1]))
    assert mine["scene"]["tiles"] is theirs["scene"]["tiles"]
    assert (mine["legal"] == []) != (theirs["legal"] == []), "only the player to move gets the legal moves"
    in_french = messages.table_state(table, [], "fr")
    assert in_french["scene"]["tiles"] is mine["scene"]["tiles"], "what lies where has no language"
    assert in_french["prompt"] != mine["prompt"]


def test_the_next_move_begins_where_the_last_one_ended(table: Table):
    played = table.play([0], table.position.legal_moves[0], table.event)
    steps = messages.steps_of(played)
    after = messages.table_state(played.table, [], "en")["scene"]
    changed = {slot: kind for step in steps for slot, kind in step["tiles"].items()}
    assert changed
    assert all(after["tiles"].get(slot) == kind for slot, kind in steps[-1]["tiles"].items())
