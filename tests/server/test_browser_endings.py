"""The web table in real browsers: the end of a game is an event, and a rematch is offered where people look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from driving import MakeTab, Tab
from people import Person, people_at
from playwright.sync_api import expect
from real_server import ProcessServer

from tilewright.view.language import say

pytestmark = pytest.mark.browser

UNCOVERED = """(figure) => {
  const box = figure.getBoundingClientRect();
  return [0.2, 0.5, 0.8].every((part) => {
    const hit = document.elementFromPoint(box.x + box.width * part, box.y + box.height * part);
    return figure.contains(hit);
  });
}"""


@pytest.fixture
def person(served: ProcessServer) -> Iterator[Callable[[], Person]]:
    with people_at(served.url) as make:
        yield make


@pytest.fixture
def pair(person: Callable[[], Person]) -> tuple[str, list[Person]]:
    """A table of Azul Mini and the two people who play there."""
    ada, bob = person(), person()
    table = ada.open("me", "invite", game="azul-mini", names=("Ada", "", "", ""))
    bob.join(table, "Bob")
    return table, [ada, bob]


def play_out(table: str, people: list[Person]) -> dict[str, Any]:
    while (now := people[0].read(table))["over"] is None:
        people[now["turn"] - 1].play_first(table)
    return now


def at_table(tab: Tab, person: Person, table: str) -> Tab:
    return tab.hold(person.key or "").goto(f"/t/{table}").wait_for_table()


def test_the_end_says_who_won_and_why_and_leaves_the_boards_in_view(
    tab: MakeTab, pair: tuple[str, list[Person]], person: Callable[[], Person]
):
    table, people = pair
    tabs = [at_table(tab(), one, table) for one in people]
    watcher = at_table(tab(), person(), table)
    over = play_out(table, people)["over"]
    for seat, one in enumerate(tabs, start=1):
        named = say("en", "page.won_by", name=("Ada", "Bob")[over["winners"][0] - 1])
        expected = named if seat not in over["winners"] else say("en", "page.you_won")
        if len(over["winners"]) > 1:
            expected = say("en", "page.you_share")
        expect(one.page.locator("#result")).to_have_text(expected)
        expect(one.page.locator("#result-summary")).to_have_text(over["summary"])
        expect(one.page.locator(".panel.won")).to_have_count(len(over["winners"]))
        for figure in one.page.locator(".panel").all():
            assert figure.evaluate(UNCOVERED), "nothing lies over the boards"
        for control in ("#rematch", "#to-replay", "#share", "[data-opens=points]"):
            expect(one.page.locator(control)).to_be_visible()
    expect(watcher.page.locator("#rematch")).to_be_hidden()
    tabs[0].page.click("[data-opens=points]")
    expect(tabs[0].page.locator("#breakdown tfoot td")).to_have_text([str(score) for score in over["scores"]])


@pytest.mark.slow
def test_tiles_rain_for_the_winner_unless_nothing_should_move(tab: MakeTab, pair: tuple[str, list[Person]]):
    table, people = pair
    lively = at_table(tab({"speed": "fast"}, reduced_motion="no-preference"), people[0], table)
    calm = at_table(tab({"speed": "fast"}, reduced_motion="reduce"), people[1], table)
    for one in (lively, calm):
        one.page.evaluate("""() => {
          window.most = 0;
          const sky = document.querySelector('#layer .sky');
          const count = () => (window.most = Math.max(window.most, sky.childElementCount));
          new MutationObserver(count).observe(sky, { childList: true });
        }""")
    play_out(table, people)
    lively.page.wait_for_function("() => window.most >= 40")
    expect(calm.page.locator("#end")).to_be_visible()
    assert calm.page.evaluate("window.most") == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/t/{}/replay", "/review/{}"])
def test_a_rematch_calls_those_who_look_at_the_game_again(tab: MakeTab, pair: tuple[str, list[Person]], path: str):
    table, people = pair
    play_out(table, people)
    friend = tab().hold(people[1].key or "").goto(path.format(table))
    watcher = tab().goto(path.format(table))
    friend.page.wait_for_selector("body.ready")
    expect(friend.page.locator(".rematch-call")).to_have_count(0)
    rematch = people[0].post(f"/api/tables/{table}/rematch").json()["id"]
    expect(friend.page.locator(".rematch-call p")).to_have_text(say("en", "page.rematch_ready"))
    expect(watcher.page.locator(".rematch-call")).to_have_count(0)
    with friend.page.expect_navigation():
        friend.page.click(".rematch-call .primary")
    assert friend.table == rematch


@pytest.mark.slow
def test_a_rematch_is_offered_where_the_opponent_looks(
    tab: MakeTab, pair: tuple[str, list[Person]], person: Callable[[], Person]
):
    table, people = pair
    me, friend = (at_table(tab(), one, table) for one in people)
    watcher = at_table(tab(), person(), table)
    play_out(table, people)
    with me.page.expect_navigation():
        me.page.click("#rematch")
    expect(friend.page.locator("#waiting")).to_have_text(say("en", "page.rematch_wanted", name="Ada"))
    expect(friend.page.locator("#rematch")).to_have_text(say("en", "page.to_rematch"))
    expect(watcher.page.locator("#waiting")).to_have_text(say("en", "page.rematch_elsewhere"))
    friend.page.reload()
    expect(friend.page.locator("#waiting")).to_have_text(say("en", "page.rematch_ready"))
    with friend.page.expect_navigation():
        friend.page.click("#rematch")
    assert friend.table == me.table != table
