"""Reviews of games: everything adds up, forced moves have no grade, reviews can be stored, watched and cancelled."""

from __future__ import annotations

import json

import pytest

import tilewright as tw
from bare_game import BareGame
from tilewright.bots.registry import make_bot
from tilewright.insight import wording
from tilewright.insight.grades import MISTAKES, accuracy_of, grade_of, mean_accuracy
from tilewright.insight.reviewing import default_budget, resume_live

BUDGET = "300"


def played(game: tw.Game, bot: str = "level2", seed: int = 5, moves: int = 10_000) -> tw.Record:
    """A game between two bots, or its beginning."""
    bots = [make_bot(bot, seed=seat) for seat in range(game.players)]
    position = game.start(seed=seed)
    while not position.is_over and moves:
        assert position.turn is not None
        position.push(bots[position.turn].choose(position))
        moves -= 1
    return position.record()


@pytest.fixture(scope="module")
def review() -> tw.Review:
    return tw.review(played(tw.Azul()), budget="2000")


def test_every_decision_and_every_deal_is_reviewed(review: tw.Review):
    events = review.record.events
    assert [move.event for move in review.moves] == [n for n, one in enumerate(events) if isinstance(one, tw.Move)]
    assert [draw.event for draw in review.draws] == [n for n, one in enumerate(events) if isinstance(one, tw.Draw)]
    assert all(expectation is not None for expectation in review.expectations)
    assert len(review.expectations) == len(events) + 1


def test_result_is_start_and_skill_and_luck_and_the_remainder(review: tw.Review):
    outcome = review.record.replay().outcome()
    assert outcome is not None
    for seat, totals in enumerate(review.seats):
        total = totals.start - totals.given_away + totals.received + totals.luck + totals.remainder
        assert total == pytest.approx(totals.result)
        assert totals.result == float(seat in outcome.winners)
    assert sum(totals.luck for totals in review.seats) == pytest.approx(0, abs=1e-3)
    assert review.seats[0].given_away == pytest.approx(review.seats[1].received, abs=1e-3)


def test_the_error_of_the_remainder_comes_from_the_revisions_that_add_up_to_it(review: tw.Review):
    steps = len(review.moves) + len(review.draws) + 1
    for totals in review.seats:
        assert totals.remainder_error > 0
        assert abs(totals.remainder) <= totals.remainder_error * steps**0.5


def test_forced_moves_have_no_grade_and_cost_nothing(review: tw.Review):
    positions = list(review.record.positions())
    forced = [move for move in review.moves if len(positions[move.event].legal_moves) == 1]
    assert forced
    assert all(move.grade is None and move.loss == 0 and move.best == move.move for move in forced)
    free = [move for move in review.moves if move not in forced]
    assert all(move.grade is not None for move in free)


def test_lines_can_be_played(review: tw.Review):
    positions = list(review.record.positions())
    for move in review.moves:
        for line, first in ((move.line, move.move), (move.best_line, move.best)):
            position = positions[move.event].without_dealer()
            assert line[0] == first
            for step in line:
                position.push(step)


def test_the_grade_follows_from_the_loss(review: tw.Review):
    for move in review.moves:
        if move.grade is not None:
            assert move.grade == grade_of(move.loss, move.move == move.best)
            assert move.loss == pytest.approx(max(0, -move.given[move.seat]))
    assert any(move.grade in MISTAKES for move in review.moves)


def test_giving_tiles_to_the_floor_is_a_mistake():
    record = played(tw.Azul(), "champion:200", moves=2)
    position = record.replay()
    costs = {move: position.effects(move)[0].values for move in position.legal_moves}
    position.push(max(costs, key=lambda move: int(costs[move]["fallen_cost"])))
    last = tw.review(position.record(), budget=BUDGET).moves[-1]
    assert last.grade in MISTAKES
    assert last.points_lost > 1


def test_the_graph_is_there_before_the_details():
    record = played(tw.Azul(), moves=20)
    reviews = list(tw.review_live(record, budget=BUDGET))
    whole = next(review for review in reviews if None not in review.expectations)
    assert whole.moves == ()
    assert [review.progress for review in reviews] == sorted(review.progress for review in reviews)
    assert reviews[-1].is_complete
    with pytest.raises(tw.TilewrightError, match="complete"):
        _ = whole.seats


def test_the_same_seed_gives_the_same_review():
    record = played(tw.SummerPavilion(), moves=12)
    one, other = (tw.review(record, budget="60", seed=3) for _ in range(2))
    assert one.to_dict() == other.to_dict()
    assert one.to_dict() != tw.review(record, budget="60", seed=4).to_dict()


