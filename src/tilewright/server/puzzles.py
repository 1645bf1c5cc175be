"""Which puzzle comes next, and how an answer is scored."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from tilewright.game.registry import GAMES
from tilewright.insight.puzzle import Answer, Puzzle, puzzles_of
from tilewright.server.database import Conflict
from tilewright.server.errors import NotFound, RequestError
from tilewright.server.fair_slots import Owner
from tilewright.server.rooms import Rooms
from tilewright.server.solvers import Solver, answers_of, note_answer, put_aside, show_puzzle, solver_of

_NEAREST = 8
"""The next puzzle is one of those whose rating is nearest to the solver's."""


def games_with_puzzles() -> dict[str, dict[str, Puzzle]]:
    """The puzzles of every game that has any."""
    found = {name: puzzles_of(GAMES[name].spec) for name in GAMES}
    return {name: puzzles for name, puzzles in found.items() if puzzles}


def puzzles_for(game: str) -> dict[str, Puzzle]:
    """The puzzles of a game."""
    puzzles = games_with_puzzles().get(game)
    if puzzles is None:
        raise NotFound("no_puzzles")
    return puzzles


def find_puzzle(puzzle_id: str) -> Puzzle:
    """A puzzle of any game."""
    found = (puzzles[puzzle_id] for puzzles in games_with_puzzles().values() if puzzle_id in puzzles)
    puzzle = next(found, None)
    if puzzle is None:
        raise NotFound("no_puzzle")
    return puzzle


def choose(puzzles: Mapping[str, Puzzle], solver: Solver, answered: Mapping[str, bool]) -> Puzzle:
    """The puzzle that is shown, or another one near the solver's rating; when all were answered, an old one again.

    Those that were not solved come first then, and the one that was answered longest ago before the others.
    """
    if solver.current is not None and solver.current in puzzles:
        return puzzles[solver.current]
    new = [puzzle for puzzle in puzzles.values() if puzzle.id not in answered]
    if new:
        near = sorted(new, key=lambda puzzle: abs(puzzle.rating - solver.rating.rating))
        return random.choice(near[:_NEAREST])
    old = sorted((is_right, age) for age, (name, is_right) in enumerate(answered.items()) if name in puzzles)
    return puzzles[list(answered)[old[0][1]]]


@dataclass(frozen=True)
class Answered:
    """What came of an answer."""

    puzzle: Puzzle
    played: Answer | None
    """None if the person gave up."""
    before: Solver
    after: Solver

    @property
    def is_counted(self) -> bool:
        """Whether it was the first answer to the puzzle, which changes rating and streak."""
        return self.after.tried > self.before.tried


class Puzzles:
    """The puzzles of a server, and how its people do."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    async def solver(self, key_hash: str, game: str) -> Solver:
        """How a person does."""
        return await self._rooms.read(lambda store: solver_of(store, key_hash, game))

    async def next(self, key_hash: str, game: str) -> tuple[Puzzle, Solver, bool]:
        """The puzzle for a person, how they do, and whether they have not answered it before."""
        puzzles = await asyncio.to_thread(puzzles_for, game)
        solver = await self.solver(key_hash, game)
        answered = await self._rooms.read(lambda store: answers_of(store, key_hash))
        puzzle = choose(puzzles, solver, answered)
        if puzzle.id != solver.current:
            await self._rooms.write(partial(show_puzzle, key_hash=key_hash, game=game, puzzle=puzzle.id))
        return puzzle, solver, puzzle.id not in answered

    async def answer(self, puzzle: Puzzle, move: int | str | None, key_hash: str, owner: Owner) -> Answered:
        """Check an answer to the puzzle that the person has before them, and count it if it is the first."""
        before = await self.solver(key_hash, puzzle.game_name)
        if before.current != puzzle.id:
            raise RequestError("not_this_puzzle")
        played = None if move is None else await self._evaluated(puzzle, move, owner)
        is_right = played is not None and played.move == puzzle.solution.move
        try:
            await self._rooms.write(partial(note_answer, key_hash=key_hash, puzzle=puzzle, is_right=is_right))
        except Conflict:
            await self._rooms.write(partial(put_aside, key_hash=key_hash, game=puzzle.game_name))
        return Answered(puzzle, played, before, await self.solver(key_hash, puzzle.game_name))

    async def _evaluated(self, puzzle: Puzzle, move: int | str, owner: Owner) -> Answer:
        """The value of a move: from the file or, if the move is too weak to be listed there, from a short search."""
        position = puzzle.position
        known = position.move(move)
        if known not in position.legal_moves:
            raise RequestError("illegal_move")
        answer = puzzle.answer_of(known)
        if answer is not None:
            return answer
        after = position.without_dealer()
        after.push(known)
        analysis = await self._rooms.analyst.analyse(after, [owner])
        seat, worst = position.turn or 0, puzzle.answers[-1]
        following = analysis.best.line if analysis.candidates else ()
        return Answer(
            line=tuple(str(one) for one in (known, *following)),
            chance=min(worst.chance, analysis.expectation.chances[seat]),
            margin=min(worst.margin, analysis.expectation.margins[seat]),
        )
