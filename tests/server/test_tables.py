"""A table without the web: who may do what, and that a game read from its lines is the game that was played."""

from __future__ import annotations

import hashlib
import random
import re
from pathlib import Path

import pytest

from tilewright import server
from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import BadMove, BadRecord
from tilewright.game.moves import Draw
from tilewright.game.record import read_record
from tilewright.server.messages import every_rule_set
from tilewright.server.names import clean_name
from tilewright.server.refusals import NotAllowed, Refusal
from tilewright.server.store import StoredSeat, StoredTable
from tilewright.server.table import Table, hash_key, new_id
from tilewright.view.language import texts

SECRET = "11" * 32
RULES = [pytest.param(game, id=repr(game)) for game in every_rule_set()]


def new_table(game: str = "azul", players: int = 2, secret: str = SECRET, **options: object) -> Table:
    seats = [StoredSeat("human", f"Player {n + 1}", hash_key(f"key {n}")) for n in range(players)]
    table, _ = Table.new(StoredTable(new_id(), game, players, dict(options), secret, seats=seats))
    return table


def play(table: Table, moves: int, dice: random.Random) -> None:
    for _ in range(moves):
        if table.position.turn is not None:
            table.play([table.position.turn], dice.choice(list(table.position.legal_moves)), table.event)


def sit(table: Table, key: str, name: str, wanted: int | None = None) -> int:
    number, seat = table.seat_for(key, name, wanted)
    table.stored.seats[number] = seat
    return number


def read_again(table: Table) -> Table:
    return Table(table.stored, list(table.lines))


def assert_same(one: Table, other: Table) -> None:
    assert one.position == other.position
    assert one.position.events == other.position.events
    assert one.lines == other.lines
    assert one.log == other.log
    assert one.turns == other.turns
    assert one._dealt_from == other._dealt_from
    dealers = one.position.dealer, other.position.dealer
    assert dealers[0] is not None
    assert dealers[1] is not None
    assert dealers[0].drawn == dealers[1].drawn
    assert one._drawn == other._drawn


def test_a_move_is_played_for_the_seat_to_move():
    table = new_table()
    assert table.event == 1
    assert table.lines[0].startswith("draw ")
    move = next(iter(table.position.legal_moves))
    happened = table.play([0, 1], str(move), 1)
    assert happened.lines == [f"1 {move}"] == table.lines[1:]
    assert happened.before.turn == 0
    assert happened.after == table.position
    assert (table.event, table.position.turn) == (2, 1)
    assert (happened.entry.number, happened.entry.seat) == (2, 0)
    assert set(happened.entry.texts) == {"en", "fr", "it"}


def test_who_does_not_hold_the_seat_to_move_is_refused():
    table = new_table()
    move = int(next(iter(table.position.legal_moves)))
    for seats in ([], [1]):
        with pytest.raises(NotAllowed, match="turn of Player 1"):
            table.play(seats, move, 1)
    assert table.event == 1


@pytest.mark.parametrize("after", [-1, 0, 2, 10**30])
def test_a_stale_move_is_refused(after: int):
    table = new_table()
    with pytest.raises(Refusal, match=f"event {after}.*event 1") as refused:
        table.play([0], int(next(iter(table.position.legal_moves))), after)
    assert refused.value.said("en") == "the table has moved on: look again"
    assert table.event == 1


def test_a_move_that_was_played_already_is_known():
    table = new_table()
    first, second = list(table.position.legal_moves)[:2]
    table.play([0], int(first), 1)
    assert table.has_played([0], int(first), 1)
    assert table.has_played([0, 1], str(first), 1)
    for seats, move, after in (([1], first, 1), ([], first, 1), ([0], second, 1), ([0], first, 2), ([0], first, None)):
        assert not table.has_played(seats, int(move), after)
    for nonsense in ("nonsense", -1, 10**9):
        assert not table.has_played([0], nonsense, 1)
    for after in (0, -1, 10**30):
        assert not table.has_played([0], int(first), after)
    play(table, 1, random.Random(0))
    assert table.has_played([0], int(first), 1), "the table may have moved on"
    table.take_back(table.takeback_line(0))
    assert not table.has_played([0], int(first), 1), "it does not stand any more"


@pytest.mark.parametrize("move", [-1, 10**9, 10**400, "", "nonsense", "x" * 5000, "\ud800", "1 2 3 4 5"])
def test_what_is_no_move_is_refused(move: int | str):
    table = new_table()
    before = table.position.copy()
    with pytest.raises(BadMove):
        table.play([0], move, 1)
    assert table.position == before
    assert (table.event, table.log) == (1, [])


def test_an_illegal_move_is_refused_and_leaves_no_trace():
    table = new_table()
    illegal = next(move for move in table.game.moves if move not in table.position.legal_moves)
    before = table.position.copy()
    with pytest.raises(BadMove):
        table.play([0], int(illegal), 1)
    assert table.position == before
    assert (table.event, table.log) == (1, [])
    assert_same(table, read_again(table))


