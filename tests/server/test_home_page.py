"""The home page and its pictures, and the table page's address for friends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from people import Person, refused
from real_server import ThreadServer

from tilewright.server.settings import Settings
from tilewright.server.stored import Result

pytestmark = pytest.mark.usefixtures("unhurt")


def home(someone: Person, language: str = "en") -> str:
    headers = {"Accept-Language": language, "Cookie": f"tilewright_key={someone.key}"}
    return someone.get("/", headers=headers).text


def in_words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def result_in_words(names: Sequence[str], scores: list[int], winners: list[int]) -> str:
    """What the list says: everybody with their points, and a star before each winner; a deal may end in a tie."""
    shown = zip(names, scores, strict=True)
    marked = [f"★ {name} {score} " if n in winners else f"{name} {score}" for n, (name, score) in enumerate(shown, 1)]
    return ", ".join(marked).rstrip()


def test_finished_games_are_listed_with_their_results(me: Person):
    begun = datetime.now(UTC).replace(microsecond=0)
    table = me.open("me", "friend", game="azul-mini", names=("Ada", "Bob"))
    over = me.play_out(table)["over"]
    listed = home(me)
    assert f" {result_in_words(('Ada', 'Bob'), over['scores'], over['winners'])} " in in_words(listed)
    ended = re.findall(r'<time datetime="([^"]+)">', listed)
    assert len(ended) == 1
    assert begun <= datetime.fromisoformat(ended[0]) <= datetime.now(UTC)


def test_players_who_share_a_win_all_have_a_star(server: ThreadServer, me: Person):
    table = me.open("me", "friend", game="azul-mini", names=("Ada", "Bob"))
    server.inside(lambda live: live._store.add_events(table, 2, ["the end"], result=Result([12, 12], [1, 2])))
    assert " ★ Ada 12 , ★ Bob 12 " in in_words(home(me))


def test_a_list_without_games_is_marked_as_nothing_but_a_list(me: Person):
    assert set(re.findall(r'<section class="(tables[^"]*)"', home(me))) == {"tables"}
    me.open("me", "invite", game="azul-mini")
    assert set(re.findall(r'<section class="(tables[^"]*)"', home(me))) == {"tables", "tables going-on"}


def test_running_games_are_listed_with_round_and_scores(me: Person):
    table = me.open("me", "friend", game="azul-mini", names=("Ada", "Bob"))
    me.open("me", "invite", game="azul-mini", names=("Waiting", ""))
    while str((now := me.read(table))["events"]).count("draw") < 2:
        me.play_first(table)
    listed = home(me, "fr")
    words = in_words(listed)
    assert f"Manche 2 Ada {now['scores'][0]}, Bob {now['scores'][1]}" in words
    assert "Mur\u202f: coloré" in listed
    assert "Waiting, Place libre" in words, "a game that has not begun has no scores"


@pytest.mark.parametrize(("language", "name"), [("en", "Player 1"), ("fr", "Joueur 1"), ("it", "Giocatore 1")])
def test_the_pictures_of_the_games_speak_the_readers_language(me: Person, language: str, name: str):
    svg = me.get("/picture/azul-mini.svg", params={"language": language}).text
    assert name in svg
    assert language == "en" or "Player" not in svg


def test_the_table_page_knows_the_address_for_friends(
    me: Person, server: ThreadServer, monkeypatch: pytest.MonkeyPatch
):
    table = me.open("me", "invite")
    assert 'data-network=""' in me.get(f"/t/{table}").text
    network = "http://192.168.1.7:8765/"
    monkeypatch.setattr(server.app.state.rooms, "settings", Settings(thinking=0.0, limits=0, network=network))
    assert f'data-network="{network}"' in me.get(f"/t/{table}").text


def test_a_page_opened_by_the_address_in_the_network_is_no_foreign_page(me: Person):
    table = me.open("me", "invite")
    headers = {"Host": "192.168.1.7:8765", "Origin": "http://192.168.1.7:8765"}
    assert me.post(f"/api/tables/{table}/join", {"name": "Bob"}, headers=headers).status_code == 200
    headers["Origin"] = "http://127.0.0.1:8765"
    refused(me.post(f"/api/tables/{table}/join", {"name": "Bob"}, headers=headers), 403, "other sites")
