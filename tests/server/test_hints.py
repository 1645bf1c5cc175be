"""Hints: for those who play against bots alone, remembered by the game, and refused to everybody else."""

from __future__ import annotations

from typing import Any

import pytest
from people import Line, Person, begin
from real_server import ThreadServer, wait_until

from tilewright.game.position import Position
from tilewright.view.language import say, texts

pytestmark = pytest.mark.usefixtures("deserted")


def hint(line: Line, **question: Any) -> dict[str, Any]:
    """Ask for a hint; the hint, or why there is none."""
    line.send("hint", **question)
    return line.hear("hint", "error")


def test_first_where_to_look_then_the_move_and_why(
    server: ThreadServer, me: Person, alone: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server.app.state.rooms.analyst, "_budget", "2000")
    with me.watch(alone) as line:
        state = begin(line)
        assert state["hints"] == "given"
        first = hint(line, after=state["event"])
        assert set(first) == {"type", "event", "spots"}
        assert len(first["spots"]) == 1
        whole = hint(line, more=True, after=first["event"])
        assert whole["spots"][0] == first["spots"][0]
        assert len(whole["spots"]) > 1
        assert whole["move"] in state["legal"]
        assert whole["told"].startswith("take ")
        assert not any("Ada" in reason for reason in whole["reasons"]), "who asked is addressed"
        assert whole["other"] != whole["told"]
        assert 1 <= len(whole["reasons"]) <= 3


def test_a_position_is_analysed_once_however_often_somebody_asks(
    server: ThreadServer, me: Person, alone: str, monkeypatch: pytest.MonkeyPatch
):
    analyst, analysed = server.app.state.rooms.analyst, []
    analyse = analyst.analyse

    async def note(position: Position, *rest: Any) -> Any:
        analysed.append(position)
        return await analyse(position, *rest)

    monkeypatch.setattr(analyst, "analyse", note)
    monkeypatch.setattr(analyst, "_budget", "200")
    with me.watch(alone) as line:
        begin(line)
        for _ in range(10):
            line.send("hint")
        for _ in range(10):
            line.hear("hint")
        assert len(analysed) == 1


def test_a_search_for_a_hint_that_fails_is_done_again(
    server: ThreadServer, me: Person, alone: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    analyst = server.app.state.rooms.analyst
    with me.watch(alone) as line, monkeypatch.context() as broken:
        begin(line)
        broken.setattr(analyst, "analyse", None)
        line.send("hint")
        wait_until(lambda: "background work at a table failed" in caplog.text, "the search should fail")
        broken.undo()
        assert hint(line)["type"] == "hint"
    caplog.clear()


def test_the_game_remembers_hints_for_each_move_once(me: Person, alone: str):
    with me.watch(alone) as line:
        event = hint(line, after=begin(line)["event"])["event"]
        assert hint(line, more=True)["event"] == event
        assert me.read(alone)["events"][1:] == ["help 1"]
        move = me.read(alone)["legal"][0]["number"]
        assert line.move(move, event)["event"] == event + 1
        line.hear("event", seat=2)
    assert me.play_out_against_bots(alone)["over"]["helped"] == ["Ada asked for 1 hint."]
    assert "help" not in me.get(f"/api/tables/{alone}/record").text
    french = me.get(f"/api/tables/{alone}", params={"language": "fr"}).json()
    assert french["over"]["helped"] == ["Ada a demandé 1 indice."]


def test_a_table_with_hints_is_read_from_the_disk(me: Person, alone: str, server: ThreadServer):
    with me.watch(alone) as line:
        hint(line, after=begin(line)["event"])
    before = me.read(alone)
    server.inside(lambda rooms: rooms._close_room(alone))
    assert me.read(alone) == before


def test_there_are_no_hints_against_people(me: Person, friend: Person, table: str):
    with me.watch(table) as line:
        state = begin(line)
        assert state["hints"] == "by_consent"
        assert hint(line)["code"] == "no_hints"
        assert hint(line, more=True)["code"] == "no_hints"
    assert me.read(table)["events"] == me.read(table, after=0)["events"]
    assert "help 1" not in me.read(table)["events"]


def test_there_are_hints_once_everybody_has_agreed(me: Person, friend: Person, table: str):
    with me.watch(table) as line, friend.watch(table) as other:
        begin(line)
        line.send("allow_hints")
        assert other.hear("ask")["asks"] == [{"kind": "hints", "by": 1, "seat": 1}]
        assert hint(line)["code"] == "no_hints"
        other.send("answer", kind="hints", yes=False)
        line.hear("state")
        assert hint(line)["code"] == "no_hints"
        line.send("allow_hints")
        other.hear("ask")
        other.send("answer", kind="hints", yes=True)
        while line.hear("state")["state"]["hints"] != "given":
            pass
        assert hint(line)["type"] == "hint"
    assert me.read(table)["events"][1:] == ["help all", "help 1"]


@pytest.mark.usefixtures("impatient")
def test_a_player_whom_a_bot_replaces_still_counts(me: Person, friend: Person, table: str):
    with friend.watch(table):
        pass
    with me.watch(table) as line:
        line.send("replace", seat=2)
        line.hear("state")
        assert hint(line)["code"] == "no_hints"


def test_nobody_else_gets_hints(me: Person, stranger: Person, alone: str):
    with stranger.watch(alone) as line:
        assert begin(line)["hints"] is None
        assert hint(line)["code"] == "no_hints"


def test_there_are_no_hints_for_the_turn_of_a_bot_or_in_a_guided_game(me: Person):
    with me.watch(me.begin_guided_game()) as line:
        assert begin(line)["hints"] is None
        assert hint(line)["code"] == "no_hints"


@pytest.mark.parametrize(("language", "played"), [("en", "played"), ("fr", "joué"), ("it", "giocata")])
def test_no_hint_speaks_of_a_move_that_was_played(language: str, played: str):
    """Reasons name it by a placeholder, which hints fill with another word."""
    reasons = {key: text for key, text in texts(language).items() if ".reason." in key}
    assert any("{played}" in text.casefold() for text in reasons.values())
    assert [key for key, text in reasons.items() if played in text.casefold().replace("{played}", "")] == []
    assert played not in say(language, "review.the_other_move")
