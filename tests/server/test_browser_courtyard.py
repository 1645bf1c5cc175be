"""A game from somebody else's package, set up and played to its end in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from driving import COMPILING, Tab, new_tab
from real_server import ProcessServer

from installing import install, with_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server_with_courtyard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessServer]:
    folder = tmp_path_factory.mktemp("courtyard")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", with_game(install(folder))["PYTHONPATH"])
        running = ProcessServer(folder / "tables.db").start()
        yield running
        running.stop()


@pytest.fixture
def ada(browser: Browser, server_with_courtyard: ProcessServer) -> Iterator[Tab]:
    someone = new_tab(browser, server_with_courtyard.url)
    someone.page.set_default_timeout(COMPILING)  # the first table of a game waits for its rules to be compiled
    yield someone
    assert someone.console_errors == []
    someone.page.context.close()


def test_it_is_offered_on_the_home_page_and_played_to_its_end(ada: Tab):
    ada.set_up("courtyard")
    assert ada.play_out() >= 12
    assert "Courtyard" in ada.page.title()


def test_its_options_are_offered_and_its_rules_can_be_read(
    ada: Tab, server_with_courtyard: ProcessServer, tmp_path: Path
):
    ada.goto("/")
    ada.page.check("input[name=game][value=courtyard]", force=True)
    assert ada.page.locator("[name='courtyard:scoring']:enabled").count() == 2
    ada.goto("/learn/courtyard")
    assert "Courtyard" in ada.page.inner_text("h1")
    ada.open("courtyard", options={"scoring": "contrast"})
    ada.play(3)
    ada.page.screenshot(path=tmp_path / "courtyard.png")
