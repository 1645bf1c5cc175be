"""The analysis board as its page asks for it: what may be opened, played, set up and saved, and how the engine runs."""

from __future__ import annotations

from typing import Any

import pytest
from people import PATIENCE, Line, Person, refused
from real_server import ThreadServer, wait_until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import tilewright as tw
from tilewright.server.analysis_messages import MOST_EVENTS
from tilewright.server.explorer import Explorer
from tilewright.server.limits import Buckets, Rate

pytestmark = pytest.mark.usefixtures("unhurt")


def opened(person: Person, **body: Any) -> dict[str, Any]:
    answer = person.post("/api/analysis/open", body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def played(person: Person, position: str, event: str) -> dict[str, Any]:
    answer = person.post("/api/analysis/play", {"position": position, "event": event, "names": ["Ada", "Bob"]})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def engine_of(person: Person) -> Line:
    """A connection to the engine."""
    address = f"{person.url.replace('http', 'ws')}/api/analysis/engine"
    return Line(connect(address, additional_headers=person.headers, proxy=None, open_timeout=PATIENCE))


@pytest.fixture
def over(me: Person) -> str:
    """A game that is over."""
    table = me.open("me", "friend", game="azul-mini", names=("Ada", "Bob"))
    me.play_out(table)
    return table


# What may be opened -------------------------------------------------------------------------------------


def test_a_game_that_is_over_opens_with_all_its_moves(stranger: Person, over: str):
    record = tw.read_record(stranger.get(f"/api/tables/{over}/record").text)
    board = stranger.get(f"/api/analysis/games/{over}").json()
    assert board["names"] == ["Ada", "Bob"]
    assert len(board["nodes"]) == len(record.events) + 1
    assert [node["parent"] for node in board["nodes"]] == [None, *range(len(record.events))]
    positions = [position.to_text() for position in record.positions()]
    assert [node["position"] for node in board["nodes"]] == positions
    assert stranger.get(f"/analysis/{over}").status_code == 200


def test_a_running_game_cannot_be_opened(me: Person, table: str):
    refused(me.get(f"/api/analysis/games/{table}"), 403, "not over")
    assert me.get(f"/analysis/{table}").status_code == 403
    record = me.get(f"/api/tables/{table}/record").text
    refused(me.post("/api/analysis/open", {"text": record}), 403, "not over")
    refused(me.get(f"/api/analysis/games/{'0' * 20}"), 404, "no such review")


def test_positions_and_new_games_open_too(me: Person):
    board = opened(me, game="summer-pavilion", players=3, options={"side": "grey"})
    assert board["start"] == tw.SummerPavilion(3, side="grey").set_up().to_text()
    assert board["names"] == ["Player 1", "Player 2", "Player 3"]
    text = tw.Azul(players=2).start(seed=4).to_text()
    board = opened(me, text=f"\n {text} \n")
    assert (board["start"], len(board["nodes"]), board["kinds"]) == (text, 1, "byrkw")
    assert opened(me, game="azul", options={"jokers": True})["kinds"] == "byrkwj"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "begins with a game"),
        ("hello", "begins with a game"),
        ("azul players=2", "sections"),
        ("tilewright record 1\ngame: nonsense", "line 2"),
        ("tilewright record 9", "another version"),
    ],
)
def test_what_cannot_be_read_says_why(me: Person, text: str, words: str):
    refused(me.post("/api/analysis/open", {"text": text}), 400, words)


def test_an_impossible_position_is_explained_in_the_language_of_the_reader(me: Person):
    text = tw.Azul().start(seed=4).to_text().replace("phase=draft", "phase=over")
    said = {}
    for language in ("en", "fr", "it"):
        answer = me.post("/api/analysis/open", {"text": text}, headers={"Accept-Language": language})
        assert answer.status_code == 400
        said[language] = answer.json()["said"]
    assert "There are still tiles on the factories" in said["en"]
    assert "Il reste des tuiles" in said["fr"]
    assert "Ci sono ancora piastrelle" in said["it"]


