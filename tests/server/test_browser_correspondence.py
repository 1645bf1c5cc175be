"""Correspondence games in a real browser: opened, waiting for a move, on vacation, and notifications of one's turn."""

from __future__ import annotations

import json
import re

import pytest
from driving import MakeTab, Tab
from people import people_at
from playwright.sync_api import expect
from push_service import Device
from real_server import ProcessServer

pytestmark = pytest.mark.browser

SUBSCRIBED = """(subscription) => {
  let current = null;
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async () => {
    current = {
      endpoint: subscription.endpoint,
      toJSON: () => subscription,
      unsubscribe: async () => { current = null; return true; },
    };
    return current;
  };
}"""
"""In place of the push service of the browser's maker, which cannot be reached from a test."""
SHOWN = """async (only) => {
  const registration = await navigator.serviceWorker.getRegistration();
  const all = await registration.getNotifications();
  return all.map(({ title, body, tag }) => `${title}|${body}|${tag}`).join() === only;
}"""
"""Whether there is exactly one notification, and it is this one."""


CLICKED = """async (path) => {
  const opened = [];
  self.clients.openWindow = async (address) => { opened.push(`open ${address}`); };
  WindowClient.prototype.focus = async function () { opened.push(`focus ${this.url}`); };
  const places = { there: path, elsewhere: "/t/0123", foreign: "https://example.org/t/0123" };
  for (const [tag, url] of Object.entries(places)) {
    await self.registration.showNotification("Your turn", { tag, data: { url } });
    const [notification] = await self.registration.getNotifications({ tag });
    const click = new NotificationEvent("notificationclick", { notification });
    const work = [];
    click.waitUntil = (promise) => work.push(promise);
    self.dispatchEvent(click);
    await Promise.all(work);
  }
  return { opened, left: (await self.registration.getNotifications()).length };
}"""
"""Clicks on a notification of a table that is open, of one that is not, and of another site's page, in the worker.

Chromium lets a worker open or focus a window only after the click of a person, so here both are noted down.
"""


def open_correspondence(me: Tab) -> str:
    me.goto("/")
    me.page.select_option("[name=kind-2]", "invite")
    me.page.select_option("[name=pace]", "days")
    expect(me.page.locator("#new-table [name=rated]")).to_be_disabled()
    me.page.select_option("[name=days]", "5")
    me.page.select_option("[name=starter]", "1")
    me.page.click("#new-table [type=submit]")
    me.page.wait_for_url("**/t/*")
    return me.page.url.rsplit("/", 1)[1]


def icon(me: Tab) -> str:
    return me.page.locator("link[rel=icon]").get_attribute("href") or ""


def test_a_game_by_correspondence(tab: MakeTab, served: ProcessServer):
    me = tab({"name": "Ada"})
    table = open_correspondence(me)
    assert "icon-turn" not in icon(me)
    with people_at(served.url) as make:
        friend = make()
        friend.join(table, "Bob")
        chips = me.page.locator("#seats .chip")
        expect(chips.nth(0)).to_contain_text("5 days")
        expect(chips.nth(1).locator(".clock")).to_have_text("")
        expect(chips.nth(1)).not_to_contain_text("away")
        me.page.wait_for_function("document.title.startsWith('● Your turn')")
        assert "icon-turn" in icon(me), "the icon of the tab says so too"

        me.goto("/")
        waiting = me.page.locator("#lists section").first
        expect(waiting.locator("h2")).to_have_text("Waiting for you")
        expect(waiting.locator("a")).to_contain_text("5 days a move")
        expect(waiting.locator("a .due")).to_have_text("5 days left")
        assert me.page.title().startswith("(1) ")
        assert "icon-turn" in icon(me)

        friend.post("/api/person/vacation", {"days": 3})
        me.goto(f"/t/{table}")
        expect(me.page.locator("#seats .chip").nth(1)).to_contain_text("on vacation")
        expect(me.page.locator("#notices")).to_contain_text(re.compile(r"Bob is on vacation until \d+ \w+ \d{4}\.$"))
        me.move()
        me.page.wait_for_function("document.title.startsWith('Bob')")
        assert "icon-turn" not in icon(me)
        expect(me.page.locator("#seats .chip").nth(1)).to_contain_text("8 days")


def test_going_on_vacation_and_coming_back(tab: MakeTab):
    me = tab(locale="it-IT").goto("/profile")
    expect(me.page.locator("#vacation-left")).to_have_text("Ti restano 30 giorni")
    me.page.fill("#begin-vacation [name=days]", "12")
    me.page.click("#begin-vacation button")
    expect(me.page.locator("#on-vacation")).to_contain_text("Sei in vacanza fino al")
    me.page.reload()
    me.page.click("#end-vacation")
    expect(me.page.locator("#vacation-left")).to_have_text("Ti restano 30 giorni")
    assert me.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_notifications_are_started_shown_and_stopped(tab: MakeTab):
    me = tab(service_workers="allow")
    me.page.context.grant_permissions(["notifications"])
    device = Device("https://push.example/browser")
    me.page.add_init_script(f"({SUBSCRIBED})({json.dumps(device.subscription)})")
    me.goto("/profile")
    button, note = me.page.locator("[data-notifications] button"), me.page.locator("[data-notifications] [role=status]")
    expect(button).to_have_text("Notify me")
    button.click()
    expect(note).to_have_text("This device tells you when it is your turn.")
    expect(button).to_have_text("Stop notifications")

    line = me.page.context.new_cdp_session(me.page)
    versions: list[str] = []
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: versions.extend(one["registrationId"] for one in told["registrations"] if not one["isDeleted"]),
    )
    line.send("ServiceWorker.enable")
    me.page.wait_for_function("() => navigator.serviceWorker.ready")
    content = {"title": "Your turn: Azul", "body": "Against Bob", "url": "/t/0123", "tag": "0123"}
    for body in ("Against Bob", "Against Bob, 3 days for your move"):
        data = json.dumps({**content, "body": body})
        message = {"origin": me.url, "registrationId": versions[-1], "data": data}
        line.send("ServiceWorker.deliverPushMessage", message)
        me.page.wait_for_function(SHOWN, arg=f"Your turn: Azul|{body}|0123")

    button.click()
    expect(button).to_have_text("Notify me")
    assert me.page.evaluate("fetch('/api/person/push').then((answer) => answer.json())")["endpoints"] == []


def test_a_click_on_a_notification_opens_its_table_or_the_tab_that_shows_it(tab: MakeTab):
    me = tab(service_workers="allow")
    me.page.context.grant_permissions(["notifications"])
    me.open("azul-mini")
    me.page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    [worker] = me.page.context.service_workers
    found = worker.evaluate(CLICKED, f"/t/{me.table}")
    assert found == {"opened": [f"focus {me.page.url}", f"open {me.url}/t/0123"], "left": 0}


def test_a_browser_that_forbids_notifications_says_so(tab: MakeTab):
    me = tab(viewport={"width": 390, "height": 844})
    me.page.add_init_script("Object.defineProperty(Notification, 'permission', { get: () => 'denied' })")
    me.goto("/profile")
    me.page.locator("[data-notifications]").scroll_into_view_if_needed()
    expect(me.page.locator("[data-notifications] [role=status]")).to_contain_text("does not allow notifications")
    expect(me.page.locator("[data-notifications] button")).to_be_disabled()
