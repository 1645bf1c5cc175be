"""The web table in a real browser: a click on something that cannot be chosen says why, right there."""

from __future__ import annotations

import re

import pytest
from driving import READY, MakeTab, Tab
from people import Person
from playwright.sync_api import expect

from tilewright.view.language import say

pytestmark = pytest.mark.browser


def click_spot(tab: Tab, spot: str) -> None:
    """Click the middle of something, whether or not it is lit."""
    box = tab.page.locator(f"#panels [data-spot='{spot}']").bounding_box()
    assert box is not None
    tab.page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)


def test_a_line_that_does_not_take_the_tiles_says_why(tab: MakeTab, outsider: Person):
    table = outsider.open("me", "friend", names=("Ada", "Bob", "", ""))
    legal = outsider.read(table)["legal"]
    first = next(move for move in legal if move["text"].endswith("1"))
    outsider.play(table, first["number"])
    outsider.play_first(table)
    now = outsider.read(table)
    me = tab({"confirm": True}).hold(outsider.key or "").goto(f"/t/{table}").wait_for_table()
    me.page.wait_for_function(READY)
    assert now["turn"] == 1, "line 1 of Ada is full"
    click_spot(me, "p1-line-2")
    expect(me.page.locator(".bubble")).to_have_text(say("en", "azul.prompt.draft"))
    me.page.locator("#panels [data-place^=factory].lit").first.click(force=True)
    click_spot(me, "p1-line-1")
    expect(me.page.locator(".bubble")).to_contain_text("is full")
    bubble, line = (me.page.locator(one).bounding_box() for one in (".bubble", "[data-spot='p1-line-1']"))
    assert bubble
    assert line
    assert abs(bubble["x"] + bubble["width"] / 2 - line["x"] - line["width"] / 2) < 200, "right there"
    me.page.keyboard.press("Escape")
    expect(me.page.locator(".bubble")).to_have_count(0)


def test_a_space_that_cannot_be_paid_says_why(tab: MakeTab, outsider: Person):
    table = outsider.open("me", "friend", game="summer-pavilion", names=("Ada", "Bob", "", ""))
    while (now := outsider.read(table))["phase"] != "place":
        outsider.play_first(table)
    me = tab().hold(outsider.key or "").goto(f"/t/{table}").wait_for_table()
    me.page.wait_for_function(READY)
    seat = now["turn"]
    spots = me.page.eval_on_selector_all(
        f"#panels [data-spot^='p{seat}-space']:not(.lit)", "found => found.map((one) => one.dataset.spot)"
    )
    assert spots
    click_spot(me, spots[0])
    expect(me.page.locator(".bubble")).to_have_text(re.compile(r"\w{3}.*\.$"))
