"""The web table in a real browser: what the bar says fits, fingers find their targets, boards can be enlarged."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from driving import READY, STILL, MakeTab, Tab
from people import GAMES, Person
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SCREENS = [(1366, 768), (1024, 768), (844, 390), (390, 844)]
FOUR = [{"kind": "me", "name": "Ada"}, *({"kind": "friend", "name": name} for name in ("Bob", "Cleo", "Dan"))]
OUTSIDE = """() => {
  const bar = document.getElementById('bar').getBoundingClientRect();
  const fits = (box) => box.left >= bar.left - 1 && box.right <= bar.right + 1
    && box.top >= bar.top - 1 && box.bottom <= innerHeight + 1;
  return [...document.querySelectorAll('#bar p, #bar button')]
    .filter((one) => one.offsetParent && one.textContent && !one.closest('#choices'))
    .filter((one) => !fits(one.getBoundingClientRect())).map((one) => `${one.tagName}#${one.id} ${one.textContent}`);
}"""
SMALL = """() => [...document.querySelectorAll('button, a, select')]
  .filter((one) => one.offsetParent && !one.closest('.skip')).map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < 32 || box.height < 32))
  .map(([one, box]) => `${one.outerHTML.slice(0, 80)} ${box.width}x${box.height}`)"""
TOUCH: dict[str, Any] = {"is_mobile": True, "has_touch": True}


def sized(size: tuple[int, int]) -> dict[str, Any]:
    return {"viewport": {"width": size[0], "height": size[1]}}


@pytest.mark.slow
@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("game", ["azul", "summer-pavilion"])
def test_the_bar_never_overflows(tab: MakeTab, game: str, size: tuple[int, int]):
    options = {"side": "grey"} if game == "summer-pavilion" else {"jokers": True}
    me = tab({"confirm": True}, locale="fr-FR", **sized(size)).open(game, "friend", options=options)
    for _ in range(14):
        me.page.wait_for_function(READY)
        assert me.page.evaluate(OUTSIDE) == []
        me.step()


def test_short_names_are_not_cut_on_a_tablet(tab: MakeTab):
    seats = [FOUR[0], *({"kind": kind} for kind in ("friend", "invite", "invite"))]
    me = tab(locale="fr-FR", **sized((1024, 768))).open("azul", players=4, seats=seats)
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert me.page.locator("#seats .name").evaluate_all(cut) == []


def test_the_progress_of_the_compiler_does_not_cover_the_bar(tab: MakeTab):
    me = tab().open("azul", "friend")
    me.page.evaluate("""() => {
      const told = document.createElement('p');
      told.id = 'compiling';
      told.textContent = 'Compiling the games for this computer: 5 of 11 parts are ready. '.repeat(4);
      document.body.append(told);
    }""")
    bar, told = (me.page.locator(one).bounding_box() for one in ("#bar", "#compiling"))
    assert bar
    assert told
    assert bar["y"] + bar["height"] <= told["y"] + 1
    assert told["y"] + told["height"] <= 769


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
@pytest.mark.parametrize("game", GAMES)
def test_controls_are_large_enough_for_fingers(tab: MakeTab, game: str, size: tuple[int, int]):
    me = tab(**sized(size), **TOUCH).open(game)
    me.page.wait_for_function(READY)
    assert me.page.evaluate(SMALL) == []


NARROW = """() => [...document.querySelectorAll('#panels .lit, #panels .other, #panels .chosen')]
  .map((one) => [one.dataset.slot ?? one.dataset.spot, one.getBoundingClientRect()])
  .filter(([, box]) => Math.min(box.width, box.height) < 32)
  .map(([name, box]) => `${name} ${box.width.toFixed(1)}x${box.height.toFixed(1)}`)"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
