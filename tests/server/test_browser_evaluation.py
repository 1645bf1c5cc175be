"""The evaluation bar in a real browser: off at first, in words and colours, kept over a reload."""

from __future__ import annotations

import re

import pytest
from driving import READY, MakeTab, Tab
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CHANCES = re.compile(r"Win chances: Ada \d+%, .* \d+%\.")


def turn_on(me: Tab) -> None:
    """Turn the bar on in the settings."""
    me.page.click("[data-opens='settings']")
    me.page.check("#evaluate")
    me.page.click("#settings [data-closes]")


def test_the_bar_is_off_until_somebody_turns_it_on(tab: MakeTab):
    me = tab().open("azul")
    page = me.page
    page.wait_for_function(READY)
    expect(page.locator("#evaluation")).to_be_hidden()
    turn_on(me)
    words = page.locator("#evaluation-text")
    expect(words).to_have_text(CHANCES)
    expect(page.locator("#evaluation-bar span")).to_have_count(2)
    before = words.inner_text()
    me.play(1)
    expect(words).not_to_have_text(before)
    page.reload()
    me.wait_for_table()
    expect(words).to_have_text(CHANCES)
    page.click("[data-opens='settings']")
    page.uncheck("#evaluate")
    expect(page.locator("#evaluation")).to_be_hidden()


def test_people_are_asked_first_and_whoever_watches_sees_how_the_round_began(tab: MakeTab):
    me = tab().open("azul-mini", other="invite")
    friend = tab({"name": "Bob"}).goto(f"/t/{me.table}").wait_for_table()
    friend.page.click("text=Sit down")
    me.page.wait_for_function(READY)
    me.page.click("[data-opens='settings']")
    expect(me.page.locator("#evaluate-note")).to_have_text("The other players must agree.")
    me.page.click("#evaluate")
    expect(friend.page.locator("#notices")).to_contain_text("allow hints and the evaluation bar")
    friend.page.click("#notices button:has-text('Yes')")
    expect(me.page.locator("#notices")).to_be_hidden()
    turn_on(me)
    expect(me.page.locator("#evaluation-text")).to_have_text(CHANCES)
    watcher = tab({"name": "Eve"}).goto(f"/t/{me.table}").wait_for_table()
    turn_on(watcher)
    expect(watcher.page.locator("#evaluation-text")).to_contain_text("after each round")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_the_bar_fits_a_phone_in_every_language(tab: MakeTab, language: str):
    me = tab(locale=language, **PHONE).open("azul")
    me.page.wait_for_function(READY)
    turn_on(me)
    expect(me.page.locator("#evaluation-bar span")).to_have_count(2)
    assert me.page.evaluate("document.documentElement.scrollWidth") <= 390
    me.play(1)
