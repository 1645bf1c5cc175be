"""What a game is called and offers, in a reader's language: from its translations, else from its spec.

In translations ``blurb`` is a sentence about the game, ``options.NAME`` an option, ``choices.NAME.VALUE`` one of its
choices as commands write it; ``fields.NAME`` and ``moves.NAME`` are what pictures and drawings call the fields of
positions and moves that they know nothing else about.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.game.errors import describe_error
from tilewright.game.registry import GAMES, find_spec
from tilewright.game.spec import GameSpec, OptionValue
from tilewright.view.grammar import either, listed
from tilewright.view.language import find_key, say
from tilewright.view.phrasing import labelled


@dataclass(frozen=True)
class GameTexts:
    """The texts of a game that the engine shows, each with a default."""

    spec: GameSpec
    language: str

    def own(self, key: str) -> str:
        """A text of the game's own translations; empty if it has none, or one that asks for a value."""
        whole = find_key(self.spec, self.language, key)
        try:
            return say(self.language, whole) if whole else ""
        except (LookupError, AttributeError) as error:  # of one game, which must not cost the pages that list all games
            told = f"the text {whole} of {self.spec.title} cannot be used: {describe_error(error)}"
            warnings.warn(f"{told}; the default is used instead", stacklevel=2)
            return ""

    @property
    def blurb(self) -> str:
        """A sentence about the game."""
        counts = [str(number) for number in self.spec.players]
        return self.own("blurb") or say(self.language, "page.blurb", players=either(counts, self.language))

    def option(self, name: str) -> str:
        """What is chosen."""
        title = self.own(f"options.{name}") or self.spec.option(name).description
        return title[:1].upper() + title[1:]

    def choice(self, name: str, value: OptionValue) -> str:
        """One of the choices of an option."""
        own = self.own(f"choices.{name}.{self.spec.option(name).write(value)}")
        if isinstance(value, bool):
            return own or say(self.language, "page.choice_yes" if value else "page.choice_no")
        return own or value

    def variant(self, options: Mapping[str, OptionValue]) -> str:
        """The options of a rule set in a few words: what is on, and what was chosen."""
        parts = []
        for name, value in options.items():
            if not isinstance(value, bool):
                parts.append(labelled(self.option(name), self.choice(name, value), self.language))
            elif value:
                parts.append(self.option(name))
        return " · ".join(parts)


def listed_titles(language: str) -> str:
    """All games in a sentence."""
    return listed([find_spec(name).title for name in GAMES], language)
