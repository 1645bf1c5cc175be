"""A player in a real browser: opens tables, clicks what lights up, and notes what the console complains about."""

from __future__ import annotations

import json
import random
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

PATIENCE = 60_000.0
"""Milliseconds for what should happen at once, on a machine that is busy with other things."""

READY = """() => document.querySelector(
  '#end[open], #confirm:not([hidden]), #panels .lit[tabindex], #choices .choice:not(.other)') !== null
  && !document.getAnimations().some((slide) => slide.effect.target?.classList.contains('panel'))"""
"""Something can be done, and the panels do not slide to another place."""
STILL = "() => !document.getAnimations().some((slide) => slide.effect.target?.classList.contains('panel'))"

CHOOSE = """(number) => {
  if (document.querySelector('#end[open]')) return { over: true };
  const confirm = document.querySelector('#confirm:not([hidden])');
  const lit = [...document.querySelectorAll('#panels .lit[tabindex], #choices .choice:not(.other)')];
  const element = confirm ?? lit[number % lit.length];
  if (!element) return { wait: true };
  const name = element.id || element.dataset.spot || element.dataset.slot || element.textContent;
  const inside = (box) => box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  if (!inside(element.getBoundingClientRect())) element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  for (const [across, down] of [[0.5, 0.5], [0.3, 0.3], [0.7, 0.7], [0.3, 0.7], [0.7, 0.3], [0.12, 0.5], [0.88, 0.5]]) {
    const [x, y] = [box.x + box.width * across, box.y + box.height * down];
    const hit = document.elementFromPoint(x, y);
    if (hit && element.contains(hit)) return { x, y, name };
  }
  const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  const thing = over?.closest('[data-slot], [data-spot], [id], [data-panel]');
  return { covered: `${name} (by ${thing?.outerHTML.slice(0, 120)})` };
}"""


class Tab:
    """One page of one person, with everything that went wrong in it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        self.dice = random.Random(1510)
        page.set_default_timeout(PATIENCE)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def goto(self, path: str) -> Tab:
        """Go to an address of the server."""
        self.page.goto(self.url + path)
        return self

    def wait_for_table(self) -> Tab:
        """Until the table is drawn and the line to it stands."""
        self.page.wait_for_selector("#line[data-line=live]", state="attached")
        self.page.wait_for_selector("#panels figure svg")
        return self

    def open(self, game: str, other: str = "bot", **choices: str) -> Tab:
        """Open a table on the home page: me and somebody else."""
        self.goto("/")
        self.page.check(f"input[name=game][value={game}]", force=True)
        self.page.select_option("[name=kind-2]", other)
        if other == "bot":
            self.page.select_option("[name=bot-2]", "random")
        for name, value in choices.items():
            self.page.fill(f"[name={name}]", value)
        self.page.click("#new-table [type=submit]")
        self.page.wait_for_url("**/t/*")
        return self.wait_for_table()

    @property
    def table(self) -> str:
        """The id of the table that is shown."""
        return str(self.page.evaluate("document.body.dataset.table"))

    def step(self) -> bool:
        """Click one of the things that light up, as soon as something does; False when the game is over."""
        self.page.wait_for_function(READY)
        for _ in range(20):
            found: dict[str, Any] = self.page.evaluate(CHOOSE, self.dice.randrange(1_000_000))
            if "over" in found:
                return False
            assert "covered" not in found, f"{found['covered']} is lit, and something lies over it"
            if "x" in found:
                self.page.mouse.click(found["x"], found["y"])
                return True
            self.page.wait_for_function(READY)
        raise AssertionError("things light up and go dark again")

    def events(self) -> int:
        """How many lines the log has."""
        return int(self.page.locator("#log-lines li").count())

    def move(self) -> None:
        """Play one move of mine, whoever comes after me."""
        before = self.events()
        while self.events() == before:
            assert self.step()
            self.page.wait_for_function(
                f"() => document.querySelectorAll('#log-lines li').length > {before} || ({READY})()"
            )

    def play(self, moves: int) -> None:
        """Play so many moves of mine; others answer by themselves."""
        for _ in range(moves):
            self.move()
            self.page.wait_for_function(READY)

    def play_out(self) -> int:
        """Play until the game is over; the number of clicks."""
        clicks = 0
        while self.step():
            clicks += 1
            assert clicks < 2000, "the game should end"
        return clicks


def new_tab(browser: Browser, url: str, settings: dict[str, Any] | None = None, **options: Any) -> Tab:
    """A new person with a browser of their own; animations are off unless the settings say otherwise."""
    options = {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB", **options}
    context: BrowserContext = browser.new_context(**options)
    chosen = json.dumps({"speed": "off", "name": "Ada", "confirm": False, **(settings or {})})
    context.add_init_script(f"localStorage.getItem('tilewright') ?? localStorage.setItem('tilewright', '{chosen}')")
    return Tab(context.new_page(), url)
