"""Free text in real browsers: two friends who met by an invitation write to each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from driving import MakeTab, Tab
from people import Person, people_at
from playwright.sync_api import expect
from real_server import ProcessServer

from tilewright.view.language import say

pytestmark = pytest.mark.browser

MARKUP = "<img src=x onerror=alert(1)> & <b>hello</b>"


def test_friends_write_to_each_other_and_one_mutes_the_other(tab: MakeTab, outsider: Person):
    me = tab(locale="it-IT", viewport={"width": 390, "height": 844}).open("azul-mini", "invite")
    outsider.join(me.table, "Bob")
    me.page.click("#open-chat")
    expect(me.page.locator("#write-text")).to_be_focused()
    expect(me.page.locator("#write-note")).to_have_text(say("it", "chat.private"))
    me.page.fill("#write-text", MARKUP)
    me.page.press("#write-text", "Enter")
    expect(me.page.locator("#conversation li")).to_have_text([f"Ada {MARKUP}"])
    expect(me.page.locator("#write-text")).to_have_value("")
    found = [(one["id"], [node["html"] for node in one["nodes"]]) for one in Axe().run(me.page).response["violations"]]
    assert found == []

    with outsider.watch(me.table) as line:
        line.hear("state")
        line.send("write", text=MARKUP)
        expect(me.page.locator("#conversation li")).to_have_count(2)
        me.page.locator("#chat [data-closes]").click()
        line.send("write", text="Ciao!")
        expect(me.page.locator(".bubble")).to_have_text("Ciao!")
        expect(me.page.locator("#announce")).to_have_text("Bob: Ciao!")
        expect(me.page.locator("#open-chat.unread")).to_be_visible()
        me.page.reload()
        me.wait_for_table()
        me.page.click("#open-chat")
        expect(me.page.locator("#conversation li")).to_have_text([f"Ada {MARKUP}", f"Bob {MARKUP}", "Bob Ciao!"])
        me.page.get_by_label(say("it", "chat.mute", name="Bob")).check()
        expect(me.page.locator("#conversation li")).to_have_text([f"Ada {MARKUP}"])
        me.page.locator("#chat [data-closes]").click()
        line.send("write", text="Are you there?")
        line.hear("written")
        line.send("say", phrase="hello")
        line.hear("said")
        line.settle()
        expect(me.page.locator("#open-chat.unread")).to_have_count(0)
        expect(me.page.locator(".bubble")).to_have_count(0)
    assert me.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@contextmanager
def chat_of_three(tab: MakeTab, served: ProcessServer) -> Iterator[tuple[Tab, Person, Person]]:
    """Ada, who has the chat open, with Bob and Cleo, whom she invited."""
    seats = [{"kind": "me", "name": "Ada"}, {"kind": "invite"}, {"kind": "invite"}]
    me = tab().open("azul-mini", players=3, seats=seats)
    with people_at(served.url) as make:
        bob, cleo = make(), make()
        bob.join(me.table, "Bob")
        cleo.join(me.table, "Cleo")
        me.page.click("#open-chat")
        yield me, bob, cleo


def test_one_of_two_is_muted_and_the_other_is_heard(tab: MakeTab, served: ProcessServer):
    with chat_of_three(tab, served) as (me, bob, cleo):
        expect(me.page.locator("#mute label")).to_have_text(["Mute Bob", "Mute Cleo"])
        me.page.get_by_label("Mute Bob").check()
        with bob.watch(me.table) as rude, cleo.watch(me.table) as kind:
            rude.send("write", text="Hurry up!")
            rude.hear("written")
            kind.send("write", text="Take your time.")
            expect(me.page.locator("#conversation li")).to_have_text(["Cleo Take your time."])
        me.page.reload()
        me.wait_for_table()
        me.page.click("#open-chat")
        expect(me.page.get_by_label("Mute Bob")).to_be_checked()
        expect(me.page.get_by_label("Mute Cleo")).not_to_be_checked()
        expect(me.page.locator("#conversation li")).to_have_text(["Cleo Take your time."])
        me.page.get_by_label("Mute Bob").uncheck()
        expect(me.page.locator("#conversation li")).to_have_text(["Bob Hurry up!", "Cleo Take your time."])


def test_the_conversation_goes_with_the_game(tab: MakeTab, outsider: Person):
    me = tab().open("azul-mini", "invite")
    outsider.join(me.table, "Bob")
    me.page.click("#open-chat")
    me.page.fill("#write-text", "Good luck")
    me.page.press("#write-text", "Enter")
    expect(me.page.locator("#conversation li")).to_have_count(1)
    me.page.locator("#chat [data-closes]").click()
    ada = Person(me.url, me.key)
    while (now := outsider.read(me.table))["over"] is None:
        (ada if now["turn"] == 1 else outsider).play_first(me.table)
    ada.http.close()
    expect(me.page.locator("#end")).to_be_visible()
    expect(me.page.locator("#conversation li")).to_have_count(0)
    me.page.click("#open-chat")
    expect(me.page.locator("#writing")).to_be_hidden()
    expect(me.page.locator("#phrases button").first).to_be_visible()


def test_whoever_is_muted_stays_so_in_a_rematch(tab: MakeTab, served: ProcessServer):
    with chat_of_three(tab, served) as (me, bob, cleo):
        me.page.get_by_label("Mute Cleo").check()
        me.page.locator("#chat [data-closes]").click()
        ada, table = Person(me.url, me.key), me.table
        while (now := bob.read(table))["over"] is None:
            (ada, bob, cleo)[now["turn"] - 1].play_first(table)
        ada.http.close()
        me.page.click("#rematch")
        me.page.wait_for_url(lambda url: not url.endswith(table))
        me.wait_for_table().page.click("#open-chat")
        expect(me.page.get_by_label("Mute Cleo")).to_be_checked()
        expect(me.page.get_by_label("Mute Bob")).not_to_be_checked()
