"""Real servers and a real browser for the tests of the web table."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
from asyncio import _set_running_loop
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from people import DIRECT, Line, Person, begin, people_at
from real_server import ProcessServer, ThreadServer, viewers, wait_until
from services import PostgresServer, RedisServer, postgres_server, redis_server

from tilewright.server import app
from tilewright.server.settings import Settings

if TYPE_CHECKING:
    from driving import MakeTab, Tab
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_OPTIONS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
SLOW_MOTION = 250.0
"""Milliseconds between the acts of a test that somebody watches."""
NO_BROWSER = (
    "The tests of the pages need Chromium: run `sh tools/browser.sh .venv/bin/python`, or install one as `chromium`,"
    " or name its program in TILEWRIGHT_CHROMIUM. `python -m pytest -m 'not browser'` runs all other tests."
)


DATABASES = ["sqlite", "postgresql"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server for all tests of this process."""
    with postgres_server() as running:
        yield running


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """A Redis server for all tests of this process."""
    with redis_server() as running:
        yield running


@pytest.fixture
def own_redis() -> Iterator[RedisServer]:
    """A Redis that a test has to itself, and may kill."""
    with redis_server() as running:
        yield running


@pytest.fixture(params=DATABASES)
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind: a file, and a URL."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    running: PostgresServer = request.getfixturevalue("postgres")
    return running.new_database()


@pytest.fixture(scope="session")
def server_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The database of most tests: a file, or PostgreSQL if TILEWRIGHT_TEST_DATABASE is ``postgresql``."""
    if os.environ.get("TILEWRIGHT_TEST_DATABASE") == "postgresql":
        running: PostgresServer = request.getfixturevalue("postgres")
        return running.new_database()
    return str(tmp_path_factory.mktemp("server") / "tables.db")


@pytest.fixture(scope="session")
def server(server_database: str) -> Iterator[ThreadServer]:
    """A server in a thread, whose bots answer at once and where anybody may open many tables."""
    settings = Settings(thinking=0.0, limits=0, review_budget="60")
    with ThreadServer(app.make_app(server_database, settings)) as running:
        yield running


@pytest.fixture
def person(server: ThreadServer) -> Iterator[Callable[[], Person]]:
    """Makes people who do not know each other's keys."""
    with people_at(server.url) as make:
        yield make


@pytest.fixture
def me(person: Callable[[], Person]) -> Person:
    return person()


@pytest.fixture
def friend(person: Callable[[], Person]) -> Person:
    return person()


@pytest.fixture
def stranger(person: Callable[[], Person]) -> Person:
    """Somebody with a key of another table."""
    someone = person()
    someone.open("me", "friend")
    return someone


@pytest.fixture
def table(me: Person, friend: Person) -> str:
    """Two people at a table of Azul."""
    made = me.open("me", "invite", names=("Ada", ""))
    friend.join(made, "Bob")
    return made


@pytest.fixture
def alone(me: Person) -> str:
    """A table where I play against a bot."""
    return me.open("me", "bot", names=("Ada", ""))


@pytest.fixture
def club(where: str) -> Iterator[ThreadServer]:
    """A server of its own, on both kinds of database."""
    with ThreadServer(app.make_app(where, Settings(thinking=0.0, limits=0, review_budget="40"))) as running:
        yield running


@pytest.fixture
def members(club: ThreadServer) -> Iterator[Callable[[], Person]]:
    """Makes people at that server."""
    with people_at(club.url) as make:
        yield make


@pytest.fixture
def neighbours(postgres: PostgresServer) -> Iterator[tuple[Person, Person]]:
    """Somebody at each of two servers on one database."""
    where, settings = postgres.new_database(), Settings(thinking=0.0, limits=0)
    with (
        ThreadServer(app.make_app(where, settings)) as one,
        ThreadServer(app.make_app(where, settings)) as other,
        people_at(one.url) as here,
        people_at(other.url) as there,
    ):
        yield here(), there()


@pytest.fixture
def distant_lines(neighbours: tuple[Person, Person]) -> Iterator[tuple[Line, Line]]:
    """The connections of two people who sit at one table, each at another server."""
    ada, bob = neighbours
    table = ada.open("me", "invite")
    bob.join(table)
    with ada.watch(table) as mine, bob.watch(table) as theirs:
        begin(mine)
        begin(theirs)
        yield mine, theirs


