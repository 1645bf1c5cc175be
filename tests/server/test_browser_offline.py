"""The pages in a real browser when the server cannot be reached, comes back, or is replaced by a new version."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from cable import Cable
from driving import READY, MakeTab, Tab
from people import Person
from playwright.sync_api import expect
from real_server import ProcessServer, ThreadServer, wait_until
from services import postgres_server

from tilewright.server import installing, static_files
from tilewright.server.app import make_app
from tilewright.server.settings import Settings
from tilewright.view.language import say

pytestmark = pytest.mark.browser

KEPT = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
  (await (await caches.open(name)).keys()).map((one) => one.url.slice(location.origin.length))))).flat()"""
INSTALLED = "() => navigator.serviceWorker.controller?.state === 'activated'"
IS_NEW = "() => getComputedStyle(document.documentElement).getPropertyValue('--deployed') === '1'"
FORGOTTEN = "async (before) => (await caches.keys()).every((name) => !name.includes(before))"
UNREACHABLE = ("ERR_", "WebSocket", "503")
"""What the console says while the server is away."""


def with_worker(tab: MakeTab, url: str, **options: str) -> Tab:
    """A person whose browser has installed the service worker."""
    me = tab(url=url, service_workers="allow", **options).goto("/")
    me.page.wait_for_function(INSTALLED)
    return me


def test_the_home_page_opens_without_the_server_and_says_so(tab: MakeTab, served: ProcessServer):
    with Cable(served.port) as cable:
        me = with_worker(tab, cable.url)
        me.open("azul-mini")
        cable.cut()
        me.page.goto(f"{cable.url}/")
        expect(me.page.locator("#unreachable")).to_have_text(say("en", "page.unreachable"))
        expect(me.page.locator("h1")).to_be_visible()
        expect(me.page.locator("#lists a")).to_have_count(0)
        cable.mend()
        expect(me.page.locator("#unreachable")).to_be_hidden()
        expect(me.page.locator("#lists a.mine, #lists a").first).to_contain_text("Azul Mini")
        me.forgive(*UNREACHABLE)


def test_any_other_page_is_replaced_until_the_server_is_back(tab: MakeTab, served: ProcessServer):
    with Cable(served.port) as cable:
        me = with_worker(tab, cable.url, locale="fr-FR", color_scheme="dark")
        me.page.select_option("[data-theme-choice]", "light")
        me.open("azul")
        table = me.table
        cable.cut()
        me.page.reload()
        expect(me.page.locator("h1")).to_have_text(say("fr", "page.offline_title"))
        assert me.page.evaluate("document.documentElement.dataset.theme") == "light"
        assert Axe().run(me.page).response["violations"] == []
        me.page.click("#again")
        expect(me.page.locator("#state")).to_have_text(say("fr", "page.offline_waiting"))
        cable.mend()
        me.wait_for_table()
        assert me.table == table
        me.forgive(*UNREACHABLE)


def test_a_server_without_its_database_is_waited_for(tab: MakeTab):
    with postgres_server() as database, ThreadServer(make_app(database.new_database(), Settings(limits=0))) as server:
        me = with_worker(tab, server.url)
        me.open("azul")
        database.kill()
        me.page.reload()
        expect(me.page.locator("h1")).to_have_text(say("en", "page.offline_title"))
        me.page.evaluate("window.isTheSame = true")
        me.page.click("#again")
        expect(me.page.locator("#state")).to_have_text(say("en", "page.offline_waiting"))
        assert me.page.evaluate("window.isTheSame"), "the page is not loaded again and again"
        database.start()
        me.wait_for_table()
        me.forgive(*UNREACHABLE)


