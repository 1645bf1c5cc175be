"""What processes tell each other of a move: believed only with the seal of its table, and never over the database."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from stored_tables import a_table

from tilewright.game.dealer import SecretDealer
from tilewright.server.move_message import Told
from tilewright.server.relay import LARGEST, Relay, opened
from tilewright.server.stored import StoredEvent
from tilewright.server.table import Table

TOLD = Told('"type":"event","event":2', {"en": '"prompt":"Go"', "fr": '"prompt":"À vous"'})


@pytest.fixture
def table() -> Table:
    return Table.new(replace(a_table("0" * 20, "human", "human"), secret=SecretDealer().secret))


def relay_at(table: Table, told: Told | None = TOLD) -> Relay:
    return Relay(table.stored.seating, table.event, [StoredEvent(table.event + 1, "1 1b3", 1763300000.125, 2.5)], told)


def carried(content: list[Any]) -> Any:
    """What arrives at another process."""
    return json.loads(json.dumps(content))


@pytest.mark.parametrize("told", [TOLD, None])
def test_a_move_arrives_as_it_was_sent(table: Table, told: Told | None):
    relay = relay_at(table, told)
    assert opened(table, carried(relay.sealed(table))) == relay


def test_what_others_made_up_is_not_believed(table: Table):
    sealed = carried(relay_at(table).sealed(table))
    elsewhere = Table.new(replace(table.stored, id="1" * 20))
    stranger = Table.new(replace(table.stored, secret=SecretDealer().secret))
    assert opened(elsewhere, sealed) is None, "the seal is for one table, even if another one has the same deals"
    assert opened(stranger, sealed) is None
    assert opened(table, carried(relay_at(stranger).sealed(stranger))) is None
    for number, changed in enumerate(["0" * 64, 1, 7, [[2, "1 2b3", 0.0, 0.0]], None]):
        assert opened(table, [*sealed[:number], changed, *sealed[number + 1 :]]) is None
    for nonsense in (None, [], "é", ["é"], {"seal": 1}, [None, 1, 2, [], None]):
        assert opened(table, nonsense) is None


def test_a_move_whose_story_is_too_long_for_the_channel_goes_without_it(table: Table):
    story = Told('"steps":[' + ",".join(['"a"'] * (LARGEST // 4)) + "]", {})
    sealed = relay_at(table, story).sealed(table)
    assert len(json.dumps(sealed)) < LARGEST
    assert opened(table, carried(sealed)) == relay_at(table, None)


def test_a_move_follows_one_version_of_a_table(table: Table):
    relay = relay_at(table)
    played = table.play([0, 1], table.position.legal_moves[0], table.event).table
    reseated = table.with_seats({0: table.stored.seats[0]})
    assert relay.follows(table)
    assert not relay.is_part_of(table)
    assert relay.is_part_of(played)
    assert not relay.follows(played)
    assert reseated.stored.seating != table.stored.seating
    assert not relay.follows(reseated)
    assert not relay.is_part_of(reseated)
