"""Backups, restores and copies between the two kinds of databases, verified game by game."""

from __future__ import annotations

import random
import re
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from people import people_at
from real_server import PATIENCE, ThreadServer
from services import PostgresServer

from tilewright.cli.main import main
from tilewright.game.dealer import SecretDealer
from tilewright.game.errors import TilewrightError
from tilewright.server import app, copying
from tilewright.server import sqlite as sqlite_file
from tilewright.server.copying import copy
from tilewright.server.seated_table import new_id
from tilewright.server.settings import Settings
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table

KINDS = ["sqlite", "postgresql"]
NewPlace = Callable[[str], str]


@pytest.fixture
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> NewPlace:
    """Makes empty databases of a kind."""
    made: list[str] = []

    def make(kind: str) -> str:
        if kind == "sqlite":
            made.append(str(tmp_path / f"{len(made)}.db"))
        else:
            postgres: PostgresServer = request.getfixturevalue("postgres")
            made.append(postgres.new_database())
        return made[-1]

    return make


def fill(store: Store, games: int = 4) -> list[str]:
    """Play some games, the first of them to the end, with a takeback, and link two by a rematch."""
    dice = random.Random(games)
    ids = []
    for number in range(games):
        seats = [StoredSeat("human", f"Åsa {number}", f"hash {number}"), StoredSeat("bot", bot="random")]
        stored = StoredTable(new_id(), "azul-mini", 2, {}, SecretDealer().secret, 5.0, 0.5, seats=seats)
        table = Table.new(stored)
        for _ in range(1000 if number == 0 else 12):
            if table.position.turn is None:
                break
            table = table.play([table.position.turn], int(dice.choice(list(table.position.legal_moves))), None).table
        store.add_table(stored)
        store.add_events(stored.id, 1, table.lines, at=1.5, spent=0.25, result=table.result())
        ids.append(stored.id)
    store.set_rematch(ids[0], ids[1])
    store.change_seats(ids[1], {1: StoredSeat("human", "Bob")}, event=len(store.events(ids[1])))
    return ids


def content(where: str) -> list[object]:
    with closing(Store(where)) as store:
        return [(store.table(name), store.events(name)) for name in store.ids()]


@pytest.mark.parametrize("source", KINDS)
@pytest.mark.parametrize("target", KINDS)
def test_a_copy_has_everything(new_place: NewPlace, source: str, target: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(copying, "AT_ONCE", 7)
    first, second = new_place(source), new_place(target)
    with closing(Store(first)) as store:
        ids = fill(store)
        copied = copy(first, second)
        assert copied.tables == len(ids)
        assert copied.events == sum(len(store.events(name)) for name in ids)
        assert copied.problems == []
    assert content(second) == content(first)
    with pytest.raises(TilewrightError, match=r"already has games|already exists"):
        copy(first, second)
    assert content(second) == content(first)


@pytest.mark.parametrize("kind", KINDS)
def test_a_backup_is_made_while_games_go_on_and_can_be_restored(
    new_place: NewPlace, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
):
    where, again = new_place(kind), new_place(kind)
    with ThreadServer(app.make_app(where, Settings(thinking=0.0, limits=0))) as server, playing(server) as acknowledged:
        before = acknowledged()
        assert main(["backup", str(tmp_path / "backup.db"), "--database", where]) == 0
        after = acknowledged()
    assert "each game compared and replayed." in capsys.readouterr().out
    assert main(["restore", str(tmp_path / "backup.db"), "--database", again]) == 0
    restored = content(again)
    assert len(restored) == 3
    moves = sum(not event.line.startswith("draw") for _, events in restored for event in events)  # type: ignore[misc]
    assert before <= moves <= after + 3, "one moment between the beginning and the end of the backup"
    assert main(["database", "check", "--database", again]) == 0
    assert "3 games replayed, 0 problems found." in capsys.readouterr().out


class playing:  # noqa: N801 - a context manager
    """Three games go on as fast as the server answers."""

    def __init__(self, server: ThreadServer) -> None:
        self._server = server
        self._stop = threading.Event()
        self._moves = [0, 0, 0]
        self._threads = [threading.Thread(target=self._play, args=(number,)) for number in range(3)]

    def _play(self, number: int) -> None:
        with people_at(self._server.url) as make:
            me = make()
            table = me.open("me", "friend", game="azul")
            while not self._stop.is_set() and me.read(table)["over"] is None:
                me.play_first(table)
                self._moves[number] += 1

    def __enter__(self) -> Callable[[], int]:
        for thread in self._threads:
            thread.start()
        while min(self._moves) < 2:
            self._stop.wait(0.01)
        return lambda: sum(self._moves)

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)