@pytest.fixture
def impatient(server: ThreadServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is away may be replaced at once, by a bot that plays anything."""
    monkeypatch.setattr("tilewright.server.seating.SUBSTITUTE", "random")
    monkeypatch.setattr(server.app.state.rooms, "settings", Settings(thinking=0.0, limits=0, absent=0.0))


@pytest.fixture
def unhurt(server: ThreadServer, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """After whatever was sent: the server answers, and nothing went wrong inside it."""
    with caplog.at_level(logging.WARNING):
        yield
        assert httpx.get(f"{server.url}/api/games", **DIRECT).status_code == 200
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.fixture
def deserted(server: ThreadServer, unhurt: None) -> Iterator[None]:
    """After whatever happened: everybody has left, and the server is unhurt."""
    yield
    wait_until(lambda: server.inside(viewers) == 0, "everybody should have left")


@pytest.fixture
def process_server(tmp_path: Path) -> Iterator[ProcessServer]:
    """A server process of its own, not yet started."""
    running = ProcessServer(tmp_path / "tables.db")
    yield running
    running.stop()


def candidates() -> list[str | None]:
    """Programs that may be a Chromium on this machine; None stands for the one that Playwright may have installed."""
    if named := os.environ.get("TILEWRIGHT_CHROMIUM"):
        return [named]
    return [*(path for name in BROWSERS if (path := shutil.which(name))), None]


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """A Chromium for all tests of this process, and the event loop of Playwright.

    It has windows that can be watched if TILEWRIGHT_HEADED is set.
    """
    from playwright.sync_api import Error, sync_playwright

    watched = bool(os.environ.get("TILEWRIGHT_HEADED"))
    with sync_playwright() as playwright:
        errors = []
        for program in candidates():
            try:
                started = playwright.chromium.launch(
                    executable_path=program,
                    args=BROWSER_OPTIONS,
                    headless=not watched,
                    slow_mo=SLOW_MOTION if watched else 0,
                )
            except Error as error:
                errors.append(f"{program or 'the Chromium of Playwright'}: {error.message.splitlines()[0]}")
                continue
            loop = asyncio.get_running_loop()
            yield started, loop
            _set_running_loop(loop)
            started.close()
            return
        pytest.fail(f"{NO_BROWSER} Tried:\n" + "\n".join(errors), pytrace=False)


@pytest.fixture(scope="module")
def browser(chromium: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """The Chromium, for the tests of a file.

    Between such files Playwright's event loop does not count as running, or no other test here could use asyncio.
    """
    started, loop = chromium
    _set_running_loop(loop)
    yield started
    _set_running_loop(None)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessServer]:
    """The server that the browsers talk to."""
    with ProcessServer(tmp_path_factory.mktemp("browser") / "tables.db") as running:
        yield running


@pytest.fixture(scope="session")
def tables(served: ProcessServer) -> dict[str, str]:
    """A table of each kind and in each state; the keys of all of them are lost."""
    me = Person(served.url)
    names = ("Ada", "Bob", "Cleo", "Dan")
    found = {
        "azul": me.open("me", "friend", "friend", "friend", game="azul", names=names),
        "mini": me.open("me", "friend", game="azul-mini", names=names),
        "summer": me.open("me", "friend", "friend", game="summer-pavilion", names=names),
        "waiting": me.open("me", "invite", game="azul", names=names),
        "over": me.open("me", "friend", game="azul-mini", names=names),
    }
    me.play_out(found["over"])
    me.http.close()
    return found


@pytest.fixture
def outsider(served: ProcessServer) -> Iterator[Person]:
    """Somebody who reads the tables of the browsers as programs do."""
    with people_at(served.url) as make:
        yield make()


@pytest.fixture
def tab(browser: Browser, request: pytest.FixtureRequest) -> Iterator[MakeTab]:
    """Makes people with a browser; none of their consoles may show an error, on any page that a test sees.

    Of a refused style or script no less than of an error.
    """
    from driving import new_tab

    made: list[Tab] = []

    def make(settings: dict[str, Any] | None = None, url: str | None = None, **options: Any) -> Tab:
        address: str = url or request.getfixturevalue("served").url
        made.append(new_tab(browser, address, settings, **options))
        return made[-1]

    yield make
    errors = [error for one in made for error in one.console_errors]
    for one in made:
        one.page.context.close()
    assert errors == []
