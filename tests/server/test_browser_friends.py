"""The web table in real browsers: friends on two devices, and lost lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import READY, MakeTab, Tab
from people import Person, people_at
from playwright.sync_api import expect
from real_server import ProcessServer

from tilewright.view.language import say

pytestmark = pytest.mark.browser


@pytest.fixture
def person(served: ProcessServer) -> Iterator[Callable[[], Person]]:
    """Makes people who read and play as programs do, at the server of the browsers."""
    with people_at(served.url) as make:
        yield make


def sit_down_together(me: Tab, friend: Tab, game: str, **rest: Any) -> None:
    """A table of mine, and a friend who follows the link."""
    me.open(game, "invite", **rest)
    friend.page.goto(me.page.input_value(".notice input.link"))
    friend.page.fill(".notice input[name=name]", "Bob")
    friend.page.click(".notice button.primary")
    for one in (me, friend):
        expect(one.page.locator("#seats .name")).to_have_text(["Ada", "Bob"])
        one.wait_for_table()
    me.page.wait_for_function(READY)


def play_out_together(table: str, *people: Person) -> dict[str, Any]:
    """Everybody plays the first legal move until the game is over; how it ended."""
    while (now := people[0].read(table))["over"] is None:
        people[now["turn"] - 1].play_first(table)
    return now


def scores(tab: Tab) -> list[str]:
    return tab.page.locator("#seats .score").all_inner_texts()


def test_two_friends_play_from_an_invitation_link(tab: MakeTab, outsider: Person):
    me, friend, watcher = tab(), tab({"name": ""}), tab()
    sit_down_together(me, friend, "summer-pavilion")
    watcher.page.goto(me.page.url)
    watcher.wait_for_table()
    moves = 8
    for _ in range(moves):
        (me if outsider.read(me.table)["turn"] == 1 else friend).move()
    told = outsider.get(f"/api/tables/{me.table}/view").json()["state"]["log"]
    assert len(told) >= moves
    for one in (me, friend, watcher):
        expect(one.page.locator("#log-lines li")).to_have_count(len(told))
        expect(one.page.locator("#seats .name")).to_have_text(["Ada", "Bob"])
    assert scores(me) == scores(friend) == scores(watcher)
    expect(watcher.page.locator(".lit")).to_have_count(0)


@pytest.mark.slow
def test_a_takeback_is_refused_and_then_granted(tab: MakeTab):
    me, friend = tab(), tab({"name": ""})
    sit_down_together(me, friend, "azul")
    me.move()
    before = me.page.locator("#panels").inner_html()
    for answer, lines in (("no", 1), ("yes", 0)):
        me.page.click("#undo")
        asked = say("en", "page.asks_takeback", name="Ada")
        expect(friend.page.locator(".notice p")).to_have_text(asked)
        expect(me.page.locator(".notice p")).to_contain_text(say("en", "page.own_takeback"))
        friend.page.get_by_role("button", name=say("en", f"page.{answer}"), exact=True).click()
        for one in (me, friend):
            expect(one.page.locator(".notice")).to_have_count(0)
            expect(one.page.locator("#log-lines li")).to_have_count(lines)
    me.page.wait_for_function(READY)
    assert me.page.locator("#panels").inner_html() != before
    me.move()
    expect(friend.page.locator("#log-lines li")).to_have_count(1)


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TOPMOST = """button => {
  const box = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
}"""
"""Whether a button is in sight, with nothing over it."""


@pytest.mark.slow
def test_on_a_phone_a_question_stays_in_sight_and_one_word_makes_a_small_bubble(tab: MakeTab):
    me, friend = tab(), tab({"name": ""}, **PHONE)
    sit_down_together(me, friend, "azul")
    me.move()
    expect(friend.page.locator("#log-lines li")).to_have_count(1)
    friend.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    me.page.click("#undo")
    yes = friend.page.get_by_role("button", name=say("en", "page.yes"), exact=True)
    expect(yes).to_be_visible()
    assert friend.page.evaluate("window.scrollY") > 0
    assert yes.evaluate(TOPMOST)
    yes.click()
    expect(friend.page.locator("#log-lines li")).to_have_count(0)

    friend.page.click("#open-chat")
    expect(friend.page.locator("#phrases button").first).to_be_focused()  # a keyboard would hide the phrases
    friend.page.get_by_role("button", name="Hello!").click()
    for one in (me, friend):
        assert one.page.locator(".bubble").evaluate("bubble => bubble.offsetWidth") < 120
    me.page.click("#open-chat")
    expect(me.page.locator("#write-text")).to_be_focused()


@pytest.mark.slow
def test_friends_meet_again_for_a_rematch(tab: MakeTab, person: Callable[[], Person]):
    ada, bob = person(), person()
    table = ada.open("me", "invite", game="azul-mini", names=("Ada", "", "", ""))
    bob.join(table, "Bob")
    me, friend = (tab().hold(one.key or "").goto(f"/t/{table}").wait_for_table() for one in (ada, bob))
    ended = play_out_together(table, ada, bob)
    for one in (me, friend):
        expect(one.page.locator("#end")).to_be_visible()
        expect(one.page.locator("#seats .score")).to_have_text(list(map(str, ended["scores"])))
    with me.page.expect_navigation():
        me.page.click("#rematch")
    expect(friend.page.locator("#waiting")).to_have_text(say("en", "page.rematch_wanted", name="Ada"))
    with friend.page.expect_navigation():
        friend.page.click("#rematch")
    assert me.table == friend.table != table
    for one in (me, friend):
        one.wait_for_table()
    for one in (me, friend):
        expect(one.page.locator("#seats .chip.you")).to_have_count(1)
        expect(one.page.locator("#seats .chip.away")).to_have_count(0)


@pytest.mark.slow
def test_a_lost_line_comes_back_with_nothing_lost(tab: MakeTab, outsider: Person):
    me, friend = tab(), outsider
    me.open("azul", "invite")
    friend.join(me.table, "Bob")
    me.page.wait_for_function(READY)
    me.move()
    me.page.context.set_offline(True)
    friend.play_first(me.table)
    me.page.context.set_offline(False)
    expect(me.page.locator("#log-lines li")).to_have_count(2)
    me.page.wait_for_function(READY)
    me.move()
    assert friend.read(me.table)["event"] == 4
    me.forgive("ERR_INTERNET_DISCONNECTED")


@pytest.mark.slow
def test_a_server_that_was_killed_comes_back(tab: MakeTab, process_server: ProcessServer):
    process_server.start()
    me = tab(url=process_server.url).open("azul")
    me.play(2)
    before = me.events()
    process_server.kill()
    me.page.wait_for_selector("#connection[data-state=lost]", state="attached")
    process_server.start()
    me.wait_for_table()
    me.page.wait_for_function(READY)
    assert me.events() == before
    me.play(2)
    assert me.events() >= before + 2
    me.forgive("WebSocket", "ERR_")


@pytest.mark.slow
def test_a_bot_plays_on_for_somebody_who_is_away(tab: MakeTab, tmp_path: Path):
    with ProcessServer(tmp_path / "tables.db", absent=0.5) as impatient:
        me, friend = tab(url=impatient.url), tab({"name": ""}, url=impatient.url)
        sit_down_together(me, friend, "azul")
        me.move()
        friend.page.context.close()
        expect(me.page.locator("#seats .chip").nth(1)).to_have_class(re.compile(r"\baway\b"))
        me.page.get_by_role("button", name=say("en", "page.replace_by_bot")).click()
        expect(me.page.locator("#log-lines li")).to_have_count(2)
        expect(me.page.locator(".notice")).to_have_count(0)
        me.play(2)
        table = me.page.context.request.get(f"{impatient.url}/api/tables/{me.table}").json()
        assert table["seats"][1]["kind"] == "bot"
        me.page.context.close()
