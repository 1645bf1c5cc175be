"""Files that cannot be used as a database: every command says why in a line, and leaves nothing beside them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from real_server import free_port
from stored_tables import a_table

from tilewright.cli.main import main
from tilewright.server import migrations
from tilewright.server.file_lock import FileInUse, FileLock
from tilewright.server.store import Store

NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with some games."""
    found = tmp_path / "club.db"
    with closing(Store(found)) as store:
        for number in range(40):
            store.add_table(a_table(f"{number:020}"))
            store.add_events(f"{number:020}", 1, [f"line {n} of a game" for n in range(60)])
    found.with_name("club.db.lock").unlink()
    return found


def damage_pages(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 * 20 : 4096 * 23] = b"\xaa" * (4096 * 3)
    path.write_bytes(content)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100_000])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def drop_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("drop table events")


def make_a_text(path: Path) -> None:
    path.write_text("root:x:0:0:root:/root:/bin/bash\n")


def make_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def make_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def make_foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table cookies (name text)")


def run(command: str, path: Path) -> int:
    """Run a command that reads the file."""
    new = str(path.with_name("new.db"))
    words = {
        "check": ["database", "check", "--database", str(path)],
        "backup": ["backup", new, "--database", str(path)],
        "restore": ["restore", str(path), "--database", new],
        "copy": ["database", "copy", str(path), new],
        "serve": ["serve", "--port", str(free_port()), "--database", str(path)],
        "serve anyway": ["serve", "--port", str(free_port()), "--ignore-damage", "--database", str(path)],
    }
    return main(words[command])


READERS = ["check", "backup", "restore", "copy"]
ADVICE = "restore a backup, or save what can be read with `sqlite3 FILE .recover`"


@pytest.mark.parametrize(
    ("harm", "told", "commands"),
    [
        (damage_pages, "it is damaged (*** in database main *** Page 2", [*READERS, "serve"]),
        (damage_pages, ADVICE, [*READERS, "serve"]),
        (truncate, f"it is damaged (database disk image is malformed); {ADVICE}", [*READERS, "serve", "serve anyway"]),
        (empty, "it is empty", READERS),
        (drop_a_table, "it is not a complete database: it lacks the table events", [*READERS, "serve"]),
        (make_a_text, "it is not an SQLite file", [*READERS, "serve", "serve anyway"]),
        (make_foreign, "it is another program's SQLite file", [*READERS, "serve", "serve anyway"]),
        (make_a_folder, "it is a directory", [*READERS, "serve", "serve anyway"]),
        (make_a_pipe, "it is not a regular file", [*READERS, "serve", "serve anyway"]),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_line(
    path: Path, harm: Callable[[Path], None], told: str, commands: list[str], capsys: pytest.CaptureFixture[str]
):
    harm(path)
    for command in commands:
        assert run(command, path) == 1
        said = capsys.readouterr().err
        assert "club.db cannot be used as a database: " in said
        assert told in said
        assert said.count("\n") == 1
        assert [file.name for file in path.parent.iterdir()] == ["club.db"]


def test_a_database_has_the_tables_that_it_must_have(path: Path):
    with closing(sqlite3.connect(path)) as connection:
        found = {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
    assert found == {*migrations.TABLES, migrations.VERSION_TABLE}


def test_the_lock_of_another_program_is_left_as_it_is(path: Path):
    make_a_text(path)
    lock = path.with_name("club.db.lock")
    lock.write_text("4711")
    assert run("serve", path) == 1
    assert lock.read_text() == "4711"


def test_a_lock_that_is_deleted_when_it_is_released_still_excludes_everybody_else(tmp_path: Path):
    path = tmp_path / "club.db"
    first = FileLock(path, "club.db")
    with pytest.raises(FileInUse, match="is in use"):
        FileLock(path, "club.db")
    first.remove()
    assert list(tmp_path.iterdir()) == []
    second = FileLock(path, "club.db")
    second.close()
    third = FileLock(path, "club.db")
    third.remove()
    assert [file.name for file in tmp_path.iterdir()] == ["club.db.lock"], "it was there before"


def as_nobody(act: Callable[[], int]) -> int:
    """Act as a user without rights: in a copy of this process, since root's modules are closed to others."""
    if os.geteuid() != 0:
        return act()
    child = os.fork()
    if child == 0:
        code = 99
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            code = act()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture
def medium(path: Path) -> Iterator[Path]:
    """A backup in a folder that cannot be written to, beside one where everybody may write."""
    with TemporaryDirectory() as folder:
        for name, mode in (("", 0o755), ("new", 0o777), ("medium", 0o755)):
            (Path(folder) / name).mkdir(exist_ok=True)
            (Path(folder) / name).chmod(mode)
        found = Path(folder) / "medium" / "club.db"
        shutil.copy(path, found)
        assert run("check", found) == 1, "its games are nonsense; what matters is that all modules are loaded now"
        found.chmod(0o444)
        found.parent.chmod(0o555)
        yield found
        found.parent.chmod(0o755)


@pytest.mark.parametrize(
    "command", ["database check --database FILE", "database copy FILE NEW", "restore FILE --database NEW"]
)
def test_a_backup_on_a_medium_that_cannot_be_written_to_can_be_read(medium: Path, command: str):
    new = medium.parent.parent / "new" / "new.db"
    words = [{"FILE": str(medium), "NEW": str(new)}.get(word, word) for word in command.split()]
    assert as_nobody(lambda: main(words)) == 1, "all its games are damaged"
    assert new.exists() == ("NEW" in command)
    assert [file.name for file in medium.parent.iterdir()] == ["club.db"]


def test_a_journal_on_such_a_medium_is_not_passed_over(medium: Path, path: Path, capfd: pytest.CaptureFixture[str]):
    medium.parent.chmod(0o755)
    with closing(Store(path)) as store:
        store.add_table(a_table("a" * 20))
        for ending in ("", "-wal"):
            shutil.copyfile(f"{path}{ending}", f"{medium}{ending}")
        assert len(store.ids()) == 41
    medium.chmod(0o444)
    medium.with_name("club.db-wal").chmod(0o444)
    medium.parent.chmod(0o555)
    assert as_nobody(lambda: main(["database", "check", "--database", str(medium)])) == 1
    assert "its folder cannot be written to; copy it, with club.db-wal, to one that can" in capfd.readouterr().err
