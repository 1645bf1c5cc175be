"""What a game is called and offers, in a reader's language: from its translations, else from its spec.

``blurb`` is a sentence about the game, ``options.NAME`` an option, ``choices.NAME.VALUE`` one of its choices.
"""

from __future__ import annotations

from tilewright.game.game import Game
from tilewright.game.spec import GameSpec, Option, OptionValue
from tilewright.view.language import area_of, knows, say


def game_text(game: Game | GameSpec, language: str, key: str) -> str:
    """A text of the game's own translations; empty if it has none."""
    spec = game.spec if isinstance(game, Game) else game
    whole = f"{area_of(spec)}.{key}"
    return say(language, whole) if area_of(spec) and knows(language, whole) else ""


def blurb(spec: GameSpec, language: str) -> str:
    """A sentence about a game."""
    return game_text(spec, language, "blurb")


def option_title(spec: GameSpec, option: Option, language: str) -> str:
    """What is chosen."""
    title = game_text(spec, language, f"options.{option.name}") or option.description
    return title[:1].upper() + title[1:]


def choice_title(spec: GameSpec, option: Option, choice: OptionValue, language: str) -> str:
    """One of the choices of an option."""
    own = game_text(spec, language, f"choices.{option.name}.{option.write(choice)}")
    return own or (say(language, "page.yes" if choice else "page.no") if isinstance(choice, bool) else choice)


def options_told(game: Game, language: str) -> str:
    """The variant of a rule set in a few words, as in "Wall: grey · Jokers"."""
    parts = []
    for option in game.spec.options:
        title, choice = option_title(game.spec, option, language), game.options[option.name]
        if isinstance(choice, bool):
            parts += [title] if choice else []
        else:
            which = choice_title(game.spec, option, choice, language)
            parts.append(say(language, "page.labelled", what=title, which=which))
    return " · ".join(parts)