def test_nobody_moves_before_every_seat_is_taken():
    table = new_table()
    table.stored.seats[1] = StoredSeat("invite")
    with pytest.raises(NotAllowed, match="every seat"):
        table.play([0], int(next(iter(table.position.legal_moves))), 1)
    assert sit(table, "key 1", "  Bo\n b ") == 1
    assert table.names("en") == ["Player 1", "Bo b"]
    assert table.seats_of("key 1") == [1]
    play(table, 1, random.Random(0))
    with pytest.raises(NotAllowed, match="taken"):
        sit(table, "another", "Eve")
    with pytest.raises(NotAllowed, match="seat 1 is not free"):
        sit(table, "another", "Eve", 0)


def test_keys_hold_seats_and_nothing_else_does():
    table = new_table()
    assert table.seats_of("key 0") == [0]
    for key in (None, "", "key 2", hash_key("key 0")):
        assert table.seats_of(key) == []
    assert "key 0" not in repr(table.stored)


def test_a_substitute_plays_in_a_seat_that_stays_its_owners():
    table = new_table()
    table.stored.seats[0].name = "Ana"
    table.stored.seats[0] = table.seat_with_substitute(0, "random", timed_out=False)
    assert (table.owned_by("key 0"), table.seats_of("key 0")) == ([0], [])
    assert (table.bot_of(0), table.bot_of(1), table.people) == ("random", None, {1})
    assert [table.names(language)[0] for language in ("en", "fr", "it")] == ["Ana (bot)", "Ana (robot)", "Ana (bot)"]
    again = table.seats_for_rematch()
    assert (again[1].name, again[1].substitute, again[1].key_hash) == ("Ana", None, hash_key("key 0"))
    table.stored.seats[0] = table.seat_taken_back(0)
    assert table.seats_of("key 0") == [0]
    table.stored.seats[0] = table.seat_with_substitute(0, "random", timed_out=True)
    with pytest.raises(NotAllowed, match="clock ran out"):
        table.seat_taken_back(0)
    assert table.seats_for_rematch()[1].timed_out is False


def test_who_typed_no_name_has_one_in_every_language():
    seats = [StoredSeat("bot", bot="random"), StoredSeat("bot", bot="random"), StoredSeat("human"), StoredSeat("open")]
    stored = StoredTable(new_id(), "azul", 4, {}, SECRET, seats=seats)
    table, _ = Table.new(stored)
    assert table.names("en") == ["Random bot", "Random bot 2", "Player 3", "Free seat"]
    assert table.names("fr") == ["Robot aléatoire", "Robot aléatoire 2", "Joueur 3", "Place libre"]
    stored.seats[3] = StoredSeat("human", "Player 3")
    assert table.names("en")[2:] == ["Player 3", "Player 3 2"]


@pytest.mark.parametrize("game", RULES)
def test_a_game_read_from_its_lines_is_the_game_that_was_played(game):
    table = new_table(game.name, game.players, **game.options)
    dice = random.Random(7)
    while not table.position.is_over:
        play(table, 17, dice)
        assert_same(table, read_again(table))
    assert table.deals_are_honest()
    assert read_again(table).deals_are_honest()
    record = read_record(table.record("en").to_text())
    assert record.replay() == table.position
    assert (record.secret, record.secret_hash) == (SECRET, table.commitment)
    assert not record.dealt_from, "without takebacks the tiles come one after the other"


@pytest.mark.parametrize("name", ["azul", "azul-mini", "summer-pavilion"])
def test_a_takeback_stops_at_a_draw(name: str):
    """Else a player could look at the new tiles, take back the move that brought them, and try another."""
    table = new_table(name)
    dice = random.Random(3)
    refused = 0
    while not table.position.is_over:
        play(table, dice.randrange(1, 4), dice)
        if table.position.is_over:
            break
        seat = dice.randrange(2)
        count = table.last_move_of(seat)
        if count is None:
            assert not table.may_take_back([seat])
            continue
        undone = table.position.events[-count:]
        if any(isinstance(event, Draw) for event in undone):
            refused += 1
            assert not table.may_take_back([seat])
            with pytest.raises(NotAllowed, match="new tiles have been drawn"):
                table.takeback_line(seat)
        elif dice.random() < 0.3:
            assert table.may_take_back([seat])
            table.take_back(table.takeback_line(seat))
            assert table.position.turn == seat
        assert_same(table, read_again(table))
    assert refused
    assert not table.may_take_back([0, 1]), "the game is over"
    assert not read_record(table.record("en").to_text()).dealt_from, "every tile that was drawn stays"


