"""The web table in a real browser: whole games, friends on two devices, lost lines, keyboard, phone, languages, axe."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from driving import PATIENCE, READY, STILL, Tab, new_tab
from people import Person
from playwright.sync_api import Browser, Response, expect
from real_server import ProcessServer

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
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProcessServer]:
    with ProcessServer(tmp_path_factory.mktemp("browser") / "tables.db") as running:
        yield running


@pytest.fixture(scope="module")
def tables(served: ProcessServer) -> dict[str, str]:
    """A table of each kind and in each state; the keys of all of them are lost."""
    me = Person(served.url)
    found = {
        "azul": me.open("me", "friend", "friend", "friend", game="azul", names=("Ada", "Bob", "Cleo", "Dan")),
        "mini": me.open("me", "friend", game="azul-mini"),
        "summer": me.open("me", "friend", "friend", game="summer-pavilion"),
        "waiting": me.open("me", "invite", game="azul"),
        "over": me.open("me", "friend", game="azul-mini"),
    }
    me.play_out(found["over"])
    me.http.close()
    return found


@pytest.fixture
def outsider(served: ProcessServer) -> Iterator[Person]:
    """Somebody who reads the tables as programs do."""
    person = Person(served.url)
    yield person
    person.http.close()


@pytest.fixture
def tab(browser: Browser, served: ProcessServer) -> Iterator[Callable[..., Tab]]:
    """Makes people with a browser; none of their consoles may complain."""
    made: list[Tab] = []

    def make(settings: dict[str, Any] | None = None, **options: Any) -> Tab:
        made.append(new_tab(browser, served.url, settings, **options))
        return made[-1]

    yield make
    complaints = [complaint for one in made for complaint in one.complaints]
    for one in made:
        one.page.context.close()
    assert complaints == []


# Whole games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_a_bot(tab: Callable[..., Tab], outsider: Person, game: str):
    me = tab().open(game)
    assert me.play_out() > 20
    page = me.page
    now = outsider.read(me.table)
    expect(page.locator("#result")).to_contain_text("–".join(map(str, sorted(now["scores"], reverse=True))))
    rows = page.locator("#breakdown tbody tr").all()
    columns = [[int(cell.replace("−", "-")) for cell in row.locator("td").all_inner_texts()] for row in rows]
    assert [sum(column) for column in zip(*columns, strict=True)] == now["scores"]
    with page.expect_navigation():
        page.click("#rematch")
    me.wait_for_table().play(1)
    me.goto(f"/t/{now['id']}/replay")
    page.wait_for_selector("#panels figure svg")
    moves = int(page.get_attribute("#slider", "max") or 0)
    page.keyboard.press("End")
    expect(page.locator("#slider")).to_have_value(str(moves))
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#slider")).to_have_value(str(moves - 1))
    page.click("[data-opens=fairness]")
    expect(page.locator("#seed-hash")).to_have_text(now["seed_hash"])
    expect(page.locator("#seed")).to_have_text(now["over"]["seed"])


def test_play_now_and_confirm_and_undo(tab: Callable[..., Tab]):
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


def test_settings_are_kept(tab: Callable[..., Tab]):
    me = tab({"speed": "normal"}).open("azul-mini")
    me.page.click("[data-opens=settings]")
    me.page.select_option("#settings [data-setting=speed]", "off")
    me.page.keyboard.press("Escape")
    me.page.reload()
    me.wait_for_table()
    expect(me.page.locator("#settings [data-setting=speed]")).to_have_value("off")
    me.play(2)


# Friends, and lost lines --------------------------------------------------------------------------------


def scores(tab: Tab) -> list[str]:
    return tab.page.locator("#seats .score").all_inner_texts()


def test_two_friends_play_from_an_invitation_link(tab: Callable[..., Tab], outsider: Person):
    me, friend, watcher = tab(), tab({"name": "Bob"}), tab()
    me.open("summer-pavilion", "invite")
    link = me.page.input_value(".notice input.link")
    friend.page.goto(link)
    friend.page.fill(".notice input[name=name]", "Bob")
    friend.page.click(".notice button.primary")
    me.page.wait_for_function(READY)
    watcher.page.goto(link)
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


def test_a_takeback_is_asked_for_and_granted(tab: Callable[..., Tab]):
    me, friend = tab(), tab()
    me.open("azul", "invite")
    friend.page.goto(me.page.url)
    friend.page.click(".notice button.primary")
    me.page.wait_for_function(READY)
    me.move()
    me.page.click("#takeback")
    friend.page.click(".notice button.primary")
    expect(me.page.locator("#log-lines li")).to_have_count(0)
    expect(friend.page.locator("#log-lines li")).to_have_count(0)
    me.page.wait_for_function(READY)


def test_a_lost_line_comes_back_with_nothing_lost(tab: Callable[..., Tab], outsider: Person):
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
    me.complaints = [complaint for complaint in me.complaints if "ERR_INTERNET_DISCONNECTED" not in complaint]


def test_a_server_that_was_killed_comes_back(browser: Browser, process_server: ProcessServer):
    process_server.start()
    me = new_tab(browser, process_server.url).open("azul")
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
    assert [complaint for complaint in me.complaints if "WebSocket" not in complaint and "ERR_" not in complaint] == []
    me.page.context.close()


@pytest.mark.parametrize("path", ["/", "/t/{azul}", "/t/{mini}", "/t/{summer}"])
def test_a_first_page_is_small(tab: Callable[..., Tab], tables: dict[str, str], path: str):
    me = tab()
    answers: list[Response] = []

    def note(answer: Response) -> None:  # Playwright takes no methods of built-in types
        answers.append(answer)

    me.page.on("response", note)
    me.goto(path.format(**tables))
    me.page.wait_for_load_state("networkidle")
    sent = sum(answer.request.sizes()["responseBodySize"] for answer in answers)
    assert 10_000 < sent < 150_000


# Keyboard, phone, languages -----------------------------------------------------------------------------


def test_the_keyboard_is_enough(tab: Callable[..., Tab]):
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
        before = me.events()
        page.wait_for_function(READY)
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


@pytest.mark.parametrize("path", [*PAGES, *TABLES])
def test_nothing_scrolls_sideways_on_a_phone(tab: Callable[..., Tab], tables: dict[str, str], path: str):
    me = tab(**PHONE)
    me.goto(path.format(**tables))
    me.page.wait_for_load_state("networkidle")
    assert wider_than_the_screen(me) <= 0
    me.complaints = [complaint for complaint in me.complaints if path != "/nothing" or "404" not in complaint]


def test_a_phone_is_enough(tab: Callable[..., Tab]):
    me = tab(**PHONE).open("summer-pavilion")
    me.play(3)
    assert wider_than_the_screen(me) <= 0
    assert me.events() >= 3


@pytest.mark.parametrize("path", ["/t/{azul}", "/t/{mini}", "/t/{summer}"])
def test_everything_is_visible_on_a_laptop_without_scrolling(
    tab: Callable[..., Tab], tables: dict[str, str], path: str
):
    me = tab()
    me.goto(path.format(**tables)).wait_for_table()
    height, width = me.page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
    assert (height, width) == (768, 1366)
    me.page.wait_for_function(STILL)
    for box in me.page.evaluate("[...document.querySelectorAll('.panel')].map((one) => one.getBoundingClientRect())"):
        assert box["left"] >= 0
        assert box["top"] >= 0
        assert box["right"] <= 1366
        assert box["bottom"] <= 768


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_each_language(tab: Callable[..., Tab], tables: dict[str, str], language: str):
    me = tab(locale=language)
    for path in ["/", "/learn", "/learn/azul", "/t/{waiting}", "/t/{over}", "/t/{over}/replay"]:
        me.goto(path.format(**tables))
        me.page.wait_for_load_state("networkidle")
        assert me.page.get_attribute("html", "lang") == language
        text = me.page.inner_text("body")
        raw = re.findall(r"\b[a-z]+_[a-z_]+\b|\b(?:page|points|bots|log)\.\w+", text)
        assert raw == [], f"{path} shows the names of texts"
    other = {"en": "fr", "fr": "it", "it": "en"}[language]
    me.goto("/")
    with me.page.expect_navigation():
        me.page.select_option("[data-language-choice]", other)
    assert me.page.get_attribute("html", "lang") == other
    me.open("azul").play(1)
    assert me.page.get_attribute("html", "lang") == other


# Accessibility ------------------------------------------------------------------------------------------


def violations(tab: Tab) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(tab.page).response["violations"]
    return [f"{one['id']}: {node['html'][:120]} {node['any'][:1]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [*PAGES, *TABLES])
def test_axe_finds_nothing(tab: Callable[..., Tab], tables: dict[str, str], path: str, scheme: str):
    me = tab(color_scheme=scheme, reduced_motion="reduce")
    me.goto(path.format(**tables))
    me.page.wait_for_load_state("networkidle")
    assert violations(me) == []
    me.complaints = [complaint for complaint in me.complaints if path != "/nothing" or "404" not in complaint]


@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_nothing_in_the_middle_of_a_move(tab: Callable[..., Tab], game: str):
    me = tab({"confirm": True}, reduced_motion="reduce").open(game)
    me.play(1)
    assert violations(me) == []
    me.step()
    assert violations(me) == []
    me.page.click("[data-opens=settings]")
    assert violations(me) == []


def test_each_tile_and_place_that_can_be_chosen_has_a_name(tab: Callable[..., Tab]):
    for game in GAMES:
        me = tab({"confirm": True}).open(game)
        me.page.wait_for_function(READY)
        names = me.page.eval_on_selector_all(
            "#panels .lit[tabindex]", "found => found.map((one) => one.getAttribute('aria-label') ?? '')"
        )
        assert names
        assert all(re.search(r"\w{3}", name) and "-" not in name.split(" ")[0] for name in names), names