def test_nothing_is_kept_that_belongs_to_somebody(tab: MakeTab, served: ProcessServer):
    me = with_worker(tab, served.url)
    me.open("azul")
    for path in ("/profile", "/leaderboard", "/daily", "/learn/azul", f"/t/{me.table}/replay"):
        me.goto(path)
    me.goto("/")
    kept = {path for path in me.page.evaluate(KEPT) if not path.startswith("/static/")}
    assert kept >= {"/reader", "/shell?language=it", "/offline?language=fr", "/learn/azul?language=en"}
    assert all(path.startswith(("/reader", "/shell?", "/offline?", "/learn")) for path in kept)
    assert "Ada" not in me.page.evaluate("async () => (await caches.match('/shell?language=en')).text()")


@pytest.fixture
def deploy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Makes the server of this process one of another version, whose pages can be recognised by their colours."""

    def forget() -> None:
        static_files.static_digest.cache_clear()
        installing._worker.cache_clear()

    def deploy() -> None:
        monkeypatch.setitem(static_files.DRAWN, "palette.css", lambda: colours() + "\n:root { --deployed: 1; }")
        forget()

    colours = static_files.DRAWN["palette.css"]
    yield deploy
    monkeypatch.undo()
    forget()


def test_a_new_version_replaces_the_old_one(tab: MakeTab, server: ThreadServer, deploy: Callable[[], None]):
    me = with_worker(tab, server.url)
    playing = Tab(me.page.context.new_page(), server.url).open("azul")
    before = static_files.static_digest()
    deploy()
    me.goto("/")
    me.page.wait_for_function(IS_NEW)  # nobody has touched the page that was kept, so it was loaded again
    me.page.wait_for_function(FORGOTTEN, arg=before)
    playing.page.get_by_role("button", name=say("en", "page.reload")).click()
    playing.page.wait_for_function(IS_NEW)
    playing.wait_for_table()
    assert playing.console_errors == []


@pytest.mark.parametrize("lost", ["move", "answer", "page"])
def test_a_move_is_neither_lost_nor_played_twice(tab: MakeTab, served: ProcessServer, outsider: Person, lost: str):
    with Cable(served.port) as cable:
        me = with_worker(tab, cable.url) if lost == "page" else tab(url=cable.url)
        me.open("azul", "invite")
        outsider.join(me.table, "Bob")
        table, begun = me.table, outsider.read(me.table)["event"]
        me.page.wait_for_function(READY)
        cable.swallow("down" if lost == "answer" else "up")
        while not me.page.evaluate("sessionStorage.length"):
            assert me._act() == "clicked"
        if lost == "answer":
            wait_until(lambda: outsider.read(table)["event"] == begun + 1, "the move should arrive")
        cable.cut()
        if lost == "page":
            me.page.reload()
        else:
            me.page.wait_for_selector("#connection[data-state=lost]", state="attached")
            assert outsider.read(table)["event"] == begun + (lost == "answer")
        cable.mend()
        me.wait_for_table()
        expect(me.page.locator("#log-lines li")).to_have_count(1)
        assert outsider.read(table)["event"] == begun + 1
        assert me.page.evaluate("sessionStorage.length") == 0
        outsider.play_first(table)
        me.move()
        assert outsider.read(table)["event"] == begun + 3
        me.forgive(*UNREACHABLE)


def test_everybody_is_back_within_a_second_of_a_restart(tab: MakeTab, process_server: ProcessServer):
    """By the clock of the page, which the test holds: however slow this machine is, the page tries soon enough."""
    process_server.start()
    me = tab(url=process_server.url)
    me.page.clock.install()
    me.open("azul")
    process_server.kill()
    me.page.wait_for_selector("#connection[data-state=lost]", state="attached")
    me.page.clock.pause_at(me.page.evaluate("Date.now() / 1000 + 1"))
    for _ in range(40):  # twenty seconds without a server, in which browsers would begin to delay sockets
        me.page.clock.run_for(500)
    process_server.start()
    expect(me.page.locator("#connection")).to_have_attribute("data-state", "lost")
    me.page.clock.run_for(1000)
    me.wait_for_table()
    me.forgive(*UNREACHABLE)
