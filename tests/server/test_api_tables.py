"""The interface for programs, over real HTTP: tables are opened, joined, played at and shown."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing

import pytest
from people import GAMES, Person, refused

from tilewright.game.record import read_record
from tilewright.game.registry import make_game, read_position
from tilewright.server.database import open_reader
from tilewright.server.store import Library, Store

pytestmark = pytest.mark.usefixtures("unhurt")


def test_the_games_and_their_options(me: Person):
    found = {game["name"]: game for game in me.get("/api/games").json()}
    assert list(found) == GAMES
    assert found["azul"]["options"] == {"wall": ["coloured", "grey"], "jokers": [False, True]}
    assert found["summer-pavilion"]["options"] == {"side": ["coloured", "grey"]}
    assert "random" in found["azul"]["bots"]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_table_of_every_game_can_be_opened_and_begun(me: Person, game: str, players: int):
    table = me.open(*["me"] * players, game=game)
    now = me.read(table)
    assert (now["game"], now["players"], now["event"], now["turn"]) == (game, players, 1, 1)
    assert [seat["you"] for seat in now["seats"]] == [True] * players
    assert me.play_first(table) == 2
    assert me.read(table)["turn"] in range(1, players + 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_and_its_record(me: Person, game: str):
    table = me.open("me", "friend", game=game, names=("Ada", "Bob"))
    assert me.get(f"/api/tables/{table}/events").json()["seed"] is None
    now = me.play_out(table)
    assert now["turn"] is None
    assert now["legal"] == []
    assert now["over"]["scores"] == now["scores"]
    assert [sum(points.values()) for points in now["over"]["points"]] == now["scores"]
    record = me.get(f"/api/tables/{table}/record", params={"language": "en"})
    assert record.headers["content-type"].startswith("text/plain")
    assert "attachment" in record.headers["content-disposition"]
    final = read_record(record.text).replay()
    assert final.to_text() == now["position"]
    assert list(final.scores) == now["scores"]
    assert "Ada" in record.text
    replay = me.get(f"/api/tables/{table}/events").json()
    assert replay["checked"] is True
    assert len(replay["events"]) == now["event"] + 1
    assert replay["events"][-1]["scores"] == now["scores"]
    refused(me.play(table, 0, now["event"]), 400, "over")


def test_a_position_can_be_read_and_a_text_played(me: Person):
    table = me.open("me", "friend")
    now = me.read(table)
    position = read_position(now["position"])
    assert [str(move) for move in position.legal_moves] == [move["text"] for move in now["legal"]]
    text = now["legal"][-1]["text"]
    assert me.play(table, text, 1).json() == {"event": 2}
    after = me.read(table, after=1)
    assert after["events"] == [f"1 {text}"]
    position.push(text)
    assert position.to_text() == after["position"]


def test_an_invited_friend_joins_and_both_play(me: Person, friend: Person):
    table = me.open("me", "invite", names=("Ada", ""))
    now = me.read(table)
    assert (now["event"], now["events"], now["turn"], now["legal"]) == (0, [], None, []), "nobody sees a deal yet"
    assert read_position(now["position"]) == make_game("azul").set_up()
    assert len(now["seed_hash"]) == 64, "but it is bound already"
    refused(me.play(table, 0, 0), 403, "every seat")
    assert friend.join(table, "Bob") == 2
    after = me.read(table)
    assert (after["event"], after["turn"], after["seed_hash"]) == (1, 1, now["seed_hash"])
    assert friend.key
    assert friend.key != me.key
    assert [seat["name"] for seat in me.read(table)["seats"]] == ["Ada", "Bob"]
    assert me.play_first(table) == 2
    assert friend.play_first(table) == 3


def test_open_tables_are_listed_until_they_are_full(me: Person, friend: Person):
    table = me.open("me", "open")
    hidden = me.open("me", "invite")
    listed = [one["id"] for one in me.get("/api/tables").json()]
    assert table in listed
    assert hidden not in listed
    friend.join(table)
    assert table not in [one["id"] for one in me.get("/api/tables").json()]


def test_a_bot_answers_and_the_answer_can_be_waited_for(me: Person):
    table = me.open("me", "bot")
    event = me.play_first(table)
    now = me.read(table, after=event, wait=25)
    while now["event"] == event:
        now = me.read(table, after=event, wait=25)
    assert now["events"][0].startswith("2 ")


def test_names_that_nobody_typed_are_in_the_readers_language(me: Person):
    table = me.open("me", "bot", "open")
    for language, names in {
        "en": ["Player 1", "Random bot", "Free seat"],
        "fr": ["Joueur 1", "Robot aléatoire", "Place libre"],
        "it": ["Giocatore 1", "Bot casuale", "Posto libero"],
    }.items():
        headers = {"Accept-Language": language}
        view = me.get(f"/api/tables/{table}/view", headers=headers).json()
        assert [seat["name"] for seat in view["seats"]] == names
        drawn = "".join(panel["svg"] for panel in view["panels"])
        assert all(name in drawn for name in names)
        listed = me.get("/api/tables", headers=headers).json()
        assert next(one["players"] for one in listed if one["id"] == table) == names
        assert names[1] in me.get(f"/api/tables/{table}/record", headers=headers).text
        home = me.get("/", headers={**headers, "Cookie": f"tilewright_key={me.key}"}).text
        assert ", ".join(names) in home


@pytest.mark.parametrize("game", GAMES)
def test_what_a_viewer_needs(me: Person, stranger: Person, game: str):
    table = me.open("me", "friend", game=game, names=("<b>Ada</b>&", "Bob"))
    view = me.get(f"/api/tables/{table}/view").json()
    paths = me.get(view["paths"]).json()
    assert {panel["name"] for panel in view["panels"]} == {"market", "player-1", "player-2"}
    assert "<b>Ada" not in json.dumps(view["panels"]), "a name is never markup"
    drawn = "".join(panel["svg"] for panel in view["panels"])
    slots, places = (set(re.findall(f'data-{kind}="([^"]+)"', drawn)) for kind in ("slot", "place"))
    assert set(view["state"]["scene"]["tiles"]) <= slots
    for number in view["state"]["legal"]:
        for spot in paths[number]["spots"]:
            spot = spot.replace("@", "p1")
            found = f'data-spot="{spot}"' in drawn or spot.rpartition("-")[0] in places or spot in view["buttons"]
            assert found, f"{spot} is nowhere"
    assert stranger.get(f"/api/tables/{table}/view").json()["state"]["legal"] == []


def test_texts_come_in_the_language_that_is_asked_for(me: Person):
    table = me.open("me", "friend")
    me.play_first(table)
    texts = set()
    for language in ("en", "fr", "it"):
        view = me.get(f"/api/tables/{table}/view", headers={"Accept-Language": language}).json()
        texts.add(view["state"]["log"][-1]["text"])
        assert view == me.get(f"/api/tables/{table}/view?language={language}").json()
    assert len(texts) == 3


def test_moves_that_arrive_while_the_disk_is_busy_share_the_next_wait(
    server_database: str, person: Callable[[], Person], monkeypatch: pytest.MonkeyPatch
):
    """No response comes before its move is on the disk, whatever else is in the same commit."""
    shared: list[int] = []
    write_all = Store.write_all

    def slowly(store: Store, writes: Sequence[Callable[[Store], None]]) -> list[Exception | None]:
        time.sleep(0.05)
        shared.append(len(writes))
        return write_all(store, writes)

    missing: list[str] = []

    def play(someone: Person, table: str) -> None:
        for _ in range(3):
            event = someone.play_first(table)
            with closing(Library(open_reader(server_database))) as library:
                if len(library.events(table)) < event:
                    missing.append(table)

    people = [person() for _ in range(8)]
    games = [(someone, someone.open("me", "friend")) for someone in people]
    monkeypatch.setattr(Store, "write_all", slowly)
    threads = [threading.Thread(target=play, args=game) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(shared) > 1
    assert missing == []
    assert all(someone.read(table)["event"] == 4 for someone, table in games)
