"""Puzzles: positions with one clearly best move, and the text files that hold them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from tilewright.game.errors import TilewrightError
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.registry import read_position
from tilewright.game.spec import GameSpec
from tilewright.game.validation import echo

FIRST_LINE = "tilewright puzzles 1"
_ID_LENGTH = 12
_ANSWER = re.compile(r"(?P<chance>[01]\.\d+) (?P<margin>[+-]\d+\.\d) (?P<line>\S.*)")


class BadPuzzles(TilewrightError):
    """A file of puzzles that cannot be read."""


@dataclass(frozen=True)
class Answer:
    """A move that a solver may try: what it is worth to whoever plays it, and the moves expected to follow."""

    line: tuple[str, ...]
    """The texts of the moves up to the next draw, the move itself first."""
    chance: float
    margin: float

    @property
    def move(self) -> str:
        """The text of the move."""
        return self.line[0]

    def to_text(self) -> str:
        """The answer in a file."""
        return f"answer: {self.chance:.4f} {self.margin:+.1f} {', '.join(self.line)}"


@dataclass(frozen=True)
class Puzzle:
    """A position, the move to find and the best of those that are wrong."""

    text: str
    """The position; nobody deals for it."""
    rating: int
    found: tuple[float, ...]
    """How often each level of the bots found the solution, from 0 to 1, the weakest first."""
    answers: tuple[Answer, ...]
    """The solution first, then what refutes others: how much less they are worth."""

    @cached_property
    def id(self) -> str:
        """A name that depends on the position alone."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:_ID_LENGTH]

    @property
    def solution(self) -> Answer:
        """The best move."""
        return self.answers[0]

    @property
    def game_name(self) -> str:
        """The name of the game that it is of."""
        return self.text.split(maxsplit=1)[0]

    @cached_property
    def position(self) -> Position:
        """The position, read from its text."""
        return read_position(self.text)

    @property
    def game(self) -> Game:
        """The rule set."""
        return self.position.game

    def line_of(self, answer: Answer) -> tuple[Move, ...]:
        """The moves of an answer."""
        return tuple(self.game.move(move) for move in answer.line)

    def answer_of(self, move: Move) -> Answer | None:
        """What is known about a move; None about moves too weak for the file."""
        return next((answer for answer in self.answers if answer.move == str(move)), None)

    def to_text(self) -> str:
        """The puzzle in a file."""
        found = " ".join(f"{share:.2f}" for share in self.found)
        head = [f"puzzle: {self.id}", f"position: {self.text}", f"rating: {self.rating}", f"found: {found}"]
        return "\n".join([*head, *(answer.to_text() for answer in self.answers)]) + "\n"


# Files --------------------------------------------------------------------------------------------------


def read_puzzles(text: str, name: str = "the file") -> list[Puzzle]:
    """The puzzles of a file. Lines that begin with ``#`` are remarks."""
    lines = [line.strip() for line in text.splitlines()]
    if not lines or lines[0] != FIRST_LINE:
        raise BadPuzzles(f"{name} should begin with the line {FIRST_LINE!r}")
    found = []
    for number, block in _blocks(lines):
        try:
            found.append(_read_block(block))
        except (KeyError, ValueError) as error:
            what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            raise BadPuzzles(f"{name}, line {number}: {what}") from None
    return found


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The lines of each puzzle, with the number of the first."""
    block: list[str] = []
    first = 0
    for number, line in enumerate([*lines[1:], "puzzle:"], start=2):
        if line.startswith("puzzle:"):
            if block:
                yield first, block
            block, first = [], number
        if line and not line.startswith("#") and (block or line.startswith("puzzle:")):
            block.append(line)


def _read_block(lines: Iterable[str]) -> Puzzle:
    pairs = [(key, value.strip()) for key, _, value in (line.partition(":") for line in lines)]
    fields = dict(pairs)
    puzzle = Puzzle(
        text=fields["position"],
        rating=int(fields["rating"]),
        found=tuple(float(share) for share in fields["found"].split()),
        answers=tuple(_read_answer(value) for key, value in pairs if key == "answer"),
    )
    if len(puzzle.answers) < 2:
        raise ValueError("a puzzle has at least two answers, the solution and a move that is worse")
    if puzzle.id != fields["puzzle"]:
        raise ValueError(f"the position belongs to the puzzle {puzzle.id}, not {echo(fields['puzzle'])}")
    return puzzle


def _read_answer(text: str) -> Answer:
    read = _ANSWER.fullmatch(text)
    if read is None:
        raise ValueError(f"{echo(text)} should be a win chance, a margin and moves, as in '0.6130 +4.5 MOVE, MOVE'")
    line = tuple(move.strip() for move in read["line"].split(","))
    return Answer(line, float(read["chance"]), float(read["margin"]))


# Those of a game ----------------------------------------------------------------------------------------


@cache
def puzzles_of(spec: GameSpec) -> dict[str, Puzzle]:
    """The puzzles that a game comes with, by id, the easiest first; none for a game without the part ``puzzles``.

    The part is a folder: each of its text files holds puzzles.
    """
    part: Any = spec.part("puzzles")
    if part is None:
        return {}
    found: list[Puzzle] = []
    for file in sorted(files(part).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".txt"):
            found += read_puzzles(file.read_text(encoding="utf-8"), file.name)
    return {puzzle.id: puzzle for puzzle in sorted(found, key=lambda puzzle: (puzzle.rating, puzzle.id))}
