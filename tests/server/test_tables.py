"""A table without the web: who may do what, and that a game read from its lines is the game that was played."""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tilewright import server
from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import BadMove, BadRecord
from tilewright.game.record import read_record
from tilewright.server.errors import Forbidden, RequestError
from tilewright.server.messages import every_rule_set
from tilewright.server.names import clean_name
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table
from tilewright.view.language import texts

SECRET = "11" * 32
RULES = [pytest.param(game, id=repr(game)) for game in every_rule_set()]


def new_table(game: str = "azul", players: int = 2, secret: str = SECRET, **options: object) -> Table:
    seats = [StoredSeat("human", f"Player {n + 1}", hash_key(f"key {n}")) for n in range(players)]
    return Table.new(StoredTable(new_id(), game, players, dict(options), secret, seats=seats))


def play(table: Table, moves: int, dice: random.Random) -> Table:
    for _ in range(moves):
        if table.position.turn is not None:
            move = dice.choice(list(table.position.legal_moves))
            table = table.play([table.position.turn], move, table.event).table
    return table


def sit(table: Table, key: str, name: str, wanted: int | None = None) -> tuple[Table, int]:
    number, seat = table.seat_for(key, name, wanted)
    return table.with_seats({number: seat}).begun(), number


def read_again(table: Table) -> Table:
    return Table.replay(table.stored, table.lines)


def assert_same(one: Table, other: Table) -> None:
    assert one.position == other.position
    assert one.position.events == other.position.events
    assert one.position_with_past() == one.position
    assert one.lines == other.lines
    assert one.log == other.log
    assert one.turns == other.turns
    dealers = one.position.dealer, other.position.dealer
    assert dealers[0] is not None
    assert dealers[1] is not None
    assert dealers[0].drawn == dealers[1].drawn


def test_a_move_is_played_for_the_seat_to_move():
    table = new_table()
    assert table.event == 1
    assert table.lines[0].startswith("draw ")
    move = next(iter(table.position.legal_moves))
    played = table.play([0, 1], str(move), 1)
    after = played.table
    assert played.lines == (f"1 {move}",) == after.lines[1:]
    assert played.before is table.position
    assert (table.event, table.position.turn) == (1, 0), "a table never changes"
    assert (after.event, after.position.turn) == (2, 1)
    assert (played.entry.number, played.entry.seat) == (2, 0)


def test_who_does_not_hold_the_seat_to_move_is_refused():
    table = new_table()
    move = int(next(iter(table.position.legal_moves)))
    for seats in ([], [1]):
        with pytest.raises(Forbidden, match="Player 1’s turn"):
            table.play(seats, move, 1)
    assert table.event == 1


@pytest.mark.parametrize("after", [-1, 0, 2, 10**30])
def test_a_stale_move_is_refused(after: int):
    table = new_table()
    with pytest.raises(RequestError, match=f"event {after}.*event 1") as refused:
        table.play([0], int(next(iter(table.position.legal_moves))), after)
    assert refused.value.said("en") == "the game has moved on: take another look"
    assert table.event == 1


def test_a_move_that_was_played_already_is_known():
    table = new_table()
    first, second = list(table.position.legal_moves)[:2]
    table = table.play([0], int(first), 1).table
    assert table.has_played([0], int(first), 1)
    assert table.has_played([0, 1], str(first), 1)
    for seats, move, after in (([1], first, 1), ([], first, 1), ([0], second, 1), ([0], first, 2), ([0], first, None)):
        assert not table.has_played(seats, int(move), after)
    for nonsense in ("nonsense", -1, 10**9):
        assert not table.has_played([0], nonsense, 1)
    for after in (0, -1, 10**30):
        assert not table.has_played([0], int(first), after)
    table = play(table, 1, random.Random(0))
    assert table.has_played([0], int(first), 1), "the table may have moved on"
    table = table.take_back(0)
    assert not table.has_played([0], int(first), 1), "it does not stand any more"


@pytest.mark.parametrize("move", [-1, 10**9, 10**400, "", "nonsense", "x" * 5000, "\ud800", "1 2 3 4 5"])
def test_what_is_no_move_is_refused(move: int | str):
    table = new_table()
    before = table.position.copy()
    with pytest.raises(BadMove):
        table.play([0], move, 1)
    assert table.position == before
    assert (table.event, table.log) == (1, ())


