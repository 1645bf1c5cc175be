"""Texts in every language: the same keys, the same values to fill in, and English where a game has nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from string import Formatter
from types import ModuleType

import pytest

import tilewright as tw
import tilewright.games.azul.notation
import tilewright.games.summer_pavilion.notation
from tilewright.game.illegal_reason import IllegalReason
from tilewright.games import azul, summer_pavilion
from tilewright.view.game_texts import GameTexts, listed_titles
from tilewright.view.language import DEFAULT, LANGUAGES, game_texts, say, texts

OTHERS = [language for language in LANGUAGES if language != DEFAULT]


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("notation", [azul.notation, summer_pavilion.notation], ids=["azul", "summer_pavilion"])
def test_translators_find_every_reason_why_a_move_is_illegal(notation: ModuleType):
    area = f"{notation.__name__.split('.')[-2]}.illegal."
    reasons = {value.key: value.english for value in vars(notation).values() if isinstance(value, IllegalReason)}
    told = {key.removeprefix(area): text for key, text in texts(DEFAULT).items() if key.startswith(area)}
    assert told == reasons


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_key(language: str):
    assert set(texts(language)) == set(texts(DEFAULT))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_fills_in_the_same_values(language: str):
    for key, text in texts(language).items():
        wanted = placeholders(texts(DEFAULT)[key])
        if key.rpartition(".")[2] in ("one", "other"):  # a form may leave the number out
            wanted, given = wanted - {"n"}, placeholders(text) - {"n"}
        else:
            given = placeholders(text)
        assert given == wanted, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_that_count_have_every_form(language: str):
    forms = {key.rpartition(".")[0] for key in texts(language) if key.endswith((".one", ".other"))}
    assert forms
    for key in forms:
        assert {f"{key}.one", f"{key}.other"} <= set(texts(language)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_the_engine_names_a_game(language: str):
    folder = Path(tw.__file__).parent / "view" / "languages" / language
    files = list(folder.glob("*.toml"))
    assert len(files) >= 7
    for file in files:
        told = file.read_text(encoding="utf-8").lower()
        assert not any(title in told for title in ("azul", "pavilion")), file


def test_plurals_follow_the_language():
    assert [say("en", "narrator.points", n=n) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [say("fr", "narrator.points", n=n) for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]
    assert say("fr", "narrator.points", n=1_000_000) == "1000000 points"


def test_a_missing_text_or_value_is_an_error():
    with pytest.raises(KeyError, match=r"no text 'page\.nothing'"):
        say("en", "page.nothing")
    with pytest.raises(KeyError, match="name"):
        say("en", "page.turn_of")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(tw.GAMES))
def test_our_games_say_everything_in_every_language(name: str, language: str):
    spec = tw.GAMES[name].spec
    told = GameTexts(spec, language)
    assert told.own("blurb") == told.blurb
    for option in spec.options:
        assert told.own(f"options.{option.name}")
        for choice in option.choices:
            assert told.choice(option.name, choice)
    assert spec.title in listed_titles(language)


def test_a_game_without_translations_is_described_by_its_spec():
    spec = replace(tw.Azul.spec, parts={})
    told = GameTexts(spec, "en")
    assert told.blurb == "A game for 2, 3 or 4 players."
    assert told.option("wall") == "The side of the wall"
    assert told.choice("wall", "grey") == "grey"
    assert told.variant({"wall": "grey", "jokers": True}) == "The side of the wall: grey · With the Joker tiles"
    assert GameTexts(spec, "it").choice("jokers", True) == "con"
    assert game_texts(spec, "fr") == {}


def test_what_a_game_does_not_translate_is_said_in_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    package = tmp_path / "a_game"
    (package / "translations").mkdir(parents=True)
    for folder in (package, package / "translations"):
        (folder / "__init__.py").write_text("")
    (package / "translations" / "en.toml").write_text('blurb = "A game."\nhello = "Hello"\n')
    (package / "translations" / "fr.toml").write_text('blurb = "Un jeu."\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    spec = replace(tw.Azul.spec, parts={"translations": "a_game.translations"})
    assert game_texts(spec, "fr") == {"a_game.blurb": "Un jeu.", "a_game.hello": "Hello"}
    assert game_texts(spec, "it") == {"a_game.blurb": "A game.", "a_game.hello": "Hello"}


def test_titles_are_listed_as_the_language_does():
    titles = [game.spec.title for game in tw.GAMES.values()]
    assert listed_titles("en") == f"{', '.join(titles[:-1])} and {titles[-1]}"
    assert listed_titles("fr").endswith(f" et {titles[-1]}")
    assert listed_titles("it").endswith(f" e {titles[-1]}")
