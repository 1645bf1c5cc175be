"""A player in a real browser: opens tables, clicks what lights up, and notes what the console complains about."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tilewright.server.web import KEY_COOKIE

PATIENCE = 30_000.0
"""Milliseconds for what should happen at once, on a machine that is busy with other things."""
COMPILING = 10 * PATIENCE
"""For what waits until kernels are compiled, the first time."""
expect.set_options(timeout=PATIENCE)

PAGES = [
    "/",
    "/api",
    "/review",
    "/analysis",
    "/daily",
    "/puzzles",
    "/profile",
    "/profile/link",
    "/leaderboard",
    "/learn",
    "/nothing",
]
PAGES += ["/learn/azul", "/learn/azul-mini", "/learn/summer-pavilion"]
TABLES = ["/t/{azul}", "/t/{mini}", "/t/{summer}", "/t/{waiting}", "/t/{over}", "/t/{over}/replay", "/review/{over}"]
TABLES += ["/analysis/{over}"]
"""Addresses of the tables of the fixture ``tables``."""
MISSING = "404"
"""What the console says of ``/nothing``."""

BLOCKED = "Service Worker registration blocked by Playwright"

READY = """() => document.querySelector(
  '#end:not([hidden]), #confirm:not([hidden]), #panels .lit[tabindex], #choices .choice:not(.other)') !== null
  && !document.getAnimations().some((slide) => slide.effect.target?.classList.contains('panel'))"""
"""Something can be done, and the panels do not slide to another place."""
STILL = "() => !document.getAnimations().some((slide) => slide.effect.target?.classList.contains('panel'))"
SETTLED = """() => document.readyState === 'complete'
  && (!document.body.matches('[data-table], [data-puzzles]') || document.body.classList.contains('ready'))"""
"""A page is there, and a table is drawn on it if it has one."""

CHOOSE = (
    """async ({ number, before, patience }) => {
  const ready = """
    + READY
    + """;
  const deadline = performance.now() + patience;
  const lines = () => document.querySelectorAll('#log-lines li').length;
  while (!(lines() > before) && !ready()) {
    if (performance.now() > deadline) return { stuck: document.querySelector('#status').textContent };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (lines() > before) return { played: true };
  if (document.querySelector('#end:not([hidden])')) return { over: true };
  const confirm = document.querySelector('#confirm:not([hidden])');
  const lit = [...document.querySelectorAll('#panels .lit[tabindex], #choices .choice:not(.other)')];
  const element = confirm ?? lit[number % lit.length];
  const name = element.id || element.dataset.spot || element.dataset.slot || element.textContent;
  const inside = (box) => box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  const block = inside(element.getBoundingClientRect()) ? 'nearest' : 'center';
  element.scrollIntoView({ block, behavior: 'instant' });
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
)
"""Waits until something can be done, and says where to click for it; or that more than ``before`` moves were played."""


class Tab:
    """One page of one person, with everything that went wrong in it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.console_errors: list[str] = []
        self.dice = random.Random(1510)
        page.set_default_timeout(PATIENCE)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and message.text != BLOCKED:
            self.console_errors.append(message.text)

    def forgive(self, *words: str) -> None:
        """Leave out errors that a test means to cause."""
        self.console_errors = [one for one in self.console_errors if not any(word in one for word in words)]

    def goto(self, path: str) -> Tab:
        """Go to an address of the server, and wait until what is there has come."""
        self.page.goto(self.url + path)
        self.page.wait_for_function(SETTLED)
        return self

    def wait_for_table(self) -> Tab:
        """Until the table is drawn and the line to it stands."""
        self.page.wait_for_selector("#connection[data-state=live]", state="attached")
        self.page.wait_for_selector("#panels figure svg")
        return self

    def open(self, game: str, other: str = "bot", **rest: Any) -> Tab:
        """Open a table for me and somebody else, as programs do, and look at it."""
        seats = [{"kind": "me", "name": "Ada"}, {"kind": other, **({"bot": "random"} if other == "bot" else {})}]
        request = {"game": game, "players": 2, "seats": seats, **rest}
        answer = self.page.context.request.post(f"{self.url}/api/tables", data=request)
        assert answer.status == 201, answer.text()
        return self.goto(answer.json()["url"]).wait_for_table()

    def set_up(self, game: str, other: str = "bot") -> Tab:
        """Open a table for me and somebody else with the form of the home page."""
        self.goto("/")
        self.page.check(f"input[name=game][value={game}]", force=True)
        self.page.select_option("[name=kind-2]", other)
        if other == "bot":
            self.page.select_option("[name=bot-2]", "random")
        self.page.select_option("[name=starter]", "1")
        self.page.click("#new-table [type=submit]")
        self.page.wait_for_url("**/t/*")
        return self.wait_for_table()

    def hold(self, key: str) -> Tab:
        """Sit where somebody with this key sits."""
        self.page.context.add_cookies([{"name": KEY_COOKIE, "value": key, "url": self.url}])
        return self

    @property
    def key(self) -> str:
        """The key that this person's browser holds."""
        return next(str(one["value"]) for one in self.page.context.cookies() if one["name"] == KEY_COOKIE)

    @property
    def table(self) -> str:
        """The id of the table that is shown."""
        return str(self.page.evaluate("document.body.dataset.table"))

    def _act(self, before: int | None = None) -> str:
        """Click one of the things that light up, as soon as something does: "clicked", or "over", or "played"."""
        number, limit = self.dice.randrange(1_000_000), 1e9 if before is None else before
        found: dict[str, Any] = self.page.evaluate(CHOOSE, {"number": number, "before": limit, "patience": PATIENCE})
        assert "stuck" not in found, f"nothing can be done, and the bar says: {found['stuck']}"
        assert "covered" not in found, f"{found['covered']} is lit, and something lies over it"
        if "x" not in found:
            return next(iter(found))
        self.page.mouse.click(found["x"], found["y"])
        return "clicked"

    def step(self) -> bool:
        """Click one of the things that light up, as soon as something does; False when the game is over."""
        return self._act() != "over"

    def events(self) -> int:
        """How many lines the log has."""
        return int(self.page.locator("#log-lines li").count())

    def move(self) -> None:
        """Play one move of mine, whoever comes after me."""
        self.page.wait_for_function(READY)
        before = self.events()
        while (done := self._act(before)) != "played":
            assert done == "clicked"

    def play(self, moves: int) -> None:
        """Play some moves of mine; the others answer by themselves."""
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


def often(chosen: Sequence[str], *values: str) -> list[Any]:
    """The values of a parameter; ``make test`` tries those that are chosen, and ``make test-all`` all of them."""
    return [value if value in chosen else pytest.param(value, marks=pytest.mark.slow) for value in values]


MakeTab = Callable[..., Tab]
"""What the fixture ``tab`` gives."""


def new_tab(browser: Browser, url: str, settings: dict[str, Any] | None = None, **options: Any) -> Tab:
    """A new person with a browser of their own; nothing moves or glows unless the settings or options say otherwise."""
    options = {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB", "reduced_motion": "reduce", **options}
    options = {"service_workers": "block", **options}  # each person would fetch every file of the pages
    context: BrowserContext = browser.new_context(**options)
    chosen = json.dumps({"speed": "off", "name": "Ada", "confirm": False, **(settings or {})})
    context.add_init_script(f"localStorage.getItem('tilewright') ?? localStorage.setItem('tilewright', '{chosen}')")
    return Tab(context.new_page(), url)
