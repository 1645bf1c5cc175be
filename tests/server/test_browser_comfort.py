"""The web table in a real browser: fewer clicks, one undo, tips that come once, tiles kept by default."""

from __future__ import annotations

import re

import pytest
from driving import READY, MakeTab, Tab
from people import Person
from playwright.sync_api import expect

from tilewright.view.language import say

pytestmark = pytest.mark.browser


def take_tiles(me: Tab) -> None:
    """Choose tiles, and a line for them."""
    me.page.locator("#panels [data-place].lit").first.click(force=True)
    me.page.locator("#panels [data-spot].lit").last.click(force=True)


def test_after_a_few_moves_playing_without_confirming_is_offered_once(tab: MakeTab):
    me = tab({"confirm": True}).open("azul", "friend")
    for _ in range(3):
        me.move()
    page = me.page
    expect(page.locator("#tip")).to_contain_text(say("en", "page.tip_confirm"))
    page.get_by_role("button", name=say("en", "page.tip_confirm_yes")).click()
    expect(page.locator("#tip")).to_be_hidden()
    expect(page.locator("#settings [data-setting=confirm]")).not_to_be_checked()
    before = me.events()
    take_tiles(me)
    expect(page.locator("#log-lines li")).to_have_count(before + 1)
    page.reload()
    me.wait_for_table()
    page.wait_for_function(READY)
    expect(page.locator("#tip")).to_be_hidden()


@pytest.mark.slow
def test_that_tiles_can_be_dragged_is_said_once(tab: MakeTab):
    me = tab({"confirm": True}).open("azul", "friend")
    expect(me.page.locator("#tip")).to_be_hidden()
    me.move()
    expect(me.page.locator("#tip")).to_contain_text(say("en", "page.tip_drag"))
    me.move()
    me.page.wait_for_function(READY)
    expect(me.page.locator("#tip")).to_be_hidden()


def test_one_button_undoes_a_choice_and_then_a_move(tab: MakeTab):
    me = tab({"confirm": True}).open("azul", "bot")
    page, undo = me.page, me.page.locator("#undo")
    page.wait_for_function(READY)
    expect(undo).to_be_hidden()
    page.locator("#panels [data-place].lit").first.click(force=True)
    expect(undo).to_have_text(say("en", "page.undo"))
    undo.click()
    expect(page.locator("#panels .chosen")).to_have_count(0)
    me.move()
    page.wait_for_function(READY)
    expect(page.locator("#log-lines li")).to_have_count(2)
    expect(undo).to_have_text(say("en", "page.undo_move"))
    undo.click()
    expect(page.locator("#log-lines li")).to_have_count(0)
    page.wait_for_function(READY)
    expect(undo).to_be_hidden()


def keeping(person: Person, last: bool) -> str:
    """A table of Summer Pavilion where somebody has passed with four tiles or fewer and chooses what to keep."""
    while True:
        table = person.open("me", "friend", game="summer-pavilion", names=("Ada", "Bob", "", ""))
        while (now := person.read(table))["over"] is None:
            if now["phase"] == "keep":
                state = person.get(f"/api/tables/{table}/view").json()["state"]
                held = sum(slot.startswith(f"p{now['turn']}-hand") for slot in state["scene"]["tiles"])
                if held <= 4 and (state["round"] == 6) == last:
                    return table
            person.play(table, now["legal"][0]["number"], now["event"])


@pytest.mark.slow
@pytest.mark.parametrize("last", [False, True])
def test_what_can_be_kept_is_kept_by_default(tab: MakeTab, outsider: Person, last: bool):
    table = keeping(outsider, last)
    me = tab({"confirm": True}).hold(outsider.key or "").goto(f"/t/{table}").wait_for_table()
    page = me.page
    key = "keep_last" if last else "keep"
    expect(page.locator("#prompt")).to_have_text(say("en", f"summer_pavilion.prompt.{key}"))
    now = outsider.read(table)
    hand = page.locator(f"#panels [data-place=p{now['turn']}-hand].chosen")
    expect(page.locator("#confirm")).to_have_text("Keep these tiles")
    assert hand.count() > 0
    expect(page.locator("#preview li").first).to_contain_text("left over" if last else "keeps")
    before = me.events()
    page.click("#confirm")
    expect(page.locator("#log-lines li")).to_have_count(before + 1)


@pytest.mark.slow
def test_things_that_are_never_chosen_explain_themselves(tab: MakeTab):
    me = tab().open("summer-pavilion")
    me.page.wait_for_function(READY)
    for key in ("bag_long", "tower_long"):
        label = say("en", f"summer_pavilion.{key}")
        box = me.page.locator(f"#panels [aria-label='{label}']").bounding_box()
        assert box
        me.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(me.page.locator(".bubble")).to_have_text(label[0].upper() + label[1:])
    for key in ("bag", "tower", "supply"):
        title = re.compile(f"^{say('en', f'summer_pavilion.{key}')}$")
        expect(me.page.locator("[data-panel=market] text", has_text=title)).to_be_visible()
    expect(me.page.get_by_text("joker: purple", exact=True)).to_be_visible()
