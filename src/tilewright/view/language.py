"""Texts in English, French and Italian.

Every text that people read has a key. Those of the engine stand in ``languages/<language>/<area>.toml``; those of a
game in its own translations, whose area is the name of the package that they are in. ``say`` fetches a text and fills
in what is in braces. A text that counts has a form for each plural category of the language, ``one`` and ``other``,
chosen by ``n``. A game may lack a language, or some of its texts: those are said in English.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
import warnings
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Any

from tilewright.game.errors import describe_error
from tilewright.game.registry import GAMES, find_spec
from tilewright.game.spec import GameSpec
from tilewright.game.validation import echo
from tilewright.view.grammar import plural_category, unbroken
from tilewright.view.languages import DEFAULT, LANGUAGES

__all__ = ["DEFAULT", "LANGUAGES", "area_of", "find_key", "game_texts", "say", "say_for", "texts"]

VOWELS = "aeiouyœæ"
_DE = re.compile(r"\b([dD])e {(\w+)}")
_MANY = "other"
"""The plural category that every language has."""


@cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of a language by their whole key, ``area.key`` or ``area.key.one``."""
    found: dict[str, str] = {}
    for path in files("tilewright.view").joinpath("languages", language).iterdir():
        if path.name.endswith(".toml"):
            found |= _read(path, path.name.removesuffix(".toml"), language)
    for name in GAMES:
        try:
            found = game_texts(find_spec(name), language) | found  # nobody replaces what others say
        except Exception as error:  # of one game, which must not cost the others
            why = f"the texts of the game {name!r} cannot be read: {describe_error(error)}"
            warnings.warn(f"{why}; the defaults are used instead", stacklevel=2)
    return found


def area_of(module: str) -> str:
    """The area of the texts of a game: the package that one of its parts is in."""
    return module.split(".")[-2] if "." in module else module


def game_texts(spec: GameSpec, language: str) -> dict[str, str]:
    """The texts that a game brings, by their whole key, in English where it has no others."""
    package = spec.part("translations")
    if package is None:
        return {}
    if not hasattr(package, "__path__"):
        raise TypeError(f"{package.__name__} is a module; the texts should be in a package, a folder with en.toml")
    found: dict[str, str] = {}
    for name in dict.fromkeys((DEFAULT, language)):
        path = files(package).joinpath(f"{name}.toml")
        found |= _read(path, area_of(spec.parts["translations"]), name) if path.is_file() else {}
    for key, text in found.items():
        _check_text(key, text)
    return found


def _check_text(key: str, text: object) -> None:
    if not isinstance(text, str):
        raise TypeError(f"{key} should be a text, not {echo(text)}")
    try:
        list(Formatter().parse(text))
    except ValueError as error:
        raise ValueError(f"the braces of {key} do not match: {error}") from None


def _read(path: Traversable, area: str, language: str) -> dict[str, str]:
    """The texts of a file, those in tables under the names of the tables too."""
    found: dict[str, str] = {}

    def flatten(prefix: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                flatten(f"{prefix}.{key}", inner)
        else:
            found[prefix] = unbroken(value, language) if isinstance(value, str) else value

    flatten(area, tomllib.loads(path.read_text(encoding="utf-8")))
    return found


def say(language: str, key: str, **values: object) -> str:
    """A text in a language, with the values filled in."""
    text = _find(language, key, values)
    if text is None:
        raise KeyError(f"there is no text {key!r} in the language {language!r}")
    return (_elided(text, values) if language == "fr" else text).format(**values)


@cache
def find_key(spec: GameSpec, language: str, key: str) -> str | None:
    """The whole key of a text that a game has of its own, or else the game whose parts it uses."""
    known = texts(language)
    modules = [spec.parts[part] for part in ("translations", *spec.parts) if part in spec.parts]
    for area in dict.fromkeys(map(area_of, modules)):
        own = f"{area}.{key}"
        if own in known or f"{own}.{_MANY}" in known:
            return own
    return None


def say_for(spec: GameSpec, language: str, key: str, **values: object) -> str:
    """A text that a game may have of its own, under a key in its area, else the one that all games share."""
    return say(language, find_key(spec, language, key) or key, **values)


def _find(language: str, key: str, values: Mapping[str, object]) -> str | None:
    known = texts(language)
    number = values.get("n")
    if key in known or not isinstance(number, int):
        return known.get(key)
    return known.get(f"{key}.{plural_category(number, language)}", known.get(f"{key}.{_MANY}"))


def _elided(text: str, values: Mapping[str, object]) -> str:
    """French drops the e of *de* before a vowel.

    >>> say("fr", "picture.board", name="Ana"), say("fr", "picture.board", name="Bea")
    ('plateau d’Ana', 'plateau de Bea')
    >>> say("fr", "picture.board", name="Élodie")
    'plateau d’Élodie'
    """

    def shorten(found: re.Match[str]) -> str:
        first = unicodedata.normalize("NFD", str(values.get(found[2], "")))[:1].lower()
        return f"{found[1]}’{{{found[2]}}}" if first in VOWELS and first else found[0]

    return _DE.sub(shorten, text)
