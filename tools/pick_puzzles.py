"""Pick puzzles to ship from mined files: a number of them, spread over the ratings as evenly as there are puzzles.

``python tools/pick_puzzles.py mined.txt --number 300 > src/tilewright/games/NAME/puzzles/two-players.txt``
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from tilewright.insight.puzzle import FIRST_LINE, Puzzle, read_puzzles

BAND = 100
"""Ratings that count as about equal."""


def picked(puzzles: Iterable[Puzzle], number: int) -> list[Puzzle]:
    """Take one from each band of ratings in turn, the clearest first, until there are enough; the easiest first."""
    bands: dict[int, list[Puzzle]] = {}
    for puzzle in sorted(puzzles, key=_clarity):
        bands.setdefault(puzzle.rating // BAND, []).append(puzzle)
    chosen: list[Puzzle] = []
    while len(chosen) < number and any(bands.values()):
        chosen += [band.pop() for band in bands.values() if band]
    return sorted(chosen[:number], key=lambda puzzle: (puzzle.rating, puzzle.id))


def _clarity(puzzle: Puzzle) -> float:
    """By how much the solution is better than the next best move."""
    return puzzle.answers[0].chance - max(answer.chance for answer in puzzle.answers[1:])


def main() -> None:
    """Print the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--number", type=int, default=300)
    arguments = parser.parse_args()
    mined = {
        puzzle.id: puzzle
        for path in arguments.files
        for puzzle in read_puzzles(path.read_text(encoding="utf-8"), str(path))
    }
    print("\n".join([FIRST_LINE, "", *(puzzle.to_text() for puzzle in picked(mined.values(), arguments.number))]))


if __name__ == "__main__":
    main()
