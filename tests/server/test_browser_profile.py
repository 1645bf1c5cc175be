"""The profile in a real browser: saved, carried to another device by a link, and deleted."""

from __future__ import annotations

import pytest
from driving import MakeTab
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_profile_from_one_device_to_another_and_its_end(tab: MakeTab):
    me = tab({"name": ""}).goto("/profile")
    me.page.fill("#profile [name=name]", "Ada Lovelace")
    me.page.locator(".avatars label").nth(3).click()
    chosen = me.page.locator(".avatars input").nth(3).input_value()
    me.page.click("#profile [type=submit]")
    expect(me.page.locator("#saved")).to_have_text("Saved.")
    me.page.click("#make-link")
    expect(me.page.locator("#link")).to_be_visible()
    link = me.page.locator("#link input").input_value()

    phone = tab({"name": ""}, viewport={"width": 390, "height": 844}, color_scheme="dark", locale="it-IT")
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Usa questo profilo qui").click()
    phone.page.wait_for_url("**/profile")
    expect(phone.page.locator("#profile [name=name]")).to_have_value("Ada Lovelace")
    expect(phone.page.locator("#own-avatar")).to_have_attribute("src", f"/avatar/{chosen}.svg")
    assert phone.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0

    me.page.get_by_role("button", name="Delete everything").click()
    me.page.click("#delete-now")
    expect(me.page.locator("#profile [name=name]")).to_have_value("")
    phone.page.reload()
    expect(phone.page.locator("#own-avatar")).not_to_have_attribute("src", f"/avatar/{chosen}.svg")
