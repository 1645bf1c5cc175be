"""The web table in a real browser: whole games, the coach, settings, clocks and replays."""

from __future__ import annotations

import re

import pytest
from driving import READY, MakeTab, often
from people import GAMES, Person
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", often(("azul", "summer-pavilion"), *GAMES))
def test_a_whole_game_against_a_bot(tab: MakeTab, outsider: Person, game: str):
    me = tab().set_up(game)
    assert me.play_out() > 20
    page = me.page
    now = outsider.read(me.table)
    expect(page.locator("#standings b")).to_have_text([str(score) for score in sorted(now["scores"], reverse=True)])
    cells = page.evaluate(
        "[...document.querySelectorAll('#breakdown tbody tr')]"
        ".map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-'))))"
    )
    assert [sum(column) for column in zip(*cells, strict=True)] == now["scores"]
    with page.expect_navigation():
        page.click("#rematch")
    me.wait_for_table().play(1)
    me.goto(f"/t/{now['id']}/replay")
    page.click("[data-opens=fairness]")
    expect(page.locator("#seed-hash")).to_have_text(now["seed_hash"])
    expect(page.locator("#seed")).to_have_text(now["over"]["seed"])
    expect(page.locator("#seed-check")).to_have_attribute("data-kept", "true")


def test_play_now_and_confirm_and_undo(tab: MakeTab):
    me = tab({"confirm": True})
    me.goto("/").page.click("#play-now")
    me.page.wait_for_url("**/t/*")
    me.wait_for_table()
    me.page.wait_for_function(READY)
    before = me.events()  # chance decides who starts
    assert me.step()
    assert me.step()
    expect(me.page.locator("#confirm")).to_be_visible()
    expect(me.page.locator("#preview li").first).to_be_visible()
    me.page.click("#undo")
    expect(me.page.locator("#confirm")).to_be_hidden()
    assert me.events() == before
    me.play(1)
    assert me.events() > before


WHOSE_TURN = """() => {
  window.disagreements = [];
  const agree = () => {
    const chip = document.querySelector('#seats .chip.turn');
    if (!chip || document.querySelector('#end[open]')) return;
    const status = document.querySelector('#status').textContent;
    const mine = chip.classList.contains('you');
    if (mine !== (status === 'Your turn')) window.disagreements.push(`${chip.textContent} | ${status}`);
  };
  const watch = new MutationObserver(agree);
  for (const name of ['seats', 'status'])
    watch.observe(document.getElementById(name), { childList: true, characterData: true, subtree: true });
}"""


def test_the_seats_and_the_status_line_agree_whose_turn_it_is_while_tiles_fly(tab: MakeTab):
    me = tab({"speed": "fast"}, reduced_motion="no-preference").open("azul-mini")
    expect(me.page.locator("#status")).to_have_text("Your turn")
    me.page.evaluate(WHOSE_TURN)
    me.play(3)
    assert me.page.evaluate("window.disagreements") == []


def test_settings_are_kept_and_tiles_fly(tab: MakeTab):
    me = tab({"speed": "fast"}, reduced_motion="no-preference").open("azul-mini")
    page = me.page
    page.evaluate("""() => new MutationObserver((changes) => {
      if (changes.some((change) => change.addedNodes.length)) document.body.dataset.flown = 'yes';
    }).observe(document.querySelector('#layer svg'), { childList: true })""")
    me.play(2)
    expect(page.locator("body")).to_have_attribute("data-flown", "yes")
    chosen = {"speed": "off", "sound": True, "confirm": True, "forced": False}
    page.click("[data-opens=settings]")
    page.select_option("#settings [data-setting=speed]", chosen["speed"])
    for name in ("sound", "confirm", "forced"):
        page.set_checked(f"#settings [data-setting={name}]", chosen[name])
    page.select_option("#settings [data-theme-choice]", "dark")
    page.keyboard.press("Escape")
    page.reload()
    me.wait_for_table()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#settings [data-setting=speed]")).to_have_value("off")
    for name in ("sound", "confirm", "forced"):
        expect(page.locator(f"#settings [data-setting={name}]")).to_be_checked(checked=chosen[name])
    me.play(2)


@pytest.mark.parametrize("game", GAMES)
def test_a_guided_first_game(tab: MakeTab, game: str):
    me = tab()
    page = me.goto("/learn").page
    page.click(f"form[action*='/learn/{game}/first-game'] button")
    page.wait_for_url("**/t/*")
    me.wait_for_table()
    said = page.locator("#coach-text")
    expect(said).to_have_text(re.compile(r"\w{3}.*\w{3}"))
    words = said.inner_text()
    page.click("#show-me")  # once it is enabled
    expect(page.locator(".hinted").first).to_be_attached()
    expect(said).not_to_have_text(words)
    assert page.locator("#coach-text li").count() in range(4), "why, in at most three reasons"
    pointed = "#panels .hinted.lit, #panels .hinted .lit, #panels .lit .hinted, #choices .hinted"
    assert page.locator(pointed).count() > 0, "the coach points at things that can be clicked"
    for _ in range(3):
        me.play(1)
        expect(said).to_have_text(re.compile(r"\w{3}.*\w{3}"))
    expect(page.locator("#show-me")).to_be_enabled()


def seconds_shown(page: Page, seat: int) -> int:
    minutes, seconds = page.inner_text(f"[data-clock='{seat}']").split(":")
    return 60 * int(minutes) + int(seconds)


def test_clocks_are_shown_and_count_down(tab: MakeTab):
    me = tab()
    page = me.goto("/").page
    page.select_option("[name=bot-2]", "random")
    page.select_option("[name=starter]", "1")
    page.select_option("[name=pace]", "clock")
    page.fill("[name=minutes]", "3")
    page.fill("[name=increment]", "0")
    page.click("#new-table [type=submit]")
    page.wait_for_url("**/t/*")
    me.wait_for_table()
    expect(page.locator("[data-clock]")).to_have_text(["3:00", "3:00"])
    me.play(1)
    mine, theirs = seconds_shown(page, 1), seconds_shown(page, 2)
    assert mine <= 180
    page.wait_for_function(
        f"() => document.querySelector(\"[data-clock='1']\").textContent.split(':')"
        f".reduce((sum, part) => 60 * sum + Number(part), 0) < {mine}"
    )
    assert seconds_shown(page, 2) == theirs, "only who is to move pays"


def test_a_replay_by_keys_and_links(tab: MakeTab, tables: dict[str, str]):
    me = tab()
    path = f"/t/{tables['over']}/replay"
    page = me.goto(f"{path}#17").page
    slider = page.locator("#slider")
    expect(slider).to_have_value("17")
    last = int(page.get_attribute("#slider", "max") or 0)
    shown = [page.locator("#panels").inner_html()]
    for key, value in (("ArrowRight", 18), ("ArrowLeft", 17), ("End", last), ("ArrowLeft", last - 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(slider).to_have_value(str(value))
        expect(page.locator("#log-lines [aria-current]")).to_have_attribute("href", f"#{value}")
        shown.append(page.locator("#panels").inner_html())
    assert shown[2] == shown[0], "on and back is the same table"
    assert len(set(shown)) == len(shown) - 1
    page.wait_for_url(f"**{path}#0")
    page.click("#log-lines a[href='#9']")
    expect(slider).to_have_value("9")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => Number(document.getElementById('slider').value) >= 11")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