def test_an_illegal_move_is_refused_and_leaves_no_trace():
    table = new_table()
    illegal = next(move for move in table.game.moves if move not in table.position.legal_moves)
    before = table.position.copy()
    with pytest.raises(BadMove):
        table.play([0], int(illegal), 1)
    assert table.position == before
    assert (table.event, table.log) == (1, ())
    assert_same(table, read_again(table))


def test_nobody_moves_before_every_seat_is_taken():
    seats = [StoredSeat("human", "Player 1", hash_key("key 0")), StoredSeat("invite")]
    table = Table.new(StoredTable(new_id(), "azul", 2, {}, SECRET, seats=seats))
    with pytest.raises(Forbidden, match="every seat"):
        table.play([0], 0, 0)
    table, seat = sit(table, "key 1", "  Bo\n b ")
    assert seat == 1
    assert table.names("en") == ["Player 1", "Bo b"]
    assert table.seats_of("key 1") == [1]
    table = play(table, 1, random.Random(0))
    with pytest.raises(Forbidden, match="taken"):
        sit(table, "another", "Eve")
    with pytest.raises(Forbidden, match="seat 1 is not free"):
        sit(table, "another", "Eve", 0)


@pytest.mark.parametrize("name", ["azul", "azul-mini", "summer-pavilion"])
def test_no_tile_is_drawn_before_the_last_seat_is_taken(name: str):
    """Else the host could look at the deal, and open another table until one suits them."""
    seats = [StoredSeat("human", "Ann", hash_key("key 0")), StoredSeat("invite"), StoredSeat("open")]
    table = Table.new(StoredTable(new_id(), name, 3, {}, SECRET, seats=seats))
    bare = table.game.set_up()
    for key in ("key 1", "key 2"):
        assert (table.event, table.position.turn, len(table.position.legal_moves)) == (0, None, 0)
        assert table.position == bare
        assert_same(table, read_again(table))
        table, _ = sit(table, key, "Bob")
    assert table.lines == new_table(name, 3).lines, "the deal follows from the secret, whenever it is made"
    assert_same(table, read_again(table))
    assert table.begun() is table
    assert play(table, 300, random.Random(0)).deals_are_honest()


def test_tables_of_the_same_rules_share_what_never_changes():
    one, other = new_table("azul", 3, wall="grey"), new_table("azul", 3, wall="grey")
    assert one.game is other.game
    assert one.game is not new_table("azul", 3).game
    one = play(one, 1, random.Random(0))
    again = Table.replay(one.stored, ["".join(list(line)) for line in one.lines])
    assert again.lines[1] is one.lines[1], "the same move is the same string at every table"


def test_keys_hold_seats_and_nothing_else_does():
    table = new_table()
    assert table.seats_of("key 0") == [0]
    for key in (None, "", "key 2", hash_key("key 0")):
        assert table.seats_of(key) == []
    assert "key 0" not in repr(table.stored)


def test_a_substitute_plays_in_a_seat_that_stays_its_owners():
    table = new_table().with_seats({0: StoredSeat("human", "Ana", hash_key("key 0"))})
    table = table.with_seats({0: table.seat_with_substitute(0, "random", timed_out=False)})
    assert (table.owned_by("key 0"), table.seats_of("key 0")) == ([0], [])
    assert (table.bot_of(0), table.bot_of(1), table.people) == ("random", None, {1})
    assert [table.names(language)[0] for language in ("en", "fr", "it")] == ["Ana (bot)", "Ana (robot)", "Ana (bot)"]
    again = table.for_rematch(0).seats
    assert (again[1].name, again[1].substitute, again[1].key_hash) == ("Ana", None, hash_key("key 0"))
    table = table.with_seats({0: table.seat_taken_back(0)})
    assert table.seats_of("key 0") == [0]
    table = table.with_seats({0: table.seat_with_substitute(0, "random", timed_out=True)})
    with pytest.raises(Forbidden, match="clock ran out"):
        table.seat_taken_back(0)
    assert table.for_rematch(0).seats[1].timed_out is False


def test_who_typed_no_name_has_one_in_every_language():
    seats = [StoredSeat("bot", bot="random"), StoredSeat("bot", bot="random"), StoredSeat("human"), StoredSeat("open")]
    table = Table.new(StoredTable(new_id(), "azul", 4, {}, SECRET, seats=seats))
    assert table.names("en") == ["Random bot", "Random bot 2", "Player 3", "Free seat"]
    assert table.names("fr") == ["Robot aléatoire", "Robot aléatoire 2", "Joueur 3", "Place libre"]
    table = table.with_seats({3: StoredSeat("human", "Player 3")})
    assert table.names("en")[2:] == ["Player 3", "Player 3 2"]


