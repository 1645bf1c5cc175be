"""Screenshots of every page, game and state, for people to look at: ``python benchmarks/screenshots.py FOLDER``.

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

from playwright.sync_api import Browser, BrowserContext, Error, sync_playwright

from load import server
from screen_states import KEY, Screen, furnish, prepare
from tilewright.server.store import Store
from tilewright.view.picture.tile_sets import GLAZED, TILE_SETS

PHONE = {"device_scale_factor": 2, "is_mobile": True, "has_touch": True}
SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "large": {"viewport": {"width": 1920, "height": 1080}},
    "tablet": {"viewport": {"width": 1024, "height": 768}, "has_touch": True},
    "phone": {"viewport": {"width": 390, "height": 844}, **PHONE},
    "sideways": {"viewport": {"width": 844, "height": 390}, **PHONE},
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


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


def shoot(context: BrowserContext, address: str, screen: Screen, file: Path) -> None:
    """One screenshot: of the whole page where it is one to read, of what is in sight at a table."""
    page = context.new_page()
    page.goto(f"http://{address}{screen.path}")
    page.eval_on_selector_all("img[loading=lazy]", "found => found.forEach((one) => (one.loading = 'eager'))")
    page.wait_for_load_state("networkidle")
    if screen.act:
        screen.act(page)
    page.wait_for_timeout(150)
    page.screenshot(path=file, full_page=screen.whole)
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
        database = Path(folder) / "tables.db"
        store = Store(database)
        found, ends = prepare(store, arguments.all)
        store.close()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with server(database, "--limits", "0", "--review-budget", "40") as (address, _):
            furnish(playwright, address, ends)
            for look, context in contexts(browser, address, arguments):
                for name, screen in found.items():
                    if re.search(arguments.only, name):
                        take(context, address, screen, arguments.folder / f"{name}-{look}.png")
                print(look, flush=True)
        browser.close()


def take(context: BrowserContext, address: str, screen: Screen, file: Path) -> None:
    """One screenshot; if it fails, we say so and go on."""
    try:
        shoot(context, address, screen, file)
    except Error as error:
        print(f"{file.name}: {error.message.splitlines()[0]}", flush=True)


if __name__ == "__main__":
    main()