def test_with_several_seats_the_last_move_of_any_of_them_counts():
    table = new_table("azul-mini")
    dice = random.Random(1)
    while not table.lines[-2:][-1].startswith("draw") or table.event == 1:
        play(table, 1, dice)
    last = int(table.lines[-2].split()[0]) - 1
    for seats in ([0], [1], [0, 1]):
        assert not table.may_take_back(seats)
    play(table, 1, dice)
    mover = int(table.lines[-1].split()[0]) - 1
    assert table.may_take_back([mover])
    assert table.may_take_back([0, 1])
    assert table.seat_to_take_back([0, 1]) == mover
    assert not table.may_take_back([1 - mover]), f"seat {last + 1} moved before the deal"
    assert not table.may_take_back([])


@pytest.mark.parametrize("name", ["azul", "azul-mini", "summer-pavilion"])
def test_takebacks_of_older_games_at_any_moment_replay_the_same(name: str):
    """A takeback stops at a draw now; tables that are on people's disks have some that did not."""
    table = new_table(name)
    dice = random.Random(3)
    for _ in range(60):
        play(table, dice.randrange(1, 5), dice)
        if table.position.is_over:
            break
        seat = dice.randrange(2)
        count = table.last_move_of(seat)
        if count is not None:
            before = len(table.position.events)
            table.take_back(f"takeback {count}")
            assert table.position.turn == seat
            assert len(table.position.events) == before - count
        assert_same(table, read_again(table))
    while not table.position.is_over:
        play(table, 20, dice)
    assert table.deals_are_honest()
    assert_same(table, read_again(table))
    text = table.record("en").to_text()
    record = read_record(text)
    assert record.replay() == table.position
    assert record.follows_from_secret(), "also after takebacks"
    with pytest.raises(BadRecord, match="secret does not give"):
        read_record(text.replace(f"secret: {SECRET}", f"secret: {'22' * 32}"))


def test_tiles_that_were_taken_back_are_not_dealt_again():
    """In older games, whose takebacks did not stop at a draw."""
    table = new_table("azul-mini")
    dice = random.Random(1)
    draws = 1
    while draws == sum(line.startswith("draw") for line in table.lines):
        play(table, 1, dice)
    seen = table.lines[-1]
    last = int(table.lines[-2].split()[0]) - 1
    table.take_back(f"takeback {table.last_move_of(last)}")
    play(table, 1, random.Random(1))
    while not table.lines[-1].startswith("draw"):
        play(table, 1, dice)
    assert table.lines[-1] != seen
    assert_same(table, read_again(table))


def test_there_is_nothing_to_take_back_before_the_first_move():
    table = new_table()
    with pytest.raises(NotAllowed, match="no move"):
        table.takeback_line(0)
    play(table, 1, random.Random(0))
    with pytest.raises(NotAllowed, match="no move"):
        table.takeback_line(1)
    assert table.event == 2


@pytest.mark.parametrize("name", ["azul", "summer-pavilion"])
def test_a_move_that_could_not_be_kept_never_happened(name: str):
    table = new_table(name)
    twin = new_table(name)
    dice = random.Random(5)
    while not table.position.is_over:
        turn, move = table.position.turn, dice.choice(list(table.position.legal_moves))
        assert turn is not None
        table.forget(table.play([turn], move, table.event))
        assert_same(table, twin)
        for same in (table, twin):
            same.play([turn], move, same.event)
        assert_same(table, twin)
    assert table.deals_are_honest()


def test_the_hash_of_the_secret_binds_the_deals():
    table = new_table("azul-mini")
    assert table.commitment == hashlib.sha256(SECRET.encode()).hexdigest()
    play(table, 200, random.Random(0))
    assert table.position.is_over
    assert table.deals_are_honest()
    table.stored.secret = "22" * 32
    assert not table.deals_are_honest()
    assert table.commitment != SecretDealer(SECRET).commitment


def test_a_deal_that_was_tampered_with_is_found_out():
    table = new_table("azul-mini")
    play(table, 200, random.Random(0))
    other = new_table("azul-mini", secret="33" * 32)
    table.lines[0] = other.lines[0]
    assert not table.deals_are_honest()


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
    table, _ = Table.new(stored)
    assert sit(table, "ada", "Ada") == sit(table, "ada", "Ada") == 1
    assert sit(table, "bob", "Ada") == 2
    assert table.names("en") == ["Ann", "Ada", "Ada 2"]


def test_every_refusal_is_said_in_every_language():
    """A code without words would fail only when somebody meets it."""
    source = "".join(path.read_text(encoding="utf-8") for path in Path(server.__file__).parent.glob("*.py"))
    calls = r"""(?:Refusal|NotAllowed|Missing|BadKey|TooMany|described|refuse)\(\s*(?:request, \d+, )?"(\w+)\""""
    used = set(re.findall(calls, source))
    known = {key.removeprefix("errors.") for key in texts("en") if key.startswith("errors.")}
    assert len(used) > 20
    assert used <= known
