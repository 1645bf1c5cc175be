"""The web table in a real browser: what fits on a laptop and on a phone."""

from __future__ import annotations

from typing import Any

import pytest
from driving import MISSING, PAGES, STILL, TABLES, MakeTab, Tab
from people import GAMES, Person
from playwright.sync_api import Response, expect

from tilewright.view.language import LANGUAGES

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


@pytest.mark.parametrize("path", ["/", "/t/{azul}", "/t/{mini}", "/t/{summer}"])
def test_a_first_page_is_small_and_a_laptop_shows_all_of_a_table(tab: MakeTab, tables: dict[str, str], path: str):
    me = tab()
    answers: list[Response] = []

    def note(answer: Response) -> None:  # Playwright takes no methods of built-in types
        answers.append(answer)

    me.page.on("response", note)
    me.goto(path.format(**tables))
    sent = sum(answer.request.sizes()["responseBodySize"] for answer in answers)
    assert 10_000 < sent < 150_000
    if path == "/":
        return
    me.wait_for_table()
    height, width = me.page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
    assert (height, width) == (768, 1366)
    me.page.wait_for_function(STILL)
    for box in me.page.evaluate("[...document.querySelectorAll('.panel')].map((one) => one.getBoundingClientRect())"):
        assert box["left"] >= 0
        assert box["top"] >= 0
        assert box["right"] <= 1366
        assert box["bottom"] <= 768


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_of_a_page_is_one_line_and_settings_fit_a_laptop(tab: MakeTab, language: str):
    me = tab(locale=language).goto("/")
    for width in (844, 1024, 1366, 1920):
        me.page.set_viewport_size({"width": width, "height": 768})
        assert me.page.locator("#top").evaluate("(head) => head.offsetHeight") < 70, width
    me.page.set_viewport_size({"width": 1366, "height": 768})
    me.open("azul")
    me.page.click("[data-opens=settings]")
    expect(me.page.locator("#settings [data-notifications] button")).to_be_visible()
    assert me.page.locator("#settings").evaluate("(one) => one.scrollHeight - one.clientHeight") <= 0


def test_the_buttons_at_the_end_of_a_game_stand_in_one_line_on_a_laptop(tab: MakeTab, outsider: Person):
    table = outsider.open("me", "friend", game="azul-mini")
    outsider.play_out(table)
    for language in LANGUAGES:
        me = tab(locale=language).hold(outsider.key or "").goto(f"/t/{table}").wait_for_table()
        tops = me.page.locator(".ending-buttons > *:visible").evaluate_all("all => all.map((one) => one.offsetTop)")
        assert len(tops) == 6
        assert len(set(tops)) == 1, language


def wider_than_the_screen(tab: Tab) -> int:
    return int(tab.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.slow
def test_nothing_scrolls_sideways_on_a_phone(tab: MakeTab, tables: dict[str, str]):
    me = tab(**PHONE)
    for path in [*PAGES, *TABLES]:
        me.goto(path.format(**tables))
        assert wider_than_the_screen(me) <= 0, path
    me.forgive(MISSING)


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_is_enough(tab: MakeTab, game: str):
    me = tab(**PHONE).open(game)
    me.play(3)
    assert wider_than_the_screen(me) <= 0
    assert me.events() >= 3
