"""How each language counts, lists and writes numbers: as much of it as the texts need, with no data to install."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.view.languages import DEFAULT


@dataclass(frozen=True)
class Grammar:
    """The words and marks of a language."""

    conjunction: str
    alternative: str
    decimal_mark: str
    percent_sign: str
    singular: frozenset[int]
    """The numbers that take the singular: French says *0 point*."""


GRAMMARS = {
    "en": Grammar("and", "or", ".", "%", frozenset({1})),
    "fr": Grammar("et", "ou", ",", "\N{NO-BREAK SPACE}%", frozenset({0, 1})),
    "it": Grammar("e", "o", ",", "%", frozenset({1})),
}


_SET_APART = re.compile(r" (?=[:;!?»])|(?<=«) ")


def unbroken(text: str, language: str) -> str:
    """A text in which no line ends before a mark that French sets apart by a space.

    >>> unbroken("Vraiment ?", "fr") == "Vraiment\N{NO-BREAK SPACE}?"
    True
    """
    return _SET_APART.sub("\N{NO-BREAK SPACE}", text) if language == "fr" else text


def plural_category(number: int, language: str) -> str:
    """The form that a text takes with a number: ``one`` or ``other``.

    >>> plural_category(0, "en"), plural_category(0, "fr")
    ('other', 'one')
    """
    return "one" if number in GRAMMARS[language].singular else "other"


def listed(parts: Sequence[str], language: str) -> str:
    """Parts of a sentence with commas and an *and*.

    >>> listed(["2 × red", "1 × green", "1 × blue"], "en")
    '2 × red, 1 × green and 1 × blue'
    """
    return _join(parts, GRAMMARS[language].conjunction)


def either(parts: Sequence[str], language: str) -> str:
    """Parts of a sentence with commas and an *or*.

    >>> either(["2", "3", "4"], "it")
    '2, 3 o 4'
    """
    return _join(parts, GRAMMARS[language].alternative)


def _join(parts: Sequence[str], word: str) -> str:
    return f" {word} ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def decimal(number: float, language: str = DEFAULT) -> str:
    """A number with one decimal place.

    >>> decimal(4.25), decimal(2, "fr")
    ('4.2', '2,0')
    """
    return f"{number:.1f}".replace(".", GRAMMARS[language].decimal_mark)


def percent(share: float, language: str = DEFAULT) -> str:
    """A share without decimals.

    >>> percent(0.2149), percent(0.2149, "it")
    ('21%', '21%')
    """
    return f"{100 * share:.0f}{GRAMMARS[language].percent_sign}"
