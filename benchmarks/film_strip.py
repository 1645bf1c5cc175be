"""Film strips of the end of a round, for people to look at: a frame every 100 milliseconds, on one sheet.

    python benchmarks/film_strip.py FOLDER [--players 4] [--game azul] [--last]

A round is played to its last move, which is then made in a real browser: once where a bot starts the next round, and
once where a person does. With ``--last`` it is the last round, so that the end of the game is filmed.
"""

from __future__ import annotations

import argparse
import base64
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from load import server
from screen_states import KEY, NAMES
from screenshots import chromium
from tilewright.bots.greedy import GreedyBot
from tilewright.game.registry import make_game
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table

INTERVAL = 0.1
"""Seconds between two frames."""
COLUMNS = 5
LONGEST = 20.0
"""Seconds that a film may take."""
SETTLED = "() => document.querySelector('#panels .lit, #confirm:not([hidden]), #end:not([hidden])') !== null"
"""The next move can be made, or the game is over."""


def tables(game: str, players: int, secret: int) -> Iterator[Table]:
    """The moments of a game at a table of ours: a person in the first seat, bots in the others."""
    seats = [
        StoredSeat("human", NAMES[0], hash_key(KEY)),
        *(StoredSeat("bot", bot="level1") for _ in range(players - 1)),
    ]
    rules = make_game(game, players=players)
    stored = StoredTable(new_id(), game, players, dict(rules.options), f"{secret:064x}", seats=seats)
    table, bot = Table.new(stored), GreedyBot()
    while table.position.turn is not None:
        yield table
        table = table.play([table.position.turn], bot.choose(table.position), table.event).table


def before_the_end(game: str, players: int, *, starter: str, last: bool) -> tuple[Table, int]:
    """A table before the last move of a round, which is ours, and the move; ``starter`` begins the next round."""
    for secret in count(1):
        for table in tables(game, players, secret):
            if table.position.turn != 0 or table.position.round < 3:
                continue
            move = int(GreedyBot().choose(table.position))
            after = table.play([0], move, table.event).table.position
            ended = after.is_over if last else after.round > table.position.round
            if ended and (last or (after.turn == 0) == (starter == "person")):
                return table, move
    raise AssertionError("there are games without end")


def film(page: Page) -> list[tuple[float, bytes]]:
    """What the page shows until the next move can be made, with the time of each frame."""
    frames: list[tuple[float, bytes]] = []
    session = page.context.new_cdp_session(page)

    def keep(frame: dict[str, Any]) -> None:
        frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "jpeg", "quality": 80})
    deadline = time.monotonic() + LONGEST
    page.wait_for_timeout(300)
    while time.monotonic() < deadline and not page.evaluate(SETTLED):
        page.wait_for_timeout(50)
    page.wait_for_timeout(1500)
    session.send("Page.stopScreencast")
    return frames


def sheet(browser: Browser, frames: list[tuple[float, bytes]], file: Path) -> None:
    """The frames side by side: for each interval the last one that was shown by then."""
    start, end = frames[0][0], frames[-1][0]
    shown = []
    for n in range(int((end - start) / INTERVAL) + 1):
        at = start + n * INTERVAL
        data = base64.b64encode([content for when, content in frames if when <= at + 1e-6][-1]).decode()
        shown.append(f'<figure><img src="data:image/jpeg;base64,{data}"><figcaption>{n * 100} ms</figcaption></figure>')
    style = (
        f"body{{margin:0;display:grid;grid-template-columns:repeat({COLUMNS},1fr);gap:4px;font:13px sans-serif}}"
        "figure{margin:0}img{width:100%;display:block}"
    )
    page = browser.new_page(viewport={"width": 480 * COLUMNS, "height": 800})
    page.set_content(f"<style>{style}</style>{''.join(shown)}")
    page.screenshot(path=file, full_page=True)
    page.close()


def main() -> None:
    """Film both ends of a round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", default="azul")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--last", action="store_true", help="film the end of the game")
    parser.add_argument("--reduced-motion", action="store_true")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    motion = "reduce" if arguments.reduced_motion else "no-preference"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        database = Path(folder) / "tables.db"
        store = Store(database)
        found = {}
        for starter in ["game"] if arguments.last else ["bot", "person"]:
            table, move = before_the_end(arguments.game, arguments.players, starter=starter, last=arguments.last)
            store.add_table(table.stored)
            store.add_events(table.id, 1, table.lines)
            found[starter] = (table, move)
        store.close()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        with server(database) as (address, _):
            for starter, (table, move) in found.items():
                context = browser.new_context(viewport={"width": 1366, "height": 768}, reduced_motion=motion)
                context.add_cookies([{"name": "tilewright_key", "value": KEY, "url": f"http://{address}"}])
                page = context.new_page()
                page.goto(f"http://{address}/t/{table.id}")
                page.wait_for_function(SETTLED)  # all there is to do may be to confirm
                page.context.request.post(f"http://{address}/api/tables/{table.id}/moves", data={"move": move})
                frames = film(page)
                file = arguments.folder / f"{arguments.game}-{arguments.players}-{starter}.png"
                sheet(browser, frames, file)
                print(f"{file}: {frames[-1][0] - frames[0][0]:.1f} s")
                context.close()
        browser.close()


if __name__ == "__main__":
    main()