def test_an_interrupted_backup_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with closing(Store(tmp_path / "club.db")) as store:
        fill(store)

    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(copying, "_compared", fail)
    with pytest.raises(OSError, match="the disk is full"):
        copy(tmp_path / "club.db", tmp_path / "backup.db")
    assert {path.name for path in tmp_path.iterdir()} == {"club.db", "club.db.lock"}


def test_of_two_backups_to_one_file_the_first_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    club, two = str(tmp_path / "club.db"), str(tmp_path / "two.db")
    with closing(Store(club)) as store:
        fill(store)
    compare, second = copying._compared, []

    def meanwhile(*arguments: object) -> object:
        monkeypatch.setattr(copying, "_compared", compare)
        second.append(main(["backup", two, "--database", club]))
        return compare(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(copying, "_compared", meanwhile)
    assert main(["backup", two, "--database", club]) == 0
    assert second == [1]
    said = f"tilewright: {two} is in use: a backup or copy to this file is already being made\n"
    assert capsys.readouterr().err == said
    assert content(two) == content(club)


def test_nothing_is_restored_to_where_a_server_serves_a_file_that_was_moved_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    club, backup = tmp_path / "club.db", str(tmp_path / "backup.db")
    with closing(Store(club)) as store:
        fill(store)
        store.database.announce("http://127.0.0.1:8765/")
        assert main(["backup", backup, "--database", str(club)]) == 0
        club.rename(tmp_path / "away.db")
        assert main(["restore", backup, "--database", str(club)]) == 1
        assert f"{club} is in use: a Tilewright server is already running at http:" in capsys.readouterr().err
    assert not club.exists()
    assert main(["restore", backup, "--database", str(club)]) == 0
    assert not (tmp_path / "club.db.unfinished").exists()


def test_a_backup_that_cannot_be_written_is_told_with_the_name_that_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    with closing(Store("club.db")) as store:
        fill(store)
    assert main(["backup", "missing/monday.db", "--database", "club.db"]) == 1
    said = f"missing/monday.db cannot be written: the folder {tmp_path / 'missing'} does not exist"
    assert capsys.readouterr().err == f"tilewright: {said}\n"
    monkeypatch.setattr(sqlite_file, "_PRAGMAS", ("max_page_count = 5",))
    assert main(["backup", "monday.db", "--database", "club.db"]) == 1
    said = "club.db cannot be copied to monday.db: database or disk is full"
    assert capsys.readouterr().err == f"tilewright: {said}\n"
    assert {path.name for path in tmp_path.iterdir()} == {"club.db", "club.db.lock"}


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("delete from events where number = 3", "its event 3 is missing"),
        (
            "update events set line = 'nonsense' where number = 3",
            "do not follow the rules: 'nonsense' is not a line of a game",
        ),
        ("update tables set secret = '00'", "not drawn by its secret"),
        ("update tables set game = 'chess'", "the game 'chess' is not installed"),
        (
            "update tables set result = '[[1, 2], [1]]'",
            "and was won by (player [12]|players 1 and 2), but '\\[\\[1, 2\\], \\[1\\]\\]' is stored as its result",
        ),
        ("update tables set result = null", r"and was won by (player [12]|players 1 and 2), but no result is stored"),
        ("delete from events", "it has not begun"),
        ("delete from seats where seat = 1", "1 seat is stored for 2 players"),
        ("update seats set kind = 'open' where seat = 1", "began before everybody was seated"),
    ],
)
def test_damaged_games_are_found_and_still_copied(
    tmp_path: Path, statement: str, problem: str, capsys: pytest.CaptureFixture[str]
):
    where = str(tmp_path / "club.db")
    with closing(Store(where)) as store:
        fill(store, games=2)
        store.database.start()
        store.database.execute(statement)
        store.database.execute("commit")
    assert main(["database", "check", "--database", where]) == 1
    told = capsys.readouterr()
    assert re.fullmatch(r"2 games replayed, (1 problem|2 problems) found.\n", told.out), "one game was over"
    assert re.search(problem, told.err)
    assert main(["backup", str(tmp_path / "backup.db"), "--database", where]) == 1
    assert content(str(tmp_path / "backup.db")) == content(where)