@pytest.mark.parametrize(
    ("old", "new"), [("; player=2", ""), ("round=1", "round"), ("phase=draft", "phase=nonsense"), ("bag=", "sack=")]
)
def test_a_text_that_is_not_a_position_is_explained_without_words_for_programmers(me: Person, old: str, new: str):
    text = tw.Azul().start(seed=4).to_text().replace(old, new, 1)
    for language, words in (
        ("en", "its text is not written like that of a position of Azul ("),
        ("fr", "son texte n’est pas écrit comme celui d’une position du jeu Azul."),
        ("it", "il testo non è scritto come quello di una posizione del gioco Azul."),
    ):
        answer = me.post("/api/analysis/open", {"text": text}, headers={"Accept-Language": language}).json()
        assert words in answer["said"]
        assert "Azul(" not in answer["said"] + answer["error"]


@pytest.mark.parametrize("text", ["hello", "azul players=9 wall=coloured; x", "chess players=2; x"])
def test_a_text_of_no_game_is_explained_in_the_language_of_the_reader(me: Person, text: str):
    for language, words in (
        ("en", "its text does not begin with a game and its options, such as “azul players=2"),
        ("fr", "son texte ne commence pas par un jeu et ses options, comme «"),
        ("it", "Questa posizione non si può usare: il testo non comincia con un gioco e le sue opzioni, come «azul"),
    ):
        answer = me.post("/api/analysis/open", {"text": text}, headers={"Accept-Language": language}).json()
        assert words in answer["said"]


# Moves --------------------------------------------------------------------------------------------------


def test_nothing_is_drawn_unless_somebody_says_what(me: Person):
    start = tw.Azul().set_up()
    moment = me.post("/api/analysis/moment", {"position": start.to_text()}).json()
    assert moment["legal"] == []
    assert moment["draw"] == {"tiles": {"b": 20, "y": 20, "r": 20, "k": 20, "w": 20}, "wanted": 20}
    first = played(me, start.to_text(), "draw bbyr kk")
    assert first["moment"]["draw"]["wanted"] == 14
    assert first["moment"]["scene"]["tiles"]["factory-2-1"] == "k"
    whole = played(me, start.to_text(), "draw bbyr kkww bbyr kkww yyyy")
    assert whole["moment"]["draw"] is None
    assert whole["moment"]["turn"] == 1
    dealt = played(me, start.to_text(), "deal")
    assert dealt["node"]["event"].startswith("draw ")
    assert dealt["moment"]["draw"] is None
    answer = me.post("/api/analysis/play", {"position": start.to_text(), "event": "draw bbyx"})
    assert answer.json()["said"].startswith("Tile 4 cannot be drawn")


def test_the_round_ends_and_the_board_asks_for_the_deal(me: Person):
    position = tw.Azul().start(seed=2)
    text = position.without_dealer().to_text()
    for _ in range(60):
        moment = me.post("/api/analysis/moment", {"position": text}).json()
        if moment["draw"]:
            break
        text = played(me, text, str(tw.read_position(text).game.moves[moment["legal"][-1]]))["node"]["position"]
    assert moment["draw"]["wanted"] == 20
    assert moment["round"] == 2


def test_moves_are_told_and_explained(me: Person):
    position = tw.Azul().start(seed=2)
    text = position.to_text()
    legal = [int(move) for move in position.legal_moves]
    told = played(me, text, str(position.game.moves[legal[0]]))["node"]
    assert (told["seat"], told["told"].split()[0]) == (1, "takes")
    assert me.post("/api/analysis/about", {"position": text, "move": legal[0]}).json()["lines"]
    illegal = next(number for number in range(position.game.actions) if number not in legal)
    assert me.post("/api/analysis/about", {"position": text, "move": illegal}).json()["said"]
    refused(me.post("/api/analysis/play", {"position": text, "event": "zz"}), 400, "not a move")


def test_what_if_they_take_these(me: Person):
    position = tw.Azul().start(seed=2)
    text = position.to_text()
    spot = f"factory-1-{text.split(' 1=')[1][0]}"
    answer = me.post("/api/analysis/what-if", {"position": text, "spot": spot})
    assert answer.status_code == 200, answer.text
    move = position.game.move(answer.json()["event"])
    assert move in position.legal_moves
    assert str(move).startswith("1" + spot[-1])
    refused(me.post("/api/analysis/what-if", {"position": text, "spot": "factory-9-b"}), 400, "not legal")


# Saving -------------------------------------------------------------------------------------------------


