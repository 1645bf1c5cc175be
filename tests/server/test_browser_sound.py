"""The web table in a real browser: sounds, none before the first gesture, and one button for them."""

from __future__ import annotations

import pytest
from driving import READY, MakeTab
from people import Person
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

COUNT_SOUNDS = """
  window.sounds = 0;
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) { window.sounds += 1; return start.apply(this, when); };
"""


def test_sounds_come_after_the_first_gesture_and_one_button_ends_them(tab: MakeTab, outsider: Person):
    table = outsider.open("me", "friend", names=("Ada", "Bob", "", ""))
    me = tab().hold(outsider.key or "")
    page = me.page
    page.add_init_script(COUNT_SOUNDS)
    me.goto(f"/t/{table}").wait_for_table()
    button = page.locator("#sound")
    expect(button).to_have_attribute("aria-pressed", "true")

    def heard_after_a_move() -> int:
        before, lines = int(page.evaluate("window.sounds")), me.events()
        outsider.play_first(table)
        expect(page.locator("#log-lines li")).to_have_count(lines + 1)
        page.wait_for_function(READY)
        return int(page.evaluate("window.sounds")) - before

    assert heard_after_a_move() == 0, "nobody has touched the page"
    page.locator("#status").click()
    assert heard_after_a_move() > 0
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert heard_after_a_move() == 0
    page.reload()
    me.wait_for_table()
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    assert heard_after_a_move() > 0
