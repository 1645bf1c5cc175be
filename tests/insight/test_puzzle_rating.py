"""Ratings of puzzles and of those who solve them."""

from __future__ import annotations

import random

from tilewright.insight.puzzle_rating import (
    LEAST_DEVIATION,
    START,
    SolverRating,
    expected,
    puzzle_rating,
)


def test_the_more_levels_find_a_puzzle_the_lower_is_its_rating():
    found = [[0.0] * (6 - n) + [1.0] * n for n in range(7)]
    ratings = [puzzle_rating(one) for one in found]
    assert ratings == sorted(ratings, reverse=True)
    assert len(set(ratings)) == len(ratings)
    assert puzzle_rating([0, 0, 0, 0.5, 1, 1]) < puzzle_rating([0, 0, 0, 0.25, 1, 1])


def test_a_solved_puzzle_raises_the_rating_and_a_harder_one_raises_it_more():
    start = SolverRating()
    assert start.after(1500, True).rating > START > start.after(1500, False).rating
    assert start.after(1900, True).rating > start.after(1300, True).rating
    assert start.after(1900, False).rating > start.after(1300, False).rating


def test_the_rating_of_somebody_who_solves_as_expected_settles_where_it_belongs():
    dice, solver, true = random.Random(3), SolverRating(), 1850.0
    late = []
    for n in range(400):
        puzzle = solver.rating + dice.uniform(-100, 100)
        solver = solver.after(puzzle, dice.random() < expected(true, puzzle))
        late += [solver.rating] if n >= 100 else []
    assert abs(sum(late) / len(late) - true) < 40
    assert solver.deviation == LEAST_DEVIATION