def test_a_study_is_saved_and_opened_again(me: Person):
    game = tw.Azul()
    nodes = [
        [0, "draw bbyr kkww bbyr kkww yyyy", ""],
        [1, "1b2", "Two of a kind.\nNot bad."],
        [1, "2k2", "Or these?"],
        [3, "1b2", ""],
    ]
    body = {"start": game.set_up().to_text(), "names": ["Ada", "Bob"], "comment": "A study.", "nodes": nodes}
    saved = me.post("/api/analysis/record", body).json()
    assert saved["name"] == "azul-analysis.txt"
    study = tw.read_study(saved["text"])
    assert study.root.comment == "A study."
    assert [str(event) for event in tw.read_record(saved["text"]).events] == ["bbyr kkww bbyr kkww yyyy", "1b2"]
    board = opened(me, text=saved["text"])
    assert [[node["parent"], node["event"], node["comment"]] for node in board["nodes"][1:]] == nodes
    answer = me.post("/api/reviews", {"record": saved["text"]})
    assert answer.status_code == 201, "a review reads the main line"


def test_a_study_from_a_position_has_no_table_to_practise_at(me: Person):
    position = tw.Azul().start(seed=2)
    move = str(next(iter(position.legal_moves)))
    body = {"start": position.to_text(), "names": ["Ada", "Bob"], "nodes": [[0, move, ""]]}
    text = me.post("/api/analysis/record", body).json()["text"]
    assert f"position: {position.to_text()}" in text
    review = me.post("/api/reviews", {"record": text}).json()["id"]
    assert me.get(f"/api/analysis/games/{review}").json()["start"] == position.to_text()
    refused(me.post(f"/api/reviews/{review}/practice", {"event": 0}), 400, "position that was set up")


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([[5, "draw bbyr", ""]], "follows event 5"),
        ([[-1, "draw bbyr", ""]], "follows event -1"),
        ([[0, "1b2", ""]], "drawn"),
        ([[0, "draw x", ""]], "x"),
        ([[0, "draw b", ""]] * (MOST_EVENTS + 1), "at most"),
    ],
)
def test_a_study_that_makes_no_sense_is_refused(me: Person, nodes: list[list[Any]], words: str):
    body = {"start": tw.Azul().set_up().to_text(), "names": ["Ada", "Bob"], "nodes": nodes}
    answer = me.post("/api/analysis/record", body)
    assert answer.status_code in (400, 413), answer.text
    if answer.status_code == 400:
        assert words in answer.json()["error"]


@pytest.mark.parametrize("nodes", [[[0, "deal"]], [["0", "deal", ""]], [[0, 1, ""]], "x", None])
def test_a_body_of_another_shape_is_refused(me: Person, nodes: Any):
    body = {"start": tw.Azul().set_up().to_text(), "names": ["Ada", "Bob"], "nodes": nodes}
    assert me.post("/api/analysis/record", body).status_code == 422


# Setting up ---------------------------------------------------------------------------------------------


def test_a_position_is_set_up_step_by_step(me: Person):
    game = tw.Azul().set_up().to_text()
    body: dict[str, Any] = {"game": game, "names": ["Ada", "Bob"], "text": None}
    draft = me.post("/api/analysis/draft", body).json()
    for act, name, value in (("put", "factory-1-0", "b"), ("put", "p1-wall-1-1", "b"), ("change", "turn", "2")):
        body = {**body, "text": draft["text"], "act": act, "name": name, "value": value}
        answer = me.post("/api/analysis/draft", body)
        assert answer.status_code == 200, answer.text
        draft = answer.json()
    assert draft["flaw"] == ""
    assert tw.read_position(draft["text"]).turn == 1
    assert draft["scene"]["tiles"]["factory-1-0"] == "b"
    assert {control["name"]: control["value"] for control in draft["controls"]}["turn"] == "2"
    body = {**body, "text": draft["text"], "act": "change", "name": "phase", "value": "over"}
    french = me.post("/api/analysis/draft", body, headers={"Accept-Language": "fr"}).json()
    assert french["flaw"].startswith("Il reste des tuiles")
    refused(me.post("/api/analysis/draft", {**body, "name": "nothing"}), 400, "no control")
    refused(me.post("/api/analysis/draft", {**body, "text": "nonsense"}), 400, "sections")
    refused(me.post("/api/analysis/draft", {**body, "names": []}), 400, "names")
    refused(me.post("/api/analysis/draft", {**body, "game": "chess"}), 400, "begins with a game")


