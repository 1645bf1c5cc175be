"""How people do at puzzles, as it is stored: a rating and a streak for each game, and which puzzles were answered.

A person is known by the hash of a key. Only the first answer to a puzzle counts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

from tilewright.insight.puzzle import Puzzle
from tilewright.insight.puzzle_rating import SolverRating
from tilewright.server.database import Conflict
from tilewright.server.store import Store

_COLUMNS = "rating, deviation, streak, best_streak, solved, tried, current"


@dataclass(frozen=True)
class Solver:
    """How somebody does at the puzzles of a game."""

    rating: SolverRating = field(default_factory=SolverRating)
    streak: int = 0
    """Puzzles solved in a row, up to now."""
    best_streak: int = 0
    solved: int = 0
    tried: int = 0
    current: str | None = None
    """The puzzle that was shown and is not answered yet."""

    def after(self, puzzle: Puzzle, is_right: bool) -> Solver:
        """After the first answer to a puzzle."""
        streak = self.streak + 1 if is_right else 0
        return Solver(
            rating=self.rating.after(puzzle.rating, is_right),
            streak=streak,
            best_streak=max(streak, self.best_streak),
            solved=self.solved + is_right,
            tried=self.tried + 1,
        )


def solver_of(store: Store, key_hash: str, game: str) -> Solver:
    """How a person does; a beginner if nothing is stored."""
    query = f"select {_COLUMNS} from solvers where key_hash = ? and game = ?"
    return _read(store.database.read(query, (key_hash, game)))


def answers_of(store: Store, key_hash: str) -> dict[str, bool]:
    """The puzzles that a person has answered, the oldest answer first, and whether they were solved."""
    rows = store.database.read("select puzzle, is_right from answers where key_hash = ? order by at", (key_hash,))
    return {puzzle: bool(is_right) for puzzle, is_right in rows}


def show_puzzle(store: Store, key_hash: str, game: str, puzzle: str) -> None:
    """Remember which puzzle a person has before them, so that a reload brings no easier one."""
    with store.transaction():
        _write(store, key_hash, game, replace(_locked(store, key_hash, game), current=puzzle))


def note_answer(store: Store, key_hash: str, puzzle: Puzzle, is_right: bool) -> None:
    """Count the first answer to a puzzle; raises ``Conflict`` if there was one before."""
    game = puzzle.game_name
    with store.transaction() as database:
        solver = _locked(store, key_hash, game)
        if database.query("select 1 from answers where key_hash = ? and puzzle = ?", (key_hash, puzzle.id)):
            raise Conflict(f"the puzzle {puzzle.id} was answered before")
        answer = (key_hash, puzzle.id, int(is_right), time.time())
        database.execute("insert into answers (key_hash, puzzle, is_right, at) values (?, ?, ?, ?)", answer)
        _write(store, key_hash, game, solver.after(puzzle, is_right))


def put_aside(store: Store, key_hash: str, game: str) -> None:
    """A puzzle that was answered for the second time is no longer before the person."""
    with store.transaction():
        _write(store, key_hash, game, replace(_locked(store, key_hash, game), current=None))


def exported(store: Store, key_hash: str) -> dict[str, Any]:
    """Everything that is stored about a person's puzzles."""
    rows = store.database.read(f"select game, {_COLUMNS} from solvers where key_hash = ? order by game", (key_hash,))
    names = ("game", *_COLUMNS.split(", "))
    answers = store.database.read(
        "select puzzle, is_right, at from answers where key_hash = ? order by at", (key_hash,)
    )
    return {
        "ratings": [dict(zip(names, row, strict=True)) for row in rows],
        "answers": [{"puzzle": puzzle, "right": bool(right), "at": at} for puzzle, right, at in answers],
    }


def forget_solver(store: Store, key_hash: str) -> None:
    """Delete everything about a person's puzzles."""
    with store.transaction() as database:
        database.execute("delete from solvers where key_hash = ?", (key_hash,))
        database.execute("delete from answers where key_hash = ?", (key_hash,))


def _locked(store: Store, key_hash: str, game: str) -> Solver:
    """How a person does, within a transaction that will change it."""
    database = store.database
    query = f"select {_COLUMNS} from solvers where key_hash = ? and game = ?{database.for_update}"
    return _read(database.query(query, (key_hash, game)))


def _read(rows: list[tuple[Any, ...]]) -> Solver:
    if not rows:
        return Solver()
    rating, deviation, *rest = rows[0]
    return Solver(SolverRating(rating, deviation), *rest)


def _write(store: Store, key_hash: str, game: str, solver: Solver) -> None:
    rating = solver.rating
    values = (rating.rating, rating.deviation, solver.streak, solver.best_streak, solver.solved, solver.tried)
    store.database.execute(
        f"insert into solvers (key_hash, game, {_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " on conflict (key_hash, game) do update set rating = excluded.rating, deviation = excluded.deviation,"
        " streak = excluded.streak, best_streak = excluded.best_streak, solved = excluded.solved,"
        " tried = excluded.tried, current = excluded.current",
        (key_hash, game, *values, solver.current),
    )
