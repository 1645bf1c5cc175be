"""Durable before visible: nothing can be seen of a change until it is on disk, and nothing is left of one that fails.

The commits of the real store are held up or refused, while everything that the server offers is read.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from people import Line, Person, begin, people_at
from real_server import PATIENCE, ThreadServer, viewers, wait_until
from slow_disk import Disk, changes, locked, look, meanwhile

from tilewright.bots.random import RandomBot
from tilewright.game.dealer import SecretDealer
from tilewright.game.moves import Draw, Move
from tilewright.game.position import Position
from tilewright.game.registry import read_position
from tilewright.server import app
from tilewright.server.rooms import Rooms
from tilewright.server.settings import Settings

GAMES = ["azul-mini", "summer-pavilion"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    """A server of its own: while its disk is blocked, nobody else can play."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tilewright.server.seating.SUBSTITUTE", "random")
        patch.setattr("tilewright.server.room.RETRY_AFTER", 0.1)
        settings = Settings(thinking=0.0, limits=0, absent=0.0)
        with ThreadServer(app.make_app(tmp_path_factory.mktemp("durable") / "tables.db", settings)) as running:
            yield running


@pytest.fixture
def disk(server: ThreadServer) -> Disk:
    return server.inside(lambda live: Disk(live._store.database.writer))


@pytest.fixture
def person(server: ThreadServer) -> Iterator[Callable[[], Person]]:
    with people_at(server.url) as make:
        yield make


def secret_of(server: ThreadServer, table: str) -> str:
    stored = server.inside(lambda live: live._store.table(table))
    assert stored is not None
    return stored.secret


def after_move(before: Position, move: int) -> Position:
    """The position after a move, before anything is drawn."""
    position = before.copy()
    position.push(move)
    return position


def play_until(person: Person, table: str, wanted: Callable[[Position], bool]) -> tuple[dict[str, Any], list[int]]:
    """Play until some moves lead where a test wants to go; those moves."""
    while True:
        now = person.read(table)
        position = read_position(now["position"])
        numbers = [move["number"] for move in now["legal"]]
        found = [number for number in numbers if wanted(after_move(position, number))]
        if found:
            return now, found
        assert person.play(table, numbers[-1], now["event"]).status_code == 200


def deals(position: Position) -> bool:
    return position.awaits_draw


def ends(position: Position) -> bool:
    return position.is_over


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("wanted", [deals, ends])
def test_a_move_is_seen_when_it_is_on_disk_and_not_before(
    server: ThreadServer, disk: Disk, person: Callable[[], Person], game: str, wanted: Callable[[Position], bool]
):
    me, stranger = person(), person()
    table = me.open("me", "friend", game=game)
    now, moves = play_until(me, table, wanted)
    before = [look(server, someone, table) for someone in (me, stranger)]
    with stranger.watch(table) as watched:
        begin(watched)
        with disk.blocked():
            answer = meanwhile(me, lambda sender: sender.play(table, moves[0], now["event"]))
            disk.reached()
            for someone, seen in zip((me, stranger), before, strict=True):
                assert changes(seen, look(server, someone, table)) == []
            assert not [message for message in watched.settle() if message["type"] == "event"]
            assert secret_of(server, table) not in str(look(server, me, table))
        assert answer.result().status_code == 200
        assert watched.hear("event")["event"] == answer.result().json()["event"]
    after = me.read(table)
    text = next(move["text"] for move in now["legal"] if move["number"] == moves[0])
    assert after["events"][now["event"]] == f"{now['turn']} {text}"
    assert (after["over"] is not None) is (wanted is ends)


