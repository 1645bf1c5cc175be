"""The web table in a real browser: the last move stays visible, and the list of moves tells what it led to."""

from __future__ import annotations

import pytest
from driving import MakeTab, Tab
from people import GAMES, Person
from playwright.sync_api import expect

from tilewright.bots.greedy import GreedyBot
from tilewright.game.registry import make_game

pytestmark = pytest.mark.browser


def arrived(tab: Tab) -> list[str]:
    """The slots to which the last move brought tiles."""
    found: list[str] = tab.page.eval_on_selector_all(
        "#panels [data-arrived]", "all => all.map((one) => one.dataset.slot)"
    )
    return sorted(found)


def told(person: Person, table: str) -> list[str]:
    """The same, as the server tells it."""
    last = person.get(f"/api/tables/{table}/view").json()["state"]["last"]
    return sorted(slot for _, slot in last["reached"])


@pytest.mark.parametrize("game", GAMES)
def test_the_last_move_stays_visible_until_the_next(tab: MakeTab, outsider: Person, game: str):
    table = outsider.open("me", "friend", game=game, names=("Ada", "Bob", "", ""))
    me = tab().hold(outsider.key or "").goto(f"/t/{table}").wait_for_table()
    expect(me.page.locator("[data-arrived], .origin, .departed")).to_have_count(0)
    seen = []
    for number in range(1, 4):
        outsider.play_first(table)
        expect(me.page.locator("#log-lines li")).to_have_count(number)
        me.page.wait_for_selector("#panels [data-arrived]", state="attached")
        assert arrived(me) == told(outsider, table)
        assert me.page.locator("#panels .origin").count() == 1, "where the tiles were taken from"
        seen.append(arrived(me))
    assert seen[0] != seen[1] != seen[2]
    me.page.reload()
    me.wait_for_table()
    assert arrived(me) == seen[-1], "somebody who comes later sees it too"


def test_the_list_of_moves_shows_rounds_points_and_the_marker(tab: MakeTab, outsider: Person):
    table = outsider.open("me", "friend", game="azul-mini", names=("Ada", "Bob", "", ""))
    me = tab().hold(outsider.key or "").goto(f"/t/{table}").wait_for_table()
    game, bot = make_game("azul-mini"), GreedyBot()
    while not any((now := outsider.read(table))["scores"]):
        outsider.play(table, int(bot.choose(game.position(now["position"]))), now["event"])
    log = outsider.get(f"/api/tables/{table}/view").json()["state"]["log"]
    lines = me.page.locator("#log-lines li")
    expect(lines).to_have_count(len(log))
    expect(me.page.locator("#log-lines .round")).to_have_text(
        [f"Round {number}" for number in sorted({line["round"] for line in log}, reverse=True)]
    )
    gains = [line["gains"] for line in reversed(log) if line["gains"]]
    assert gains, "somebody scored"
    for shown, points in zip(me.page.locator("#log-lines .gains").all(), gains, strict=True):
        for name, won in zip(("Ada", "Bob"), points, strict=True):
            if won:
                expect(shown).to_contain_text(f"{name} {won:+}".replace("-", "−"))
    expect(me.page.locator("#log-lines .took-marker")).to_have_count(sum(line["marker"] for line in log))


def test_a_replay_shows_each_move_on_the_boards(tab: MakeTab, tables: dict[str, str]):
    me = tab().goto(f"/t/{tables['over']}/replay#2")
    events = me.page.evaluate(f"fetch('/api/tables/{tables['over']}/events').then((answer) => answer.json())")["events"]
    shown = set()
    for number in (2, 3, 4):
        expect(me.page.locator("#slider")).to_have_value(str(number))
        me.page.wait_for_selector("#panels [data-arrived]", state="attached")
        assert arrived(me) == sorted(slot for _, slot in events[number]["last"]["reached"])
        shown.add(tuple(arrived(me)))
        me.page.keyboard.press("ArrowRight")
    assert len(shown) == 3
    rounds = {event["round"] for event in events[1:]}
    expect(me.page.locator("#log-lines .round")).to_have_count(len(rounds))
