"""The web table in real browsers: what people read when the server says no."""

from __future__ import annotations

import pytest
from driving import MakeTab
from people import Person
from playwright.sync_api import expect
from real_server import ThreadServer

from tilewright.server import limits
from tilewright.server.limits import Limits

pytestmark = pytest.mark.browser


def test_a_spectator_for_whom_there_is_no_room_reads_why_and_comes_in_later(
    tab: MakeTab, server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch
):
    table = me.open("me", "friend")
    with monkeypatch.context() as full:
        full.setattr(limits, "SPECTATORS_OF_TABLE", 0)
        full.setitem(server.app.state._state, "limits", Limits())
        spectator = tab(url=server.url, locale="fr-FR").goto(f"/t/{table}")
        expect(spectator.page.locator("#connection")).to_have_text("Trop de spectateurs regardent déjà cette table.")
    spectator.page.evaluate("window.dispatchEvent(new Event('focus'))")  # the page tries again by itself, but later
    spectator.wait_for_table()


def test_a_person_who_asks_too_much_reads_a_page(tab: MakeTab, server: ThreadServer, monkeypatch: pytest.MonkeyPatch):
    enough_for_files = limits.Rate((limits.PRICES["pages"] + limits.PRICES["files"]) / 2, 1e6)
    monkeypatch.setattr(limits, "ADDRESS_BUDGET", enough_for_files)
    monkeypatch.setitem(server.app.state._state, "limits", Limits())
    visitor = tab(url=server.url, locale="it-IT")
    visitor.page.goto(server.url)
    expect(visitor.page.locator("main .lead")).to_have_text("Troppe richieste; aspetta un momento.")
    visitor.forgive("429")
