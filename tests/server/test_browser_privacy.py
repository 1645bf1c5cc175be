"""A person's data in a real browser: downloaded, and deleted after a question, in every language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from driving import MakeTab
from people import Person
from playwright.sync_api import expect

from tilewright.view.language import LANGUAGES, say

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_person_takes_their_data_along_and_deletes_it(language: str, tab: MakeTab, outsider: Person):
    me = tab({"name": "Ada"}, locale=language).open("azul", "invite")
    shared = me.table
    outsider.join(shared, "Bob")
    alone = me.open("azul").table
    page = me.goto("/").page
    expect(page.get_by_role("link", name=say(language, "privacy.title"))).to_have_attribute("href", "/privacy")
    me.goto("/privacy")
    with page.expect_download() as downloading:
        page.get_by_role("link", name=say(language, "privacy.download")).click()
    stored = json.loads(Path(downloading.value.path()).read_text(encoding="utf-8"))
    assert [game["id"] for game in stored["games"]] == [shared, alone]
    assert "Ada" in str(stored)
    page.get_by_role("button", name=say(language, "privacy.delete")).click()
    page.get_by_role("button", name=say(language, "privacy.no")).click()
    assert outsider.get(f"/api/tables/{alone}").status_code == 200
    page.get_by_role("button", name=say(language, "privacy.delete")).click()
    page.click("#delete-now")
    expect(page.locator("#done")).to_have_text(say(language, "privacy.deleted", deleted=1, left=1))
    assert outsider.get(f"/api/tables/{alone}").status_code == 404
    assert "Ada" not in str(outsider.read(shared)["seats"])
    assert page.evaluate("() => JSON.stringify(localStorage)").count("Ada") == 0
