"""People who meet in a real browser: two find each other by quick match, play rated, and say something."""

from __future__ import annotations

import pytest
from driving import MakeTab
from playwright.sync_api import expect

from tilewright.server.chat import PAUSE

pytestmark = pytest.mark.browser


def test_two_meet_by_quick_match_and_talk(tab: MakeTab):
    me, other = tab({"name": "Ada"}).goto("/"), tab({"name": "Bob"}, locale="fr-FR").goto("/")
    for person in (me, other):
        person.page.check("#match [name=rated]")
    me.page.click("#match [type=submit]")
    expect(me.page.locator("#match-status")).to_contain_text("Looking for an opponent")
    other.page.click("#match [type=submit]")
    for person in (me, other):
        person.page.wait_for_url("**/t/*")
        person.wait_for_table()
    assert me.table == other.table
    expect(me.page.locator("h1")).to_contain_text("Rated")
    expect(me.page.locator("#hint")).to_be_hidden()

    me.page.click("#open-chat")
    me.page.get_by_role("button", name="Good luck, have fun!").click()
    expect(other.page.locator(".bubble")).to_have_text("Bonne partie !")
    other.page.click("#open-chat")
    other.page.check("#muted")
    other.page.get_by_role("button", name="Bonjour !").click()
    expect(me.page.locator(".bubble")).to_have_text("Hello!")
    me.page.wait_for_timeout(1000 * PAUSE)
    me.page.click("#open-chat")
    me.page.get_by_role("button", name="Oops!").click()
    expect(me.page.locator(".bubble")).to_have_text("Oops!")
    expect(other.page.locator("#announce")).not_to_contain_text("Oups !")


def test_a_search_that_is_cancelled_leaves_no_table(tab: MakeTab):
    me = tab({"name": "Ada"}, viewport={"width": 390, "height": 844}, color_scheme="dark").goto("/")
    me.page.select_option("#match-game", index=2)
    me.page.click("#match [type=submit]")
    expect(me.page.locator("#lists .tables a").first).to_be_visible()
    me.page.click("#match-cancel")
    expect(me.page.locator("#match [type=submit]")).to_be_visible()
    expect(me.page.locator("#lists .tables").first.locator("a")).to_have_count(0)
    assert me.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
