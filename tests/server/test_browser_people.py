"""People who meet in a real browser: two find each other by quick match, play rated, and say something."""

from __future__ import annotations

import pytest
from driving import MakeTab
from playwright.sync_api import expect
from real_server import ThreadServer

from tilewright.server import match_api
from tilewright.server.chat import PAUSE
from tilewright.view.language import say

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
    expect(other.page.locator(".bubble")).to_have_text(say("fr", "chat.good_luck"))
    other.page.click("#open-chat")
    other.page.get_by_label(say("fr", "chat.mute", name="Ada")).check()
    other.page.get_by_role("button", name="Bonjour").click()
    expect(me.page.locator(".bubble")).to_have_text("Hello!")
    me.page.wait_for_timeout(1000 * PAUSE)
    me.page.click("#open-chat")
    me.page.get_by_role("button", name="Oops!").click()
    expect(me.page.locator(".bubble")).to_have_text("Oops!")
    expect(other.page.locator("#announce")).not_to_contain_text("Oups")


def test_a_bot_is_offered_after_a_wait(tab: MakeTab, server: ThreadServer, monkeypatch: pytest.MonkeyPatch):
    me = tab({"name": "Ada"}, url=server.url).goto("/")
    me.page.click("#match [type=submit]")
    expect(me.page.locator("#match-bot")).to_be_hidden()
    monkeypatch.setattr(match_api, "BOT_AFTER", 0.0)
    expect(me.page.locator("#match-bot")).to_contain_text("Play against a bot")
    me.page.click("#match-bot")
    me.page.wait_for_url("**/t/*")
    me.wait_for_table()
    expect(me.page.locator("#seats .chip")).to_have_count(2)


def test_a_search_that_is_cancelled_leaves_no_table(tab: MakeTab):
    me = tab({"name": "Ada"}, viewport={"width": 390, "height": 844}, color_scheme="dark").goto("/")
    me.page.select_option("#match-game", index=2)
    me.page.click("#match [type=submit]")
    expect(me.page.locator("#lists .tables a").first).to_be_visible()
    me.page.click("#match-cancel")
    expect(me.page.locator("#match [type=submit]")).to_be_visible()
    expect(me.page.locator("#lists .tables").first.locator("a")).to_have_count(0)
    assert me.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
