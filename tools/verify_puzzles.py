"""Search the puzzles that a game ships again: does the search, as it is now, still find every solution?

``python tools/verify_puzzles.py azul --simulations 60000 --every 16``

Networks and searches change after puzzles were mined. A solution stands if the search finds it, and clearly if it leads
the next move by as much as a mistake costs in a review.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import tilewright as tw
from tilewright.insight.puzzle import Puzzle, puzzles_of

CLEARLY = 0.05


@dataclass(frozen=True)
class Searched:
    """What a search thinks of a puzzle."""

    puzzle: Puzzle
    best: str
    lead: float
    """The win chance after the solution less that after the best other move."""

    @property
    def stands(self) -> bool:
        """Whether the search finds the solution."""
        return self.best == self.puzzle.solution.move


def verify(puzzles: Iterable[Puzzle], simulations: int) -> Iterator[Searched]:
    """Search every puzzle; as many moves as its file has are searched with the same effort."""
    for puzzle in puzzles:
        found = tw.analyse(puzzle.position, tw.Budget(simulations=simulations), lines=len(puzzle.answers))
        chances = {str(candidate.move): found.chance(candidate) for candidate in found.candidates[: found.lines]}
        solution = chances.pop(puzzle.solution.move, 0.0)
        yield Searched(puzzle, str(found.best.move), solution - max(chances.values(), default=0.0))


def main() -> None:
    """Print every puzzle that does not stand clearly, and how many do."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=[name for name, game in tw.GAMES.items() if puzzles_of(game.spec)])
    parser.add_argument("--simulations", type=int, default=60_000)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth puzzle")
    arguments = parser.parse_args()
    puzzles = list(puzzles_of(tw.GAMES[arguments.game].spec).values())[:: arguments.every]
    found = []
    for searched in verify(puzzles, arguments.simulations):
        found.append(searched)
        if not searched.stands or searched.lead < CLEARLY:
            solution = searched.puzzle.solution.move
            print(
                f"{searched.puzzle.id}: solution {solution}, found {searched.best}, lead {searched.lead:.1%}",
                flush=True,
            )
    clear = sum(searched.stands and searched.lead >= CLEARLY for searched in found)
    stand = sum(searched.stands for searched in found)
    print(f"{len(found)} puzzles: {stand} solutions found, {clear} with a lead of {CLEARLY:.0%} or more")


if __name__ == "__main__":
    main()
