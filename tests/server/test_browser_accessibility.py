"""The web table in a real browser: the keyboard is enough, and axe finds nothing."""

from __future__ import annotations

import re

import pytest
from driving import COMPILING, MISSING, PAGES, READY, TABLES, MakeTab, Tab, often
from people import GAMES

pytestmark = pytest.mark.browser


def test_the_keyboard_is_enough(tab: MakeTab):
    me = tab({"confirm": True})
    page = me.goto("/").page
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "play-now":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    me.wait_for_table()
    for _ in range(3):
        page.wait_for_function(READY)
        before = me.events()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        for _ in range(12):
            if me.events() > before:
                break
            name = page.evaluate(
                "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
            )
            assert name.strip(), "what has the focus has a name"
            page.keyboard.press("Enter")
        page.wait_for_function(f"() => document.querySelectorAll('#log-lines li').length > {before}")
    assert me.events() >= 3


def violations(tab: Tab, *rules: str) -> list[str]:
    """What axe finds on a page as it is now: by all of its rules, or by some."""
    from axe_playwright_python.base import AXE_SCRIPT

    if not tab.page.evaluate("'axe' in window"):
        tab.page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = tab.page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [f"{one['id']}: {node['html'][:120]} {node['any'][:1]}" for one in found for node in one["nodes"]]


def violations_by_day_and_night(tab: Tab) -> list[str]:
    """What axe finds on a page; in the dark only the colours are different."""
    found = violations(tab)
    tab.page.emulate_media(color_scheme="dark")
    found += [f"dark {one}" for one in violations(tab, "color-contrast")]
    tab.page.emulate_media(color_scheme="light")
    return found


@pytest.mark.parametrize("path", often(("/", "/learn", "/t/{azul}", "/t/{summer}"), *PAGES, *TABLES))
def test_axe_finds_nothing(tab: MakeTab, tables: dict[str, str], path: str):
    me = tab(color_scheme="light").goto(path.format(**tables))
    assert violations_by_day_and_night(me) == []
    if path == "/nothing":
        me.forgive(MISSING)


@pytest.mark.parametrize("game", often(("azul",), *GAMES))
def test_axe_finds_nothing_in_the_middle_of_a_move(tab: MakeTab, game: str):
    me = tab({"confirm": True}, color_scheme="light").open(game)
    me.page.wait_for_function(READY)
    names = me.page.eval_on_selector_all(
        "#panels .lit[tabindex]", "found => found.map((one) => one.getAttribute('aria-label') ?? '')"
    )
    assert names
    assert all(re.search(r"\w{3}", name) and "-" not in name.split(" ")[0] for name in names), names
    me.play(1)
    assert violations_by_day_and_night(me) == []
    me.step()
    assert violations_by_day_and_night(me) == []
    me.page.click("[data-opens=settings]")
    assert violations(me) == []


@pytest.mark.slow
def test_axe_finds_nothing_at_a_mistake_in_a_review(tab: MakeTab, tables: dict[str, str]):
    me = tab(color_scheme="light").goto(f"/review/{tables['over']}")
    me.page.wait_for_selector("body.reviewed", timeout=COMPILING)
    me.page.click("#next-mistake")
    me.page.wait_for_selector("#try-again")
    assert violations_by_day_and_night(me) == []


@pytest.mark.slow
def test_axe_finds_nothing_in_a_hint(tab: MakeTab):
    me = tab(color_scheme="light").open("azul")
    for words in ("Take a look", "A good move"):
        me.page.click("#hint")
        me.page.wait_for_selector(f"#hint-text:has-text('{words}')")
        assert violations_by_day_and_night(me) == []


@pytest.mark.slow
def test_axe_finds_nothing_on_the_analysis_board(tab: MakeTab):
    me = tab(color_scheme="light").goto("/analysis")
    me.page.click("#new-game [value=play]")
    me.page.wait_for_selector("#deal-tiles button")
    assert violations_by_day_and_night(me) == []
    me.page.click("#deal-random")
    me.page.click("#engine-switch")
    me.page.wait_for_selector("#engine-best li", timeout=COMPILING)
    me.page.click("#what-if-takes button >> nth=0")
    me.page.wait_for_selector("#tree [data-node='2'][aria-current]")
    me.page.click("#back")
    me.page.click("#what-if-takes button >> nth=1")
    me.page.fill("#comment", "Why not?")
    assert violations_by_day_and_night(me) == []
    me.page.click("#edit")
    me.page.wait_for_selector("#controls select")
    assert violations_by_day_and_night(me) == []


@pytest.mark.slow
def test_axe_finds_nothing_with_the_evaluation_bar(tab: MakeTab):
    me = tab(color_scheme="light").open("azul")
    me.page.click("[data-opens=settings]")
    me.page.check("#evaluate")
    me.page.click("#settings [data-closes]")
    me.page.wait_for_selector("#evaluation-bar span")
    assert violations_by_day_and_night(me) == []


@pytest.mark.slow
def test_axe_finds_nothing_in_the_reasons_of_the_coach(tab: MakeTab):
    me = tab(color_scheme="light").goto("/learn")
    me.page.click("form[action*='/learn/azul/first-game'] button")
    me.page.wait_for_url("**/t/*")
    me.wait_for_table()
    me.page.click("#show-me")
    me.page.wait_for_selector("#coach-text span")
    assert violations_by_day_and_night(me) == []
