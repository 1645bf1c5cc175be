"""The web pages in a real browser: tile sets and the larger board, chosen in the settings and remembered."""

from __future__ import annotations

import pytest
from driving import READY, STILL, MakeTab, Tab
from playwright.sync_api import expect

from tilewright.view.picture.tile_sets import TILE_SETS

pytestmark = pytest.mark.browser

BLUE = "() => getComputedStyle(document.querySelector('#panels g[data-game]')).getPropertyValue('--tile-blue').trim()"
PAGES = ["/t/{azul}", "/t/{summer}", "/t/{over}/replay", "/review/{over}", "/analysis/{over}", "/puzzles"]


def choose_tiles(tab: Tab, name: str) -> None:
    tab.page.click("[data-opens=settings]")
    tab.page.select_option("#settings [data-tiles-choice]", name)
    tab.page.click("#settings [data-closes].primary")


def test_a_tile_set_is_chosen_without_a_reload_and_remembered_on_every_page(tab: MakeTab, tables: dict[str, str]):
    me = tab().open("azul-mini", "friend")
    me.page.evaluate("window.stays = true")
    assert me.page.evaluate(BLUE) not in (TILE_SETS["bold"]["light"]["tile-blue"], "")
    choose_tiles(me, "bold")
    assert me.page.evaluate(BLUE) == TILE_SETS["bold"]["light"]["tile-blue"]
    assert me.page.evaluate("window.stays")
    for path in PAGES:
        me.goto(path.format(**tables))
        me.page.wait_for_selector("#panels g[data-game]")
        assert me.page.evaluate(BLUE) == TILE_SETS["bold"]["light"]["tile-blue"], path


def test_pictures_follow_the_tile_set(tab: MakeTab):
    me = tab().goto("/")
    picture = me.page.locator(".game img.in-light").first
    address = picture.get_attribute("src") or ""
    glazed = me.page.context.request.get(me.url + address).text()
    with me.page.expect_response(lambda answer: "tiles=clear" in answer.url) as fetched:
        me.page.select_option(".preferences [data-tiles-choice]", "clear")
    assert TILE_SETS["clear"]["light"]["tile-blue"] in fetched.value.text()
    assert TILE_SETS["clear"]["light"]["tile-blue"] not in glazed
    lesson = me.page.context.request.get(f"{me.url}/learn/picture/azul/end.svg").text()
    assert TILE_SETS["clear"]["light"]["tile-blue"] in lesson, "the cookie names the set"
    assert me.page.context.request.get(f"{me.url}/picture/azul.svg?tiles=nonsense").text() == glazed


def widths(tab: Tab) -> dict[str, float]:
    tab.page.wait_for_function(STILL)
    return {part: tab.page.locator(f"[data-part={part}]").first.bounding_box()["width"] for part in ("focus", "other")}


def test_the_larger_board_is_larger_and_stays_so(tab: MakeTab):
    seats = [{"kind": "me", "name": "Ada"}, *({"kind": "friend", "name": name} for name in ("Bob", "Cleo", "Dan"))]
    me = tab().open("azul", players=4, seats=seats)
    me.page.wait_for_function(READY)
    before = widths(me)
    me.page.click("[data-opens=settings]")
    me.page.check("#settings [data-setting=larger]")
    me.page.click("#settings [data-closes].primary")
    after = widths(me)
    assert after["focus"] > 1.08 * before["focus"]
    assert 60 < after["other"] < before["other"]
    me.page.reload()
    me.wait_for_table()
    me.page.wait_for_function(READY)
    assert widths(me) == after
    me.page.locator("[data-part=other]").first.click()
    me.page.wait_for_function(STILL)
    expect(me.page.locator("[data-part=focus]")).not_to_have_attribute("data-seat", "1")
