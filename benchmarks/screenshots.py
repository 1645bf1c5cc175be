"""Screenshots of every page and game, for people to look at: ``python benchmarks/screenshots.py FOLDER``.

Each is taken on a laptop, a large screen, a tablet, and a phone held upright and sideways, light and dark, from a real
server in a real Chromium (the one that TILEWRIGHT_CHROMIUM names, one of this machine, or Playwright's own).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from load import server
from tilewright.bots.greedy import GreedyBot
from tilewright.server.messages import every_rule_set, rules_of
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table
from tilewright.view.picture.tile_sets import GLAZED, TILE_SETS

KEY = "screenshots-for-people-to-look-at"
SECRET = "51" * 32
NAMES = ("Ada", "Bob", "Cleo", "Dan")
PHONE = {"device_scale_factor": 2, "is_mobile": True, "has_touch": True}
SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "large": {"viewport": {"width": 1920, "height": 1080}},
    "tablet": {"viewport": {"width": 1024, "height": 768}, "has_touch": True},
    "phone": {"viewport": {"width": 390, "height": 844}, **PHONE},
    "sideways": {"viewport": {"width": 844, "height": 390}, **PHONE},
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PAGES = {
    "home": "/",
    "api": "/api",
    "learn": "/learn",
    "learn-azul": "/learn/azul",
    "learn-azul-mini": "/learn/azul-mini",
    "learn-summer-pavilion": "/learn/summer-pavilion",
    "review": "/review",
    "analysis": "/analysis",
    "daily": "/daily",
    "puzzles": "/puzzles",
    "profile": "/profile",
    "leaderboard": "/leaderboard",
    "error": "/nothing",
}
MOMENTS = {"start": 0, "begun": 9, "later": 40, "over": 10_000}
"""Moves after which a table is shown."""
LONG_NAMES = ("W" * 20, "龍の牡丹餅が大好きな人たち", "👩‍👩‍👧‍👦🎉🎲🏰🌸🎭🎪", "Featherstonehaugh Jr")


def a_table(store: Store, rules: str, moves: int, kind: str = "human", names: tuple[str, ...] = NAMES) -> str:
    """A table in the file, played so far by bots; all seats are ours but the last, which is of this kind."""
    game = next(game for game in every_rule_set() if rules_of(game) == rules)
    seats = [StoredSeat("human", names[n], hash_key(KEY)) for n in range(game.players)]
    stored = StoredTable(new_id(), game.name, game.players, dict(game.options), SECRET, seats=seats)
    table = Table.new(stored)
    bot = GreedyBot()
    while len(table.log) < moves and table.position.turn is not None:
        table = table.play([table.position.turn], bot.choose(table.position), table.event).table
    if kind != "human":
        stored = stored.with_seats({game.players - 1: StoredSeat(kind)})
    store.add_table(stored)
    store.add_events(stored.id, 1, table.lines, seating=stored.seating, result=table.result())
    return stored.id


def prepare(database: Path, everything: bool) -> dict[str, str]:
    """The addresses of all that is to be seen, by name."""
    store = Store(database)
    rules = [rules_of(game) for game in every_rule_set()]
    plain = ("coloured", "grey-jokers", "grey")
    found = dict(PAGES)
    for name in rules:
        if not everything and not name.endswith(plain):
            continue
        found[f"table-{name}"] = f"/t/{a_table(store, name, MOMENTS['later' if '-2-' in name else 'begun'])}"
    for game in ("azul", "azul-mini", "summer-pavilion"):
        over = a_table(store, f"{game}-2-coloured", MOMENTS["over"])
        found[f"over-{game}"] = f"/t/{over}"
        found[f"replay-{game}"] = f"/t/{over}/replay"
        found[f"review-{game}"] = f"/review/{over}"
        found[f"analysis-{game}"] = f"/analysis/{over}#20"
        found[f"move-{game}"] = f"/t/{a_table(store, f'{game}-2-coloured', MOMENTS['begun'])}"
        found[f"start-{game}"] = f"/t/{a_table(store, f'{game}-4-coloured', MOMENTS['start'])}"
        found[f"later-{game}"] = f"/t/{a_table(store, f'{game}-4-coloured', 2 * MOMENTS['later'])}"
        found[f"names-{game}"] = f"/t/{a_table(store, f'{game}-4-coloured', 5, names=LONG_NAMES)}"
    found["waiting"] = f"/t/{a_table(store, 'azul-2-coloured', 0, 'invite')}"
    found["waiting-4"] = f"/t/{a_table(store, 'azul-4-coloured', 0, 'invite')}"
    store.close()
    return found


def contexts(browser: Browser, address: str, wanted: argparse.Namespace) -> Iterator[tuple[str, BrowserContext]]:
    """Every screen and theme, signed in with our key, with the tile set and the size of boards that are wanted."""
    url = f"http://{address}"
    settings = json.dumps(json.dumps({"larger": wanted.larger}))
    for screen, scheme in product(wanted.screens or SCREENS, wanted.themes or ("light", "dark")):
        options = {"color_scheme": scheme, "reduced_motion": "reduce", "locale": wanted.language, **SCREENS[screen]}
        context = browser.new_context(**options)
        cookies = {"tilewright_key": KEY, "tiles": wanted.tiles}
        context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])
        context.add_init_script(f"localStorage.setItem('tilewright', {settings})")
        yield f"{screen}-{scheme}", context
        context.close()


def chromium() -> str | None:
    """The Chromium that is named, or one of this machine; None for Playwright's own."""
    return os.environ.get("TILEWRIGHT_CHROMIUM") or next((p for n in BROWSERS if (p := shutil.which(n))), None)


def begin_a_move(page: Page) -> None:
    """Choose the first thing that lights up, and the next, and look at what would come of it."""
    for _ in range(2):
        page.wait_for_selector("#panels .lit")
        page.locator("#panels .lit[tabindex]").last.click(force=True)
        page.wait_for_timeout(200)
        if page.is_visible("#confirm"):
            return


def shoot(context: BrowserContext, address: str, name: str, path: str, file: Path) -> None:
    """One screenshot: of the whole page where it is one to read, of what is in sight at a table."""
    page = context.new_page()
    page.goto(f"http://{address}{path}")
    page.eval_on_selector_all("img[loading=lazy]", "found => found.forEach((one) => (one.loading = 'eager'))")
    page.wait_for_load_state("networkidle")
    if name.startswith("move-"):
        begin_a_move(page)
    page.wait_for_timeout(150)
    page.screenshot(path=file, full_page=name in PAGES and name != "home")
    page.close()


def main() -> None:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="every rule set for 2, 3 and 4 players")
    parser.add_argument("--only", default="", help="only those whose name matches this regular expression")
    parser.add_argument("--screens", nargs="*", choices=list(SCREENS), help="only on these screens")
    parser.add_argument("--themes", nargs="*", choices=["light", "dark"], help="only in these themes")
    parser.add_argument("--tiles", default=GLAZED, choices=list(TILE_SETS), help="the tile set")
    parser.add_argument("--language", default="en-GB", help="what the browser asks for")
    parser.add_argument("--larger", action="store_true", help="with the larger board")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        found = prepare(Path(folder) / "tables.db", arguments.all)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with server(Path(folder) / "tables.db") as (address, _):
            for look, context in contexts(browser, address, arguments):
                for name, path in found.items():
                    if re.search(arguments.only, name):
                        shoot(context, address, name, path, arguments.folder / f"{name}-{look}.png")
                print(look, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
