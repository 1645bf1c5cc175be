"""The live stream, with real WebSocket clients: everybody sees the same."""

from __future__ import annotations

import pytest
from people import GAMES, Line, Person, begin, events
from real_server import ProcessServer

pytestmark = pytest.mark.usefixtures("deserted")


@pytest.mark.parametrize("game", GAMES)
def test_two_players_and_a_spectator_see_the_same_game(me: Person, friend: Person, stranger: Person, game: str):
    table = me.open("me", "invite", game=game, clock={"minutes": 10, "increment": 1})
    friend.join(table)
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watched:
        state = begin(mine)
        assert begin(theirs)["legal"] == begin(watched)["legal"] == []
        legal, turn = state["legal"], state["turn"]
        lines = {1: mine, 2: theirs}
        while turn is not None:
            move, event = legal[len(legal) // 2], state["event"]
            if event % 2:  # half of the moves by the other way, so that nobody sends too many messages
                lines[turn].send("move", move=move, after=event)
            else:
                assert {1: me, 2: friend}[turn].play(table, move, event).status_code == 200
            told = {name: line.hear("event") for name, line in (*lines.items(), (0, watched))}
            state = told[0]
            assert state["legal"] == []
            turn = state["turn"]
            if turn is not None:
                legal = told[turn]["legal"]
                assert legal
                assert told[3 - turn]["legal"] == []
        heard = [events(line.settle()) for line in (mine, theirs, watched)]
    for message in heard[0]:
        message.pop("clock")
    for others in heard[1:]:
        for message in others:
            message.pop("clock")
        assert others == heard[0]
    final = me.read(table)
    assert heard[0][-1]["over"]["scores"] == final["scores"]
    assert heard[0][-1]["event"] == final["event"]


@pytest.mark.parametrize("game", GAMES)
def test_the_steps_of_the_moves_add_up_to_the_scene(me: Person, game: str):
    table = me.open("me", "friend", game=game)
    with me.watch(table) as line:
        state = begin(line)
        scene, legal, event, turn = state["scene"], state["legal"], state["event"], state["turn"]
        while turn is not None:
            assert me.play(table, legal[0], event).status_code == 200
            told = line.hear("event")
            for step in told["steps"]:
                for slot, kind in step["tiles"].items():
                    scene["tiles"].pop(slot, None)
                    if kind is not None:
                        scene["tiles"][slot] = kind
                scene["texts"].update(step["texts"])
                scene["marks"] = step["marks"]
            legal, event, turn = told["legal"], told["event"], told["turn"]
    assert me.get(f"/api/tables/{table}/view").json()["state"]["scene"] == scene


def test_everybody_who_comes_is_told_the_moment(me: Person, friend: Person, table: str):
    with me.watch(table) as line:
        begin(line)
    me.play_first(table)
    friend.play_first(table)
    with me.watch(table) as line:
        state = begin(line)
        assert (state["event"], state["turn"]) == (3, 1)
        assert [entry["number"] for entry in state["log"]] == [2, 3]
        assert state == me.get(f"/api/tables/{table}/view").json()["state"]
    for after in (4, 10**8, 10**30, "-1", "x", "٣", ""):
        with me.watch(table, after=after) as line:
            assert begin(line) == state, "whatever the newcomer believes to know"


def test_who_was_connected_before_is_told_only_the_lines_that_are_missing(me: Person, friend: Person, table: str):
    for _ in range(2):
        me.play_first(table)
        friend.play_first(table)
    whole = me.get(f"/api/tables/{table}/view").json()["state"]
    for after in (1, 3, 5):
        with me.watch(table, after=after) as line:
            told = begin(line)
            assert told["log_after"] == after
            assert told["log"] == [entry for entry in whole["log"] if entry["number"] > after]
            assert {**told, "log": whole["log"], "log_after": None} == whole
    with me.watch(table) as mine, friend.watch(table) as theirs:
        theirs.send("takeback")
        mine.hear("ask")
        mine.send("answer", kind="takeback", yes=True)
        while theirs.hear("state")["state"]["event"] != 6:
            pass
    with me.watch(table, after=5) as line:
        told = begin(line)
    assert told["log_after"] is None, "a line that was known does not stand any more"
    assert [entry["number"] for entry in told["log"]] == [2, 3, 4]


def test_a_tab_that_lost_its_line_hears_what_no_event_tells_of(me: Person, friend: Person, table: str):
    """A question that was settled, a takeback, a rematch: none of them is a move that was missed."""
    me.play_first(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        mine.send("takeback")
        theirs.hear("ask")
        with friend.watch(table, after=2) as second_tab:
            assert begin(second_tab)["asks"] == [{"kind": "takeback", "by": 1, "seat": 1}]
        theirs.send("answer", kind="takeback", yes=False)
        mine.hear("state", "error")
        with friend.watch(table, after=2) as second_tab:
            assert begin(second_tab)["asks"] == []
        mine.send("takeback")
        theirs.hear("ask")
        theirs.send("answer", kind="takeback", yes=True)
        while theirs.hear("state")["state"]["event"] != 3:
            pass
        with friend.watch(table, after=2) as second_tab:
            state = begin(second_tab)
            assert (state["event"], state["turn"], state["log"]) == (3, 1, [])


def test_who_was_away_when_a_rematch_was_asked_for_hears_of_it(me: Person, friend: Person):
    table = me.open("me", "invite", game="azul-mini")
    friend.join(table)
    while (now := me.read(table))["over"] is None:
        (me if now["turn"] == 1 else friend).play_first(table)
    made = me.post(f"/api/tables/{table}/rematch").json()
    with friend.watch(table, after=now["event"]) as line:
        assert line.hear("rematch")["url"] == made["url"]


def test_after_a_restart_everybody_goes_on(process_server: ProcessServer):
    process_server.start()
    me, friend = Person(process_server.url), Person(process_server.url)
    table = me.open("me", "invite")
    friend.join(table)
    me.play_first(table)
    friend.play_first(table)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        mine.send("takeback")
        theirs.hear("ask")
        theirs.send("answer", kind="takeback", yes=True)
        while (before := mine.hear("state")["state"])["event"] != 4:
            pass
    process_server.stop()
    process_server.start()
    with me.watch(table, after=before["event"]) as one, me.watch(table, after=2) as two, friend.watch(table) as theirs:
        for line in (one, two):
            state = begin(line)
            assert {**state, "asks": [], "log_after": None} == {**before, "asks": []}
        begin(theirs)
        assert one.move(before["legal"][0], 4)["event"] == 5
        assert two.hear("event")["event"] == theirs.hear("event")["event"] == 5
    for one_person in (me, friend):
        one_person.http.close()


def test_several_tabs_agree(me: Person, friend: Person, table: str):
    with me.watch(table) as one, me.watch(table) as two, friend.watch(table) as theirs:
        legal = begin(one)["legal"]
        assert begin(two)["legal"] == legal
        begin(theirs)
        one.send("move", move=legal[0], after=1)
        two.send("move", move=legal[1], after=1)
        answers = [one.hear("event", "error"), two.hear("event", "error")]
        for line in (one, two, theirs):
            line.settle()
        played = [line.heard for line in (one, two, theirs)]
        assert events(played[0]) == events(played[1]) == events(played[2])
        assert len(events(played[0])) == 1, "one of the two moves came too late"
    assert me.read(table)["event"] == 2
    errors = [message for heard in played for message in heard if message["type"] == "error"]
    assert len(errors) == 1
    assert "event 1" in errors[0]["error"]
    assert answers


def test_two_tabs_that_play_the_same_move_play_it_once(me: Person, table: str):
    with me.watch(table) as one, me.watch(table) as other:
        move = begin(one)["legal"][0]
        begin(other)
        assert one.move(move, 1)["event"] == 2
        other.send("move", move=move, after=1)
        told = other.settle()
        assert [message["event"] for message in events(told)] == [2]
        assert not [message for message in told if message["type"] == "error"]
    assert me.read(table)["event"] == 2


def test_everybody_hears_in_the_own_language(me: Person, friend: Person, table: str):
    with (
        me.watch(table, **{"Accept-Language": "fr"}) as french,
        friend.watch(table, **{"Accept-Language": "it"}) as italian,
    ):
        french.send("move", move=begin(french)["legal"][0], after=1)
        assert french.hear("event")["line"]["text"] != italian.hear("event")["line"]["text"]


def test_presence(me: Person, friend: Person, table: str):
    def present(line: Line) -> list[bool]:
        return [seat["present"] for seat in line.hear("presence")["seats"]]

    with me.watch(table) as mine:
        assert present(mine) == [True, False]
        with friend.watch(table) as theirs:
            assert present(mine) == present(theirs) == [True, True]
            with friend.watch(table) as second_tab:
                assert present(second_tab) == [True, True]
        assert present(mine) == [True, False], "nobody is told about a second tab"


def test_a_preview_says_what_a_move_would_bring(me: Person, table: str):
    with me.watch(table) as line:
        move = begin(line)["legal"][0]
        line.send("preview", move=move)
        told = line.hear("preview")
        assert told["move"] == move
        assert all(line["text"] and isinstance(line["points"], int) for line in told["lines"])
        assert told["lines"]
    assert me.read(table)["event"] == 1
