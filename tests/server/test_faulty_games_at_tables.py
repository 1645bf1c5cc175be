"""Games whose own code fails, on a real server: their tables say so, and everything else goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from people import GAMES, Person, begin, people_at, refused
from real_server import ProcessServer

from installing import describe, with_game

FAULTY = """
from dataclasses import replace
from nim import Nim, NimNotation
from tilewright.game.effects import whole_move
class Unlisted(NimNotation):
    def actions(self, game):
        raise RuntimeError("no list")
def effects(position, move):
    if str(move) == "take 2":
        raise RuntimeError("no effects")
    return whole_move(position, move)
def early_effects(position, move):
    return whole_move(position, move) if position.state.stones == 10 else None
class Forgetful(Nim):
    spec = replace(
        Nim.spec, name="forgetful", title="Forgetful", effects=early_effects,
        points=lambda *_: {"x": "y"}, tie_breaks=lambda *_: None,
    )
class Unlistable(Nim):
    spec = replace(Nim.spec, name="unlistable", title="Unlistable", notation=Unlisted())
class Undrawn(Nim):
    spec = replace(Nim.spec, name="undrawn", title="Undrawn", parts={"picture": "faulty_picture"})
class Fading(Nim):
    spec = replace(Nim.spec, name="fading", title="Fading", parts={"picture": "fading_picture"})
class Moody(Nim):
    spec = replace(Nim.spec, name="moody", title="Moody", effects=effects, parts={"wording": "moody_wording"})
"""
PICTURE = """
def panels(game, names, language):
    raise RuntimeError("no panels")
scene = paths = symbols = panels
"""
FADING_PICTURE = """
from tilewright.view.picture.default import DefaultPicture
def scene(position):
    if position.is_over:
        raise RuntimeError("no scene")
    return DefaultPicture(position.game).scene(position)
def panels(game, names, language):
    return DefaultPicture(game).panels(game, names, language)
def paths(game):
    return DefaultPicture(game).paths(game)
def buttons(game, language):
    return DefaultPicture(game).buttons(game, language)
def place_names(game, language):
    return DefaultPicture(game).place_names(game, language)
def tile_names(language):
    return {}
"""
WORDING = """
def prompt(position, language):
    return {10: "Ten left.", 9: "Nine left."}[int(position.state.stones)]
"""


@pytest.fixture
def me(process_server: ProcessServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """A visitor of a server with five faulty games."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "faulty.py").write_text(FAULTY)
    (site / "faulty_picture.py").write_text(PICTURE)
    (site / "fading_picture.py").write_text(FADING_PICTURE)
    (site / "moody_wording.py").write_text(WORDING)
    describe(site, "unlistable", "faulty:Unlistable")
    entries = next(site.glob("*.dist-info")) / "entry_points.txt"
    entries.write_text(
        entries.read_text() + "undrawn = faulty:Undrawn\nmoody = faulty:Moody\n"
        "forgetful = faulty:Forgetful\nfading = faulty:Fading\n"
    )
    monkeypatch.setenv("PYTHONPATH", with_game(site)["PYTHONPATH"])
    with people_at(process_server.start().url) as make:
        yield make()


def test_a_table_is_refused_if_its_moves_cannot_be_listed_or_drawn(me: Person, process_server: ProcessServer):
    request = {"players": 2, "seats": [{"kind": "me"}, {"kind": "friend"}]}
    for game, fault in (("unlistable", "notation.actions raised RuntimeError: no list"), ("undrawn", "picture.")):
        answer = me.post("/api/tables", {"game": game, **request}, headers={"Accept-Language": "fr"})
        refused(answer, 500, f"^{game.title()} has a fault: its {fault}")
        assert answer.json()["code"] == "game_fault"
        assert answer.json()["said"].startswith(f"Le programme d’{game.title()} contient une erreur")
    assert "Unlistable has a fault" in process_server.log.read_text(), "the host can read it"
    for path in ("/", "/learn", "/learn/azul"):
        assert me.get(path).status_code == 200, path
    assert me.get("/learn/undrawn", headers={"Accept": "text/html"}).status_code == 500
    assert me.read(me.open("me", "friend"))["game"] == GAMES[0]


def test_a_fault_before_a_move_counts_refuses_it_and_one_after_it_is_told(me: Person):
    table = me.open("me", "friend", game="moody")
    with me.watch(table) as line:
        begin(line)
        answer = line.move("take 2", 0)
        assert (answer["type"], answer["code"]) == ("error", "game_fault")
        assert answer["error"] == "Moody has a fault: its effects raised RuntimeError: no effects"
        assert me.read(table)["event"] == 0, "the move was not played"
        assert line.move("take 1", 0)["event"] == 1, "and another can be"
        assert me.play(table, "take 1", 1).json() == {"event": 2}, "it stands"
        told = line.hear("error")
        assert told["error"] == "Moody has a fault: its wording.prompt raised KeyError: 8"
    with me.watch(table) as line:
        assert line.hear("error")["code"] == "game_fault", "the table cannot be shown"
    assert me.read(table)["event"] == 2, "but programs can go on"


def test_a_finished_game_is_shown_although_its_effects_points_and_tie_breaks_fail(
    me: Person, process_server: ProcessServer
):
    table = me.open("me", "me", game="forgetful")
    over = me.play_out(table)
    moves = me.get(f"/api/tables/{table}/events")
    view = me.get(f"/api/tables/{table}/view")
    for answer in (moves, view, me.get(f"/api/tables/{table}/record"), me.get(f"/t/{table}")):
        assert answer.status_code == 200, answer.text
    told = [moment["text"] for moment in moves.json()["events"][1:]]
    assert told[-1].startswith("plays take")
    state = view.json()["state"]
    assert [line["text"] for line in state["log"]] == told
    assert sorted(state["scores"]) == [0, 100_000]
    assert state["over"]["points"] == [{"points": score} for score in state["scores"]]
    assert over["over"]["winners"] == state["over"]["winners"]
    log = process_server.log.read_text()
    assert "Forgetful has a fault: its effects returned None instead of a list of effects" in log


def test_a_finished_game_is_shown_although_its_last_scene_fails(me: Person, process_server: ProcessServer):
    table = me.open("me", "me", game="fading")
    me.play_out(table)
    moves = me.get(f"/api/tables/{table}/events")
    assert moves.status_code == 200, moves.text
    last = len(moves.json()["events"]) - 1
    view = me.get(f"/api/tables/{table}/view")
    pictures = [me.get(f"/api/reviews/{table}/picture/{last}.{form}") for form in ("svg", "png")]
    pages = [me.get(path) for path in (f"/t/{table}", f"/t/{table}/replay", f"/review/{table}")]
    for answer in (view, *pictures, *pages, me.get(f"/api/reviews/{table}/game")):
        assert answer.status_code == 200, answer.text
    assert view.json()["state"]["scene"]["tiles"] == {}
    assert pictures[0].text.startswith("<svg")
    assert "Fading has a fault: its picture.scene raised RuntimeError: no scene" in process_server.log.read_text()
