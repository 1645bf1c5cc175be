"""The evaluation bar: live for those whom hints are for, as of the last round for whoever watches, else refused."""

from __future__ import annotations

from typing import Any

import pytest
from people import Line, Person, begin
from real_server import ThreadServer

pytestmark = pytest.mark.usefixtures("deserted")


def watch_bar(line: Line) -> dict[str, Any]:
    """Turn the bar on; the evaluation, or why there is none."""
    line.send("evaluation", on=True)
    return line.hear("evaluation", "error")


def play_to_round(me: Person, table: str, number: int) -> None:
    """Play any moves until a round has begun."""
    while (state := me.get(f"/api/tables/{table}/view").json()["state"])["round"] < number:
        if state["turn"] == 1:
            me.play(table, state["legal"][0], state["event"])


def test_it_follows_every_move_against_bots(me: Person, alone: str):
    with me.watch(alone) as line:
        state = begin(line)
        assert state["evaluation"] == "given"
        first = watch_bar(line)
        assert sum(first["chances"]) == pytest.approx(1, abs=1e-4)
        assert first["round"] is None
        assert first["text"].startswith("Win chances: Ada ")
        line.move(state["legal"][0], first["event"])
        after = line.hear("evaluation")
        assert after["event"] > first["event"]
        assert after["chances"] != first["chances"]


def test_the_game_remembers_it_once(me: Person, alone: str, server: ThreadServer):
    with me.watch(alone) as line:
        begin(line)
        watch_bar(line)
        line.send("evaluation", on=False)
        watch_bar(line)
    assert me.read(alone)["events"][1:] == ["help 1 bar"]
    before = me.read(alone)
    server.inside(lambda rooms: rooms._close_room(alone))
    assert me.read(alone) == before
    assert me.play_out_against_bots(alone)["over"]["helped"] == ["Ada used the evaluation bar."]
    italian = me.get(f"/api/tables/{alone}", params={"language": "it"}).json()
    assert italian["over"]["helped"] == ["Ada ha usato la barra di valutazione."]


def test_a_hint_counts_once_even_if_the_bar_is_turned_on_after_it(me: Person, alone: str):
    with me.watch(alone) as line:
        begin(line)
        line.send("hint")
        line.hear("hint")
        watch_bar(line)
        line.send("hint", more=True)
        line.hear("hint")
    assert me.read(alone)["events"][1:] == ["help 1", "help 1 bar"]


def test_it_is_refused_against_people_until_all_have_agreed(me: Person, friend: Person, table: str):
    with me.watch(table) as line, friend.watch(table) as other:
        assert begin(line)["evaluation"] == "by_consent"
        assert watch_bar(line)["code"] == "no_evaluation"
        line.send("allow_hints")
        other.hear("ask")
        other.send("answer", kind="hints", yes=True)
        while line.hear("state")["state"]["evaluation"] != "given":
            pass
        assert watch_bar(line)["type"] == "evaluation"
    assert me.read(table)["events"][1:] == ["help all", "help 1 bar"]


def test_whoever_watches_sees_how_the_round_began(me: Person, stranger: Person, alone: str):
    with stranger.watch(alone) as line:
        assert begin(line)["evaluation"] == "delayed"
        first = watch_bar(line)
        assert first["chances"] is None
        assert first["text"].endswith("starting in round 2.")
        play_to_round(me, alone, 2)
        second = line.hear("evaluation")
        assert second["round"] == 1
        assert second["text"].startswith("Win chances after round 1: Ada ")
    with stranger.watch(alone) as line:
        begin(line)
        again = watch_bar(line)
        assert again["chances"] == second["chances"], "it does not change within a round"
    assert not any(line.startswith("help") for line in me.read(alone)["events"])


def test_nobody_sees_it_in_a_guided_game(me: Person):
    with me.watch(me.begin_guided_game()) as line:
        assert begin(line)["evaluation"] is None
        assert watch_bar(line)["code"] == "no_evaluation"
