"""Reviews in words: the summary, the turning point, reasons for any game."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

import tilewright as tw
from bare_game import BareGame
from rules.positions import Board, table
from tilewright.bots.registry import make_bot
from tilewright.insight import report
from tilewright.insight.expectation import Expectation
from tilewright.insight.grades import MISTAKES, Grade
from tilewright.insight.reason import Reason
from tilewright.insight.reasons import MOST_REASONS, explain
from tilewright.insight.review import DrawReview, Review
from tilewright.insight.wording import signed_percent, summary, tell_reasons
from tilewright.view.generated_page import is_made_by
from tilewright.view.grammar import percent
from tilewright.view.language import LANGUAGES


@pytest.fixture(scope="module")
def review() -> Review:
    bots = [make_bot(name, seed=1) for name in ("level1", "level3")]
    position = tw.Azul().start(seed=8)
    while not position.is_over:
        assert position.turn is not None
        position.push(bots[position.turn].choose(position))
    return tw.review(position.record(["Anna", "Paul"]), budget="1000")


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_sentences_in_every_language(review: Review, language: str):
    sentences = summary(review, language=language)
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)
    assert "Paul" in sentences[0]


def test_mistakes_have_reasons_but_not_too_many(review: Review):
    mistakes = [move for move in review.moves if move.grade in ("mistake", "blunder")]
    assert mistakes
    for move in mistakes:
        assert 1 <= len(move.reasons) <= MOST_REASONS
        told = tell_reasons(move.reasons, review.record.game, ["Anna", "Paul"])
        assert len(set(told)) == len(told)
        assert sum(sentence.startswith("If everybody plays well") for sentence in told) <= 1
    assert all(not move.reasons for move in review.moves if move.grade in (None, "best", "good"))


def test_the_turning_point_is_what_the_winner_owes_most_to(review: Review):
    turn = review.turning_point
    assert turn is not None
    outcome = review.record.replay().outcome()
    assert outcome is not None
    assert (turn.winner,) == outcome.winners
    assert turn.seat != turn.winner
    later = [move.given[turn.winner] for move in review.moves if move.event >= turn.event and move.seat != turn.winner]
    assert turn.swing == pytest.approx(max([turn.swing, *later]))


def without_skill(review: Review, luck: float) -> Review:
    """The same game, as if nobody had given anything away and one deal had decided."""
    even = Expectation((0.5, 0.5), (0.0, 0.0))
    moves = tuple(replace(move, grade=Grade.GOOD, loss=0.0, given=(0.0, 0.0)) for move in review.moves)
    expectations = (even,) * (len(review.expectations) - 1) + (review.expectations[-1],)
    first = review.draws[0]
    draws = (replace(first, luck=(-luck, luck), error=(0.01, 0.01)),)
    return replace(review, moves=moves, draws=draws, expectations=expectations)


def test_a_lucky_win_is_called_lucky(review: Review):
    how, where = summary(without_skill(review, 0.3))
    assert "with the help of the deals (+30%)" in how
    assert "the deal of round 1" in where
    assert "although the deals went the other way (−30%)" in summary(without_skill(review, -0.3))[0]
    how, where = summary(without_skill(review, 0.01))
    assert "neither mistakes nor deals decided it alone" in how
    assert "no turning point" in where


def test_luck_that_may_be_noise_is_not_blamed(review: Review):
    lucky = without_skill(review, 0.3)
    noisy = replace(lucky, draws=tuple(replace(draw, error=(0.2, 0.2)) for draw in lucky.draws))
    assert "with the help of the deals" not in summary(noisy)[0]


def test_an_unfinished_game():
    position = tw.Azul().start(seed=1)
    position.push(next(iter(position.legal_moves)))
    review = tw.review(position.record(["Anna", "Paul"]), budget="200")
    assert review.turning_point is None
    assert "not finished" in summary(review)[0]


def test_the_winner_gave_away_less(review: Review):
    how, where = summary(review)
    mistakes = [sum(seat.grades[grade] for grade in MISTAKES) for seat in review.seats]
    assert how.startswith("Paul wins")
    assert f"{percent(review.seats[1].given_away)} ({mistakes[1]} mistake" in how
    assert f"against {percent(review.seats[0].given_away)} ({mistakes[0]} mistakes)" in how
    assert where.startswith("The turning point came in round")


def test_without_a_turning_point_the_largest_mistake_is_named(review: Review):
    """Not that the chances shifted a little at a time: a mistake in a lost position did not turn the game."""
    first = 12
    found = replace(
        review,
        record=replace(review.record, events=review.record.events[:first]),
        expectations=review.expectations[: first + 1],
        moves=tuple(move for move in review.moves if move.event < first),
        draws=review.draws[:1],
    )
    where = summary(found)[1]
    assert where.startswith("The largest mistake came in round 1 and cost")
    assert percent(max(move.loss for move in found.moves)) in where
    harmless = tuple(replace(move, loss=0.01, grade=Grade.GOOD) for move in found.moves)
    assert "no turning point" in summary(replace(found, moves=harmless))[1]


def test_percentages_are_set_as_the_language_does():
    assert percent(0.214) == "21%"
    assert percent(0.214, "fr").replace("\u202f", " ").replace("\xa0", " ") == "21 %"
    assert signed_percent(-0.06) == "−6%"


# Reasons for any game ---------------------------------------------------------------------------------------


def kinds(reasons: tuple[Reason, ...]) -> list[str]:
    return [reason.kind for reason in reasons]


def test_a_game_without_reasons_of_its_own_compares_points():
    position = BareGame().start(seed=2)
    points = {move: position.effects(move)[0].points for move in position.legal_moves}
    worst, best = min(points, key=points.__getitem__), max(points, key=points.__getitem__)
    found = explain(position, [worst], [best], points_lost=2.0)
    assert kinds(found) == ["points_now"]
    assert found[0].fields["n"] == points[best] - points[worst]
    assert kinds(explain(position, [best], [worst], points_lost=2.0)) == ["position"]
    assert kinds(explain(position, [best], [worst], points_lost=-0.3)) == ["chances"]


def test_what_the_long_search_does_not_confirm_is_not_told():
    board = Board(lines={1: "w"}, wall={1: "byrk."}, score=28)
    position = table(tw.Azul(), board, Board(lines={5: "yyyy"}, wall={5: ".rkwb"}, score=28), centre="yb", marker=1)
    lose, win = (position.without_dealer() for _ in range(2))
    losing = [lose.push("cb2"), lose.push("cy5")]
    winning = [win.push("cy2"), win.push("cb3")]
    assert "wins" in kinds(explain(position, losing, winning, points_lost=8.0, chance=0.95))
    assert "wins" not in kinds(explain(position, losing, winning, points_lost=8.0, chance=0.7))
    believed, doubted = (explain(position, losing, winning, points_lost=lost, chance=0.7) for lost in (20.0, 1.0))
    hoped_for = [reason for reason in believed if reason.is_expected]
    assert hoped_for
    assert all(reason.weight > 2.5 for reason in hoped_for)
    assert not [reason for reason in doubted if reason.is_expected]


def test_points_that_another_reason_accounts_for_are_not_told_again():
    position = table(tw.Azul(), Board(score=20), Board(score=20), centre="rrbb", marker=1)
    played, better = (position.without_dealer() for _ in range(2))
    line = [played.push("crf"), played.push("cb3")]
    best_line = [better.push("cr5"), better.push("cbf")]
    found = explain(position, line, best_line, points_lost=30.0)
    assert kinds(found).count("floor_of_other") == 1
    assert "less_for_other" not in kinds(found)


def test_the_last_round_is_explained_too():
    """A move that costs something has a reason, even if both lines end in the same way."""
    board = Board(lines={1: "w"}, wall={1: "byrk."}, score=28)
    position = table(tw.Azul(), board, Board(score=28), centre="yb", marker=1)
    one, other = (position.without_dealer() for _ in range(2))
    line, best_line = [one.push("cb3"), one.push("cy4")], [other.push("cy3"), other.push("cb4")]
    assert one.is_over
    assert kinds(explain(position, line, best_line, points_lost=4.0)) == ["position"]


def test_a_loss_that_reasons_do_not_explain_is_put_into_a_number_at_the_end():
    position = BareGame().start(seed=2)
    points = {move: position.effects(move)[0].points for move in position.legal_moves}
    worst, best = min(points, key=points.__getitem__), max(points, key=points.__getitem__)
    found = explain(position, [worst], [best], points_lost=50.0)
    assert kinds(found) == ["points_now", "position"]
    assert found[1].fields == {"n": 50}


def expected(kind: str, **fields: int) -> Reason:
    return Reason(kind, fields, is_expected=True)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "If everybody plays well, Anna scores 2 points more by the end of the round;"
            " Paul scores 3 points less by the end of the round.",
        ),
        (
            "fr",
            "Si chacun joue bien, Anna marque 2 points de plus d’ici la fin de la manche ;"
            " Paul marque 3 points de moins d’ici la fin de la manche.",
        ),
        (
            "it",
            "Se tutti giocano bene, Anna fa 2 punti in più entro la fine del round;"
            " Paul fa 3 punti in meno entro la fine del round.",
        ),
    ],
)
def test_the_condition_of_several_reasons_is_said_once(language: str, sentence: str):
    first, second = expected("round_points", seat=0, n=2), expected("less_for_other", seat=1, n=3)
    certain = Reason("points_now", {"n": 1})
    told = tell_reasons([first, certain, second], tw.Azul(), ["Anna", "Paul"], language)
    assert unicodedata.normalize("NFKC", told[0]) == sentence
    assert told[1:] == tell_reasons([certain], tw.Azul(), ["Anna", "Paul"], language)


def test_a_name_may_read_like_a_part_of_the_sentence():
    told = tell_reasons([expected("wins", seat=0)], tw.Azul(), ["If everybody plays well, {name}.", "Paul"])
    assert told == ["If everybody plays well, If everybody plays well, {name}. wins the game at the end of this round."]


def test_an_expected_reason_survives_json():
    reason = expected("wins", seat=0)
    assert Reason.from_dict(reason.to_dict()) == reason


def test_two_clauses_about_the_same_player_name_this_player_once():
    reasons = [
        expected("floor_later", seat=0, n=2, other=4),
        expected("more_on_wall", seat=0, n=4, other=3),
        expected("less_for_other", seat=1, n=1),
    ]
    told = {language: tell_reasons(reasons, tw.Azul(), ["Ann", "Ann Lee"], language) for language in LANGUAGES}
    assert told["en"] == [
        "If everybody plays well, Ann loses 2 points on the floor line instead of 4 and puts 4 tiles on the wall at the"
        " end of the round instead of 3; Ann Lee scores 1 point less by the end of the round."
    ]
    assert "au lieu de 4 et pose 4 tuiles" in told["fr"][0]
    assert "invece di 4 e mette 4 piastrelle" in told["it"][0]
    others = tell_reasons(reasons[1:], tw.Azul(), ["Ann", "Ann"])
    assert "instead of 3; Ann scores" in others[0], "two players of the same name are not the same player"


def test_whoever_reads_the_reasons_is_addressed():
    reasons = [
        expected("floor_clean", seat=1, n=2),
        expected("round_points", seat=1, n=3),
        expected("less_for_other", seat=0, n=1),
    ]
    told = {language: tell_reasons(reasons, tw.Azul(), ["Ann", "Bob"], language, you=1)[0] for language in LANGUAGES}
    assert told["en"] == (
        "If everybody plays well, you lose nothing on the floor line instead of 2 points and score 3 points more by the"
        " end of the round; Ann scores 1 point less by the end of the round."
    )
    assert "vous ne perdez rien sur le plancher au lieu de 2 points et marquez 3 points" in told["fr"]
    assert "giocano bene, non perdi nulla sul pavimento invece di 2 punti e fai 3 punti" in told["it"]
    assert not any("Bob" in sentence for sentence in told.values())


def test_none_is_a_word():
    reason = expected("tiles_in_lines", seat=0, n=2, other=0)
    assert tell_reasons([reason], tw.Azul(), ["Anna", "Paul"], "en")[0].endswith("in the lines instead of none.")


def test_points_beside_those_of_the_floor_line():
    """The points in all would count those of the floor line twice."""
    other = Board(lines={2: "b"}, wall={1: ".y...", 2: "w.y..", 3: ".w..."}, score=20)
    position = table(tw.Azul(), Board(score=20), other, centre="rrrbb", marker=2)
    played, better = (position.without_dealer() for _ in range(2))
    line = [played.push("cr3"), played.push("cb2")]
    best_line = [better.push("cb2"), better.push("crf")]
    found = {reason.kind: reason for reason in explain(position, line, best_line, points_lost=40.0)}
    assert found["floor_of_other"].fields == {"seat": 1, "n": 6, "other": 2}
    assert found["less_for_other_besides"].fields == {"seat": 1, "n": 6}
    told = tell_reasons(list(found.values()), position.game, ["Anna", "Paul"])
    assert "Paul loses 6 points on the floor line instead of 2 and scores 6 points less besides." in told[1]


def test_a_move_that_pays_off_later():
    """By the end of the round it brings less than the move played, but the search says that it is better."""
    position = table(tw.Azul(), Board(score=20), Board(score=20), centre="rb", marker=1)
    played, better = (position.without_dealer() for _ in range(2))
    line = [played.push("cr1"), played.push("cbf")]
    best_line = [better.push("cr5"), better.push("cb1")]
    found = explain(position, line, best_line, points_lost=4.0)
    assert found[-1].kind == "pays_off_later"
    assert found[-1].fields == {"n": 3, "total": 4}
    assert kinds(explain(position, best_line, line, points_lost=9.0)).count("pays_off_later") == 0
    far_behind = explain(position, line, best_line, points_lost=2.0)
    assert "pays_off_later" not in kinds(far_behind), "a long search does not confirm it"


def test_the_end_of_the_round_counts_only_if_both_lines_reach_it():
    position = table(tw.Azul(), Board(score=20), Board(lines={2: "b"}, score=20), centre="rrrrbb", marker=2)
    lines = [[position.move(first)] for first in ("cb3", "cr4")]
    assert "less_for_other" not in kinds(explain(position, *lines, points_lost=9.0))


def test_a_win_is_the_heaviest_reason():
    board = Board(lines={1: "w"}, wall={1: "byrk."}, score=28)
    position = table(tw.Azul(), board, Board(lines={5: "yyyy"}, wall={5: ".rkwb"}, score=28), centre="yb", marker=1)
    lose, win = (position.without_dealer() for _ in range(2))
    losing = [lose.push("cb2"), lose.push("cy5")]
    winning = [win.push("cy2"), win.push("cb3")]
    found = explain(position, losing, winning, points_lost=8.0)
    assert found[0].kind == "wins"


# The page ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_stands_alone(review: Review, language: str):
    page = report.report_page(review, language)
    assert f'<html lang="{language}">' in page
    assert page.count("<article>") == sum(move.grade in ("mistake", "blunder") for move in review.moves)
    assert "data:image/svg+xml;base64," in page
    assert "<polyline" in page
    assert "<script" not in page
    assert 'src="http' not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_heading_and_the_summary_give_the_same_result(review: Review, language: str):
    page = report.report_page(review, language)
    outcome = review.record.replay().outcome()
    assert outcome is not None
    assert outcome.winners == (1,), "the order of the seats would be another"
    scores = f"{outcome.scores[1]}-{outcome.scores[0]}"
    heading, first = page.split("<h1>")[1].split("<h2>")[0].split("</h1>")
    assert scores in heading
    assert scores in first
    assert f"{outcome.scores[0]}-{outcome.scores[1]}" not in heading + first


def test_the_totals_have_a_column_for_each_player(review: Review):
    totals = report.report_page(review).split("<table>")[1].split("</table>")[0]
    head, *rows = totals.split("<tr>")[1:]
    assert head.count('<th scope="col">') == 2
    assert [row.count("<td>") for row in rows] == [2] * (3 + len(Grade))


def test_names_cannot_break_the_page(review: Review, tmp_path: Path):
    nasty = replace(review, record=replace(review.record, names=["<b>Anna", "Paul"]))
    report.write_report(nasty, tmp_path / "review.html")
    assert "<b>Anna" not in (tmp_path / "review.html").read_text(encoding="utf-8")
    assert is_made_by(report.GENERATOR, tmp_path / "review.html")


@pytest.mark.parametrize(("language", "first"), [("en", "Player 1"), ("fr", "Joueur 1"), ("it", "Giocatore 1")])
def test_players_without_names_are_called_by_their_seats(review: Review, language: str, first: str):
    record = replace(review.record, names=review.record.replay().record().names)
    page = report.report_page(replace(review, record=record), language)
    assert first in page
    assert "player 1" not in page


def test_a_draw_review_survives_json(review: Review):
    draw = review.draws[0]
    assert DrawReview.from_dict(draw.to_dict()) == draw
