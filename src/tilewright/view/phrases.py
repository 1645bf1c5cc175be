"""Small parts of English sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Told(NamedTuple):
    """A move in words: a sentence of its own; and for lists, a heading that it shares and what is its own."""

    sentence: str
    heading: str
    detail: str


def count_of(number: int, noun: str) -> str:
    """A number and a noun that agrees with it.

    >>> count_of(1, "tile"), count_of(2, "tile")
    ('1 tile', '2 tiles')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence with commas and an and.

    >>> listed(["2 red", "1 green", "1 blue"])
    '2 red, 1 green and 1 blue'
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def kinds_listed(counts: Sequence[int], names: Sequence[str]) -> str:
    """Tiles by kind, those that are there.

    >>> kinds_listed([2, 0, 1], ["red", "green", "blue"])
    '2 red and 1 blue'
    """
    return listed([f"{number} {name}" for number, name in zip(counts, names, strict=True) if number])


def points_lost(points: int) -> str:
    """The price of something.

    >>> points_lost(0), points_lost(1), points_lost(3)
    ('no points', '-1 point', '-3 points')
    """
    return f"-{count_of(points, 'point')}" if points else "no points"


def place_name(place: int) -> str:
    """Where tiles are taken from."""
    return "the centre" if place == 0 else f"factory {place}"


def signed_list(parts: dict[str, int]) -> str:
    """Points won and lost by what they are for, those that are not nothing.

    >>> signed_list({"the wall": 7, "full rows": 0, "the floor line": -2})
    '+7 the wall, -2 the floor line'
    """
    return ", ".join(f"{points:+} {what}" for what, points in parts.items() if points) or "nothing won or lost"