@pytest.mark.parametrize("game", RULES)
def test_a_game_read_from_its_lines_is_the_game_that_was_played(game):
    table = new_table(game.name, game.players, **game.options)
    dice = random.Random(7)
    while not table.position.is_over:
        table = play(table, 17, dice)
        assert_same(table, read_again(table))
    assert table.deals_are_honest()
    assert read_again(table).deals_are_honest()
    record = read_record(table.record("en").to_text())
    assert record.replay() == table.position
    assert (record.secret, record.secret_hash) == (SECRET, table.commitment)


@pytest.mark.parametrize("name", ["azul", "azul-mini", "summer-pavilion"])
def test_a_takeback_stops_at_a_draw(name: str):
    """Else a player could look at the new tiles, take back the move that brought them, and try another."""
    table = new_table(name)
    dice = random.Random(3)
    refused = 0
    while not table.position.is_over:
        table = play(table, dice.randrange(1, 4), dice)
        if table.position.is_over:
            break
        seat = dice.randrange(2)
        number = table.last_move_of(seat)
        if number is None:
            assert not table.may_take_back([seat])
            continue
        if any(line.startswith("draw") for line in table.lines[number:]):
            refused += 1
            assert not table.may_take_back([seat])
            with pytest.raises(Forbidden, match="new tiles have been drawn"):
                table.take_back(seat)
        elif dice.random() < 0.3:
            assert table.may_take_back([seat])
            table = table.take_back(seat)
            assert table.position.turn == seat
        assert_same(table, read_again(table))
    assert refused
    assert not table.may_take_back([0, 1]), "the game is over"
    assert read_record(table.record("en").to_text()).follows_from_secret(), "every tile that was drawn stays"


def test_with_several_seats_the_last_move_of_any_of_them_counts():
    table = new_table("azul-mini")
    dice = random.Random(1)
    while not table.lines[-2:][-1].startswith("draw") or table.event == 1:
        table = play(table, 1, dice)
    last = int(table.lines[-2].split()[0]) - 1
    for seats in ([0], [1], [0, 1]):
        assert not table.may_take_back(seats)
    table = play(table, 1, dice)
    mover = int(table.lines[-1].split()[0]) - 1
    assert table.may_take_back([mover])
    assert table.may_take_back([0, 1])
    assert table.seat_to_take_back([0, 1]) == mover
    assert not table.may_take_back([1 - mover]), f"seat {last + 1} moved before the deal"
    assert not table.may_take_back([])


@pytest.mark.parametrize("name", ["azul", "azul-mini", "summer-pavilion"])
def test_a_game_with_takebacks_proves_its_deals(name: str):
    table = new_table(name)
    dice = random.Random(3)
    while not table.position.is_over:
        table = play(table, dice.randrange(1, 5), dice)
        seat = dice.randrange(2)
        if table.may_take_back([seat]):
            table = table.take_back(seat)
    assert any(line.startswith("takeback") for line in table.lines)
    assert table.deals_are_honest()
    assert_same(table, read_again(table))
    text = table.record("en").to_text()
    record = read_record(text)
    assert record.replay() == table.position
    assert record.follows_from_secret()
    with pytest.raises(BadRecord, match="secret does not produce"):
        read_record(text.replace(f"secret: {SECRET}", f"secret: {'22' * 32}"))


def test_there_is_nothing_to_take_back_before_the_first_move():
    table = new_table()
    with pytest.raises(Forbidden, match="no move"):
        table.take_back(0)
    table = play(table, 1, random.Random(0))
    with pytest.raises(Forbidden, match="no move"):
        table.take_back(1)
    assert table.event == 2


@pytest.mark.parametrize("name", ["azul", "azul-mini", "summer-pavilion"])
def test_a_table_never_changes(name: str):
    """Moves and takebacks that are not stored leave no trace: whatever was tried, the same deals follow."""
    table, untouched = new_table(name), new_table(name)
    dice = random.Random(5)
    while not table.position.is_over:
        turn = table.position.turn
        assert turn is not None
        for attempt in dice.choices(list(table.position.legal_moves), k=2):
            table.play([turn], attempt, table.event)
        if table.may_take_back([turn]):
            table.take_back(turn)
        table.with_seats({0: StoredSeat("bot", bot="random")})
        assert_same(table, untouched)
        move = dice.choice(list(table.position.legal_moves))
        table, untouched = (same.play([turn], move, same.event).table for same in (table, untouched))
        assert_same(table, untouched)
    assert table.deals_are_honest()


