"""Words in English, French and Italian.

Every text that people read stands in ``languages/<language>/<area>.toml`` under a key; ``say`` fetches it and
fills in what is in braces. A text that counts may have the forms ``one`` and ``other``, chosen by ``n``.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from tilewright.game.registry import GAMES, find_spec
from tilewright.game.spec import GameSpec

LANGUAGES = {"en": "English", "fr": "Français", "it": "Italiano"}
DEFAULT = "en"
VOWELS = "aeiouyœæ"
_DE = re.compile(r"\b([dD])e {(\w+)}")


@cache
def texts(language: str) -> dict[str, str]:
    """All texts of a language by their whole key, ``area.key`` or ``area.key.one``; a game's area is its package."""
    found: dict[str, str] = {}
    for path in files("tilewright.view").joinpath("languages", language).iterdir():
        if path.name.endswith(".toml"):
            found |= _read(path, path.name.removesuffix(".toml"))
    for name in GAMES:
        spec = find_spec(name)
        if "translations" in spec.parts:
            package = spec.parts["translations"]
            found |= _read(files(package).joinpath(f"{language}.toml"), area_of(package))
    return found


def _read(path: Traversable, area: str) -> dict[str, str]:
    """The texts of a file, those in tables under the names of the tables too."""
    found: dict[str, str] = {}

    def flatten(prefix: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                flatten(f"{prefix}.{key}", inner)
        else:
            found[prefix] = value

    flatten(area, tomllib.loads(path.read_text(encoding="utf-8")))
    return found


def area_of(module: str) -> str:
    """The area of the texts of a game: the package that one of its parts is in."""
    return module.split(".")[-2] if "." in module else module


@cache
def find_key(spec: GameSpec, language: str, key: str) -> str | None:
    """The whole key of a text that a game has of its own, or else the game whose parts it uses."""
    known = texts(language)
    modules = [spec.parts[part] for part in ("translations", *spec.parts) if part in spec.parts]
    for area in dict.fromkeys(map(area_of, modules)):
        own = f"{area}.{key}"
        if own in known or f"{own}.other" in known:
            return own
    return None


def say_for(spec: GameSpec, language: str, key: str, **values: object) -> str:
    """A text that a game may have of its own, under a key in its area, else the one that all games share."""
    return say(language, find_key(spec, language, key) or key, **values)


def say(language: str, key: str, **values: object) -> str:
    """A text in a language, with the values filled in."""
    known = texts(language)
    text = known.get(key)
    if text is None and "n" in values:
        # French counts 0 and 1 alike; English and Italian only 1.
        single = values["n"] == 1 or (language == "fr" and values["n"] == 0)
        text = known.get(f"{key}.{'one' if single else 'other'}")
    if text is None:
        raise KeyError(f"no text {key!r} in language {language!r}")
    return (_elided(text, values) if language == "fr" else text).format(**values)


def _elided(text: str, values: dict[str, object]) -> str:
    """French drops the e of *de* before a vowel.

    >>> say("fr", "azul.board", name="Ana"), say("fr", "azul.board", name="Bea"), say("fr", "azul.board", name="Élodie")
    ('plateau d’Ana', 'plateau de Bea', 'plateau d’Élodie')
    """

    def shorten(found: re.Match[str]) -> str:
        first = unicodedata.normalize("NFD", str(values.get(found[2], "")))[:1].lower()
        return f"{found[1]}’{{{found[2]}}}" if first in VOWELS and first else found[0]

    return _DE.sub(shorten, text)


def best_language(accepted: str) -> str:
    """The first of our languages that a browser's Accept-Language header asks for."""
    wishes: list[tuple[float, str]] = []
    for part in accepted.split(","):
        name, _, quality = part.strip().partition(";q=")
        try:
            wishes.append((-float(quality or 1), name[:2].lower()))
        except ValueError:
            continue
    return next((name for _, name in sorted(wishes, key=lambda wish: wish[0]) if name in LANGUAGES), DEFAULT)
