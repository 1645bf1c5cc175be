"""Guest packages with optional parts of the wrong shape: they get the defaults, and nobody else notices."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from people import GAMES, Person, people_at
from real_server import ProcessServer

from installing import describe, with_game

GUEST = """
from dataclasses import replace
from nim import Nim
class Careless(Nim):
    spec = replace(Nim.spec, name="careless", title="Careless", parts=PARTS)
"""
PARTS = {
    "translations": "careless.wording",
    "picture": "careless.picture",
    "lessons": "careless.lessons",
}
LOOK = """
import tilewright as tw
print(str(tw.make_game("azul").start(seed=1)).splitlines()[0])
print(str(tw.make_game("careless").start(seed=1)).splitlines()[0])
"""


def offer(site: Path, parts: dict[str, str], files: dict[str, str]) -> Path:
    """Offer Nim with some optional parts, whose modules are in its package."""
    (site / "careless").mkdir(parents=True)
    (site / "careless" / "__init__.py").write_text(GUEST.replace("PARTS", repr(parts)))
    for name, source in files.items():
        path = site / "careless" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    describe(site, "careless", "careless:Careless")
    return site


@pytest.fixture
def me(process_server: ProcessServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """A visitor of a server with a guest whose translations and lesson are plain modules and whose palette is 5."""
    files = {"wording.py": "", "picture.py": "PALETTE = 5\n", "lessons.py": "PLATES = {'end': None}\n"}
    site = offer(tmp_path / "site", PARTS, files)
    monkeypatch.setenv("PYTHONPATH", with_game(site)["PYTHONPATH"])
    with people_at(process_server.start().url) as make:
        yield make()


def test_one_careless_package_costs_the_site_nothing(me: Person):
    for path in ("/", "/learn", "/static/palette.css", f"/learn/{GAMES[0]}", f"/picture/{GAMES[0]}.svg"):
        assert me.get(path).status_code == 200, path
    assert me.get("/nowhere").status_code == 404
    assert "Careless" in me.get("/").text
    opened = me.post(f"/learn/{GAMES[0]}/first-game")
    assert me.get(opened.headers["location"]).status_code == 200


def looked_at(site: Path) -> tuple[list[str], str]:
    """What two games look like in the terminal, and the warnings."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK], env=with_game(site), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


def test_translations_that_are_not_a_package_are_replaced(tmp_path: Path):
    drawn, told = looked_at(offer(tmp_path / "site", {"translations": "careless.wording"}, {"wording.py": ""}))
    assert drawn == ["Azul, round 1", "Careless, round 1"]
    assert "the texts of the game 'careless' cannot be read: TypeError: careless.wording is a module" in told
    assert "the defaults are used instead" in told


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("blurb = 5", "careless.blurb should be a text, not 5"),
        ("blurb = 'a {'", "the braces of careless.blurb do not match"),
        ("blurb = ", "TOMLDecodeError"),
    ],
)
def test_texts_that_cannot_be_filled_in_are_replaced(tmp_path: Path, text: str, complaint: str):
    files = {"translations/__init__.py": "", "translations/en.toml": text}
    drawn, told = looked_at(offer(tmp_path / "site", {"translations": "careless.translations"}, files))
    assert drawn == ["Azul, round 1", "Careless, round 1"]
    assert complaint in told


ASK = """
from tilewright.game.registry import find_spec
from tilewright.view.game_texts import GameTexts
from tilewright.view.language import say
from tilewright.view.lessons import markdown_of, plates_of
from tilewright.view.picture.palette import palette, stylesheet
spec = find_spec("careless")
print(GameTexts(spec, "en").blurb)
print(say("en", "narrator.wins", name="Ana", scores="3-1"))
print("careless" in stylesheet(), palette("dark", "careless") == palette("dark"))
print(sorted(plates_of(spec)), "## " in markdown_of(spec, "en"))
"""


def test_each_part_of_the_wrong_shape_is_named_and_replaced(tmp_path: Path):
    parts = PARTS | {"translations": "careless.narrator.translations"}
    files = {
        "narrator/__init__.py": "",
        "narrator/translations/__init__.py": "",
        "narrator/translations/en.toml": "blurb = 'for {players} players'\nwins = 'nobody wins'\n",
        "picture.py": "PALETTE = {'light': ['#fff']}\n",
        "lessons.py": "PLATES = {}\n",
    }
    site = offer(tmp_path / "site", parts, files)
    done = subprocess.run([sys.executable, "-c", ASK], env=with_game(site), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    blurb, wins, colours, lesson = done.stdout.splitlines()
    assert "{" not in blurb
    assert wins == "Ana wins 3-1", "a package cannot replace the texts of others by calling itself like them"
    assert colours == "False True"
    assert lesson == "['end', 'table'] True"
    for told in (
        "the text narrator.blurb of Careless cannot be used: KeyError: 'players'",
        "the PALETTE in the picture of Careless should hold colours by name",
        "the lesson of Careless cannot be shown: KeyError: \"PLATES has no picture 'end'",
    ):
        assert told in done.stderr


TILES = """
from tilewright.game.registry import find_spec
from tilewright.view.picture.palette import palette
from tilewright.view.picture.tile_sets import TILE_SETS
name = find_spec("careless").tiles.names[0]
for theme, tiles in (("light", "glazed"), ("dark", "clear"), ("light", "bold")):
    print(*(palette(theme, "careless", tiles)[f"tile-{name}{part}"] for part in ("", "-ink", "-print")))
print(*(TILE_SETS["clear"]["light"][f"tile-1{part}"] for part in ("", "-ink")))
"""


def test_tiles_of_a_guest_take_the_colours_of_a_tile_set_unless_it_brings_its_own(tmp_path: Path):
    names = "from nim import Nim\nNAME = 'tile-' + Nim.spec.tiles.names[0]\n"
    colours = "PALETTE = {'light': {NAME: '#445566'}, 'bold': {NAME: '#010203'}}\n"
    site = offer(tmp_path / "site", {"picture": "careless.picture"}, {"picture.py": names + colours})
    done = subprocess.run(
        [sys.executable, "-c", TILES], env=with_game(site), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    glazed, clear, bold, first = (line.split() for line in done.stdout.splitlines())
    assert glazed[0] == glazed[2] == "#445566"
    assert clear[:2] == first
    assert bold[0] == "#010203"