def test_the_hash_of_the_secret_binds_the_deals():
    table = new_table("azul-mini")
    assert table.commitment == hashlib.sha256(SECRET.encode()).hexdigest()
    table = play(table, 200, random.Random(0))
    assert table.position.is_over
    assert table.deals_are_honest()
    forged = replace(table, stored=replace(table.stored, secret="22" * 32))
    assert not forged.deals_are_honest()
    assert forged.commitment != SecretDealer(SECRET).commitment


def test_a_deal_that_was_tampered_with_is_found_out():
    table = new_table("azul-mini")
    table = play(table, 200, random.Random(0))
    other = new_table("azul-mini", secret="33" * 32)
    assert not replace(table, lines=(other.lines[0], *table.lines[1:])).deals_are_honest()


def test_every_table_deals_its_own_tiles():
    secrets = {SecretDealer().secret for _ in range(50)}
    assert len(secrets) == 50
    assert all(len(secret) == 64 for secret in secrets)
    assert len({new_table(secret=secret).lines[0] for secret in secrets}) == 50
    assert len({new_id() for _ in range(50)}) == 50


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("A\nd\ta", "A d a"),
        ("", ""),
        (" \n ", ""),
        ("\u00a0\u2003\u3000", ""),
        ("x" * 100, "x" * 20),
        ("<b>&amp;", "<b>&amp;"),
        ("Zoë 🎲", "Zoë 🎲"),
        ("Zoe\u0308", "Zoë"),
        # what cannot be seen
        ("\u200b", ""),
        ("A\u200bd\ufeffa\u2060", "Ada"),
        ("\u3164\u115f\u2800\u00ad\u034f", ""),
        ("A\x00d\x1b[31ma\x7f", "Ad[31ma"),
        ("Ada\U000e0041\U000e0042", "Ada"),
        ("\ud800Ada\udfff", "Ada"),
        ("\ue000Ada", "Ada"),
        # what turns the text around
        ("\u202eevil", "evil"),
        ("\u2066Ada\u2069 \u061c\u200f\u200e", "Ada"),
        ("דנה", "דנה"),
        # piles of marks
        ("Z\u0334\u0335\u0336a\u0340" + "\u0317" * 50 + "lgo", "Z\u0334\u0335à\u0317\u0317lgo"),
        ("\u0301\u0301", ""),
        (" \u0489Ada", "Ada"),
        ("a\u0323\u0302" * 100, "ậ" * 20),
        ("नमस्ते", "नमस्ते"),
        # emoji of several parts count as one
        ("👨\u200d👩\u200d👧 Ada", "👨\u200d👩\u200d👧 Ada"),
        ("👍🏽" * 30, "👍🏽" * 20),
        ("❤\ufe0f Ada", "❤\ufe0f Ada"),
        ("🇮🇹🇫🇷", "🇮🇹🇫🇷"),
        ("A\u200dd\ufe0fa", "Ada"),
        ("\u200d\ufe0f🏽", ""),
    ],
)
def test_names_are_one_short_line(given: str, shown: str):
    assert clean_name(given) == shown
    assert clean_name(shown) == shown


def test_a_chain_of_emoji_is_not_one_character():
    assert len(clean_name("\u200d".join("👨" * 1000))) < 200


def test_a_second_click_does_not_take_a_second_seat():
    seats = [StoredSeat("human", "Ann", hash_key("ann")), StoredSeat("open"), StoredSeat("open")]
    stored = StoredTable(new_id(), "azul", 3, {"wall": "coloured", "jokers": False}, "ab" * 32, seats=seats)
    table = Table.new(stored)
    for key, seat in (("ada", 1), ("ada", 1), ("bob", 2)):
        table, taken = sit(table, key, "Ada")
        assert taken == seat
    assert table.names("en") == ["Ann", "Ada", "Ada 2"]


def test_every_refusal_is_said_in_every_language():
    """A code without words would fail only when somebody meets it."""
    source = "".join(path.read_text(encoding="utf-8") for path in Path(server.__file__).parent.glob("*.py"))
    errors = "RequestError|Forbidden|NotFound|Unauthorized|TooManyRequests|error_body_of_code|error_response"
    calls = rf"""(?:{errors})\(\s*(?:\w+, \d+, )?"(\w+)\""""
    used = set(re.findall(calls, source))
    known = {key.split(".")[1] for key in texts("en") if key.startswith("errors.")}
    assert len(used) > 20
    assert used <= known
