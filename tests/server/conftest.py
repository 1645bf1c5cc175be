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

from tilewright.server import app
from tilewright.server.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER_OPTIONS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
SLOW_MOTION = 250.0
"""Milliseconds between the acts of a test that somebody watches."""
NO_BROWSER = (
    "The tests of the pages need Chromium: run `sh tools/browser.sh .venv/bin/python`, or install one as `chromium`,"
    " or name its program in TILEWRIGHT_CHROMIUM. `python -m pytest -m 'not browser'` runs all other tests."
)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadServer]:
    """A server in a thread, whose bots answer at once and where anybody may open many tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "_warm_up", lambda: None)
        settings = Settings(thinking=0.0, limits=0)
        with ThreadServer(app.make_app(tmp_path_factory.mktemp("server") / "tables.db", settings)) as running:
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


def candidates() -> list[str | None]:
    """Programs that may be a Chromium on this machine; None stands for the one that Playwright may have installed."""
    if named := os.environ.get("TILEWRIGHT_CHROMIUM"):
        return [named]
    return [*(path for name in BROWSERS if (path := shutil.which(name))), None]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium, with windows that can be watched if TILEWRIGHT_HEADED is set.

    It ends with the file that asked for it: while Playwright runs, nothing else in this thread can use asyncio.
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
            yield started
            started.close()
            return
        pytest.fail(f"{NO_BROWSER} Tried:\n" + "\n".join(errors), pytrace=False)
