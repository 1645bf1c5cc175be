"""What there is to see on a server: every page, and every state of a table, and how to get there.

Tables are put into the database; what only a server writes, as results and ratings, comes about by playing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from playwright.sync_api import APIRequestContext, Page, Playwright

from tilewright.bots.greedy import GreedyBot
from tilewright.server.messages import every_rule_set, rules_of
from tilewright.server.seated_table import hash_key, new_id
from tilewright.server.store import Store
from tilewright.server.stored import StoredSeat, StoredTable
from tilewright.server.table import Table

KEY = "screenshots-for-people-to-look-at"
FRIEND = "somebody-who-plays-against-us-here"
SECRET = "51" * 32
NAMES = ("Ada", "Bob", "Cleo", "Dan")
LONG_NAMES = ("W" * 20, "龍の牡丹餅が大好きな人たち", "👩‍👩‍👧‍👦🎉🎲🏰🌸🎭🎪", "Featherstonehaugh Jr")
MOMENTS = {"start": 0, "begun": 9, "later": 40, "over": 10_000}
"""Moves after which a table is shown."""
GAMES = ("azul", "azul-mini", "summer-pavilion")
PATIENCE = 120_000
"""Milliseconds for what an engine has to think about."""

SETTLED = """() => document.readyState === 'complete' && [...document.images].every((one) => one.complete)
  && document.body.matches('.ready, :not([data-table], [data-puzzles], [data-review])')
  && document.querySelector('#connection:not([data-state=live])') === null"""
"""All pictures are there, and a table is drawn and connected if the page has one."""

Act = Callable[[Page], None]


@dataclass(frozen=True)
class Screen:
    """Something to look at: an address, what to do there, and whether to show more of the page than is in sight.

    What is fleeting does not survive a change of the screen's size.
    """

    path: str
    act: Act | None = None
    whole: bool = False
    fleeting: bool = False


PAGES = {
    "home": Screen("/"),
    "home-whole": Screen("/", whole=True),
    "api": Screen("/api", whole=True),
    "learn": Screen("/learn", whole=True),
    **{f"learn-{game}": Screen(f"/learn/{game}", whole=True) for game in GAMES},
    "review": Screen("/review", whole=True),
    "analysis": Screen("/analysis", whole=True),
    "daily": Screen("/daily", whole=True),
    "puzzles": Screen("/puzzles"),
    "profile": Screen("/profile", whole=True),
    "profile-link": Screen("/profile/link#0123"),
    "leaderboard": Screen("/leaderboard", whole=True),
    "leaderboard-rated": Screen("/leaderboard?game=azul-mini&players=2", whole=True),
    "offline": Screen("/offline"),
    "error": Screen("/nothing"),
}


def a_table(
    store: Store,
    rules: str,
    moves: int,
    *,
    names: tuple[str, ...] = NAMES,
    others: dict[int, StoredSeat] | None = None,
    **rest: Any,
) -> str:
    """A table in the database, played so far by bots; all seats are ours but those of others."""
    game = next(game for game in every_rule_set() if rules_of(game) == rules)
    seats = [StoredSeat("human", names[n], hash_key(KEY)) for n in range(game.players)]
    stored = StoredTable(new_id(), game.name, game.players, dict(game.options), SECRET, seats=seats, **rest)
    table, bot = Table.new(stored), GreedyBot()
    while len(table.log) < moves and table.position.turn is not None:
        table = table.play([table.position.turn], bot.choose(table.position), table.event).table
    stored = replace(stored, seats=[(others or {}).get(n, seat) for n, seat in enumerate(seats)])
    store.add_table(stored)
    waits = any(seat.kind in ("invite", "open") for seat in stored.seats)
    store.add_events(stored.id, 1, [] if waits else table.lines, result=table.result())
    return stored.id


def before_the_end(store: Store, rules: str, **rest: Any) -> str:
    """A table of ours and a friend of which only the last move is missing."""
    friend = {1: StoredSeat("human", "Bob", hash_key(FRIEND))}
    game = next(game for game in every_rule_set() if rules_of(game) == rules)
    moves = 0
    stored = StoredTable(new_id(), game.name, game.players, dict(game.options), SECRET, seats=[StoredSeat("human")] * 2)
    table, bot = Table.new(stored), GreedyBot()
    while table.position.turn is not None:
        table = table.play([table.position.turn], bot.choose(table.position), table.event).table
        moves += 1
    return a_table(store, rules, moves - 1, others=friend, **rest)


# What is done at a table -------------------------------------------------------------------------------


def begin_a_move(page: Page) -> None:
    """Choose the first thing that lights up, and the next, and look at what would come of it."""
    for _ in range(2):
        page.wait_for_selector("#panels .lit")
        page.locator("#panels .lit[tabindex]").last.click(force=True)
        page.wait_for_timeout(200)
        if page.is_visible("#confirm"):
            return


def clicks(*selectors: str, then: str = "body") -> Act:
    """Clicks on one thing after the other, and waits for another."""

    def act(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).first.click()
        page.wait_for_selector(then, timeout=PATIENCE)

    return act


def wait_for(selector: str) -> Act:
    """Waits for something that comes by itself."""
    return clicks(then=selector)


def ask_why(page: Page) -> None:
    """Choose tiles, and a line that does not take them."""
    page.locator("#panels [data-place^=factory].lit").first.click(force=True)
    page.locator("[data-part=focus] [data-spot*='-line-']:not(.lit)").first.click(force=True)
    page.wait_for_selector(".bubble")


def turn_on_the_bar(page: Page) -> None:
    """Show the evaluation bar."""
    page.click("[data-opens=settings]")
    page.check("#evaluate")
    page.click("#settings [data-closes]")
    page.wait_for_selector("#evaluation-bar span", timeout=PATIENCE)


def look_closer(page: Page) -> None:
    """Enlarge the board of an opponent, as a tap does."""
    tap = "(board) => board.dispatchEvent(new PointerEvent('click', { pointerType: 'touch', bubbles: true }))"
    page.locator("[data-part=other]").last.evaluate(tap)
    page.wait_for_selector("#closer[open]")


def show_a_tip(page: Page) -> None:
    """Be somebody who has played three moves and has seen no tip yet."""
    chosen = "JSON.stringify({ ...JSON.parse(localStorage.getItem('tilewright')), moves: 3, tips: [], confirm: true })"
    page.add_init_script(f"localStorage.setItem('tilewright', {chosen})")
    page.reload()
    page.wait_for_selector("#tip:not([hidden])")


def write_a_line(page: Page) -> None:
    """Write to our friend."""
    page.click("#open-chat")
    page.fill("#write-text", "Good luck, and take your time with that last factory!")
    page.press("#write-text", "Enter")
    page.wait_for_selector("#conversation li")


def make_a_link(page: Page) -> None:
    """Ask for a private link."""
    page.click("#make-link")
    page.wait_for_selector("#link:not([hidden])")


def play_by_correspondence(page: Page) -> None:
    """Choose days for each move."""
    page.select_option("[name=kind-2]", "invite")
    page.select_option("[name=pace]", "days")


def play_by_the_clock(page: Page) -> None:
    """Choose minutes for the game."""
    page.select_option("[name=kind-2]", "friend")
    page.select_option("[name=pace]", "clock")


def set_up_a_position(page: Page) -> None:
    """Open the editor of positions."""
    page.click("#new-game [value=edit]")
    page.wait_for_selector("#controls select")


# What there is to see ----------------------------------------------------------------------------------


def tables(store: Store, everything: bool) -> dict[str, Screen]:
    """Tables of every rule set and game, at every moment."""
    found = {}
    plain = ("coloured", "grey-jokers", "grey")
    for name in (rules_of(game) for game in every_rule_set()):
        if everything or name.endswith(plain):
            moves = MOMENTS["later" if "-2-" in name else "begun"]
            found[f"table-{name}"] = Screen(f"/t/{a_table(store, name, moves)}")
    for game in GAMES:
        two, four = f"{game}-2-coloured", f"{game}-4-coloured"
        over = a_table(store, two, MOMENTS["over"])
        found[f"over-{game}"] = Screen(f"/t/{over}")
        found[f"replay-{game}"] = Screen(f"/t/{over}/replay")
        found[f"replay-later-{game}"] = Screen(f"/t/{over}/replay#30")
        found[f"review-{game}"] = Screen(f"/review/{over}", wait_for("body.reviewed"))
        found[f"analysis-{game}"] = Screen(f"/analysis/{over}#20")
        found[f"points-{game}"] = Screen(f"/t/{over}", clicks("[data-opens=points]"))
        found[f"move-{game}"] = Screen(f"/t/{a_table(store, two, MOMENTS['begun'])}", begin_a_move)
        found[f"start-{game}"] = Screen(f"/t/{a_table(store, four, MOMENTS['start'])}")
        found[f"later-{game}"] = Screen(f"/t/{a_table(store, four, 2 * MOMENTS['later'])}")
        found[f"over-4-{game}"] = Screen(f"/t/{a_table(store, four, MOMENTS['over'])}")
        found[f"names-{game}"] = Screen(f"/t/{a_table(store, four, 5, names=LONG_NAMES)}")
    return found


def company(store: Store) -> dict[str, Screen]:
    """Tables with others: free seats, bots, friends, clocks, and what can be said there."""
    invited, bob = StoredSeat("invite"), StoredSeat("human", "Bob", hash_key(FRIEND))
    two, bot = "azul-2-coloured", {1: StoredSeat("bot", bot="level1")}
    against_bot = a_table(store, two, MOMENTS["begun"], others=bot)
    friends = a_table(store, two, MOMENTS["begun"], others={1: bob})
    watched = a_table(store, two, MOMENTS["begun"], others={0: replace(bob, name="Ada"), 1: bob}, public=True)
    free = a_table(store, two, 0, others={0: bob, 1: StoredSeat("open")}, public=True)
    four = a_table(store, "azul-4-coloured", MOMENTS["later"])
    over = a_table(store, two, MOMENTS["over"])
    return {
        "waiting": Screen(f"/t/{a_table(store, two, 0, others={1: invited})}"),
        "waiting-4": Screen(f"/t/{a_table(store, 'azul-4-coloured', 0, others={1: bob, 2: invited, 3: invited})}"),
        "joining": Screen(f"/t/{free}"),
        "watching": Screen(f"/t/{watched}"),
        "clocks": Screen(f"/t/{a_table(store, two, MOMENTS['begun'], minutes=10.0, increment=10.0)}"),
        "vacation": Screen(f"/t/{a_table(store, two, MOMENTS['begun'], others={1: bob}, days=3)}"),
        "settings": Screen(f"/t/{against_bot}", clicks("[data-opens=settings]")),
        "leaving": Screen(f"/t/{friends}", clicks("[data-opens=settings]", "#leave", then="#leaving[open]")),
        "log": Screen(f"/t/{four}", clicks("#open-log:visible, [data-opens=settings]"), fleeting=True),
        "chat": Screen(f"/t/{friends}", clicks("#open-chat")),
        "chat-written": Screen(f"/t/{friends}", write_a_line),
        "why": Screen(f"/t/{a_table(store, two, MOMENTS['later'])}", ask_why, fleeting=True),
        "tip": Screen(f"/t/{against_bot}", show_a_tip),
        "hint": Screen(f"/t/{against_bot}", clicks("#hint", then="#hint-text:not(:empty)")),
        "evaluation": Screen(f"/t/{against_bot}", turn_on_the_bar),
        "closer": Screen(f"/t/{four}", look_closer),
        "coach": Screen(
            "/learn", clicks("form[action*='/learn/azul/first-game'] button", then="#coach-text:not(:empty)")
        ),
        "fairness": Screen(f"/t/{over}/replay", clicks("[data-opens=fairness]")),
    }


def doings() -> dict[str, Screen]:
    """Pages on which something was done."""
    return {
        "home-match": Screen("/", clicks("#match [type=submit]", then="#match-search:not([hidden])")),
        "home-clock": Screen("/", play_by_the_clock, whole=True),
        "home-days": Screen("/", play_by_correspondence, whole=True),
        "puzzles-solution": Screen("/puzzles", clicks("#give-up", then="#next")),
        "profile-link-made": Screen("/profile", make_a_link, whole=True),
        "profile-delete": Screen("/profile", clicks("[data-opens=deleting]")),
        "analysis-deal": Screen("/analysis", clicks("#new-game [value=play]", then="#deal-tiles button")),
        "analysis-editor": Screen("/analysis", set_up_a_position),
    }


def furnish(playwright: Playwright, address: str, store_of_ends: list[str]) -> None:
    """Finish what was left one move before its end, and let our friend go on vacation."""
    people = {1: _person(playwright, address, KEY), 2: _person(playwright, address, FRIEND)}
    people[1].put(
        "/api/person/profile", data={"name": "Ada", "avatar": people[1].get("/api/person").json()["profile"]["avatar"]}
    )
    for table in store_of_ends:
        now = people[1].get(f"/api/tables/{table}").json()
        player = people[now["turn"]]
        legal = player.get(f"/api/tables/{table}").json()["legal"]
        player.post(f"/api/tables/{table}/moves", data={"move": legal[0]["number"], "after": now["event"]})
    people[2].post("/api/person/vacation", data={"days": 9})


def _person(playwright: Playwright, address: str, key: str) -> APIRequestContext:
    headers = {"Authorization": f"Bearer {key}"}
    return playwright.request.new_context(base_url=f"http://{address}", extra_http_headers=headers)


def prepare(store: Store, everything: bool) -> tuple[dict[str, Screen], list[str]]:
    """All that is to be seen, by name, and tables that are to be finished before one looks."""
    ends = [before_the_end(store, f"{game}-2-coloured", rated=rated) for game in GAMES for rated in (True, False)]
    return {**PAGES, **doings(), **company(store), **tables(store, everything)}, ends
