"""Who plays whom, from which seat, with which seeds."""

from __future__ import annotations

from collections import Counter

import pytest

import tilewright as tw
from tilewright.arena.schedule import Match, bot_text, line_ups
from tilewright.bots.random import RandomBot


def match(bots: int, players: int, seed: int = 1) -> Match:
    return Match(tw.Azul(players=players), tuple(f"bot{bot}" for bot in range(bots)), seed)


@pytest.mark.parametrize(("bots", "players"), [(2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (3, 4), (4, 4), (6, 3)])
def test_a_set_is_one_deal_with_every_rotation(bots: int, players: int):
    schedule = match(bots, players)
    for set_number in range(8):
        games = [schedule.fixture(set_number * players + rotation) for rotation in range(players)]
        assert {game.set_number for game in games} == {set_number}
        assert len({game.deal_seed for game in games}) == 1
        for seat in range(players):
            assert Counter(game.seats[seat] for game in games) == Counter(games[0].seats)


def test_deals_and_bots_have_seeds_of_their_own():
    schedule = match(3, 2)
    games = [schedule.fixture(number) for number in range(200)]
    deals = {game.deal_seed for game in games}
    bots = [seed for game in games for seed in game.bot_seeds]
    assert len(deals) == 100
    assert len(set(bots)) == len(bots) == 400
    assert not deals & set(bots)
    assert all(0 <= seed < 1 << 53 for seed in [*deals, *bots])


def test_everything_follows_from_the_seed():
    assert match(2, 2).fixture(17) == match(2, 2).fixture(17)
    assert match(2, 2, seed=1).fixture(17) != match(2, 2, seed=2).fixture(17)


def test_two_bots_at_a_larger_table_are_one_against_the_rest():
    assert [match(2, 4).fixture(number).seats for number in range(4)] == [
        (0, 1, 1, 1),
        (1, 0, 1, 1),
        (1, 1, 0, 1),
        (1, 1, 1, 0),
    ]


def test_a_league_lets_everybody_meet_everybody_equally_often():
    schedule = match(5, 2)
    met = Counter(frozenset(schedule.fixture(number).seats) for number in range(2 * 30))
    assert len(met) == 10
    assert set(met.values()) == {6}


def test_three_and_four_at_a_table_sit_in_every_order():
    assert len(line_ups(4, 4)) == 6
    assert len({schedule[1:] for schedule in line_ups(4, 4)}) == 6
    assert len(line_ups(5, 3)) == 10 * 2


def test_games_are_rounded_up_to_whole_sets():
    assert [match(2, 3).whole_sets(games) for games in (1, 3, 4, 400)] == [3, 3, 6, 402]
    with pytest.raises(tw.BadOption, match="at least one game"):
        match(2, 2).whole_sets(0)


def test_a_match_needs_two_bots_and_a_seed():
    with pytest.raises(tw.BadOption, match="not 1"):
        match(1, 2)
    with pytest.raises(tw.BadOption, match=r"2\*\*64"):
        match(2, 2, seed=-1)


def test_bots_that_play_twice_have_different_names():
    game = tw.Azul(players=2)
    assert Match(game, ("a", "b", "a", "a")).names == ("a", "b", "a (2)", "a (3)")


def test_a_class_is_told_by_its_name_if_it_can_be_imported():
    class Local:
        pass

    assert bot_text(RandomBot) == "tilewright.bots.random:RandomBot"
    with pytest.raises(tw.BadOption, match="top level of a module"):
        bot_text(Local)
