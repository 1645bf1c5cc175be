"""What a first visit transfers, in kilobytes as they go over the line: ``python benchmarks/page_sizes.py``."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from load import server
from screen_states import KEY, MOMENTS, a_table
from screenshots import chromium
from tilewright.server.store import Store


def transferred(browser: Browser, address: str, path: str) -> tuple[float, int]:
    """Kilobytes and requests of a page, opened with an empty cache."""
    context = browser.new_context(locale="en-GB")
    context.add_cookies([{"name": "tilewright_key", "value": KEY, "url": f"http://{address}"}])
    page = context.new_page()
    sizes: list[float] = []
    wire = context.new_cdp_session(page)
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    wire.send("Network.enable")
    page.goto(f"http://{address}{path}")
    page.wait_for_load_state("networkidle")
    context.close()
    return sum(sizes) / 1000, len(sizes)


def main() -> None:
    """The home page, a rules page, and a table of each game in the middle of a game."""
    paths = {"home": "/", "rules of Azul": "/learn/azul"}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = Path(folder) / "tables.db"
        store = Store(database)
        for game in ("azul", "azul-mini", "summer-pavilion"):
            for players in (2, 4):
                table = a_table(store, f"{game}-{players}-coloured", MOMENTS["later"])
                paths[f"{game}, {players} players"] = f"/t/{table}"
        store.close()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with server(database) as (address, _):
            for name, path in paths.items():
                kilobytes, requests = transferred(browser, address, path)
                print(f"{name:28} {kilobytes:6.1f} KB in {requests} requests")
        browser.close()


if __name__ == "__main__":
    main()
