"""Games from other packages on a real server: one for 3 or 5 players, and one that fails when it is drawn."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from people import GAMES, Person, people_at
from real_server import ProcessServer

from installing import describe, with_game

BROKEN_NIM = """
from dataclasses import replace
from nim import Nim
def effects(position, move):
    raise RuntimeError("no effects\\nat all")
class Broken(Nim):
    spec = replace(Nim.spec, name="broken-nim", effects=effects, parts={"picture": "broken_picture"})
"""
PREPARE = """
from tilewright.server import previews, warm
warm.warm_up_all()
previews.draw_all()
from tilewright.game.registry import GAMES
from tilewright.view.language import LANGUAGES
assert list(GAMES)[-2:] == ["broken-nim", "nim"], list(GAMES)
assert previews._picture.cache_info().currsize == (len(GAMES) - 1) * len(LANGUAGES)
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder on the path of the servers."""
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def test_a_game_that_fails_is_reported_and_the_others_are_prepared(site: Path):
    describe(site, "nim", "nim:Nim")
    (site / "broken_nim.py").write_text(BROKEN_NIM)
    (site / "broken_picture.py").write_text("")
    describe(site, "broken-nim", "broken_nim:Broken")
    done = subprocess.run(
        [sys.executable, "-c", PREPARE],
        env={**with_game(site), "TILEWRIGHT_WARM_UP": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    compiling, drawing = done.stderr.splitlines()
    fault = "Nim has a fault: its effects raised RuntimeError: no effects at all"
    assert compiling == f"compiling the game 'broken-nim' failed: {fault}"
    assert drawing == "drawing the game 'broken-nim' failed: Nim has a fault: its picture has no panels"


@pytest.fixture
def me(process_server: ProcessServer, site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """A visitor of a server that knows the game for 3 or 5, and another whose picture cannot be imported."""
    describe(site, "bare-game", "bare_game:BareGame")
    (site / "half_broken.py").write_text(
        "from dataclasses import replace\nfrom bare_game import BareGame\n"
        "class Broken(BareGame):\n"
        "    spec = replace(BareGame.spec, name='half-broken', parts={'picture': 'broken_picture'})\n"
    )
    (site / "broken_picture.py").write_text("raise SystemExit(3)")
    describe(site, "half-broken", "half_broken:Broken")
    monkeypatch.setenv("PYTHONPATH", with_game(site)["PYTHONPATH"])
    with people_at(process_server.start().url) as make:
        yield make()


def test_games_for_three_are_shown_taught_and_played(me: Person):
    for path in ("/", "/learn", "/static/palette.css"):
        assert me.get(path).status_code == 200, path
    for game in ("bare-game", "half-broken", GAMES[0]):
        for path in (f"/picture/{game}.svg", f"/learn/{game}", f"/learn/picture/{game}/end.svg"):
            assert me.get(path).status_code == 200, path
    home, learn = me.get("/").text, me.get("/learn").text
    for game, look in (("bare-game", "crop whole"), (GAMES[0], "crop")):
        assert re.search(f'<span class="{look}"><img class="in-light" src="/picture/{game}.svg"', home), game
    for game, look in (("bare-game", "plate whole"), (GAMES[0], "plate")):
        assert re.search(f'<figure class="{look}"><img class="in-light" src="/learn/picture/{game}/', learn), game
    opened = me.post("/learn/bare-game/first-game")
    table = me.read(opened.headers["location"].removeprefix("/t/"))
    assert [seat["kind"] for seat in table["seats"]] == ["human", "bot", "bot"]
