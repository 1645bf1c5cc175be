"""Texts of positions with a few fields changed: most cannot be, and those that are accepted must be sound.

Real games rarely come near the edges of what a text can say. A mutant takes a position of a real game, changes a few
of its fields, and puts the tiles that are then missing back into the bag, so that it fails for what was changed and
not for its number of tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random

import tilewright as tw

Fields = list[dict[str, str]]
"""The sections of a text after the first: the moment, the table, the players; each a dictionary of its words."""

NUMBERS = list(map(str, (0, 1, 2, 3, 5, 6, 7, 19, 99, 100, 145, 147, 206, 245, 247, 998, 999, 9999, 30000)))
EXTREMES = (0, 1, 4, 5, 20, 33, 99, 127, 128, 132, 255, 256, 999, 9999, 32767, 32768, 65536, 2**31, 2**63, 2**64)
"""Around the limits of the fields, of their types and of what a heap can hold."""
RESERVES = ("bag", "lid", "tower")
HEAPS = ("centre", "supply", "floor", "hand", *map(str, range(1, 10)))


def split_text(text: str) -> tuple[str, Fields]:
    """The heading, and the fields of the other sections."""
    heading, *sections = text.split("; ")
    return heading, [dict(word.split("=", 1) for word in section.split()) for section in sections]


def join_text(heading: str, fields: Fields) -> str:
    """The text of a position from its fields."""
    return "; ".join([heading, *(" ".join(f"{name}={value}" for name, value in part.items()) for part in fields)])


def edited(game: tw.Game, text: str, *changes: tuple[int, str]) -> str:
    """A text with some words changed, as in ``(0, "phase=tile")``, and all tiles that are left in the bag."""
    heading, fields = split_text(text)
    for n, word in changes:
        name, _, value = word.partition("=")
        assert name in fields[n]
        fields[n][name] = value
    _put_back(fields, _every_letter(game), lambda _: False)
    return join_text(heading, fields)


class Mutator:
    """Changes fields of positions of one rule set."""

    def __init__(self, game: tw.Game, chooser: Random) -> None:
        self.game, self.chooser = game, chooser
        self.row = 0
        """The pattern line and wall row, or the star, that is changed most: what is wrong may lie between the two."""
        self.letters = game.tiles.letters if game.options.get("jokers", True) else game.tiles.letters[:5]

    def mutate(self, text: str, other: str) -> str:
        """Change some fields of a text; ``other`` lends its values now and then."""
        heading, fields = split_text(text)
        _, lender = split_text(other)
        self.row = self.chooser.randrange(5)
        for n, name in self._choose_fields(fields):
            fields[n][name] = lender[n][name] if self.chooser.random() < 0.2 else self._another(name, fields[n][name])
        if self.chooser.random() < 0.8:
            self._settle_scores(fields)
        share = self.chooser.choice([0.0, 0.5, 1.0])
        _put_back(fields, _every_letter(self.game), lambda _: self.chooser.random() < share)
        return join_text(heading, fields)

    def exaggerate(self, text: str) -> str:
        """Give a few fields of any kind values that are too large for them, or meant for other fields."""
        heading, fields = split_text(text)
        chooser = self.chooser
        fields[0]["phase"] = chooser.choice([fields[0]["phase"], *self.game.phases])
        for _ in range(chooser.randint(1, 4)):
            section = chooser.choice(fields)
            values = [self._counted_heap(), self._counted_heap(), str(chooser.choice(EXTREMES)), "-", "-1"]
            section[chooser.choice(list(section))] = chooser.choice(values)
        return join_text(heading, fields)

    def _choose_fields(self, fields: Fields) -> list[tuple[int, str]]:
        """A few fields of any kind; or the phase and others; or several of one section, which must go together."""
        chooser, every = self.chooser, [(n, name) for n, part in enumerate(fields) for name in part if name != "player"]
        few = chooser.sample(every, chooser.randint(1, 2))
        way = chooser.choice(["few", "phase", "phase", "section"])
        if way == "section":
            section = chooser.choice([0, *range(2, len(fields))])
            return [field for field in every if field[0] == section and chooser.random() < 0.5]
        return [(0, "phase"), *few] if way == "phase" else few

    def _another(self, name: str, value: str) -> str:
        """Another value for a field, that may well be impossible there."""
        chooser, seats = self.chooser, [str(seat + 1) for seat in range(self.game.players)]
        if name in RESERVES:
            return "-"
        if name in HEAPS:
            size = chooser.choice([0, 1, 2, 3, 4, 4, 5, 7, 8, 10, 12, 40])
            return self._heap(size) if chooser.random() < 0.9 else self._counted_heap()
        choices = {
            "phase": list(self.game.phases),
            "stage": ["set-up", "draft", "place"],
            "turn": seats,
            "first": seats,
            "marker": ["centre", *seats],
            "tiled": ["yes", "no"],
            "round": ["0", "1", "2", "5", "6", "7", "9999"],
            "barren": ["0", "1", "2", "3"],
            "owed": ["0", "1", "2", "3"],
            "passed": ["-", *seats, ",".join(seats), ",".join(seats[1:]), ",".join(seats[:-1])],
        }
        if name in choices:
            return chooser.choice(choices[name])
        if name == "lines":
            return ",".join(self._line(n, part) for n, part in enumerate(value.split(",")))
        if name in ("wall", "board"):
            return "/".join(self._cells(name, n, part) for n, part in enumerate(value.split("/")))
        return chooser.choice(NUMBERS)

    def _heap(self, size: int) -> str:
        kinds = self.chooser.sample(self.letters, self.chooser.randint(1, len(self.letters)))
        return "".join(self.chooser.choices(kinds, k=size)) or "-"

    def _counted_heap(self) -> str:
        """A heap with the number of each kind before its letter, which may be more than any field can hold."""
        kinds = self.chooser.sample(self.letters, self.chooser.randint(1, len(self.letters)))
        return "".join(f"{self.chooser.choice(EXTREMES[:13])}{kind}" for kind in kinds)

    def _line(self, n: int, value: str) -> str:
        """A pattern line: as it was, or of one colour with or without jokers, often full."""
        chooser = self.chooser
        if n != self.row and chooser.random() < 0.8:
            return value
        size = chooser.choice([n + 1, n + 1, chooser.randint(0, n + 1)])
        jokers = chooser.choice([0, size, chooser.randint(0, size)]) if "j" in self.letters else 0
        return chooser.choice(self.letters[:5]) * (size - jokers) + "j" * jokers or "-"

    def _cells(self, name: str, n: int, value: str) -> str:
        """A row of a wall or a star of a board: as it was, full, or with a cell more or less."""
        chooser, fate = self.chooser, self.chooser.uniform(0.5 if n == self.row else 0, 1)
        fitting = [self._fitting(name, n, column) for column in range(len(value))]
        if fate < 0.6:
            return value
        if fate < 0.75:
            return "".join(fitting)
        column = chooser.randrange(len(value))
        cell = "." if fate < 0.8 else fitting[column] if fate < 0.95 else chooser.choice(self.letters)
        return value[:column] + cell + value[column + 1 :]

    def _fitting(self, name: str, n: int, column: int) -> str:
        """A tile that may lie on a cell, as far as the cell alone can tell."""
        if "j" in self.letters and self.chooser.random() < 0.1:
            return "j"
        if name == "board" and n < 6 and self.game.options["side"] == "coloured":
            return self.letters[n]
        return self.letters[:5][(column - n) % 5] if name == "wall" else self.letters[column]

    def _settle_scores(self, fields: Fields) -> None:
        """Make the parts of each score add up to it."""
        for part in fields[2:]:
            if "placing" in part:
                lost = int(part["marker-loss"]) + int(part["passing-loss"])
                part["score"] = str(5 + int(part["placing"]) - lost)
            else:
                part["wall-points"] = str(max(int(part["score"]), int(part["wall-points"])))


def _put_back(fields: Fields, wanted: Counter[str], is_discarded: Callable[[str], bool]) -> None:
    """Put the tiles that are missing into the bag, or those that are discarded into the lid or the tower."""
    discards = "tower" if "tower" in fields[1] else "lid"
    fields[1] |= {"bag": "-", discards: "-"}
    missing = wanted.copy()
    missing.subtract(_letters_of(fields))
    if min(missing.values()) < 0:
        return
    poured = list(filter(is_discarded, missing.elements()))
    fields[1][discards] = "".join(poured) or "-"
    fields[1]["bag"] = "".join((missing - Counter(poured)).elements()) or "-"


@cache
def _every_letter(game: tw.Game) -> Counter[str]:
    """All tiles of a game, by letter."""
    return Counter(_letters_of(split_text(game.set_up().to_text())[1]))


def _letters_of(fields: Fields) -> str:
    """Every tile of a position, a letter each."""
    letters = ""
    for value in fields[1].values():
        letters += _spelt(value)
    for part in fields[2:]:
        letters += "".join(_spelt(part.get(name, "")) for name in ("lines", "wall", "floor", "hand", "board"))
    return letters.translate(str.maketrans("", "", "-,./"))


def _spelt(heap: str) -> str:
    """A heap with a letter for each tile, from numbers and letters."""
    letters, number = "", ""
    for letter in heap:
        if letter.isdigit():
            number += letter
        else:
            letters += letter * int(number or 1)
            number = ""
    return letters
