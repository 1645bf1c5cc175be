"""Screenshots of every page, game and state, for people to look at: ``python benchmarks/screenshots.py FOLDER``.

Each is taken on a laptop, a large screen, a tablet, and a phone held upright and sideways, light and dark, from a real
server in a real Chromium (the one that TILEWRIGHT_CHROMIUM names, one of this machine, or Playwright's own). It prints
the faults that a program can find (``screen_faults.py``); ``--sheets`` puts the screenshots side by side for people to
find the others.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize, sync_playwright

from contact_sheets import lay_out
from load import server, wait_until_ready
from screen_faults import FAULTS, axe_violations
from screen_states import KEY, SETTLED, Screen, furnish, prepare
from tilewright.server.store import Store
from tilewright.view.picture.tile_sets import GLAZED, TILE_SETS

SIZES: dict[str, ViewportSize] = {
    "laptop": {"width": 1366, "height": 768},
    "large": {"width": 1920, "height": 1080},
    "tablet": {"width": 1024, "height": 768},
    "phone": {"width": 390, "height": 844},
    "sideways": {"width": 844, "height": 390},
}
DEVICES: dict[str, dict[str, Any]] = {
    "mouse": {},
    "fingers": {"is_mobile": True, "has_touch": True},
}
"""Kinds of device; a state is brought about once on each, and survives a change of size there."""
SIZES_OF = {"mouse": ("laptop", "large", "tablet"), "fingers": ("phone", "sideways")}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The Chromium that is named, or one of this machine; None for Playwright's own."""
    return os.environ.get("TILEWRIGHT_CHROMIUM") or next((p for n in BROWSERS if (p := shutil.which(n))), None)


def contexts(browser: Browser, address: str, wanted: argparse.Namespace) -> Iterator[tuple[list[str], BrowserContext]]:
    """A browser for each kind of device and its sizes, signed in with our key, with the tiles and boards wanted."""
    url = f"http://{address}"
    settings = json.dumps(json.dumps({"larger": wanted.larger}))
    for device, options in DEVICES.items():
        sizes = [size for size in SIZES_OF[device] if size in wanted.screens]
        if not sizes:
            continue
        still = {"reduced_motion": "reduce", "locale": wanted.language, "service_workers": "block"}
        context = browser.new_context(viewport=SIZES[sizes[0]], **still, **options)
        cookies = {"tilewright_key": KEY, "tiles": wanted.tiles}
        context.add_cookies([{"name": name, "value": value, "url": url} for name, value in cookies.items()])
        context.add_init_script(f"localStorage.setItem('tilewright', {settings})")
        yield sizes, context
        context.close()


def open_screen(context: BrowserContext, address: str, screen: Screen, size: str) -> Page:
    """A page in its state."""
    page = context.new_page()
    page.set_viewport_size(SIZES[size])
    page.goto(f"http://{address}{screen.path}")
    page.eval_on_selector_all("img[loading=lazy]", "found => found.forEach((one) => (one.loading = 'eager'))")
    page.wait_for_function(SETTLED)
    if screen.act:
        screen.act(page)
    return page


def shoot(page: Page, screen: Screen, themes: list[str], file: str, *, axe: bool) -> Iterator[str]:
    """A screenshot in each theme: of the whole page where it is one to read, of what is in sight at a table.

    Yields what is wrong with the page as far as a program can tell. In a second theme only the colours are different.
    """
    page.wait_for_function(SETTLED)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    yield from page.evaluate(FAULTS)
    for theme in themes:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.screenshot(path=f"{file}-{theme}.png", full_page=screen.whole)
        if axe:
            yield from axe_violations(page, *(["color-contrast"] if theme != themes[0] else []))


def take(context: BrowserContext, address: str, name: str, wanted: argparse.Namespace, sizes: list[str]) -> None:
    """All screenshots of one state on one kind of device; if one fails, we say so and go on."""
    screen, page = wanted.found[name], None
    for size in sizes:
        label = f"{name}-{size}"
        try:
            if page is None or screen.fleeting:
                if page is not None:
                    page.close()
                page = open_screen(context, address, screen, size)
            page.set_viewport_size(SIZES[size])
            axe = wanted.axe and size == sizes[0]
            for fault in shoot(page, screen, wanted.themes, str(wanted.folder / label), axe=axe):
                print(f"{label}: {fault}", flush=True)
        except Error as error:
            print(f"{label} could not be taken: {error.message.splitlines()[0]}", flush=True)
    if page is not None:
        page.close()


def main() -> None:
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--all", action="store_true", help="every rule set for 2, 3 and 4 players")
    parser.add_argument("--only", default="", help="only those whose name matches this regular expression")
    parser.add_argument("--screens", nargs="*", choices=list(SIZES), default=list(SIZES), help="only on these screens")
    parser.add_argument("--themes", nargs="*", choices=["light", "dark"], default=["light", "dark"])
    parser.add_argument("--tiles", default=GLAZED, choices=list(TILE_SETS), help="the tile set")
    parser.add_argument("--language", default="en-GB", help="what the browser asks for")
    parser.add_argument("--larger", action="store_true", help="with the larger board")
    parser.add_argument("--axe", action="store_true", help="ask axe about every state, once on each kind of device")
    parser.add_argument("--sheets", action="store_true", help="put them side by side, in FOLDER/sheets")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = Path(folder) / "tables.db"
        store = Store(database)
        arguments.found, ends = prepare(store, arguments.all)
        store.close()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with server(database, "--limits", "0", "--review-budget", "40") as (address, _):
            wait_until_ready(address)  # or every page says that games are being compiled
            furnish(playwright, address, ends)
            for sizes, context in contexts(browser, address, arguments):
                for name in arguments.found:
                    if re.search(arguments.only, name):
                        take(context, address, name, arguments, sizes)
                print(f"taken: {', '.join(sizes)}", flush=True)
        browser.close()
    if arguments.sheets:
        for size in arguments.screens:
            for theme in arguments.themes:
                lay_out(arguments.folder, f"{size}-{theme}")


if __name__ == "__main__":
    main()