# The engine ---------------------------------------------------------------------------------------------


def test_the_engine_shows_its_best_lines(me: Person):
    position = tw.Azul().start(seed=2).to_text()
    with engine_of(me) as line:
        line.send("analyse", position=position, lines=2, number=7)
        found = line.hear("analysis", number=7, done=True)
    assert len(found["lines"]) == 2
    best = found["lines"][0]
    assert 0 <= best["chance"] <= 1
    assert best["moves"][0]["seat"] == 1
    assert best["moves"][0]["told"].startswith("takes")
    assert round(sum(found["chances"]), 3) == 1
    assert len(found["margins"]) == 2


def test_a_program_asks_for_an_analysis_as_json(me: Person):
    position = tw.Azul().start(seed=2)
    answer = me.post("/api/analysis", {"position": position.to_text(), "lines": 2})
    assert answer.status_code == 200, answer.text
    analysis = tw.Analysis.from_dict(answer.json())
    assert analysis.position.to_text() == position.to_text()
    assert analysis.lines == 2
    assert analysis.best.move in position.legal_moves
    assert sum(analysis.expectation.chances) == pytest.approx(1, abs=1e-4)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    assert me.post("/api/analysis", {"position": position.to_text()}).json()["candidates"] == []
    position = tw.Azul().start(seed=2)
    refused(me.post("/api/analysis", {"position": "chess"}), 400, "position")
    refused(me.post("/api/analysis", {"position": position.to_text(), "lines": 0}), 422, "lines")


def test_programs_share_the_limit_of_the_engine(me: Person, server: ThreadServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server.app.state.limits, "_analysing", Buckets(Rate(1, 0.001)))
    body = {"position": tw.Azul().start(seed=2).to_text()}
    assert me.post("/api/analysis", body).status_code == 200
    assert me.post("/api/analysis", body).json()["code"] == "too_many_analyses"


def test_the_engine_says_what_is_wrong(me: Person):
    with engine_of(me) as line:
        for message in (
            {"name": "analyse", "position": "nonsense"},
            {"name": "analyse", "position": 5},
            {"name": "analyse", "position": tw.Azul().start(seed=1).to_text(), "lines": 99},
            {"name": "dance"},
        ):
            line.send(message.pop("name"), **message)
            assert line.hear("error")["error"]
        line.socket.send("{")
        assert line.hear("error")["error"]
        line.send("ping")
        line.hear("pong")
        over = tw.Azul().start(seed=1)
        while not over.is_over:
            over.push(next(iter(over.legal_moves)))
        line.send("analyse", position=over.to_text(), number=2)
        assert line.hear("analysis", number=2, done=True)["lines"] == []


def test_the_engine_stops_when_nobody_looks(me: Person, server: ThreadServer):
    explorer: Explorer = server.app.state.explorer
    position = tw.Azul(players=4).start(seed=2).to_text()
    original = explorer._budget
    explorer._budget = "100000000"
    try:
        with engine_of(me) as line:
            line.send("analyse", position=position, number=1)
            line.hear("analysis", number=1)
            assert explorer.searches == 1
            line.send("stop")
            wait_until(lambda: explorer.searches == 0, "the search should end on request")
            line.send("analyse", position=position, number=2)
            line.hear("analysis", number=2)
            with engine_of(me) as other:
                other.send("analyse", position=position, number=3)
                other.hear("analysis", number=3)
                assert explorer.searches == 1, "a person has one search"
        wait_until(lambda: explorer.searches == 0, "the search should end with the connection")
    finally:
        explorer._budget = original


def test_the_engine_is_limited_for_each_person(me: Person, server: ThreadServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server.app.state.limits, "_analysing", Buckets(Rate(2, 0.001)))
    position = tw.Azul().start(seed=2).to_text()
    with engine_of(me) as line:
        for number in range(2):
            line.send("analyse", position=position, number=number)
            line.hear("analysis", number=number, done=True)
        line.send("analyse", position=position, number=3)
        assert line.hear("error")["code"] == "too_many_analyses"


def test_pages_of_other_sites_cannot_connect(me: Person):
    address = f"{me.url.replace('http', 'ws')}/api/analysis/engine"
    origin = {"Origin": "https://elsewhere.example"}
    with pytest.raises(InvalidStatus), connect(address, additional_headers=origin, proxy=None):
        pass
