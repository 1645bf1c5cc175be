"""The log of a table in words: written when it is read, the same whoever asks and whenever."""

from __future__ import annotations

import random

import pytest

from tilewright.game.registry import every_rule_set
from tilewright.server.log import LENGTH, Lines, log_of
from tilewright.server.seated_table import new_id
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import PlayedMove, Table
from tilewright.view.language import LANGUAGES
from tilewright.view.log_line import log_line

GAMES = list(dict.fromkeys(game.name for game in every_rule_set()))


def played_game(name: str, moves: int = 200) -> tuple[Table, list[PlayedMove]]:
    seats = [StoredSeat("human", f"Player {n + 1}") for n in range(2)]
    table = Table.new(StoredTable(new_id(), name, 2, {}, "11" * 32, seats=seats))
    dice, played = random.Random(5), list[PlayedMove]()
    while table.position.turn is not None and len(played) < moves:
        move = dice.choice(list(table.position.legal_moves))
        played.append(table.play([table.position.turn], move, table.event))
        table = played[-1].table
    return table, played


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_written_later_is_the_one_written_at_the_move(name: str, language: str):
    table, played = played_game(name)
    at_once = [Lines().of_move(one, language) for one in played]
    assert at_once == [log_line(one.before, one.move, one.effects, language) for one in played]
    later = Lines()
    assert later.of_entries(table, table.log, language) == at_once
    assert later.of_entries(table, table.log[3:5], language) == at_once[3:5]


def test_a_takeback_leaves_the_lines_that_stand():
    table, played = played_game("azul", moves=5)
    seat = played[-1].entry.seat
    shorter = table.take_back(seat)
    lines = log_of(shorter, "en")["log"]
    assert [line["number"] for line in lines] == [entry.number for entry in table.log[:-1]]
    again = shorter.play([seat], int(next(iter(shorter.position.legal_moves))), shorter.event).table
    assert log_of(again, "en")["log"][:-1] == lines
    assert log_of(again, "en")["log"][-1]["number"] == again.event


def test_only_so_many_lines_are_kept_and_none_is_lost():
    table, _ = played_game("azul", moves=30)
    few, many = Lines(most=10), Lines()
    expected = many.of_entries(table, table.log, "en")
    assert len(many) == len(table.log)
    for _ in range(2):
        assert few.of_entries(table, table.log, "en") == expected
        assert len(few) == 10


def test_the_page_gets_the_last_lines():
    table, played = played_game("azul-mini")
    assert len(played) > LENGTH
    told = log_of(table, "en")
    assert [line["number"] for line in told["log"]] == [entry.number for entry in table.log[-LENGTH:]]
    assert told["log_after"] is None
