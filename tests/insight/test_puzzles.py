"""Puzzles: their files, and that those which are shipped are what they claim to be."""

from __future__ import annotations

import pytest

import tilewright as tw
from tilewright.bots.greedy import GreedyBot
from tilewright.game.errors import TilewrightError
from tilewright.insight.puzzle import FIRST_LINE, Puzzle, puzzles_of, read_puzzles

SHIPPED = {"azul": 300, "summer-pavilion": 250}
"""How many puzzles there are at least."""
CLEARLY = 0.08


def all_of(game: str) -> list[Puzzle]:
    return list(puzzles_of(tw.GAMES[game].spec).values())


@pytest.mark.parametrize("game", SHIPPED)
def test_a_game_ships_many_puzzles_from_easy_to_hard(game: str):
    puzzles = all_of(game)
    assert len(puzzles) >= SHIPPED[game]
    assert len({puzzle.text for puzzle in puzzles}) == len(puzzles)
    ratings = [puzzle.rating for puzzle in puzzles]
    assert ratings == sorted(ratings)
    assert ratings[0] < 1400
    assert ratings[-1] > 1900
    assert all(puzzle.game.name == game for puzzle in puzzles)


def points_now(position: tw.Position, move: tw.Move) -> int:
    return sum(effect.points for effect in position.effects(move) if effect.seat == position.turn)


@pytest.mark.parametrize("game", SHIPPED)
def test_every_puzzle_has_one_clearly_best_move_that_the_points_of_the_turn_do_not_show(game: str):
    greedy = GreedyBot()
    for puzzle in all_of(game):
        position, solution = puzzle.position, puzzle.solution
        assert position.dealer is None
        legal = list(position.legal_moves)
        assert len(legal) >= 5
        assert solution.chance - max(answer.chance for answer in puzzle.answers[1:]) >= CLEARLY - 1e-4, puzzle.id
        best = position.move(solution.move)
        assert greedy.choose(position) != best, puzzle.id
        points = {move: points_now(position, move) for move in legal}
        assert points[best] < max(points.values()) or len(set(points.values())) == 1, puzzle.id


@pytest.mark.parametrize("game", SHIPPED)
def test_the_lines_of_all_answers_can_be_played(game: str):
    for puzzle in all_of(game):
        for answer in puzzle.answers:
            position, line = puzzle.position.copy(), puzzle.line_of(answer)
            assert [str(position.push(move)) for move in line] == [str(move) for move in line]
            assert line


@pytest.mark.parametrize("game", SHIPPED)
def test_a_search_finds_the_solutions_of_some_puzzles_again(game: str):
    for puzzle in all_of(game)[::50]:
        found = tw.analyse(puzzle.position, "20000", lines=2, seed=5)
        assert str(found.best.move) == puzzle.solution.move, puzzle.id
        assert found.chance(found.best) - found.chance(found.candidates[1]) > CLEARLY / 2, puzzle.id


def test_a_game_without_the_part_has_no_puzzles():
    assert all_of("azul-mini") == []


def test_puzzles_survive_a_file():
    puzzles = all_of("azul")[:5]
    text = f"{FIRST_LINE}\n# a remark\n\n" + "\n".join(puzzle.to_text() for puzzle in puzzles) + "# the end\n"
    assert read_puzzles(text) == puzzles


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (FIRST_LINE, "puzzles", "should begin with the line"),
        ("rating: ", "ratings: ", "line 3: 'rating' is missing"),
        ("position: azul", "position: AZUL", "line 3: the position belongs to the puzzle"),
        ("answer: 0.", "answer: o.", "line 3: .* should be a win chance, a margin and moves"),
        ("found: ", "found: often ", "line 3: could not convert"),
    ],
)
def test_a_damaged_file_is_refused_with_the_line_and_the_reason(old: str, new: str, why: str):
    text = f"{FIRST_LINE}\n\n{all_of('azul')[0].to_text()}"
    with pytest.raises(TilewrightError, match=why):
        read_puzzles(text.replace(old, new, 1))


def test_a_puzzle_needs_something_to_compare_the_solution_with():
    lines = all_of("azul")[0].to_text().splitlines()
    with pytest.raises(TilewrightError, match="at least two answers"):
        read_puzzles("\n".join([FIRST_LINE, "", *lines[:5]]))