def test_a_cancelled_review_stops_where_it_is():
    cancellation = tw.Cancellation()
    last = None
    for last in tw.review_live(played(tw.Azul(), moves=20), budget=BUDGET, cancellation=cancellation):
        if last.progress > 0.3:
            cancellation.cancel()
    assert last is not None
    assert 0.3 < last.progress < 0.5


def test_an_interrupted_review_ends_as_if_it_had_not_been():
    record = played(tw.Azul(), moves=8)
    reviews = list(tw.review_live(record, budget="60", seed=3))
    for interrupted in (reviews[0], reviews[-4]):
        stored = json.loads(json.dumps(interrupted.to_dict()))
        resumed = list(resume_live(tw.Review.from_dict(stored)))
        assert resumed[0].progress == interrupted.progress
        assert resumed[-1].to_dict() == reviews[-1].to_dict()
    assert len(resumed) == 4, "what was known is not made again"


def test_it_survives_json(review: tw.Review):
    told = json.loads(json.dumps(review.to_dict()))
    assert tw.Review.from_dict(told).to_dict() == review.to_dict()


def test_a_review_of_another_version_is_refused(review: tw.Review):
    with pytest.raises(tw.TilewrightError, match="version 99"):
        tw.Review.from_dict({**review.to_dict(), "version": 99})


def test_a_deal_typed_in_tile_by_tile_is_one_deal():
    position = tw.Azul().set_up()
    kinds = iter("rrbykwrbykwrbykwrbyk")
    while position.awaits_draw:
        position.draw(next(kinds))
    position.push(next(iter(position.legal_moves)))
    review = tw.review(position.record(), budget=BUDGET)
    assert [draw.event for draw in review.draws] == [19]
    assert review.is_complete


def test_games_for_three_players_give_to_each_of_the_others():
    review = tw.review(played(tw.Azul(players=3), moves=6), budget=BUDGET)
    for move in review.moves:
        assert sum(move.given) == pytest.approx(0, abs=1e-3)


def test_a_game_without_a_network_can_be_reviewed():
    review = tw.review(played(BareGame(), "random"), budget=BUDGET)
    assert review.is_complete


def test_a_review_against_the_clock_ends_however_short_it_is():
    review = tw.review(played(tw.Azul(), moves=8), budget=tw.Budget(seconds=1e-6))
    assert review.is_complete


def test_a_game_need_not_be_over():
    record = tw.read_record(played(tw.Azul(), moves=5).to_text())
    assert not record.replay().is_over
    review = tw.review(record, budget=BUDGET)
    last = review.expectations[-1]
    assert last is not None
    assert [seat.result for seat in review.seats] == pytest.approx(last.chances)
    assert wording.summary(review)[0].startswith("The game is not finished")


def test_an_empty_record_is_refused():
    with pytest.raises(tw.TilewrightError, match="no events"):
        tw.review(tw.Record(tw.Azul()))


@pytest.mark.parametrize("record", ["game.txt", None, 3])
def test_what_is_no_record_is_refused(record: object):
    with pytest.raises(tw.BadOption, match=r"a review is of a record, such as .* tw\.read_record\(text\)"):
        tw.review(record)  # type: ignore[arg-type]


@pytest.mark.parametrize("budget", [200, 1.5])
def test_a_budget_is_a_text(budget: object):
    with pytest.raises(tw.BadOption, match="is not a budget; budgets look like 100ms"):
        tw.review(played(tw.Azul(), moves=2), budget=budget)  # type: ignore[arg-type]


def test_moves_in_a_decided_game_do_not_flatter():
    contested = mean_accuracy([0.1, 0.2, 0.0], [1.0, 0.9, 0.8])
    decided = mean_accuracy([0.1, 0.2, 0.0, 0.0, 0.0, 0.0], [1.0, 0.9, 0.8, 0.0, 0.0, 0.0])
    assert contested is not None
    assert contested == pytest.approx(decided)
    assert contested[1] > 0
    assert mean_accuracy([0.0, 0.0], [0.0, 0.0]) is None


def test_accuracy_falls_with_the_loss():
    values = [accuracy_of(loss) for loss in (0, 0.02, 0.05, 0.15, 0.5, 1)]
    assert values[0] == pytest.approx(100, abs=0.01)
    assert values == sorted(values, reverse=True)
    assert values[-1] == 0


def test_games_with_more_to_choose_from_get_fewer_simulations():
    """A simulation takes longer there; a review should not."""
    coloured, grey = (played(tw.SummerPavilion(side=side)) for side in ("coloured", "grey"))
    many, few = (default_budget(record).simulations or 0 for record in (coloured, grey))
    assert 1_500 <= few < 0.8 * many
