"""The web table in a real browser: whole games, friends on two devices, lost lines, keyboard, phone, languages, axe.

No page may complain on its console, of a refused style or script no less than of an error: see ``tab``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from driving import PATIENCE, READY, STILL, Tab, new_tab
from people import Person
from playwright.sync_api import Browser, Page, Response, expect
from real_server import ProcessServer

from tilewright.view.language import say, texts

pytestmark = pytest.mark.browser

GAMES = ["azul", "azul-mini", "summer-pavilion"]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
PAGES = ["/", "/api", "/learn", "/learn/azul", "/learn/azul-mini", "/learn/summer-pavilion", "/nothing"]
TABLES = ["/t/{azul}", "/t/{mini}", "/t/{summer}", "/t/{waiting}", "/t/{over}", "/t/{over}/replay"]
MISSING = "404"
expect.set_options(timeout=PATIENCE)

MakeTab = Callable[..., Tab]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessServer]:
    with ProcessServer(tmp_path_factory.mktemp("browser") / "tables.db") as running:
        yield running


@pytest.fixture(scope="module")
def tables(served: ProcessServer) -> dict[str, str]:
    """A table of each kind and in each state; the keys of all of them are lost."""
    me = Person(served.url)
    names = ("Ada", "Bob", "Cleo", "Dan")
    found = {
        "azul": me.open("me", "friend", "friend", "friend", game="azul", names=names),
        "mini": me.open("me", "friend", game="azul-mini", names=names),
        "summer": me.open("me", "friend", "friend", game="summer-pavilion", names=names),
        "waiting": me.open("me", "invite", game="azul", names=names),
        "over": me.open("me", "friend", game="azul-mini", names=names),
    }
    me.play_out(found["over"])
    me.http.close()
    return found


@pytest.fixture
def person(served: ProcessServer) -> Iterator[Callable[[], Person]]:
    """Makes people who read and play as programs do."""
    made: list[Person] = []

    def make() -> Person:
        made.append(Person(served.url))
        return made[-1]

    yield make
    for one in made:
        one.http.close()


@pytest.fixture
def outsider(person: Callable[[], Person]) -> Person:
    """Somebody who reads the tables as programs do."""
    return person()


@pytest.fixture
def tab(browser: Browser, request: pytest.FixtureRequest) -> Iterator[MakeTab]:
    """Makes people with a browser; none of their consoles may complain, on any page that a test sees."""
    made: list[Tab] = []

    def make(settings: dict[str, Any] | None = None, url: str | None = None, **options: Any) -> Tab:
        address: str = url or request.getfixturevalue("served").url
        made.append(new_tab(browser, address, settings, **options))
        return made[-1]

    yield make
    complaints = [complaint for one in made for complaint in one.complaints]
    for one in made:
        one.page.context.close()
    assert complaints == []


def sit_down_together(me: Tab, friend: Tab, game: str, **wishes: Any) -> None:
    """A table of mine, and a friend who follows the link."""
    me.open(game, "invite", **wishes)
    friend.page.goto(me.page.input_value(".notice input.link"))
    friend.page.fill(".notice input[name=name]", "Bob")
    friend.page.click(".notice button.primary")
    for one in (me, friend):
        expect(one.page.locator("#seats .name")).to_have_text(["Ada", "Bob"])
        one.wait_for_table()
    me.page.wait_for_function(READY)


def play_out_together(table: str, *people: Person) -> dict[str, Any]:
    """Everybody plays the first legal move until the game is over; how it ended."""
    while (now := people[0].read(table))["over"] is None:
        people[now["turn"] - 1].play_first(table)
    return now


# Whole games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_a_bot(tab: MakeTab, outsider: Person, game: str):
    me = tab().set_up(game)
    assert me.play_out() > 20
    page = me.page
    now = outsider.read(me.table)
    expect(page.locator("#result")).to_contain_text("–".join(map(str, sorted(now["scores"], reverse=True))))
    cells = page.evaluate(
        "[...document.querySelectorAll('#breakdown tbody tr')]"
        ".map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-'))))"
    )
    assert [sum(column) for column in zip(*cells, strict=True)] == now["scores"]
    with page.expect_navigation():
        page.click("#rematch")
    me.wait_for_table().play(1)
    me.goto(f"/t/{now['id']}/replay")
    page.click("[data-opens=fairness]")
    expect(page.locator("#seed-hash")).to_have_text(now["seed_hash"])
    expect(page.locator("#seed")).to_have_text(now["over"]["seed"])
    expect(page.locator("#seed-verdict")).to_have_attribute("data-kept", "true")


def test_play_now_and_confirm_and_undo(tab: MakeTab):
    me = tab({"confirm": True})
    me.goto("/").page.click("#play-now")
    me.page.wait_for_url("**/t/*")
    me.wait_for_table()
    assert me.step()
    assert me.step()
    expect(me.page.locator("#confirm")).to_be_visible()
    expect(me.page.locator("#preview li").first).to_be_visible()
    me.page.click("#undo")
    expect(me.page.locator("#confirm")).to_be_hidden()
    assert me.events() == 0
    me.play(1)
    assert me.events() >= 1


def test_settings_are_kept_and_tiles_fly(tab: MakeTab):
    me = tab({"speed": "fast"}, reduced_motion="no-preference").open("azul-mini")
    page = me.page
    page.evaluate("""() => new MutationObserver((changes) => {
      if (changes.some((change) => change.addedNodes.length)) document.body.dataset.flown = 'yes';
    }).observe(document.querySelector('#layer svg'), { childList: true })""")
    me.play(2)
    expect(page.locator("body")).to_have_attribute("data-flown", "yes")
    wishes = {"speed": "off", "sound": True, "confirm": True, "forced": False}
    page.click("[data-opens=settings]")
    page.select_option("#settings [data-setting=speed]", wishes["speed"])
    for name in ("sound", "confirm", "forced"):
        page.set_checked(f"#settings [data-setting={name}]", wishes[name])
    page.select_option("#settings [data-theme-choice]", "dark")
    page.keyboard.press("Escape")
    page.reload()
    me.wait_for_table()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#settings [data-setting=speed]")).to_have_value("off")
    for name in ("sound", "confirm", "forced"):
        expect(page.locator(f"#settings [data-setting={name}]")).to_be_checked(checked=wishes[name])
    me.play(2)


@pytest.mark.parametrize("game", GAMES)
def test_a_guided_first_game(tab: MakeTab, game: str):
    me = tab()
    page = me.goto("/learn").page
    page.click(f"form[action*='/learn/{game}/first-game'] button")
    page.wait_for_url("**/t/*")
    me.wait_for_table()
    said = page.locator("#coach-text")
    expect(said).to_have_text(re.compile(r"\w{3}.*\w{3}"))
    words = said.inner_text()
    page.click("#show-me")  # once it is enabled
    expect(page.locator(".hinted").first).to_be_attached()
    expect(said).not_to_have_text(words)
    pointed = "#panels .hinted.lit, #panels .hinted .lit, #panels .lit .hinted, #choices .hinted"
    assert page.locator(pointed).count() > 0, "the coach points at things that can be clicked"
    for _ in range(3):
        me.play(1)
        expect(said).to_have_text(re.compile(r"\w{3}.*\w{3}"))
    expect(page.locator("#show-me")).to_be_enabled()


# Friends, and lost lines --------------------------------------------------------------------------------


def scores(tab: Tab) -> list[str]:
    return tab.page.locator("#seats .score").all_inner_texts()


def test_two_friends_play_from_an_invitation_link(tab: MakeTab, outsider: Person):
    me, friend, watcher = tab(), tab({"name": ""}), tab()
    sit_down_together(me, friend, "summer-pavilion")
    watcher.page.goto(me.page.url)
    watcher.wait_for_table()
    moves = 8
    for _ in range(moves):
        (me if outsider.read(me.table)["turn"] == 1 else friend).move()
    for one in (me, friend, watcher):
        expect(one.page.locator("#log-lines li")).to_have_count(me.events())
        expect(one.page.locator("#seats .name")).to_have_text(["Ada", "Bob"])
    assert me.events() >= moves
    assert scores(me) == scores(friend) == scores(watcher)
    expect(watcher.page.locator(".lit")).to_have_count(0)


def test_a_takeback_is_refused_and_then_granted(tab: MakeTab):
    me, friend = tab(), tab({"name": ""})
    sit_down_together(me, friend, "azul")
    me.move()
    before = me.page.locator("#panels").inner_html()
    for answer, lines in (("no", 1), ("yes", 0)):
        me.page.click("#takeback")
        asked = say("en", "page.asks_takeback", name="Ada")
        expect(friend.page.locator(".notice p")).to_have_text(asked)
        expect(me.page.locator(".notice p")).to_contain_text(asked)
        friend.page.get_by_role("button", name=say("en", f"page.{answer}"), exact=True).click()
        for one in (me, friend):
            expect(one.page.locator(".notice")).to_have_count(0)
            expect(one.page.locator("#log-lines li")).to_have_count(lines)
    me.page.wait_for_function(READY)
    assert me.page.locator("#panels").inner_html() != before
    me.move()
    expect(friend.page.locator("#log-lines li")).to_have_count(1)


def test_friends_meet_again_for_a_rematch(tab: MakeTab, person: Callable[[], Person]):
    ada, bob = person(), person()
    table = ada.open("me", "invite", game="azul-mini", names=("Ada", "", "", ""))
    bob.join(table, "Bob")
    me, friend = (tab().hold(one.key or "").goto(f"/t/{table}").wait_for_table() for one in (ada, bob))
    ended = play_out_together(table, ada, bob)
    for one in (me, friend):
        expect(one.page.locator("#end")).to_be_visible()
        expect(one.page.locator("#seats .score")).to_have_text(list(map(str, ended["scores"])))
    with me.page.expect_navigation():
        me.page.click("#rematch")
    friend.page.click("#end [data-closes]")
    with friend.page.expect_navigation():
        friend.page.click(".notice a.button")
    assert me.table == friend.table != table
    for one in (me, friend):
        one.wait_for_table()
    for one in (me, friend):
        expect(one.page.locator("#seats .chip.you")).to_have_count(1)
        expect(one.page.locator("#seats .chip.away")).to_have_count(0)


def test_a_lost_line_comes_back_with_nothing_lost(tab: MakeTab, outsider: Person):
    me, friend = tab(), outsider
    me.open("azul", "invite")
    friend.join(me.table, "Bob")
    me.page.wait_for_function(READY)
    me.move()
    me.page.context.set_offline(True)
    friend.play_first(me.table)
    me.page.context.set_offline(False)
    expect(me.page.locator("#log-lines li")).to_have_count(2)
    me.page.wait_for_function(READY)
    me.move()
    assert friend.read(me.table)["event"] == 4
    me.forgive("ERR_INTERNET_DISCONNECTED")


def test_a_server_that_was_killed_comes_back(tab: MakeTab, process_server: ProcessServer):
    process_server.start()
    me = tab(url=process_server.url).open("azul")
    me.play(2)
    before = me.events()
    process_server.kill()
    me.page.wait_for_selector("#line[data-line=lost]", state="attached")
    process_server.start()
    me.wait_for_table()
    me.page.wait_for_function(READY)
    assert me.events() == before
    me.play(2)
    assert me.events() >= before + 2
    me.forgive("WebSocket", "ERR_")


def test_a_bot_plays_on_for_somebody_who_is_away(tab: MakeTab, tmp_path: Path):
    with ProcessServer(tmp_path / "tables.db", absent=0.5) as impatient:
        me, friend = tab(url=impatient.url), tab({"name": ""}, url=impatient.url)
        sit_down_together(me, friend, "azul")
        me.move()
        friend.page.context.close()
        expect(me.page.locator("#seats .chip").nth(1)).to_have_class(re.compile(r"\baway\b"))
        me.page.get_by_role("button", name=say("en", "page.replace_by_bot")).click()
        expect(me.page.locator("#log-lines li")).to_have_count(2)
        expect(me.page.locator(".notice")).to_have_count(0)
        me.play(2)
        table = me.page.context.request.get(f"{impatient.url}/api/tables/{me.table}").json()
        assert table["seats"][1]["kind"] == "bot"
        me.page.context.close()


def seconds_shown(page: Page, seat: int) -> int:
    minutes, seconds = page.inner_text(f"[data-clock='{seat}']").split(":")
    return 60 * int(minutes) + int(seconds)


def test_clocks_are_shown_and_count_down(tab: MakeTab):
    me = tab()
    page = me.goto("/").page
    page.select_option("[name=bot-2]", "random")
    page.check("[name=clock]")
    page.fill("[name=minutes]", "3")
    page.fill("[name=increment]", "0")
    page.click("#new-table [type=submit]")
    page.wait_for_url("**/t/*")
    me.wait_for_table()
    expect(page.locator("[data-clock]")).to_have_text(["3:00", "3:00"])
    me.play(1)
    mine = seconds_shown(page, 1)
    assert mine <= 180
    page.wait_for_function(
        f"() => document.querySelector(\"[data-clock='1']\").textContent.split(':')"
        f".reduce((sum, part) => 60 * sum + Number(part), 0) < {mine}"
    )
    assert seconds_shown(page, 2) >= seconds_shown(page, 1), "only who is to move pays"


# A game seen again --------------------------------------------------------------------------------------


def test_a_replay_by_keys_and_links(tab: MakeTab, tables: dict[str, str]):
    me = tab()
    path = f"/t/{tables['over']}/replay"
    page = me.goto(f"{path}#17").page
    slider = page.locator("#slider")
    expect(slider).to_have_value("17")
    last = int(page.get_attribute("#slider", "max") or 0)
    shown = [page.locator("#panels").inner_html()]
    for key, value in (("ArrowRight", 18), ("ArrowLeft", 17), ("End", last), ("ArrowLeft", last - 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(slider).to_have_value(str(value))
        expect(page.locator("#log-lines [aria-current]")).to_have_attribute("href", f"#{value}")
        shown.append(page.locator("#panels").inner_html())
    assert shown[2] == shown[0], "on and back is the same table"
    assert len(set(shown)) == len(shown) - 1
    page.wait_for_url(f"**{path}#0")
    page.click("#log-lines a[href='#9']")
    expect(slider).to_have_value("9")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => Number(document.getElementById('slider').value) >= 11")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


# What is on a page --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/t/{azul}", "/t/{mini}", "/t/{summer}"])
def test_a_first_page_is_small_and_a_laptop_shows_all_of_a_table(tab: MakeTab, tables: dict[str, str], path: str):
    me = tab()
    answers: list[Response] = []

    def note(answer: Response) -> None:  # Playwright takes no methods of built-in types
        answers.append(answer)

    me.page.on("response", note)
    me.goto(path.format(**tables))
    sent = sum(answer.request.sizes()["responseBodySize"] for answer in answers)
    assert 10_000 < sent < 150_000
    if path == "/":
        return
    me.wait_for_table()
    height, width = me.page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
    assert (height, width) == (768, 1366)
    me.page.wait_for_function(STILL)
    for box in me.page.evaluate("[...document.querySelectorAll('.panel')].map((one) => one.getBoundingClientRect())"):
        assert box["left"] >= 0
        assert box["top"] >= 0
        assert box["right"] <= 1366
        assert box["bottom"] <= 768


# Keyboard, phone, languages -----------------------------------------------------------------------------


def test_the_keyboard_is_enough(tab: MakeTab):
    me = tab({"confirm": True})
    page = me.goto("/").page
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "play-now":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    me.wait_for_table()
    for _ in range(3):
        page.wait_for_function(READY)
        before = me.events()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        for _ in range(12):
            if me.events() > before:
                break
            name = page.evaluate(
                "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
            )
            assert name.strip(), "what has the focus has a name"
            page.keyboard.press("Enter")
        page.wait_for_function(f"() => document.querySelectorAll('#log-lines li').length > {before}")
    assert me.events() >= 3


def wider_than_the_screen(tab: Tab) -> int:
    return int(tab.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_nothing_scrolls_sideways_on_a_phone(tab: MakeTab, tables: dict[str, str]):
    me = tab(**PHONE)
    for path in [*PAGES, *TABLES]:
        me.goto(path.format(**tables))
        assert wider_than_the_screen(me) <= 0, path
    me.forgive(MISSING)


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_is_enough(tab: MakeTab, game: str):
    me = tab(**PHONE).open(game)
    me.play(3)
    assert wider_than_the_screen(me) <= 0
    assert me.events() >= 3


WRITTEN = """() => {
  const found = new Set();
  const own = (one) => one.closest('[lang]') === document.documentElement && !one.closest('script, style, code');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (own(walker.currentNode.parentElement)) found.add(walker.currentNode.data.trim());
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const one of document.querySelectorAll(`[${name}]`)) if (own(one)) found.add(one.getAttribute(name).trim());
  }
  return [document.title, ...found].filter((text) => text);
}"""
"""Every text of a page, shown now or later, read aloud or not, that is in the language of the page."""
ENGLISH = re.compile(r"\b(?:the|and|your|you|with|takes|took|from|their|which|player|moves?|tiles?)\b", re.IGNORECASE)
NAMES = re.compile(r"[a-z]+_[a-z_]+|(?:page|points|bots|log|coach|prompt)\.\w+")


def pattern(text: str) -> re.Pattern[str]:
    """What a text of the language files looks like when it is filled in."""
    return re.compile(r"\S.*".join(re.escape(part) for part in re.split(r"\{\w+\}", text)))


def english_left(shown: list[str], language: str) -> list[str]:
    """Texts that stand in the English language file and not in that of the language, or have English words."""
    known, ours = texts("en"), texts(language)
    said = [pattern(text) for text in ours.values()]
    foreign = [
        pattern(text) for key, text in known.items() if text != ours[key] and len(re.sub(r"\{\w+\}|\W", "", text)) > 3
    ]
    suspects = [text for text in shown if ENGLISH.search(text) or any(one.fullmatch(text) for one in foreign)]
    return [text for text in suspects if not any(one.fullmatch(text) for one in said)]


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_each_language(tab: MakeTab, tables: dict[str, str], language: str):
    me = tab(locale=language)
    left: dict[str, list[str]] = {}
    for path in [*PAGES, *TABLES]:
        me.goto(path.format(**tables))
        assert me.page.get_attribute("html", "lang") == language
        shown = me.page.evaluate(WRITTEN)
        assert [text for text in shown if NAMES.fullmatch(text)] == [], f"{path} shows the names of texts"
        if language != "en" and (found := english_left(shown, language)):
            left[path] = found
    me.forgive(MISSING)
    me.set_up("azul").play(3)
    me.page.click("#seats button")
    shown = me.page.evaluate(WRITTEN)
    if language != "en" and (found := english_left(shown, language)):
        left["a game"] = found
    assert left == {}
    assert say(language, "page.your_turn") in shown
    other = {"en": "fr", "fr": "it", "it": "en"}[language]
    me.page.click("[data-opens=settings]")
    with me.page.expect_navigation():
        me.page.select_option("#settings [data-language-choice]", other)
    me.wait_for_table()
    assert me.page.get_attribute("html", "lang") == other
    expect(me.page.locator("#status")).to_have_text(say(other, "page.your_turn"))


# Accessibility ------------------------------------------------------------------------------------------


def violations(tab: Tab, *rules: str) -> list[str]:
    """What axe finds on a page as it is now: by all of its rules, or by some."""
    from axe_playwright_python.base import AXE_SCRIPT

    if not tab.page.evaluate("'axe' in window"):
        tab.page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = tab.page.evaluate("async (options) => (await axe.run(options)).violations", options)
    return [f"{one['id']}: {node['html'][:120]} {node['any'][:1]}" for one in found for node in one["nodes"]]


def violations_by_day_and_night(tab: Tab) -> list[str]:
    """What axe finds on a page; in the dark only the colours are different."""
    found = violations(tab)
    tab.page.emulate_media(color_scheme="dark")
    found += [f"dark {one}" for one in violations(tab, "color-contrast")]
    tab.page.emulate_media(color_scheme="light")
    return found


@pytest.mark.parametrize("path", [*PAGES, *TABLES])
def test_axe_finds_nothing(tab: MakeTab, tables: dict[str, str], path: str):
    me = tab(color_scheme="light").goto(path.format(**tables))
    assert violations_by_day_and_night(me) == []
    if path == "/nothing":
        me.forgive(MISSING)


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_in_the_middle_of_a_move(tab: MakeTab, game: str):
    me = tab({"confirm": True}, color_scheme="light").open(game)
    me.page.wait_for_function(READY)
    names = me.page.eval_on_selector_all(
        "#panels .lit[tabindex]", "found => found.map((one) => one.getAttribute('aria-label') ?? '')"
    )
    assert names
    assert all(re.search(r"\w{3}", name) and "-" not in name.split(" ")[0] for name in names), names
    me.play(1)
    assert violations_by_day_and_night(me) == []
    me.step()
    assert violations_by_day_and_night(me) == []
    me.page.click("[data-opens=settings]")
    assert violations(me) == []
