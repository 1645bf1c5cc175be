"""Puzzles as programs get them: one at a time, checked by the server, with a rating that follows the answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from people import Person, refused

import tilewright as tw
from tilewright.insight.puzzle import Puzzle, puzzles_of
from tilewright.insight.puzzle_rating import START, SolverRating
from tilewright.server.copying import copy
from tilewright.server.database import Conflict
from tilewright.server.puzzles import choose
from tilewright.server.solvers import Solver, answers_of, note_answer, show_puzzle, solver_of
from tilewright.server.store import Store

PUZZLES = puzzles_of(tw.GAMES["azul"].spec)
KEY = "k" * 24
pytestmark = pytest.mark.usefixtures("unhurt")


def next_puzzle(person: Person, game: str = "azul") -> Puzzle:
    """The puzzle that a person gets now."""
    person.key = person.key or KEY
    answer = person.get(f"/api/puzzles/{game}/next")
    assert answer.status_code == 200, answer.text
    return puzzles_of(tw.GAMES[game].spec)[answer.json()["id"]]


def wrong_move(puzzle: Puzzle) -> str:
    """A legal move that the file says nothing about."""
    known = {answer.move for answer in puzzle.answers}
    return next(str(move) for move in puzzle.position.legal_moves if str(move) not in known)


@pytest.fixture(autouse=True)
def fresh_key(me: Person, request: pytest.FixtureRequest) -> None:
    """Everybody is somebody else."""
    if "cookie" not in request.node.name:
        me.key = f"{request.node.name:x<32}"[-32:]


# Answers -----------------------------------------------------------------------------------------------


def test_the_page_learns_nothing_about_the_solution_beforehand(me: Person):
    puzzle = next_puzzle(me)
    shown = me.get("/api/puzzles/azul/next").json()
    assert shown["id"] == puzzle.id, "the same one until it is answered"
    assert not {"solution", "answers", "rating", "line", "found"} & set(shown)
    assert len(shown["legal"]) == len(list(puzzle.position.legal_moves))
    assert shown["solver"]["rating"] == START


def test_the_right_move(me: Person):
    puzzle = next_puzzle(me)
    told = me.post(f"/api/puzzles/{puzzle.id}/answer", {"move": puzzle.solution.move}).json()
    assert told["right"]
    assert told["counted"]
    assert told["change"] > 0
    assert told["solver"]["streak"] == told["solver"]["best_streak"] == told["solver"]["solved"] == 1
    assert told["rating"] == puzzle.rating
    assert len(told["line"]) == len(puzzle.solution.line)
    assert told["reasons"], "why it is better than the next best move"
    assert next_puzzle(me).id != puzzle.id


def test_a_wrong_move_is_explained_in_the_language_of_the_reader(me: Person):
    right = next_puzzle(me)
    me.post(f"/api/puzzles/{right.id}/answer", {"move": right.solution.move})
    puzzle = next_puzzle(me)
    path = f"/api/puzzles/{puzzle.id}/answer"
    told = me.post(path, {"move": puzzle.answers[1].move}, params={"language": "fr"}).json()
    assert not told["right"]
    assert told["counted"]
    assert told["change"] < 0
    assert told["solver"]["streak"] == 0
    assert told["solver"]["best_streak"] == 1
    assert told["other"]["move"] == int(puzzle.game.move(puzzle.answers[1].move))
    assert told["solution"]["spots"]
    assert told["reasons"]
    assert "Joueur" in told["line"][0]["text"]


def test_a_move_that_is_not_in_the_file_is_evaluated_by_a_search(me: Person):
    puzzle = next_puzzle(me)
    told = me.post(f"/api/puzzles/{puzzle.id}/answer", {"move": wrong_move(puzzle)}).json()
    assert not told["right"]
    worth = int("".join(filter(str.isdigit, told["other"]["chance"])))
    assert worth <= round(100 * puzzle.answers[-1].chance)


def test_giving_up_counts_as_wrong(me: Person):
    puzzle = next_puzzle(me)
    told = me.post(f"/api/puzzles/{puzzle.id}/answer", {"move": None}).json()
    assert not told["right"]
    assert told["change"] < 0
    assert told["solver"]["tried"] == 1


def test_only_the_puzzle_that_was_shown_can_be_answered_and_only_once(me: Person):
    puzzle = next_puzzle(me)
    other = next(one for one in PUZZLES.values() if one.id != puzzle.id)
    refused(
        me.post(f"/api/puzzles/{other.id}/answer", {"move": other.solution.move}), 400, "no longer your current puzzle"
    )
    refused(me.post(f"/api/puzzles/{puzzle.id}/answer", {"move": 10**6}), 400)
    illegal = next(move for move in puzzle.game.moves if move not in puzzle.position.legal_moves)
    refused(me.post(f"/api/puzzles/{puzzle.id}/answer", {"move": int(illegal)}), 400, "not legal")
    assert me.post(f"/api/puzzles/{puzzle.id}/answer", {"move": puzzle.solution.move}).status_code == 200
    refused(
        me.post(f"/api/puzzles/{puzzle.id}/answer", {"move": puzzle.solution.move}),
        400,
        "no longer your current puzzle",
    )


def test_somebody_without_a_key_gets_one_as_a_cookie(me: Person):
    answer = me.get("/api/puzzles/azul/next")
    assert "tilewright_key" in answer.headers["set-cookie"]
    refused(me.post(f"/api/puzzles/{answer.json()['id']}/answer", {"move": None}), 400, "no longer your current puzzle")


def test_the_rules_say_what_a_move_would_bring_and_why_it_is_not_legal(me: Person):
    puzzle = next_puzzle(me)
    legal = int(puzzle.game.move(puzzle.solution.move))
    illegal = int(next(move for move in puzzle.game.moves if move not in puzzle.position.legal_moves))
    assert me.get(f"/api/puzzles/{puzzle.id}/preview", params={"move": legal}).json()["tiles"]
    assert me.get(f"/api/puzzles/{puzzle.id}/why", params={"move": illegal}).json()["said"]
    refused(me.get(f"/api/puzzles/{puzzle.id}/preview", params={"move": illegal}), 400, "not legal")
    assert me.get(f"/api/puzzles/{puzzle.id}/why", params={"move": legal}).status_code == 400


def test_what_does_not_exist(me: Person):
    refused(me.get("/api/puzzles/azul-mini/next"), 404, "no puzzles")
    refused(me.get("/api/puzzles/chess/next"), 404, "no puzzles")
    refused(me.get(f"/api/puzzles/{'0' * 12}/preview", params={"move": 0}), 404, "no such puzzle")


def test_the_games_that_have_puzzles(me: Person):
    found = me.get("/api/puzzles").json()
    assert [one["game"] for one in found] == ["azul", "summer-pavilion"]
    assert found[0]["puzzles"] == len(PUZZLES)


# What comes next ----------------------------------------------------------------------------------------


def test_the_next_puzzle_is_one_near_the_rating():
    for rating in (1200.0, 1700.0, 2100.0):
        chosen = choose(PUZZLES, Solver(SolverRating(rating)), {})
        nearest = sorted(abs(puzzle.rating - rating) for puzzle in PUZZLES.values())[:8]
        assert abs(chosen.rating - rating) <= nearest[-1]


def test_when_all_are_answered_those_that_were_not_solved_come_again():
    names = list(PUZZLES)
    answered = dict.fromkeys(names, True) | {names[3]: False, names[5]: False}
    assert choose(PUZZLES, Solver(), answered).id == names[3]
    assert choose(PUZZLES, Solver(), dict.fromkeys(names, True)).id == names[0]


# What is stored -----------------------------------------------------------------------------------------


def test_answers_and_ratings_are_stored_in_both_kinds_of_database(where: str):
    first, second = list(PUZZLES.values())[:2]
    store = Store(where)
    assert solver_of(store, "ada", "azul") == Solver()
    show_puzzle(store, "ada", "azul", first.id)
    assert solver_of(store, "ada", "azul").current == first.id
    note_answer(store, "ada", first, True)
    note_answer(store, "ada", second, False)
    with pytest.raises(Conflict):
        note_answer(store, "ada", first, False)
    solver = solver_of(store, "ada", "azul")
    assert (solver.solved, solver.tried, solver.streak, solver.best_streak, solver.current) == (1, 2, 0, 1, None)
    assert solver.rating == SolverRating().after(first.rating, True).after(second.rating, False)
    assert answers_of(store, "ada") == {first.id: True, second.id: False}
    assert answers_of(store, "bob") == {}
    store.close()


def test_a_backup_holds_answers_and_ratings(tmp_path: Path):
    puzzle = next(iter(PUZZLES.values()))
    store = Store(tmp_path / "club.db")
    note_answer(store, "ada", puzzle, True)
    before = solver_of(store, "ada", "azul")
    copy(tmp_path / "club.db", tmp_path / "backup.db")
    store.close()
    backup = Store(tmp_path / "backup.db")
    assert solver_of(backup, "ada", "azul") == before
    assert answers_of(backup, "ada") == {puzzle.id: True}
    backup.close()


def test_a_person_reads_and_deletes_what_is_stored_about_their_puzzles(members: Callable[[], Person]):
    me, other = members(), members()
    me.key, other.key = KEY, KEY[::-1] + "x"
    puzzle, theirs = next_puzzle(me), next_puzzle(other)
    me.post(f"/api/puzzles/{puzzle.id}/answer", {"move": puzzle.solution.move})
    other.post(f"/api/puzzles/{theirs.id}/answer", {"move": theirs.solution.move})
    stored = me.get("/api/person").json()["puzzles"]
    assert [one["puzzle"] for one in stored["answers"]] == [puzzle.id]
    assert stored["ratings"][0]["rating"] > START
    assert me.http.delete("/api/person", headers=me.headers).status_code == 200
    assert me.get("/api/person").json()["puzzles"] == {"ratings": [], "answers": []}
    assert len(other.get("/api/person").json()["puzzles"]["answers"]) == 1