NOT_TEXT = "cast(x'ff00' as text)"


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("update tables set options = '{', game = 'chess'", "'{' is stored as its options"),
        ("update tables set options = '[]'", "'[]' is stored as its options"),
        ("""update tables set options = '{"wall": []}'""", """'{"wall": []}' is stored as its options"""),
        ("""update tables set options = '{"players": 3}'""", "is stored as its options"),
        ("update tables set result = 'rubbish'", "'rubbish' is stored as its result"),
        ("update tables set result = '[]'", "'[]' is stored as its result"),
        ("update tables set result = '[[1, 2], [3]]'", "'[[1, 2], [3]]' is stored as its result"),
        ("""update tables set result = '{"scores": 1, "winners": 2}'""", "is stored as its result"),
        (f"update tables set secret = {NOT_TEXT}", "its column secret cannot be read"),
        (f"update seats set name = {NOT_TEXT} where seat = 1", "the name of its seat 2 cannot be read"),
        ("update seats set name = x'ff00' where seat = 1", "the name of its seat 2 cannot be read"),
        (f"update events set line = {NOT_TEXT} where number = 5", "its event 5 cannot be read"),
        ("update events set line = '1 zzz' where number = 5", "'zzz' is not a move"),
        ("update events set line = '9 ' || substr(line, 3) where number = 2", "its event 2 is a move of somebody"),
        ("""update tables set options = '{"wood": 1}'""", "its options are not those of the game"),
    ],
)
def test_one_damaged_game_hides_no_other(
    new_place: NewPlace, target: str, statement: str, problem: str, capsys: pytest.CaptureFixture[str]
):
    first, second = new_place("sqlite"), new_place(target)
    with closing(Store(first)) as store:
        damaged = fill(store)[2]
        store.database.start()
        key = "table_id" if "update tables" not in statement else "id"
        store.database.execute(f"{statement} {'and' if 'where' in statement else 'where'} {key} = '{damaged}'")
        store.database.execute("commit")
    assert main(["database", "check", "--database", first]) == 1
    told = capsys.readouterr()
    assert told.out == "4 games replayed, 1 problem found.\n"
    assert told.err.startswith(f"tilewright: {damaged}: ")
    assert problem in told.err
    assert main(["database", "copy", first, second]) == 1
    assert capsys.readouterr().err == told.err
    if target == "sqlite":
        assert rows(second) == rows(first)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("delete from tables where id = ?", "it has seats or events, but its table is missing"),
        (f"update tables set id = {NOT_TEXT} where id = ?", "??: its id cannot be read"),
    ],
)
def test_events_that_belong_to_no_table_are_copied_and_named(
    tmp_path: Path, statement: str, problem: str, capsys: pytest.CaptureFixture[str]
):
    club, backup = (str(tmp_path / name) for name in ("club.db", "backup.db"))
    with closing(Store(club)) as store:
        damaged = fill(store)[2]
    with closing(sqlite3.connect(club)) as connection:
        connection.execute(statement, (damaged,))
        connection.commit()
    assert main(["database", "check", "--database", club]) == 1
    told = capsys.readouterr().err
    assert problem in told
    assert f"{damaged}: it has seats or events" in told
    assert main(["backup", backup, "--database", club]) == 1
    assert capsys.readouterr().err == told
    with closing(Store(backup)) as store:
        assert store.events(damaged) != []


def rows(where: str) -> object:
    with closing(Store(where)) as store:
        return [store.rows(name) for name in store.ids()]


def test_a_copy_that_is_not_the_same_is_noticed(new_place: NewPlace, monkeypatch: pytest.MonkeyPatch):
    """Somebody else writes to the target while it is compared."""
    first, second = new_place("sqlite"), new_place("postgresql")
    with closing(Store(first)) as store:
        ids = fill(store)
    compare = copying._compared

    def meddle(*arguments: object) -> object:
        with psycopg.connect(second) as connection:
            connection.execute("update events set spent = 99 where table_id = %s and number = 2", (ids[2],))
        return compare(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(copying, "_compared", meddle)
    with pytest.raises(TilewrightError, match=f"the copy of the table {ids[2]} is not the same"):
        copy(first, second)


def test_what_cannot_be_copied_is_said_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "text.txt").write_text("not a database")
    for source, message in (("missing.db", "does not exist"), ("text.txt", "cannot be used as a database")):
        assert main(["database", "copy", str(tmp_path / source), str(tmp_path / "new.db")]) == 1
        assert message in capsys.readouterr().err
    assert not (tmp_path / "new.db").exists()
