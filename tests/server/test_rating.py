"""The arithmetic of ratings: what must hold for any skills and any ranks."""

from __future__ import annotations

import random
from math import isclose

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tilewright.arena.ratings import Skill
from tilewright.server.rating import ELO, ORIGIN, START, Rating, after_game, bot_rating, ranks_of
from tilewright.server.stored import Result, StoredSeat

skills = st.builds(Skill, st.floats(-20, 120), st.floats(1.0, 12.5))
ratings = st.builds(Rating, skills, st.integers(0, 50))
tables = st.lists(ratings, min_size=2, max_size=4)


@st.composite
def games(draw: st.DrawFn) -> tuple[list[Rating], list[int]]:
    """Ratings and ranks, which may be shared."""
    table = draw(tables)
    points = draw(st.lists(st.integers(0, 3), min_size=len(table), max_size=len(table)))
    return table, [1 + sum(other > own for other in points) for own in points]


def rated(table: list[Rating], ranks: list[int]) -> list[Rating]:
    return after_game(table, ranks, [True] * len(table))


@given(games())
def test_the_only_winner_gains_and_the_only_loser_loses(game: tuple[list[Rating], list[int]]):
    table, ranks = game
    after = rated(table, ranks)
    if ranks.count(1) == 1:
        winner = ranks.index(1)
        assert after[winner].skill.mu >= table[winner].skill.mu
    if ranks.count(max(ranks)) == 1 and len(table) == 2:
        loser = ranks.index(max(ranks))
        assert after[loser].skill.mu <= table[loser].skill.mu
    assert all(new.games == old.games + 1 for new, old in zip(after, table, strict=True))


@given(games(), st.randoms())
def test_the_order_of_the_seats_makes_no_difference(game: tuple[list[Rating], list[int]], chance):
    table, ranks = game
    order = list(range(len(table)))
    chance.shuffle(order)
    after, shuffled = rated(table, ranks), rated([table[n] for n in order], [ranks[n] for n in order])
    for n, new in zip(order, shuffled, strict=True):
        assert isclose(new.skill.mu, after[n].skill.mu, rel_tol=1e-9, abs_tol=1e-9)
        assert isclose(new.skill.sigma, after[n].skill.sigma, rel_tol=1e-9)


@given(ratings, st.integers(2, 4))
def test_equals_who_tie_keep_their_means(rating: Rating, players: int):
    for new in rated([rating] * players, [1] * players):
        assert isclose(new.skill.mu, rating.skill.mu, rel_tol=1e-9, abs_tol=1e-9)


@given(st.floats(0, 60), st.floats(0, 60), st.floats(2, 12.5))
def test_between_two_of_equal_deviation_one_gains_what_the_other_loses(one: float, other: float, sigma: float):
    table = [Rating(Skill(one, sigma)), Rating(Skill(other, sigma))]
    after = rated(table, [1, 2])
    assert isclose(after[0].skill.mu - one, other - after[1].skill.mu, rel_tol=1e-9, abs_tol=1e-9)


@given(st.floats(10, 90), st.floats(0.5, 30), st.floats(2, 12.5))
def test_a_win_against_a_stronger_player_is_worth_more(mu: float, stronger: float, sigma: float):
    me = Rating(Skill(mu, sigma))
    gains = [rated([me, Rating(Skill(mu + more, 4.0))], [1, 2])[0].skill.mu - mu for more in (0.0, stronger)]
    assert gains[1] > gains[0]


@given(games())
def test_a_game_narrows_the_deviation_but_for_the_drift(game: tuple[list[Rating], list[int]]):
    table, ranks = game
    for new, old in zip(rated(table, ranks), table, strict=True):
        assert 0 < new.skill.sigma <= old.skill.sigma + 0.004


@given(games(), st.integers(0, 3))
def test_who_does_not_learn_keeps_the_rating_and_others_learn_the_same(game: tuple[list[Rating], list[int]], bot: int):
    table, ranks = game
    assume(bot < len(table))
    after = after_game(table, ranks, [n != bot for n in range(len(table))])
    assert after[bot] == table[bot]


@settings(max_examples=30)
@given(st.floats(300, 2500), st.integers(0, 1000))
def test_ratings_converge_to_the_strength_of_whoever_plays_against_bots(elo: float, seed: int):
    """A player whose chances are those of an Elo rating ends up near it, whichever bots they meet."""
    dice, mine = random.Random(seed), Rating()
    bots = [Rating(Skill(START.mu + step / ELO, 100 / ELO)) for step in (-400, 0, 600, 1300)]
    for _ in range(150):
        bot = min(bots, key=lambda one: abs(one.shown - mine.shown) + dice.random() * 400)
        wins = dice.random() < 1 / (1 + 10 ** ((bot.shown - elo) / 400))
        mine = after_game([mine, bot], [1, 2] if wins else [2, 1], [True, False])[0]
    assert not mine.is_provisional
    assert abs(mine.shown - elo) < 6 * mine.deviation


def test_a_newcomer_is_provisional_for_about_ten_games():
    mine, played = Rating(), 0
    while mine.is_provisional:
        bot = Rating(Skill(mine.skill.mu, 100 / ELO))
        mine, played = after_game([mine, bot], [1 + played % 2, 2 - played % 2], [True, False])[0], played + 1
    assert 6 <= played <= 15


# Places -------------------------------------------------------------------------------------------------


def seats(*substituted: bool) -> list[StoredSeat]:
    return [
        StoredSeat("human", key_hash=str(n), substitute="level4" if one else None) for n, one in enumerate(substituted)
    ]


@pytest.mark.parametrize(
    ("scores", "winners", "gone", "ranks"),
    [
        ([50, 40], [1], (False, False), [1, 2]),
        ([40, 40], [2], (False, False), [2, 1]),
        ([40, 40], [1, 2], (False, False), [1, 1]),
        ([50, 40], [1], (True, False), [2, 1]),
        ([50, 40], [1], (True, True), [1, 2]),
        ([30, 50, 30, 10], [2], (False, False, False, False), [2, 1, 2, 4]),
        ([30, 50, 30, 10], [2], (False, True, False, False), [1, 4, 1, 3]),
    ],
)
def test_ranks(scores: list[int], winners: list[int], gone: tuple[bool, ...], ranks: list[int]):
    assert ranks_of(seats(*gone), Result(scores, winners)) == ranks


def test_before_the_end_only_who_left_has_lost():
    assert ranks_of(seats(False, True), None) == [1, 2]
    assert ranks_of(seats(False, True, False), None) == [1, 3, 1]


def test_bots_have_their_measured_strength():
    shown = [bot_rating("azul", 2, f"level{level}").shown for level in range(1, 7)]
    assert shown == sorted(shown)
    assert shown[1] == ORIGIN, "the usual opponent of newcomers"
    assert shown[2] - shown[1] == 585
    assert bot_rating("azul", 2, "random") is None
    assert bot_rating("summer-pavilion", 2, "level1") is None
    assert bot_rating("azul", 4, "level3").deviation > bot_rating("azul", 2, "level3").deviation
