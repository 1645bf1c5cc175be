"""Real servers and a real browser for the tests of the web table."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from people import Person
from real_server import ProcessServer, ThreadServer

from tilewright.server import api, app, rooms
from tilewright.server.web import Buckets

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_OPTIONS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    """A server in a thread, whose bots answer at once and where anybody may open many tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "PLEASANT_THINKING", 0.0)
        patch.setattr(app, "warm_up_all", lambda: None)
        patch.setattr(api, "_creations", Buckets(burst=1e6, rate=1e6))
        with ThreadServer(app.make_app(tmp_path_factory.mktemp("server") / "tables.db")) as running:
            yield running


@pytest.fixture
def person(server: ThreadServer) -> Iterator[Callable[[], Person]]:
    """Makes people who do not know each other's keys."""
    made: list[Person] = []

    def make() -> Person:
        made.append(Person(server.url))
        return made[-1]

    yield make
    for one in made:
        one.http.close()


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
def process_server(tmp_path: Path) -> Iterator[ProcessServer]:
    """A server process of its own, not yet started."""
    running = ProcessServer(tmp_path / "tables.db")
    yield running
    running.stop()


def find_browser() -> str | None:
    """The program of a Chromium on this machine; None for the one that Playwright may have installed."""
    named = os.environ.get("TILEWRIGHT_CHROMIUM")
    return named or next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=find_browser(), args=BROWSER_OPTIONS)
        except Error as error:
            pytest.fail(
                "the browser tests need Chromium: install it as chromium, run `playwright install chromium`,"
                f" or name its program in TILEWRIGHT_CHROMIUM ({error})"
            )
        yield started
        started.close()
