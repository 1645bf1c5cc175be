"""The daily table in a real browser: one attempt, resumed after a reload, then the results and the review."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import COMPILING, READY, MakeTab, Tab
from people import Person, people_at
from playwright.sync_api import expect
from real_server import ThreadServer

from tilewright.server import app, days
from tilewright.server.settings import Settings

pytestmark = pytest.mark.browser


def begin(me: Tab) -> Tab:
    """From the home page to the table of today."""
    me.goto("/")
    me.page.click(".pastimes a[href='/daily']")
    me.page.click("#start-daily [type=submit]")
    me.page.wait_for_url("**/t/*")
    return me.wait_for_table()


def play_out(person: Person, table: str) -> None:
    """Play the first legal move whenever it is my turn, in whichever seat this day gives me."""
    now = person.read(table)
    mine = next(seat["seat"] for seat in now["seats"] if seat["you"])
    while now["over"] is None:
        if now["turn"] == mine:
            person.play(table, now["legal"][0]["number"], now["event"])
        now = person.read(table) if now["turn"] == mine else person.read(table, after=now["event"], wait=20)


def test_one_attempt_from_the_home_page_to_the_results(tab: MakeTab):
    me = begin(tab())
    table = me.table
    me.page.wait_for_function(READY)
    expect(me.page.locator("h1")).to_contain_text("Daily table")
    expect(me.page.locator("#hint")).to_be_hidden()
    me.move()
    expect(me.page.locator("#undo")).to_be_hidden()
    me.goto("/daily")
    expect(me.page.locator("#start-daily")).to_have_count(0)
    me.page.click("#resume")
    me.wait_for_table()
    assert me.table == table
    me.play_out()
    me.page.click("#to-daily")
    expect(me.page.locator(".results .you")).to_contain_text("Ada (you)")
    expect(me.page.locator("#resume, #start-daily")).to_have_count(0)
    me.page.click("#review-yours")
    me.page.wait_for_url(f"**/review/{table}")
    expect(me.page.locator("#summary")).not_to_be_empty(timeout=COMPILING)


@pytest.mark.slow
def test_the_game_of_another_is_hidden_until_one_has_played(tab: MakeTab):
    me = begin(tab({"name": "Ada"}))
    other = tab({"name": "Bob"})
    other.goto(f"/t/{me.table}")
    expect(other.page.locator("main")).to_contain_text("play today’s game yourself first")
    other.forgive("403")
    begin(other)
    assert other.table != me.table


@pytest.mark.slow
def test_the_best_game_of_yesterday_is_there_to_watch(tab: MakeTab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    settings = Settings(thinking=0.0, limits=0, review_budget="40")
    with ThreadServer(app.make_app(tmp_path / "tables.db", settings)) as server, people_at(server.url) as make:
        monkeypatch.setattr(days, "today", lambda: "2100-05-04")
        ada = make()
        answer = ada.post("/api/daily", {"name": "Ada"}).json()
        ada.key = answer["key"] or ada.key
        play_out(ada, answer["id"])
        monkeypatch.setattr(days, "today", lambda: "2100-05-05")
        me = tab(url=server.url).goto("/daily")
        expect(me.page.locator("#start-daily")).to_be_visible()
        expect(me.page.locator(".results").last).to_contain_text("Ada")
        me.page.click("#best-game")
        me.page.wait_for_url(f"**/t/{answer['id']}/replay")
        expect(me.page.locator("#panels")).to_contain_text("Ada")


@pytest.mark.slow
def test_the_page_of_the_daily_table_in_dark_on_a_phone_in_italian(tab: MakeTab):
    me = tab(viewport={"width": 390, "height": 844}, color_scheme="dark", locale="it-IT").goto("/daily")
    expect(me.page.locator("h1")).to_contain_text("Tavolo del giorno")
    expect(me.page.get_by_role("button", name="Gioca il tavolo del giorno")).to_be_visible()
    assert me.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