@pytest.mark.parametrize("game", ["azul", "summer-pavilion"])
def test_tiles_lines_and_spaces_are_large_enough_for_fingers(tab: MakeTab, game: str, size: tuple[int, int]):
    me = tab({"confirm": True}, **sized(size), **TOUCH)
    for players in (2, 3, 4):
        me.open(game, players=players, seats=FOUR[:players])
        for _ in range(2):
            me.page.wait_for_function(READY)
            me.page.wait_for_function(STILL)
            assert me.page.evaluate(NARROW) == []
            me.step()


def in_phase(person: Person, phase: str) -> str:
    """A table of Summer Pavilion where somebody is to choose in this phase, among as much as happens to be there."""
    dice = random.Random(14)
    while True:
        table = person.open("me", "friend", game="summer-pavilion", names=("Ada", "Bob", "", ""))
        while (now := person.read(table))["over"] is None:
            if now["phase"] == phase and len(now["legal"]) > 2:
                return table
            person.play(table, dice.choice(now["legal"])["number"], now["event"])


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["place", "bonus", "keep"])
def test_spaces_supply_and_hand_are_large_enough_for_fingers(tab: MakeTab, outsider: Person, phase: str):
    table = in_phase(outsider, phase)
    for size in [(390, 844), (844, 390)]:
        me = tab({"confirm": True}, **sized(size), **TOUCH).hold(outsider.key or "")
        me.goto(f"/t/{table}").wait_for_table()
        me.page.wait_for_function(READY)
        me.page.wait_for_function(STILL)
        expect(me.page.locator("#panels .lit, #panels .chosen")).not_to_have_count(0)
        assert me.page.evaluate(NARROW) == [], size


def test_a_phone_that_is_turned_keeps_its_game(tab: MakeTab):
    me = tab(**sized((390, 844)), **TOUCH).open("azul", "friend")
    me.play(3)
    tiles = "() => [...document.querySelectorAll('#panels [data-slot]:has(use)')].map((one) => one.dataset.slot)"
    upright = me.page.evaluate(tiles)
    market = "() => document.querySelector('[data-panel=market] svg').getAttribute('viewBox')"
    compact = me.page.evaluate(market)
    me.page.set_viewport_size({"width": 1024, "height": 768})
    me.page.wait_for_function(f"() => ({market})() !== '{compact}'")
    me.page.wait_for_function(READY)
    assert sorted(me.page.evaluate(tiles)) == sorted(upright)


def test_a_finger_that_just_misses_a_tile_still_chooses_it(tab: MakeTab):
    me = tab({"confirm": True}, **sized((390, 844)), **TOUCH).open("azul", "friend")
    me.page.wait_for_function(READY)
    tile = me.page.locator("#panels [data-slot='factory-1-0']")
    box = tile.bounding_box()
    assert box
    me.page.touchscreen.tap(box["x"] - 7, box["y"] + box["height"] / 2)
    expect(tile).to_have_class(re.compile("chosen"))


def board_width(tab: Tab, selector: str) -> float:
    box = tab.page.locator(selector).bounding_box()
    assert box
    return box["width"]


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_tap_enlarges_the_board_of_an_opponent(tab: MakeTab, size: tuple[int, int]):
    me = tab(**sized(size), **TOUCH).open("azul", players=4, seats=FOUR)
    me.page.wait_for_function(READY)
    me.page.wait_for_function(STILL)
    small = board_width(me, "[data-panel=player-3]")
    me.page.locator("[data-panel=player-3]").tap()
    expect(me.page.locator("#closer")).to_be_visible()
    assert board_width(me, "#closer svg") > 1.5 * small
    me.page.locator("#closer").tap()
    expect(me.page.locator("#closer")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1024, 768), (1180, 820), (1366, 768)])
@pytest.mark.parametrize("game", GAMES)
def test_market_and_own_board_are_balanced(tab: MakeTab, game: str, size: tuple[int, int]):
    me = tab(**sized(size)).open(game)
    me.page.wait_for_function(READY)
    me.page.wait_for_function(STILL)
    boxes = [me.page.locator(f"[data-part={part}]").bounding_box() for part in ("market", "focus")]
    market, own = (box["width"] * box["height"] for box in boxes if box)
    assert 0.5 < market / own < 2
