"""Reviews in a real browser: from a game, a replay or a record to the graph, the better move and another try."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from driving import COMPILING, MakeTab, Tab
from people import Person
from playwright.sync_api import Page, expect
from real_server import ProcessServer

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def see_review(tab: Tab, review: str) -> Page:
    """Open a review and wait until it is complete."""
    page = tab.goto(f"/review/{review}").page
    page.wait_for_selector("body.reviewed", timeout=COMPILING)
    return page


def shown_at(page: Page) -> int:
    """The moment that the graph stands at."""
    return int(page.get_attribute("#graph", "aria-valuenow") or -1)


def to_mistake(page: Page) -> None:
    """Go to a move with a better one."""
    page.click("#next-mistake")
    expect(page.locator("#explanation h2")).to_be_visible()


@pytest.mark.slow
def test_from_the_end_of_a_game_to_its_review(tab: MakeTab):
    me = tab().open("azul-mini")
    me.play_out()
    me.page.click("#to-review")
    me.page.wait_for_url("**/review/*")
    me.page.wait_for_selector("body.reviewed", timeout=COMPILING)
    expect(me.page.locator("#summary p")).to_have_text(re.compile(r"\w+.*\. .*\w+.*\."))
    expect(me.page.locator("#totals tbody tr")).to_have_count(2)
    expect(me.page.locator("#totals tbody tr").first).to_contain_text("±")
    expect(me.page.locator("#graph .curve")).to_have_count(1)
    assert me.page.locator("#graph .deal").count() >= 2
    assert me.page.locator("#log-lines .grade").count() > 5


def test_from_a_replay_to_the_review(tab: MakeTab, tables: dict[str, str]):
    me = tab().goto(f"/t/{tables['over']}/replay")
    me.page.click("#to-review")
    me.page.wait_for_url(f"**/review/{tables['over']}")
    me.page.wait_for_selector("body.reviewed", timeout=COMPILING)
    me.goto(f"/t/{tables['azul']}/replay")
    expect(me.page.locator("#to-review")).to_have_count(0)


@pytest.mark.slow
def test_from_a_record_that_is_pasted_or_chosen(tab: MakeTab, tables: dict[str, str], outsider: Person):
    record = outsider.get(f"/api/tables/{tables['over']}/record").text
    me = tab()
    page = me.goto("/").page
    page.click("nav [href='/review']")
    page.fill("#record", "tilewright record 1\ngame: nonsense")
    page.click("#upload [type=submit]")
    expect(page.locator("#failure")).to_contain_text("line 2")
    me.forgive("400")
    page.set_input_files("#file", {"name": "game.txt", "mimeType": "text/plain", "buffer": record.encode()})
    expect(page.locator("#record")).to_have_value(record)
    page.click("#upload [type=submit]")
    page.wait_for_url("**/review/*")
    page.wait_for_selector("body.reviewed", timeout=COMPILING)
    expect(page.locator("#log-lines li")).to_have_count(page.locator("#log-lines a").count())


def test_the_graph_follows_keys_clicks_and_drags(tab: MakeTab, tables: dict[str, str]):
    page = see_review(tab(), tables["over"])
    last = int(page.get_attribute("#graph", "aria-valuemax") or 0)
    assert shown_at(page) == last
    page.focus("#graph")
    for key, value in (("ArrowLeft", last - 1), ("Home", 0), ("ArrowRight", 1), ("End", last)):
        page.keyboard.press(key)
        expect(page.locator("#graph")).to_have_attribute("aria-valuenow", str(value))
        expect(page.locator("#log-lines [aria-current]")).to_have_attribute("href", f"#{value}")
        assert re.search(r"Win chance: Ada \d+%, Bob \d+%", page.get_attribute("#graph", "aria-valuetext") or "")
    page.keyboard.press("PageUp")
    expect(page.locator("#explanation h2")).to_be_visible()
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    middle = shown_at(page)
    assert abs(middle - last / 2) < last / 10
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 30, steps=4)
    page.mouse.up()
    assert shown_at(page) > middle
    page.wait_for_url(f"**#{shown_at(page)}")
    before = page.get_attribute("#graph .curve", "points")
    page.click("#show-margin")
    expect(page.locator("#graph .curve")).not_to_have_attribute("points", before or "")
    expect(page.locator("#count")).to_contain_text("Expected margin")


def test_both_moves_are_shown_on_the_board_with_reasons(tab: MakeTab, tables: dict[str, str]):
    page = see_review(tab(), tables["over"])
    to_mistake(page)
    expect(page.locator("#explanation .told")).to_have_count(2)
    assert page.locator("#explanation li").count() in (1, 2, 3)
    assert page.locator("#panels .badge.played").count() > 0
    assert page.locator("#panels .badge.better").count() > 0
    boards = [page.locator("#panels").inner_html()]
    for view in ("played", "better", "before"):
        page.click(f"[data-view={view}]")
        expect(page.locator(f"[data-view={view}]")).to_have_attribute("aria-pressed", "true")
        boards.append(page.locator("#panels").inner_html())
    assert boards[0] == boards[3]
    assert len(set(boards)) == 3


@pytest.mark.slow
def test_trying_again_as_often_as_one_likes(tab: MakeTab, tables: dict[str, str], outsider: Person):
    before = outsider.get(f"/api/tables/{tables['over']}/record").text
    me = tab()
    page = see_review(me, tables["over"])
    to_mistake(page)
    at, visited = shown_at(page), set()
    for _ in range(2):
        page.click("#try-again")
        page.wait_for_url("**/t/*")
        me.wait_for_table()
        visited.add(me.table)
        expect(page.locator("#status")).to_have_text("Your turn")
        expect(page.locator("#takeback")).to_be_hidden()
        expect(page.locator(".retry")).to_contain_text(f"A retry of move {at} of the game.")
        me.play(1)
        page.click(".retry a")
        page.wait_for_url(f"**/review/{tables['over']}?at={at}#{at}")
        expect(page.locator("#try-again")).to_be_visible()
    page.click("#try-again")
    page.wait_for_url("**/t/*")
    me.wait_for_table()
    visited.add(me.table)
    page.click(".retry button")
    page.wait_for_url(lambda url: not any(table in url for table in visited))
    me.wait_for_table()
    expect(page.locator(".retry")).to_be_visible()
    assert len(visited) == 3
    assert outsider.get(f"/api/tables/{tables['over']}/record").text == before


@pytest.mark.slow
def test_a_link_and_a_picture_to_share(tab: MakeTab, tables: dict[str, str], outsider: Person):
    me = tab(permissions=["clipboard-read", "clipboard-write"])
    page = see_review(me, tables["over"])
    page.click("#log-lines a[href='#7']")
    page.click("#share")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/review/{tables['over']}?at=7#7")
    picture = page.get_attribute("#image", "href") or ""
    assert picture.endswith("/7.png")
    assert outsider.get(picture).content.startswith(b"\x89PNG")
    someone = tab()
    someone.page.goto(link)
    someone.page.wait_for_selector("body.reviewed")
    assert shown_at(someone.page) == 7
    last = int(page.get_attribute("#graph", "aria-valuemax") or 0)
    for mangled, nearest in (("?at=7", 7), ("?at=7).", 7), ("?at=99999", last), ("?at=abc", last), ("#99999", last)):
        see_review(someone, tables["over"] + mangled)
        assert shown_at(someone.page) == nearest


@pytest.mark.slow
def test_the_graph_fills_in_while_the_review_runs(tab: MakeTab, served: ProcessServer):
    someone = Person(served.url)
    table = someone.open("me", "friend", "friend", game="summer-pavilion")
    someone.play_out(table)
    someone.http.close()
    me = tab()
    page = me.goto(f"/review/{table}").page
    expect(page.locator("#progress")).to_have_text(re.compile(r"Reviewing… \d+%|The review is complete"))
    expect(page.locator("#graph .curve")).to_have_count(3)
    page.wait_for_selector("body.reviewed", timeout=COMPILING)


@pytest.mark.slow
def test_an_open_page_goes_on_by_itself_after_a_restart(tab: MakeTab, tmp_path: Path):
    with ProcessServer(tmp_path / "tables.db", options=["--review-budget", "3000"]) as server:
        someone = Person(server.url)
        table = someone.open("me", "friend", game="azul-mini")
        someone.play_out(table)
        someone.http.close()
        me = tab(url=server.url)
        page = me.goto(f"/review/{table}").page
        expect(page.locator("#progress")).to_have_text(re.compile(r"Reviewing… [1-9]\d*%"), timeout=COMPILING)
        server.kill()
        expect(page.locator("#progress")).to_contain_text("reconnects by itself")
        expect(page.locator("#again")).to_have_text("Continue the review")
        server.start()
        page.wait_for_selector("body.reviewed", timeout=COMPILING)
        expect(page.locator("#again")).to_be_hidden()
    me.forgive("ERR_CONNECTION_REFUSED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "ERR_SOCKET_NOT_CONNECTED")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_a_phone_shows_all_of_it_in_every_language(tab: MakeTab, tables: dict[str, str], language: str):
    me = tab(locale=language, **PHONE)
    page = see_review(me, tables["over"])
    expect(page.locator("html")).to_have_attribute("lang", language)
    to_mistake(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#graph").scroll_into_view_if_needed()
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 60)
    last = int(page.get_attribute("#graph", "aria-valuemax") or 0)
    assert abs(shown_at(page) - last / 2) < last / 10
    for name in ("summary", "graph", "totals", "log-lines", "stage"):
        expect(page.locator(f"#{name}")).to_be_visible()
