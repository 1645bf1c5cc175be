"""Hints in a real browser: the first press shows where to look, the second the move and why."""

from __future__ import annotations

import re

import pytest
from driving import READY, MakeTab, often
from people import GAMES
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

POINTED = "#panels .hinted, #choices .hinted"


@pytest.mark.parametrize("game", often(("azul",), *GAMES))
def test_two_presses_of_the_hint_button(tab: MakeTab, game: str):
    me = tab().open(game)
    page = me.page
    page.wait_for_function(READY)
    page.click("#hint")
    expect(page.locator("#hint-text")).to_have_text(re.compile(r"Take a look at this: .*\w"))
    expect(page.locator("#hint")).to_have_text("Show the move")
    looked = page.locator(POINTED).count()
    assert looked > 0
    page.click("#hint")
    expect(page.locator("#hint-text")).to_have_text(re.compile("A good move: take "))
    expect(page.locator("#hint")).to_be_disabled()
    assert page.locator("#hint-text li").count() in range(4)
    assert page.locator(POINTED).count() >= looked
    me.play(1)
    expect(page.locator("#hint-box")).to_be_hidden()
    expect(page.locator("#hint")).to_be_enabled()
    expect(page.locator("#hint")).to_have_text("Hint")


@pytest.mark.slow
def test_the_end_says_that_somebody_had_hints(tab: MakeTab):
    me = tab().open("azul-mini")
    me.page.wait_for_function(READY)
    me.page.click("#hint")
    expect(me.page.locator("#hint-text")).to_contain_text("Take a look")
    me.play_out()
    expect(me.page.locator("#result-summary")).to_contain_text("Ada asked for 1 hint.")


def test_against_people_everybody_must_agree(tab: MakeTab):
    me = tab().open("azul-mini", other="invite")
    friend = tab({"name": "Bob"}).goto(f"/t/{me.table}").wait_for_table()
    friend.page.click("text=Sit down")
    me.page.wait_for_function(READY)
    me.page.click("#hint")
    expect(me.page.locator("#notices")).to_contain_text("Waiting for the others to agree")
    expect(friend.page.locator("#notices")).to_contain_text("Ada asks to allow hints and the evaluation bar")
    friend.page.click("#notices button:has-text('Yes')")
    expect(me.page.locator("#notices")).to_be_hidden()
    me.page.click("#hint")
    expect(me.page.locator("#hint-text")).to_contain_text("Take a look")


def test_a_hint_on_a_phone(tab: MakeTab):
    me = tab(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True).open("azul")
    me.page.wait_for_function(READY)
    for words in ("Take a look", "A good move"):
        me.page.tap("#hint")
        expect(me.page.locator("#hint-text")).to_contain_text(words)
    assert me.page.evaluate("document.documentElement.scrollWidth") <= 390
    me.play(1)
