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


def test_whoever_stays_in_a_rated_game_learns_that_it_is_decided(tab: MakeTab, outsider: Person):
    me = tab({"name": "Ada"}, locale="fr-FR").open("azul", "open", rated=True)
    outsider.join(me.table, "Bob")
    me.page.wait_for_function(READY)
    assert outsider.http.post(f"/api/tables/{me.table}/leave").status_code == 200
    name = say("fr", "page.played_by_bot", name="Bob")
    told = f"{say('fr', 'page.bot_plays_on', name=name)} {say('fr', 'page.rated_won')}"
    expect(me.page.locator("#notices")).to_have_text(told)


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_on_a_phone_a_game_that_waits_comes_first(tab: MakeTab, size: tuple[int, int]):
    me = tab(viewport={"width": size[0], "height": size[1]}).open("azul")
    me.goto("/")
    waiting = me.page.locator("a.mine")
    expect(waiting).to_be_in_viewport(ratio=1)
    top = "element => element.getBoundingClientRect().top"
    assert waiting.evaluate(top) < me.page.locator(".hero").evaluate(top)
    order = [me.page.locator(one).evaluate(top) for one in ("#new-table", "#match", ".tables:last-child")]
    assert order == sorted(order)
    me.page.locator(".tables .leave").click()
    me.page.click("#leave-now")
    expect(waiting).to_have_count(0)
