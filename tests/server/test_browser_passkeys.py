"""A passkey of a real browser carries a profile to another device: Chromium's own authenticator, made for tests."""

from __future__ import annotations

from typing import Any

import pytest
from driving import MakeTab, Tab
from people import people_at, refused
from playwright.sync_api import expect
from real_server import ProcessServer

from tilewright.server.web import KEY_COOKIE

pytestmark = pytest.mark.browser
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def with_authenticator(me: Tab) -> tuple[Any, str]:
    """A tab whose device has an authenticator: the line to it, and its id."""
    line = me.page.context.new_cdp_session(me.page)
    line.send("WebAuthn.enable")
    made = line.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return line, made["authenticatorId"]


def cookie(me: Tab) -> str:
    return next(one["value"] for one in me.page.context.cookies() if one["name"] == KEY_COOKIE)


def test_a_passkey_carries_a_profile_to_another_device(tab: MakeTab, served: ProcessServer):
    url = served.url.replace("127.0.0.1", "localhost")
    me, phone = tab({"name": ""}, url=url), tab({"name": ""}, url=url)
    me.goto("/profile")
    line, mine = with_authenticator(me)
    me.page.fill("#profile [name=name]", "Ada Lovelace")
    me.page.click("#profile [type=submit]")
    expect(me.page.locator("#saved")).to_have_text("Saved.")
    expect(me.page.locator("#end-passkeys")).to_be_hidden()
    me.page.click("#make-passkey")
    expect(me.page.locator("#passkey-note")).to_have_text("The passkey opens your profile now.")
    me.page.click("#make-passkey")
    expect(me.page.locator("#failure")).to_have_text("This device already has a passkey for your profile.")

    phone.goto("/profile")
    other, theirs = with_authenticator(phone)
    (credential,) = line.send("WebAuthn.getCredentials", {"authenticatorId": mine})["credentials"]
    assert cookie(me) not in str(credential), "the passkey does not hold the key itself"
    other.send("WebAuthn.addCredential", {"authenticatorId": theirs, "credential": credential})
    assert cookie(phone) != cookie(me)
    phone.page.click("#use-passkey")
    expect(phone.page.locator("#profile [name=name]")).to_have_value("Ada Lovelace")
    assert cookie(phone) == cookie(me)

    with people_at(served.url) as make:
        ada = make()
        ada.key = cookie(me)
        assert len(ada.get("/api/person").json()["passkeys"]) == 1

    phone.page.click("#end-passkeys")
    expect(phone.page.locator("#passkey-note")).to_contain_text("no longer open your profile")
    phone.page.click("#use-passkey")
    expect(phone.page.locator("#failure")).to_contain_text("it was removed")
    phone.forgive("404")


def test_an_answer_is_good_for_one_challenge_and_one_person(tab: MakeTab, served: ProcessServer):
    url = served.url.replace("127.0.0.1", "localhost")
    me = tab(url=url).goto("/profile")
    with_authenticator(me)
    sent: list[Any] = []
    me.page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    me.page.click("#make-passkey")
    expect(me.page.locator("#passkey-note")).to_contain_text("opens your profile")
    with me.page.expect_navigation():
        me.page.click("#use-passkey")
    bodies = {request.url.removeprefix(url): request.post_data_json for request in sent}
    with people_at(url) as make:
        thief = make()
        thief.open("me", "friend")
        made, used = bodies["/api/person/passkeys"], bodies["/api/person/passkeys/claim"]
        refused(thief.post("/api/person/passkeys", made), 400, "too long")
        refused(thief.post("/api/person/passkeys/claim", used), 400, "too long")
        refused(thief.post("/api/person/passkeys/claim", {"credential": {"id": "x"}}), 400, "cannot be used")
        refused(thief.post("/api/person/passkeys", {"credential": {}}), 400, "cannot be used")
