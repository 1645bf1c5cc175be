"""The web table in a real browser: the scoring of a round is shown in full, and can be skipped."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from driving import MakeTab, Tab
from people import Person
from playwright.sync_api import WebSocket, expect

from tilewright.bots.greedy import GreedyBot
from tilewright.game.registry import make_game

pytestmark = pytest.mark.browser

COLLECT_LABELS = """() => {
  window.labels = [];
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
    if (node.classList?.contains('points')) window.labels.push(node.textContent);
  }))).observe(document.getElementById('layer'), { childList: true });
}"""
LABELS = "() => window.labels"


def scored(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The points that a move brings after itself."""
    return [step["points"] for step in event["steps"][1:] if step["points"]]


def label(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}"


@pytest.fixture
def table(outsider: Person) -> str:
    """A table of Azul at which one person plays for everybody."""
    return outsider.open("me", "friend", "friend", names=("Ada", "Bob", "Cleo", ""))


def watch(me: Tab, person: Person, table: str) -> list[dict[str, Any]]:
    """Look at the table of a person; the events that arrive there."""
    heard: list[dict[str, Any]] = []

    def hear(payload: str | bytes) -> None:
        message = json.loads(payload)
        if message["type"] == "event":
            heard.append(message)

    def follow(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    me.page.on("websocket", follow)
    me.hold(person.key or "").goto(f"/t/{table}").wait_for_table()
    me.page.evaluate(COLLECT_LABELS)
    return heard


def moves(person: Person, table: str) -> Iterator[list[dict[str, Any]]]:
    """Play anything; after each move, what it scored after itself."""
    dice = random.Random(14)
    with person.watch(table) as line:
        line.hear("state")
        while (now := person.read(table))["over"] is None:
            assert person.play(table, dice.choice(now["legal"])["number"], now["event"]).status_code == 200
            yield scored(line.hear("event"))


def play_a_round(person: Person, table: str) -> list[dict[str, Any]]:
    """Play until a round has been scored; the scores."""
    return next(points for points in moves(person, table) if len(points) > 2)


def test_every_score_of_a_round_is_shown_even_if_the_next_moves_come_at_once(
    tab: MakeTab, outsider: Person, table: str
):
    me = tab({"speed": "fast"}, reduced_motion="no-preference")
    heard = watch(me, outsider, table)
    points = play_a_round(outsider, table)
    for _, _ in zip(range(9), moves(outsider, table), strict=False):
        pass
    expect(me.page.locator("#log-lines li")).to_have_count(len(outsider.read(table)["events"]) - 2)
    me.page.wait_for_function(f"() => window.labels.length >= {len(points)}")
    assert me.page.evaluate(LABELS) == [label(one["points"]) for event in heard for one in scored(event)]
    expect(me.page.locator("body")).not_to_have_class("scoring")


@pytest.mark.slow
def test_a_key_or_a_click_skips_the_scoring_and_does_nothing_else(tab: MakeTab, outsider: Person, table: str):
    me = tab({"speed": "slow"}, reduced_motion="no-preference")
    watch(me, outsider, table)
    page = me.page
    for skip in (lambda: page.keyboard.press("Space"), lambda: page.locator("#panels figure").first.click(force=True)):
        page.evaluate("window.labels = []")
        points = play_a_round(outsider, table)
        page.wait_for_selector("body.scoring")
        expect(page.locator("#prompt")).to_have_text("Click the table or press any key to skip.")
        skip()
        page.wait_for_selector("body:not(.scoring)")
        page.wait_for_selector("#panels .lit")
        assert len(page.evaluate(LABELS)) < len(points)
        expect(page.locator("#panels .chosen")).to_have_count(0)
        scores = list(map(str, outsider.read(table)["scores"]))
        expect(page.locator("#seats .score")).to_have_text(scores)


def test_a_replay_shows_the_scores_of_a_round_as_the_table_did(tab: MakeTab, outsider: Person, table: str):
    points = play_a_round(outsider, table)
    me = tab({"speed": "fast"}, reduced_motion="no-preference")
    events = outsider.get(f"/api/tables/{table}/events").json()["events"]
    at = next(event["number"] for event in events if len(scored({"steps": event["steps"] or [None]})) > 2)
    me.hold(outsider.key or "").goto(f"/t/{table}/replay#{at - 1}")
    me.page.evaluate(COLLECT_LABELS)
    me.page.keyboard.press("ArrowRight")
    me.page.wait_for_function(f"() => window.labels.length >= {len(points)}")
    assert me.page.evaluate(LABELS) == [label(one["points"]) for one in points]
    expect(me.page.locator("#seats .score")).to_have_text(list(map(str, events[at]["scores"])))


def test_without_motion_all_scores_are_there_at_once(tab: MakeTab, outsider: Person, table: str):
    me = tab({"speed": "normal"}, reduced_motion="reduce")
    watch(me, outsider, table)
    points = play_a_round(outsider, table)
    places = {one["at"] for one in points}
    me.page.wait_for_function(f"() => document.querySelectorAll('#layer .points.still').length === {len(places)}")
    expect(me.page.locator("body.scoring")).to_have_count(0)


def test_nothing_tells_who_has_won_before_the_last_score(tab: MakeTab, outsider: Person):
    game, bot = make_game("azul-mini"), GreedyBot()
    table = outsider.open("me", "friend", game="azul-mini", names=("Ada", "Bob", "", ""))
    while True:
        now = outsider.read(table)
        position = game.position(now["position"])
        move = position.push(bot.choose(position))
        if position.is_over:
            break
        outsider.play(table, int(move), now["event"])
    me = tab({"speed": "slow"}, reduced_motion="no-preference")
    watch(me, outsider, table)
    lines = me.events()
    outsider.play(table, int(move), now["event"])
    me.page.wait_for_selector("body.scoring .points")
    expect(me.page.locator("#seats .winner, #end:visible")).to_have_count(0)
    assert me.events() == lines
    me.page.keyboard.press("Space")
    expect(me.page.locator("#seats .winner")).not_to_have_count(0)
    expect(me.page.locator("#end")).to_be_visible()
    assert me.events() == lines + 1
