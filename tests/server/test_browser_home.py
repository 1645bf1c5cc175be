"""The home page in a real browser: its lists are up to date, and games can be left from there."""

from __future__ import annotations

import pytest
from driving import READY, MakeTab
from people import Person
from playwright.sync_api import expect

from tilewright.view.language import say

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_the_lists_follow_what_happens(tab: MakeTab, outsider: Person):
    me = tab({"name": "Ada"}).open("azul", "invite")
    table = me.table
    home = tab().hold(me.page.context.cookies()[0]["value"]).goto("/").page
    mine = home.locator(f"#lists li:has([href='/t/{table}'])")
    expect(mine.locator("em")).to_have_text(say("en", "page.waits"))
    outsider.join(table, "Bob")
    expect(mine.locator("em")).to_have_text(say("en", "page.to_move_you"))
    assert home.title().startswith("("), "the tab says that a game waits"
    me.page.wait_for_function(READY)
    me.move()
    expect(mine.locator("em")).to_have_text(say("en", "page.turn_of", name="Bob"))
    offered = outsider.open("me", "open", names=("Zoe", "", "", ""))
    joining = home.locator(f"#lists li:has([href='/t/{offered}'])")
    expect(joining).to_contain_text("Zoe")
    outsider.post(f"/api/tables/{offered}/leave")
    expect(joining).to_have_count(0)


def test_a_game_is_left_after_a_question(tab: MakeTab):
    me = tab({"name": "Ada"}).open("azul", "bot")
    table = me.table
    page = me.goto("/").page
    mine = page.locator(f"#lists li:has([href='/t/{table}'])")
    mine.locator(".leave").click()
    expect(page.locator("#leaving-title")).to_have_text(say("en", "page.leave_abandon"))
    page.get_by_role("button", name=say("en", "page.stay")).click()
    expect(page.locator("#leaving")).to_be_hidden()
    mine.locator(".leave").click()
    page.click("#leave-now")
    expect(mine).to_have_count(0)


def test_a_player_resigns_at_the_table(tab: MakeTab, outsider: Person):
    me = tab({"name": "Ada"}).open("azul", "invite")
    outsider.join(me.table, "Bob")
    me.page.wait_for_function(READY)
    table = me.table
    me.page.click("[data-opens=settings]")
    me.page.click("#leave")
    expect(me.page.locator("#leaving-text")).to_have_text(say("en", "page.leave_resign_text"))
    with me.page.expect_navigation():
        me.page.click("#leave-now")
    assert outsider.read(table)["seats"][0]["kind"] == "bot"