def test_a_move_on_disk_is_never_denied_even_if_it_cannot_be_shown(
    person: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise RuntimeError("nothing to show")

    me, stranger = person(), person()
    table = me.open("me", "bot")
    now = me.read(table)
    with stranger.watch(table) as watched:
        begin(watched)
        monkeypatch.setattr("tilewright.server.move_message.last_move", fail)
        assert me.play(table, now["legal"][0]["number"], now["event"]).json() == {"event": now["event"] + 1}
        assert watched.hear("error")["code"] == "server_error"
        monkeypatch.undo()
        assert watched.hear("event")["event"] > now["event"] + 1, "the bot answers"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("again", ["the same move", "another move"])
def test_after_a_move_that_could_not_be_stored_the_same_deal_follows(
    server: ThreadServer, disk: Disk, person: Callable[[], Person], game: str, again: str
):
    me = person()
    table = me.open("me", "friend", game=game)
    now, moves = play_until(me, table, deals)
    before = look(server, me, table)
    with me.watch(table) as line:
        begin(line)
        for attempt in moves[:2]:
            with disk.failing():
                answer = meanwhile(me, lambda sender, attempt=attempt: sender.play(table, attempt, now["event"]))
                disk.reached()
            assert (answer.result().status_code, answer.result().json()["code"]) == (500, "our_fault")
        assert not [message for message in line.settle() if message["type"] == "event"]
    disk.repair()
    assert changes(before, look(server, me, table)) == []
    server.inside(lambda live: live.close_idle(idle=-1.0))
    assert changes(before, look(server, me, table)) == [], "what is on the disk is what everybody sees"
    move = moves[0] if again == "the same move" else moves[-1]
    assert me.play(table, move, now["event"]).status_code == 200
    assert me.read(table)["events"][-1] == f"draw {expected_deal(server, table, now, move)}"
    me.play_out(table)
    assert me.get(f"/api/tables/{table}/events").json()["checked"] is True


def expected_deal(server: ThreadServer, table: str, now: dict[str, Any], move: int) -> Draw:
    """What the dealer's secret says comes next."""
    tiles = sum(len(line.replace(" ", "")) - len("draw") for line in now["events"] if line.startswith("draw"))
    position = after_move(read_position(now["position"]), move)
    dealer = SecretDealer(secret_of(server, table), tiles)
    return Draw(position.game, dealer.deal(position.game.kernels, position.states))


def test_a_locked_database_refuses_a_move_and_tells_nobody(
    server: ThreadServer, disk: Disk, person: Callable[[], Person]
):
    """Another program holds the file for longer than the server waits."""
    me = person()
    table = me.open("me", "friend")
    before = look(server, me, table)
    with locked(server):
        assert (
            meanwhile(me, lambda sender: sender.play(table, before["live"]["legal"][0], 1)).result().status_code == 500
        )
        assert changes(before, look(server, me, table)) == []
    assert me.play_first(table) == 2


def agree(asking: Line, agreeing: Line) -> None:
    """Ask for a takeback, and agree to it."""
    asking.send("takeback")
    agreeing.hear("ask")
    agreeing.send("answer", kind="takeback", yes=True)


def test_a_takeback_is_seen_when_it_is_on_disk(server: ThreadServer, disk: Disk, person: Callable[[], Person]):
    me, friend, stranger = person(), person(), person()
    table = me.open("me", "invite")
    friend.join(table)
    me.play_first(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        mine.send("takeback")
        theirs.hear("ask")
        before = look(server, stranger, table)
        with disk.failing():
            theirs.send("answer", kind="takeback", yes=True)
            disk.reached()
            assert changes(before, look(server, stranger, table)) == []
        assert theirs.hear("error")["code"] == "our_fault"
        assert changes(before, look(server, stranger, table)) == [], "the request still stands"
        disk.repair()
        with disk.blocked():
            theirs.send("answer", kind="takeback", yes=True)
            disk.reached()
            assert changes(before, look(server, stranger, table)) == []
            mine.send("answer", kind="takeback", yes=True)
        while mine.hear("state")["state"]["event"] != 3:
            pass
        assert [message["state"]["event"] for message in mine.settle() if message["type"] == "state"][-1] == 3
    assert me.read(table)["events"][2:] == ["takeback 1"], "agreeing twice takes back once"


def test_a_seat_is_taken_when_that_is_on_disk(server: ThreadServer, disk: Disk, person: Callable[[], Person]):
    me, friend, stranger = person(), person(), person()
    table = me.open("me", "open", names=("Ada", ""))
    friend.open("me", "friend")
    before = [look(server, someone, table) for someone in (stranger, friend)]
    assert before[0]["wait"]["events"] == []
    join = f"/api/tables/{table}/join"
    with disk.failing():
        answer = meanwhile(friend, lambda sender: sender.post(join, {"name": "Eve"}))
        disk.reached()
        for someone, seen in zip((stranger, friend), before, strict=True):
            assert changes(seen, look(server, someone, table)) == []
    assert answer.result().status_code == 500
    disk.repair()
    for someone, seen in zip((stranger, friend), before, strict=True):
        assert changes(seen, look(server, someone, table)) == []
    with disk.blocked():
        answer = meanwhile(friend, lambda sender: sender.post(join, {"name": "Bob"}))
        disk.reached()
        for someone, seen in zip((stranger, friend), before, strict=True):
            assert changes(seen, look(server, someone, table)) == []
    assert answer.result().json()["seat"] == 2
    now = me.read(table)
    assert [seat["name"] for seat in now["seats"]] == ["Ada", "Bob"]
    assert (now["event"], now["turn"]) == (1, 1), "the first deal came with the last player"


def test_a_seat_and_the_first_deal_are_one_commit(server: ThreadServer, person: Callable[[], Person]):
    """Between two, a kill would leave a table that is full and never begins."""
    me, friend = person(), person()
    said: list[str] = []
    server.inside(lambda live: live._store.database.writer.set_trace_callback(said.append))
    for kinds in (("me", "friend"), ("me", "invite")):
        said.clear()
        table = me.open(*kinds)
        assert [words.lower() for words in said].count("commit") == 1
    said.clear()
    friend.join(table)
    server.inside(lambda live: live._store.database.writer.set_trace_callback(None))
    writes = [word for words in said if (word := words.split()[0].lower()) != "select"]
    assert (writes[0], writes[-1], writes.count("commit")) == ("begin", "commit", 1)
    assert {"update", "insert"} <= set(writes[1:-1]), "the seat and the deal"


def test_a_bot_takes_over_and_hands_back_when_that_is_on_disk(
    server: ThreadServer, disk: Disk, person: Callable[[], Person]
):
    me, friend, stranger = person(), person(), person()
    table = me.open("me", "invite")
    friend.join(table)
    with me.watch(table) as mine:
        while not mine.hear("presence")["seats"][1]["replaceable"]:
            pass
        before = look(server, stranger, table)
        with disk.failing():
            mine.send("replace", seat=2)
            disk.reached()
            assert game_and_seats(look(server, stranger, table)) == game_and_seats(before)
        assert mine.hear("error")["code"] == "our_fault"
        disk.repair()
        assert changes(before, look(server, stranger, table)) == []
        with disk.blocked():
            mine.send("replace", seat=2)
            disk.reached()
            assert game_and_seats(look(server, stranger, table)) == game_and_seats(before)
        while not mine.hear("presence")["seats"][1]["substitute"]:
            pass
    wait_until(lambda: server.inside(viewers) == 0, "everybody should have left")
    before = look(server, stranger, table)
    give_back = f"/api/tables/{table}/return"
    with disk.failing():
        answer = meanwhile(friend, lambda sender: sender.post(give_back))
        disk.reached()
        assert changes(before, look(server, stranger, table)) == []
    assert answer.result().status_code == 500
    disk.repair()
    assert changes(before, look(server, stranger, table)) == []
    with disk.blocked():
        answer = meanwhile(friend, lambda sender: sender.post(give_back))
        disk.reached()
        assert changes(before, look(server, stranger, table)) == []
    assert answer.result().json() == {"seats": [2]}


def game_and_seats(seen: dict[str, Any]) -> tuple[Any, Any]:
    """All but the proposal itself, which everybody may see."""
    return seen["wait"], {name: value for name, value in seen["live"].items() if name != "asks"}


def test_a_rematch_is_seen_when_it_is_on_disk(server: ThreadServer, disk: Disk, person: Callable[[], Person]):
    me = person()
    table = me.open("me", "friend", game="azul-mini")
    me.play_out(table)
    before = look(server, me, table)
    known = count_tables(server)
    with disk.failing():
        answer = meanwhile(me, lambda sender: sender.post(f"/api/tables/{table}/rematch"))
        disk.reached()
        assert changes(before, look(server, me, table)) == []
    assert answer.result().status_code == 500
    disk.repair()
    assert changes(before, look(server, me, table)) == []
    assert count_tables(server) == known, "no table is left behind"
    with disk.blocked():
        answer = meanwhile(me, lambda sender: sender.post(f"/api/tables/{table}/rematch"))
        disk.reached()
        assert changes(before, look(server, me, table)) == []
    made = answer.result().json()
    assert me.post(f"/api/tables/{table}/rematch").json() == made
    assert me.get(f"/api/tables/{table}/view").json()["rematch"] == {"url": made["url"]}
    assert count_tables(server) == known + 1


def count_tables(server: ThreadServer) -> int:
    def count(live: Rooms) -> int:
        return int(live._store.database.read("select count(*) from tables")[0][0])

    return server.inside(count)


def test_a_new_table_is_seen_when_it_is_on_disk(server: ThreadServer, disk: Disk, person: Callable[[], Person]):
    me, stranger = person(), person()
    body = {"seats": [{"kind": "me"}, {"kind": "open"}]}
    before = stranger.get("/api/tables").json()
    known = count_tables(server)
    with disk.failing():
        answer = meanwhile(me, lambda sender: sender.post("/api/tables", body))
        disk.reached()
        assert stranger.get("/api/tables").json() == before
    assert (answer.result().status_code, answer.result().json()["code"]) == (500, "server_error")
    assert "game" not in answer.result().json()["said"], "there is none yet"
    disk.repair()
    assert (stranger.get("/api/tables").json(), count_tables(server)) == (before, known)
    with disk.blocked():
        answer = meanwhile(me, lambda sender: sender.post("/api/tables", body))
        disk.reached()
        assert stranger.get("/api/tables").json() == before
    assert answer.result().json()["id"] in [table["id"] for table in stranger.get("/api/tables").json()]


def test_a_page_that_fails_is_a_page(disk: Disk, person: Callable[[], Person]):
    me = person()
    with disk.failing():
        answer = meanwhile(me, lambda sender: sender.post("/learn/azul/first-game"))
        disk.reached()
    assert answer.result().status_code == 500
    assert "Something went wrong. Please try again." in answer.result().text
    disk.repair()


def test_a_clock_is_stopped_when_the_move_is_on_disk(server: ThreadServer, disk: Disk, person: Callable[[], Person]):
    me = person()
    table = me.open("me", "friend", clock={"minutes": 5, "increment": 60})

    def clock() -> dict[str, Any]:
        found: dict[str, Any] = me.get(f"/api/tables/{table}/view").json()["state"]["clock"]
        return found

    now = me.read(table)
    for hold, repair in ((disk.failing, True), (disk.blocked, False)):
        with hold():
            answer = meanwhile(me, lambda sender: sender.play(table, now["legal"][0]["number"], 1))
            disk.reached()
            assert clock() == {"remaining": [300.0, 300.0], "running": None}, "it starts with the first move"
        assert (answer.result().status_code == 500) is repair
        disk.repair()
    assert clock()["running"] == 2
    now = me.read(table)
    with disk.blocked():
        answer = meanwhile(me, lambda sender: sender.play(table, now["legal"][0]["number"], 2))
        disk.reached()
        assert clock()["running"] == 2
        assert clock()["remaining"][1] <= 300.0, "the increment comes with the move"
    assert answer.result().status_code == 200
    assert clock()["running"] == 1
    assert 300.0 < clock()["remaining"][1] <= 360.0


def test_a_bot_moves_when_that_is_on_disk(
    server: ThreadServer, disk: Disk, person: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
):
    me, stranger = person(), person()
    may_move, choose = threading.Event(), RandomBot.choose

    def choose_later(bot: RandomBot, position: Position) -> Move:
        assert may_move.wait(PATIENCE)
        return choose(bot, position)

    monkeypatch.setattr(RandomBot, "choose", choose_later)
    table = me.open("me", "bot")
    me.play_first(table)
    before = look(server, stranger, table)
    assert before["live"]["thinking"] == 2
    with disk.failing():
        may_move.set()
        disk.reached()
        assert changes(before, look(server, stranger, table)) == []
    assert me.read(table)["event"] == 2
    disk.repair()
    wait_until(lambda: me.read(table)["turn"] == 1, "the bot's move should be tried again")
    assert me.read(table)["event"] == 3
