"""The analysis board in a real browser: opening, dealing, moving, branching, setting up, and the engine beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import COMPILING, MakeTab, Tab
from people import Person
from playwright.sync_api import Page, expect

import tilewright as tw

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DEAL = "bbyr kkww bbyr kkww yyyy"
SHOWN = """() => [document.querySelectorAll('#tree a').length, document.querySelectorAll('#panels .chosen').length,
  document.querySelectorAll('#panels .lit').length, document.querySelector('#choices').textContent].join()"""
"""What changes with every click that means something."""
TO_CLICK = "#confirm:visible, #choices .choice:not(.other), #panels .lit[tabindex]"


def see_board(tab: Tab, path: str) -> Page:
    """Open an analysis and wait for the board."""
    page = tab.goto(path).page
    page.wait_for_selector("body.ready")
    return page


def see_position(tab: Tab, text: str) -> Page:
    """Paste a record or a position."""
    page = see_board(tab, "/analysis")
    page.fill("#text", text)
    page.click("#paste [type=submit]")
    expect(page.locator("body")).not_to_have_class("opening")
    expect(page.locator("#tree [aria-current]")).to_be_visible()
    return page


def a_position(seed: int = 2) -> str:
    return tw.Azul().start(seed=seed).to_text()


def moves_in(page: Page) -> int:
    """How many moments the tree has."""
    return page.locator("#tree a").count()


def move(tab: Tab) -> None:
    """Play any move by clicking on the board."""
    page, before = tab.page, moves_in(tab.page)
    while moves_in(page) == before:
        shown = page.evaluate(SHOWN)
        page.locator(TO_CLICK).first.dispatch_event("click")  # the mouse would have to wait: a button has just come
        page.wait_for_function(f"(shown) => ({SHOWN})() !== shown", arg=shown)
        page.wait_for_selector(f"{TO_CLICK}, #deal:visible")
    expect(page.locator("#tree a")).to_have_count(before + 1)


# Opening ------------------------------------------------------------------------------------------------


def test_a_new_game_asks_for_its_deal_tile_by_tile(tab: MakeTab):
    page = tab().goto("/").page
    page.click("nav [href='/analysis']")
    page.wait_for_selector("body.ready")
    page.select_option("[name=game]", "azul")
    page.click("#new-game [value=play]")
    expect(page.locator("#deal-prompt")).to_contain_text("20 more")
    page.click("#deal-tiles [data-tile=b]")
    expect(page.locator("#deal-prompt")).to_contain_text("19 more")
    expect(page.locator("[data-slot=factory-1-0] use")).to_have_attribute("href", "#tile-b")
    page.locator("#deal-tiles [data-tile=b]").blur()
    page.keyboard.press("y")
    expect(page.locator("#deal-prompt")).to_contain_text("18 more")
    page.keyboard.press("Backspace")
    expect(page.locator("#deal-prompt")).to_contain_text("19 more")
    page.fill("#deal-text", DEAL)
    expect(page.locator("#deal")).to_be_hidden()
    expect(page.locator("#tree a")).to_have_count(2)
    expect(page.locator("[data-slot=factory-5-3] use")).to_have_attribute("href", "#tile-y")


@pytest.mark.slow
def test_a_deal_that_cannot_be_is_refused_and_the_rest_may_be_random(tab: MakeTab):
    me = tab()
    page = see_position(me, tw.Azul().set_up().to_text())
    page.fill("#deal-text", "bx")
    expect(page.locator("#toast")).to_contain_text("Tile 2 cannot be drawn")
    me.forgive("400")
    page.fill("#deal-text", "kkkk")
    expect(page.locator("#deal-prompt")).to_contain_text("16 more")
    page.click("#deal-random")
    expect(page.locator("#deal")).to_be_hidden()
    for slot in range(4):
        expect(page.locator(f"[data-slot=factory-1-{slot}] use")).to_have_attribute("href", "#tile-k")
    first = page.locator("#what-if-takes .take-from").first
    expect(first).to_have_text("factory 14")
    expect(first.locator("button")).to_have_attribute("aria-label", "4 × black, factory 1")


@pytest.mark.slow
def test_from_a_review_a_replay_and_the_end_of_a_game(tab: MakeTab, tables: dict[str, str]):
    over = tables["over"]
    me = tab()
    page = me.goto(f"/review/{over}").page
    page.wait_for_selector("body.reviewed", timeout=COMPILING)
    page.click("#next-mistake")
    expect(page.locator("#explanation h2")).to_be_visible()
    mistake = int(page.get_attribute("#graph", "aria-valuenow") or 0)
    page.click("#analyse")
    page.wait_for_url(f"**/analysis/{over}#{mistake - 1}")
    page.wait_for_selector("body.ready")
    expect(page.locator("#tree [aria-current]")).to_have_attribute("data-node", str(mistake - 1))
    me.goto(f"/t/{over}/replay#5")
    page.click("#analyse")
    page.wait_for_url(f"**/analysis/{over}#5")
    page.wait_for_selector("body.ready")
    expect(page.locator("#tree [aria-current]")).to_have_attribute("data-node", "5")
    me.goto(f"/t/{over}")
    page.click("#to-analysis")
    page.wait_for_selector("body.ready")
    expect(page.locator("#tree [aria-current]")).to_have_attribute("data-node", str(moves_in(page) - 1))
    expect(page.locator("#status")).to_contain_text("over")


def test_a_running_game_leads_to_no_analysis(tab: MakeTab, tables: dict[str, str]):
    me = tab()
    page = me.goto(f"/t/{tables['azul']}/replay").page
    expect(page.locator("#analyse")).to_have_count(0)
    me.goto(f"/analysis/{tables['azul']}")
    expect(page.locator("main")).to_contain_text("not over yet")
    me.forgive("403")


def test_what_is_pasted_or_chosen_opens_or_is_explained(tab: MakeTab, tables: dict[str, str], outsider: Person):
    me = tab()
    page = see_board(me, "/analysis")
    page.fill("#text", a_position().replace("phase=draft", "phase=over"))
    page.click("#paste [type=submit]")
    expect(page.locator("#failure")).to_contain_text("still tiles on the factories")
    me.forgive("400")
    record = outsider.get(f"/api/tables/{tables['over']}/record").text
    page.set_input_files("#file", {"name": "game.txt", "mimeType": "text/plain", "buffer": record.encode()})
    expect(page.locator("#text")).to_have_value(record)
    page.click("#paste [type=submit]")
    expect(page.locator("#tree a")).to_have_count(len(tw.read_record(record).events) + 1)
    expect(page.locator("#tree b").first).to_have_text("Ada")


# Moves --------------------------------------------------------------------------------------------------


def test_moves_are_taken_back_and_branch_into_variations(tab: MakeTab, tmp_path: Path):
    me = tab()
    page = see_position(me, a_position())
    move(me)
    move(me)
    page.click("#back")
    page.click("#back")
    expect(page.locator("#back")).to_be_disabled()
    page.click("#what-if-takes button >> nth=-1")
    expect(page.locator("#tree a")).to_have_count(4)
    expect(page.locator("#tree .variation")).to_have_count(1)
    page.fill("#comment", "What if?\nThen this.")
    expect(page.locator("#tree .remark")).to_have_text("What if?\nThen this.")
    expect(page.locator("#promote")).to_be_enabled()
    page.keyboard.press("Escape")
    page.locator("#comment").blur()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#tree [aria-current]")).to_have_attribute("data-node", "1")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#tree [aria-current]")).to_have_attribute("data-node", "3")
    with page.expect_download() as download:
        page.click("#save")
    saved = tmp_path / "study.txt"
    download.value.save_as(saved)
    study = tw.read_study(saved.read_text(encoding="utf-8"))
    assert [len(study.root.children), study.root.children[1].comment] == [2, "What if?\nThen this."]
    page.click("#promote")
    expect(page.locator("#promote")).to_be_disabled()
    expect(page.locator("#tree a >> nth=1")).to_have_attribute("data-node", "3")
    page.click("#remove")
    expect(page.locator("#tree a")).to_have_count(3)
    page.click("#open")
    page.set_input_files("#file", saved)
    page.click("#paste [type=submit]")
    expect(page.locator("#tree a")).to_have_count(4)
    expect(page.locator("#tree .remark")).to_have_text("What if?\nThen this.")


@pytest.mark.slow
def test_what_was_worked_on_is_still_there_later(tab: MakeTab):
    me = tab()
    page = see_position(me, a_position())
    move(me)
    page.fill("#comment", "To be continued")
    page.wait_for_function("() => localStorage.getItem('tilewright-analysis')?.includes('continued')")
    see_board(me, "/analysis")
    page.click("#resume button")
    expect(page.locator("#tree .remark")).to_have_text("To be continued")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["azul", "summer-pavilion"])
def test_a_round_is_played_until_the_next_deal(tab: MakeTab, game: str):
    me = tab()
    page = see_position(me, tw.make_game(game).start(seed=5).to_text())
    for _ in range(150):
        if page.locator("#deal").is_visible():
            break
        move(me)
    expect(page.locator("#deal-prompt")).to_be_visible()
    before = moves_in(page)
    page.click("#deal-random")
    expect(page.locator("#tree a")).to_have_count(before + 1)


# The engine ---------------------------------------------------------------------------------------------


def test_the_engine_shows_lines_that_can_be_played(tab: MakeTab):
    me = tab()
    page = see_position(me, a_position())
    expect(page.locator("#engine-best li")).to_have_count(0)
    page.click("#engine-switch")
    expect(page.locator("#engine-best li").first).to_be_visible(timeout=COMPILING)
    expect(page.locator("#engine-expected")).to_contain_text("%")
    page.select_option("#engine-lines", "1")
    expect(page.locator("#engine-best li")).to_have_count(1)
    best = page.locator("#engine-best .step.best").first
    said = best.inner_text()
    best.hover()
    assert page.locator("#panels .badge").count() > 0
    best.click()
    expect(page.locator("#tree [aria-current]")).to_have_text(said)
    expect(page.locator("#engine-best .step.best").first).to_contain_text("Player 2")
    page.click("#engine-switch")
    expect(page.locator("#engine-state")).to_have_text("The engine is off.")
    page.click("#back")
    expect(page.locator("#engine-best li")).to_have_count(0)


@pytest.mark.slow
def test_what_if_they_take_these_is_one_click(tab: MakeTab):
    me = tab()
    page = see_position(me, a_position())
    expect(page.locator("#what-if-title")).to_have_text("What if Player 1 takes these?")
    taken = page.locator("#what-if-takes button").nth(1)
    name = (taken.get_attribute("aria-label") or "").split(",")[0]
    taken.click()
    expect(page.locator("#tree [aria-current]")).to_contain_text(name)
    expect(page.locator("#engine-best .step.best").first).to_contain_text("Player 2", timeout=COMPILING)


@pytest.mark.slow
def test_the_current_move_stays_in_sight_beside_the_engine(tab: MakeTab, tables: dict[str, str]):
    me = tab(viewport={"width": 1366, "height": 768})
    page = see_board(me, f"/analysis/{tables['over']}#20")
    current = page.locator("#tree [aria-current]")
    for _ in range(2):
        before = current.get_attribute("data-node") or ""
        page.locator("#what-if-takes button").last.click()
        expect(current).not_to_have_attribute("data-node", before)
        expect(page.locator("#engine-best li")).to_have_count(3, timeout=COMPILING)
        expect(current).to_be_in_viewport(ratio=1)


# Setting up ---------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_position_is_set_up_by_hand_and_analysed(tab: MakeTab):
    me = tab()
    page = see_board(me, "/analysis")
    page.select_option("[name=game]", "azul")
    page.click("#new-game [value=edit]")
    expect(page.locator("#flaw")).to_contain_text("possible")
    expect(page.locator("#palette [role=radio]")).to_have_count(7)
    page.click("#palette [data-kind=r]")
    for slot in range(3):
        page.click(f"[data-slot=factory-2-{slot}]")
    expect(page.locator("[data-slot=factory-2-2] use")).to_have_attribute("href", "#tile-r")
    page.click("[data-slot=p1-wall-1-1]")
    expect(page.locator("[data-slot=p1-wall-1-1] use")).to_have_attribute("href", "#tile-b")
    page.click("[data-slot=p2-line-3-1]")
    expect(page.locator("[data-slot=p2-line-3-1] use")).to_have_attribute("href", "#tile-r")
    page.fill("[data-control=p1-score]", "12")
    page.keyboard.press("Tab")
    page.select_option("[data-control=turn]", "2")
    expect(page.locator("#flaw")).to_have_text("This position is possible.")
    page.fill("[data-control=round]", "40")
    page.keyboard.press("Tab")
    expect(page.locator("#flaw")).to_contain_text("at the latest, not round 40")
    expect(page.locator("#editor-done")).to_be_disabled()
    page.fill("[data-control=round]", "2")
    page.keyboard.press("Tab")
    page.click("#editor-done")
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.locator("#status")).to_contain_text("Player 2")
    expect(page.locator("[data-text=p1-score]").first).to_have_text("12")
    move(me)


@pytest.mark.slow
def test_the_keyboard_is_enough_to_set_up_a_position(tab: MakeTab):
    page = see_position(tab(), tw.SummerPavilion().set_up().to_text())
    page.click("#edit")
    expect(page.locator("#flaw")).to_be_visible()
    expect(page.locator("[data-slot].editable[tabindex='0']")).to_have_count(1)
    page.focus("[data-slot=factory-1-0]")
    page.keyboard.press("g")
    slot = page.evaluate("document.activeElement.dataset.slot")
    expect(page.locator(f"[data-slot={slot}] use")).to_have_attribute("href", "#rhomb-g")
    assert "green" in (page.get_attribute(f"[data-slot={slot}]", "aria-label") or "")
    page.keyboard.press("ArrowRight")
    other = page.evaluate("document.activeElement.dataset.slot")
    assert other != slot
    page.focus(f"[data-slot={slot}]")
    page.keyboard.press("Delete")
    expect(page.locator(f"[data-slot={slot}] use")).to_have_count(0)
    page.focus("#palette [aria-checked=true]")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#palette [data-kind=g]")).to_have_attribute("aria-checked", "true")
    page.click("#editor-cancel")
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.locator("#panels .editable")).to_have_count(0)


@pytest.mark.slow
def test_the_text_of_a_position_can_be_edited_too(tab: MakeTab):
    me = tab()
    page = see_position(me, a_position())
    page.click("#edit")
    page.click("#as-text summary")
    expect(page.locator("#draft-text")).to_have_value(a_position())
    page.fill("#draft-text", a_position(seed=9))
    page.click("#use-text")
    expect(page.locator("#flaw")).to_have_text("This position is possible.")
    page.fill("#draft-text", "nonsense")
    page.click("#use-text")
    expect(page.locator("#toast")).to_contain_text("sections")
    me.forgive("400")
    page.click("#editor-done")
    expect(page.locator("#editor")).to_be_hidden()
    page.click("#edit")
    expect(page.locator("#draft-text")).to_have_value(a_position(seed=9))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_a_phone_shows_all_of_it_in_every_language(tab: MakeTab, language: str):
    me = tab(locale=language, **PHONE)
    page = see_position(me, a_position())
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.tap("#engine-switch")
    expect(page.locator("#engine-best li").first).to_be_visible(timeout=COMPILING)
    page.locator("#what-if-takes button").first.tap()
    expect(page.locator("#tree a")).to_have_count(2)
    for name in ("stage", "engine", "what-if", "tree", "comment", "bar"):
        expect(page.locator(f"#{name}")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.tap("#edit")
    expect(page.locator("#palette")).to_be_visible()
    page.locator("[data-slot=factory-1-0]").tap()
    expect(page.locator("#flaw")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    words = page.evaluate("document.body.innerText")
    assert not [word for word in words.split() if word.startswith(("analysis.", "editor.", "review."))]
