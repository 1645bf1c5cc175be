"""The pages to learn from, the coach, and that nothing is missing in any language."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from people import Person
from real_server import ThreadServer

from tilewright.bots.random import RandomBot
from tilewright.game.registry import GAMES, find_spec, make_game
from tilewright.games.azul import lessons as azul_lessons
from tilewright.games.summer_pavilion import lessons as pavilion_lessons
from tilewright.server import learning
from tilewright.server.web import new_key
from tilewright.view.coach import advice
from tilewright.view.language import LANGUAGES, say, texts
from tilewright.view.lessons import markdown_of, plates_of
from tilewright.view.narrator import prompt
from tilewright.view.picture.lesson import model_game, play

OTHERS = [language for language in LANGUAGES if language != "en"]


def outline(game: str, language: str) -> list[str]:
    """What must be the same in every language: the order of headings, pictures, tables and lists."""
    found = re.findall(
        r"(?m)^(##+) |!\[[^\]]+\]\((picture:[\w-]+)\)|^(\|---.*)$|^(- )", markdown_of(find_spec(game), language)
    )
    return ["".join(parts) for parts in found]


# --------------------------------------------------------------------------------------------------- Texts


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language: str):
    assert set(texts(language)) == set(texts("en"))


@pytest.mark.parametrize("language", OTHERS)
def test_translations_fill_in_the_same_values(language: str):
    """A singular may say the number in words."""
    for key, text in texts("en").items():
        values = {word: set(re.findall(r"\{(\w+)\}", texts(word)[key])) for word in ("en", language)}
        if key.endswith(".one"):
            values = {word: found - {"n"} for word, found in values.items()}
        assert values["en"] == values[language], (key, text)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_rules_have_the_same_outline_in_every_language(game: str, language: str):
    assert outline(game, language) == outline(game, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_azul_mini_has_the_rules_of_azul_without_the_jokers(language: str):
    mini, azul = (markdown_of(find_spec(game), language) for game in ("azul-mini", "azul"))
    introduction, _, rules = mini.partition("\n\n")
    assert "Azul Mini" in introduction
    assert azul.startswith(rules)
    assert azul.removeprefix(rules).count("\n## ") == 1
    assert "picture:jokers" in azul.removeprefix(rules)


@pytest.mark.parametrize("game", GAMES)
def test_rules_show_every_picture_once(game: str):
    named = re.findall(r"\(picture:([\w-]+)\)", markdown_of(find_spec(game), "en"))
    assert sorted(named) == sorted(plates_of(find_spec(game)))


# ------------------------------------------------------------------------------------------------- Pictures


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_picture_can_be_drawn(game: str, language: str):
    for name in plates_of(find_spec(game)):
        for theme in learning.THEMES:
            svg = learning.picture(game, name, language, theme).svg
            ElementTree.fromstring(svg)
            assert "var(" not in svg
            assert len(svg) > 5000, name


def test_rings_in_pictures_mean_slots_that_exist():
    for game in GAMES:
        for name, plate in plates_of(find_spec(game)).items():
            ringed = sum(len(group) for piece in plate(game) if not isinstance(piece, str) for group in piece.rings)
            drawn = learning.picture(game, name, "en", "light").svg.count("<g transform=")
            assert drawn >= ringed, (game, name)


def test_pictures_are_as_their_captions_say():
    opening = play("azul", azul_lessons._ALL_TAKEN + "; cw5")
    assert opening.scores[0] == 4
    floor = next(piece.position for piece in azul_lessons._floor("azul") if not isinstance(piece, str))
    assert floor.state.floor[0].item().to_bytes(8, "little").count(2) == 2
    assert model_game("azul", azul_lessons.__name__)[-1].outcome().points[0]["full colours"] == 10
    paid = play("summer-pavilion", pavilion_lessons._PAYING)
    before = paid.scores[0]
    paid.push("r3+2")
    assert paid.scores[0] - before == 3
    ended = model_game("summer-pavilion", pavilion_lessons.__name__)[-1].outcome()
    assert (ended.points[0]["full stars"], ended.points[0]["numbers covered"]) == (12, 24)


# --------------------------------------------------------------------------------------------------- Pages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["/learn", *(f"/learn/{game}" for game in GAMES)])
def test_pages_in_every_language(me: Person, page: str, language: str):
    answer = me.get(page, params={"language": language})
    assert answer.status_code == 200
    assert len(re.findall(r"<h1[ >]", answer.text)) == 1
    assert f'<html lang="{language}"' in answer.text
    for picture in set(re.findall(r'src="(/learn/picture/[^"]+)"', answer.text)):
        assert me.get(picture.replace("&amp;", "&")).status_code == 200
    assert "picture:" not in answer.text


def test_rules_have_no_markdown_left_over(me: Person):
    text = me.get("/learn/azul").text
    assert "**" not in text
    assert "<table>" in text
    assert text.count("<figure") == len(plates_of(find_spec("azul")))


@pytest.mark.parametrize(
    "path", ["/learn/chess", "/learn/chess/first-game", "/learn/picture/azul/none.svg", "/learn/picture/chess/take.svg"]
)
def test_what_does_not_exist_is_not_found(me: Person, path: str):
    assert me.get(path).status_code == 404


# --------------------------------------------------------------------------------------------- A first game


def open_first_game(me: Person, game: str) -> str:
    me.key = new_key()
    answer = me.post(f"/learn/{game}/first-game", follow_redirects=False)
    assert answer.status_code == 303
    return answer.headers["location"].removeprefix("/t/")


def test_looking_at_the_address_of_a_first_game_opens_no_table(me: Person):
    answer = me.get("/learn/azul/first-game", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/learn/azul")


@pytest.mark.parametrize("game", GAMES)
def test_a_first_game_has_a_coach(me: Person, game: str):
    table = open_first_game(me, game)
    view = me.get(f"/api/tables/{table}/view").json()
    assert view["guided"]
    coach = view["state"]["coach"]
    assert len(coach["text"]) > 40
    assert coach["move"] is None or coach["move"] in view["state"]["legal"]


def test_the_coach_tells_its_move_when_it_has_one(server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server.app.state.rooms.analyst, "_budget", "2000")
    table = open_first_game(me, "azul")
    legal = me.get(f"/api/tables/{table}/view").json()["state"]["legal"]
    with me.watch(table) as line:
        move = None
        while move is None:
            message = line.hear("state", "coach")
            coach = message.get("coach") or message["state"]["coach"]
            move = coach["move"]
    assert move in legal
    assert coach["told"].startswith("take ")
    assert 1 <= len(coach["reasons"]) <= 3
    assert not any("{" in reason or "played" in reason for reason in coach["reasons"])


def test_the_coach_gives_its_reasons_in_every_language(
    server: ThreadServer, me: Person, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server.app.state.rooms.analyst, "_budget", "2000")
    table = open_first_game(me, "azul")
    with me.watch(table) as line:
        while (message := line.hear("state", "coach"))["type"] != "coach":
            pass
    told = {
        language: me.get(f"/api/tables/{table}/view", params={"language": language}).json()["state"]["coach"]
        for language in LANGUAGES
    }
    assert {one["move"] for one in told.values()} == {message["coach"]["move"]}
    assert len({one["reasons"][0] for one in told.values()}) == len(LANGUAGES)


def test_only_the_guided_player_hears_the_coach(me: Person, stranger: Person):
    table = open_first_game(me, "azul")
    assert stranger.get(f"/api/tables/{table}/view").json()["state"]["coach"] is None
    with stranger.watch(table) as line:
        assert line.hear("state")["state"]["coach"] is None


def test_the_coach_follows_the_game(me: Person):
    table = open_first_game(me, "azul")
    first = me.get(f"/api/tables/{table}/view").json()["state"]
    with me.watch(table, after=first["event"]) as line:
        line.move(first["legal"][0], first["event"])
        event = line.hear("event", turn=1)
    assert event["coach"]["text"] not in ("", first["coach"]["text"])


def test_other_tables_have_no_coach(me: Person):
    table = me.open("me", "bot")
    view = me.get(f"/api/tables/{table}/view").json()
    assert not view["guided"]
    assert view["state"]["coach"] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_learner_is_not_called_like_the_bot(me: Person, language: str):
    headers = {"Accept-Language": language}
    address = me.post("/learn/azul/first-game", follow_redirects=False, headers=headers).headers["location"]
    names = [seat["name"] for seat in me.read(address.removeprefix("/t/"), language=language)["seats"]]
    assert names == [say(language, "page.learner"), say(language, "bots.level1")]
    assert names[0] not in {say(language, f"bots.level{level}") for level in range(1, 6)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_places_on_ones_own_board_bear_no_name(me: Person, game: str, language: str):
    """The coach says *line 2*, not *line 2 of Guest*: the page names places by these."""
    view = me.get(f"/api/tables/{open_first_game(me, game)}/view", params={"language": language}).json()
    own = {place: name for place, name in view["place_names"].items() if place.startswith("@-")}
    assert len(own) > 20
    learner = view["seats"][0]["name"]
    assert [name for name in own.values() if learner in name] == []
    spots = {spot for path in me.get(view["paths"]).json() for spot in path["spots"] if spot.startswith("@-")}
    assert {spot for spot in spots if "hand" not in spot} <= own.keys()


def test_a_browser_without_a_key_gets_one(me: Person):
    answer = me.post("/learn/azul/first-game", follow_redirects=False)
    assert "HttpOnly" in answer.headers["set-cookie"]


# --------------------------------------------------------------------------------------------------- Coach

VARIANTS = [
    ("azul", {}),
    pytest.param("azul", {"wall": "grey", "jokers": True}, marks=pytest.mark.slow),
    pytest.param("azul-mini", {"wall": "grey"}, marks=pytest.mark.slow),
    pytest.param("summer-pavilion", {}, marks=pytest.mark.slow),
    ("summer-pavilion", {"side": "grey"}),
]


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_the_coach_has_advice_in_every_phase(name: str, options: dict[str, str | bool]):
    game = make_game(name, players=3, **options)
    phases = set()
    for seed in range(3):
        position, bot = game.start(seed=seed), RandomBot(seed=seed)
        while not position.is_over:
            phases.add(position.phase)
            told = advice(position, position.turn, "en")
            assert told is not None
            assert "{" not in told.text
            assert advice(position, (position.turn + 1) % 3, "en") is None
            position.push(bot.choose(position))
        assert all(advice(position, seat, "it").text for seat in range(3))
    choosing = set(game.phases) - {"fill", "supply", "factories", "over"}
    if name != "summer-pavilion" and options.get("wall") != "grey":
        choosing -= {"tile"}
    assert phases == choosing


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["azul", "summer-pavilion"])
def test_the_coach_repeats_itself_little(name: str, language: str):
    position, bot = make_game(name, players=2).start(seed=5), RandomBot(seed=5)
    quiet: set[str] = set()
    said: Counter[str] = Counter()
    while not position.is_over:
        if position.turn == 0:
            quiet.add(prompt(position, language))
            said[advice(position, 0, language).text] += 1
        position.push(bot.choose(position))
    assert all(times <= 2 for text, times in said.items() if text not in quiet)
    assert len(said) > 10


def test_advice_is_the_same_whenever_it_is_asked_for():
    """What was said before follows from the position alone, also after a takeback."""
    position = make_game("azul", players=2).start(seed=9)
    first = advice(position, 0, "en")
    for _ in range(4):
        position.push(next(iter(position.legal_moves)))
    assert advice(position, 0, "en") != first
    for _ in range(4):
        position.pop()
    assert advice(position, 0, "en") == first
