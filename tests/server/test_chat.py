"""Friendly phrases: heard by everybody at the table, in whichever process they are, and stored nowhere."""

from __future__ import annotations

import pytest
from people import Line, Person, begin

from tilewright.server import chat
from tilewright.server.chat import PHRASES
from tilewright.view.language import LANGUAGES, say


def test_everybody_hears_a_phrase_and_it_is_not_stored(me: Person, friend: Person, stranger: Person, table: str):
    with me.watch(table) as mine, friend.watch(table) as theirs, stranger.watch(table) as watching:
        for line in (mine, theirs, watching):
            begin(line)
        theirs.send("say", phrase="nice_move")
        for line in (mine, theirs, watching):
            heard = line.hear("said")
            assert (heard["seat"], heard["phrase"]) == (2, "nice_move")
        watching.send("say", phrase="hello")
        assert watching.hear("error")["code"] == "players_only"
    assert "nice_move" not in str(me.get(f"/api/tables/{table}/record").text)
    assert "nice_move" not in str(me.get("/api/person").json())


def test_only_phrases_of_the_list_and_not_too_many(
    me: Person, friend: Person, table: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(chat, "PAUSE", 1000.0)
    with me.watch(table) as mine, friend.watch(table) as theirs:
        begin(mine)
        begin(theirs)
        for phrase in ("<b>hello</b>", "", None, ["hello"], 1):
            mine.send("say", phrase=phrase)
            assert "phrase must be one of" in mine.hear("error")["error"]
        mine.send("say", phrase="hello")
        assert mine.hear("said")["seat"] == 1
        mine.send("say", phrase="hello")
        assert mine.hear("error")["code"] == "chat_pause"
        theirs.send("say", phrase="hello")
        assert mine.hear("said")["seat"] == 2, "each player has their own pause"


def test_phrases_reach_other_processes(distant_lines: tuple[Line, Line]):
    mine, theirs = distant_lines
    mine.send("say", phrase="well_played")
    assert theirs.hear("said")["phrase"] == "well_played"


def test_every_phrase_has_a_text_in_every_language():
    for phrase in PHRASES:
        assert len({say(language, f"chat.{phrase}") for language in LANGUAGES}) == len(LANGUAGES)
