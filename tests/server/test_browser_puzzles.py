"""Puzzles in a real browser: answered on the board by mouse and by keyboard, explained, and counted."""

from __future__ import annotations

from typing import Any

import pytest
from driving import READY, MakeTab, Tab
from playwright.sync_api import expect

import tilewright as tw
from tilewright.insight.puzzle import Puzzle, puzzles_of
from tilewright.view.picture import compose
from tilewright.view.slots import spot_of

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True,
}  # fmt: skip
GAMES = ["azul", "summer-pavilion"]


def open_puzzle(me: Tab, game: str = "azul") -> Puzzle:
    """Go to the page; the puzzle that it shows."""
    me.goto(f"/puzzles?game={game}")
    me.page.wait_for_function(READY)
    return shown(me, game)


def shown(me: Tab, game: str) -> Puzzle:
    answer = me.page.context.request.get(f"{me.url}/api/puzzles/{game}/next").json()
    return puzzles_of(tw.GAMES[game].spec)[answer["id"]]


def spots_of(puzzle: Puzzle, text: str) -> list[str]:
    """What is clicked for a move; buttons that leave no choice are not."""
    position, move = puzzle.position, puzzle.game.move(text)
    path = compose.picture_of(puzzle.game).paths(puzzle.game)[int(move)]
    return [spot_of(position.turn or 0, spot) for spot in path.spots]


CLICK = """(spot) => {
  const lit = [...document.querySelectorAll('#panels .lit')];
  const named = lit.find((one) => one.dataset.spot === spot
    || `${one.dataset.place}-${one.querySelector('use')?.getAttribute('href').split('-').pop()}` === spot)
    ?? document.querySelector(`#choices [data-choice="${spot}"]`);
  if (!named) return false;
  named.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = named.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}"""


def answer(me: Tab, puzzle: Puzzle, text: str) -> None:
    """Click what a move is made of."""
    for spot in spots_of(puzzle, text):
        place = me.page.evaluate(CLICK, spot)
        if place:
            me.page.mouse.click(place["x"], place["y"])
    expect(me.page.locator("#next")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_the_right_move_on_the_board_is_praised_explained_and_counted(tab: MakeTab, game: str):
    me = tab()
    puzzle = open_puzzle(me, game)
    expect(me.page.locator("#rating")).to_have_text("1500")
    answer(me, puzzle, puzzle.solution.move)
    expect(me.page.locator("#explanation h2")).to_have_text("Right!")
    expect(me.page.locator("#explanation .told.better")).to_contain_text("The best move: ")
    expect(me.page.locator("#explanation .told.played")).to_contain_text("The next best move: ")
    expect(me.page.locator("#explanation .about")).to_contain_text(f"rated {puzzle.rating}")
    expect(me.page.locator("#streak")).to_have_text("1")
    expect(me.page.locator("#change")).to_contain_text("+")
    assert me.page.locator(".badge.better").count() > 0
    assert int(me.page.locator("#rating").inner_text()) > 1500


def test_a_wrong_move_is_compared_with_the_best_one_and_the_next_puzzle_follows(tab: MakeTab):
    me = tab()
    puzzle = open_puzzle(me)
    answer(me, puzzle, puzzle.answers[1].move)
    expect(me.page.locator("#explanation h2")).to_have_text("Not the best move.")
    expect(me.page.locator("#explanation .told.played")).to_contain_text("Your move: ")
    expect(me.page.locator("#explanation h3")).to_have_text("Why it is better")
    assert 1 <= me.page.locator("#explanation li").count() <= 3
    expect(me.page.locator("#solved")).to_have_text("0 of 1")
    expect(me.page.locator("#change")).to_contain_text("−")
    me.page.click("#next")
    expect(me.page.locator("#explanation")).to_be_hidden()
    me.page.wait_for_function(READY)
    assert shown(me, "azul").id != puzzle.id


@pytest.mark.slow
def test_the_solution_can_be_played_through_with_the_keys(tab: MakeTab):
    me = tab()
    puzzle = open_puzzle(me)
    expect(me.page.locator("#give-up-cost")).to_have_text("Counts as a wrong answer")
    me.page.click("#give-up")
    expect(me.page.locator("#explanation h2")).to_have_text("This was the best move.")
    expect(me.page.locator("#step")).to_have_text("The puzzle")
    length = len(puzzle.solution.line)
    for number in range(1, length + 1):
        me.page.keyboard.press("ArrowRight")
        expect(me.page.locator("#step")).to_have_text(f"Move {number} of {length}")
        expect(me.page.locator("#told")).to_contain_text("Player")
    expect(me.page.locator("#on")).to_be_disabled()
    assert me.page.locator(".badge").count() == 0
    for _ in range(length):
        me.page.keyboard.press("ArrowLeft")
    expect(me.page.locator("#step")).to_have_text("The puzzle")
    assert me.page.locator(".badge").count() > 0


@pytest.mark.slow
def test_a_puzzle_is_answered_with_the_keyboard_alone(tab: MakeTab):
    me = tab({"confirm": True})
    open_puzzle(me)
    me.page.keyboard.press("ArrowRight")
    for _ in range(8):
        if me.page.locator("#next").is_visible():
            break
        me.page.keyboard.press("Enter")
        me.page.wait_for_function(f"() => ({READY})() || !document.getElementById('next').hidden")
    expect(me.page.locator("#next")).to_be_focused()
    expect(me.page.locator("#solved")).to_contain_text("of 1")


@pytest.mark.slow
def test_a_reload_shows_the_same_puzzle(tab: MakeTab):
    me = tab()
    puzzle = open_puzzle(me)
    me.page.reload()
    me.page.wait_for_function(READY)
    assert shown(me, "azul").id == puzzle.id


@pytest.mark.slow
def test_a_rule_is_explained_and_a_preview_shown_as_at_a_table(tab: MakeTab):
    me = tab({"confirm": True})
    puzzle = open_puzzle(me)
    spots = spots_of(puzzle, puzzle.solution.move)
    for spot in spots:
        place = me.page.evaluate(CLICK, spot)
        me.page.mouse.click(place["x"], place["y"])
    expect(me.page.locator("#confirm")).to_be_visible()
    expect(me.page.locator("#preview li").first).to_be_visible()
    first = me.page.locator("#preview li").first.inner_text()
    expect(me.page.locator("#announce")).to_contain_text(f"{first}. ")
    assert me.page.locator(".landing").count() > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_phone_is_enough_for_a_puzzle(tab: MakeTab, game: str):
    me = tab(**PHONE)
    puzzle = open_puzzle(me, game)
    answer(me, puzzle, puzzle.answers[1].move)
    expect(me.page.locator("#explanation h2")).to_be_in_viewport()
    assert me.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.slow
def test_the_other_game_is_one_click_away_and_the_home_page_links_to_puzzles(tab: MakeTab):
    me = tab().goto("/")
    me.page.click(".pastimes a[href='/puzzles']")
    me.page.wait_for_function(READY)
    me.page.click("nav >> text=Summer Pavilion")
    me.page.wait_for_url("**/puzzles?game=summer-pavilion")
    me.page.wait_for_function(READY)
    expect(me.page.locator("nav [aria-current=page]")).to_have_text("Summer Pavilion")
