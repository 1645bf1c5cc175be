"""Positions: pushing, drawing, taking back, copying, comparing; bad input never changes a position."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS

DEAL = "bbyr kkww yyrr bkwy rbkw"


@pytest.fixture
def position() -> tw.Position:
    position = tw.Azul(players=2).set_up()
    position.draw(DEAL)
    return position


def test_the_example_of_the_readme():
    game = tw.Azul(players=2)
    position = game.start(seed=7)
    assert position.turn == 0
    move = next(iter(position.legal_moves))
    assert position.push(move) == move
    assert position.outcome() is None
    assert "Azul" in str(position)
    assert game.position(position.to_text()) == position


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_same_seed_deals_the_same_and_another_differently(game: tw.Game):
    assert game.start(seed=7) == game.start(seed=7)
    assert len({game.start(seed=seed).to_text() for seed in range(20)}) == 20
    assert game.start() != game.start()


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x" * 1000, True, [7]])
def test_a_bad_seed_gives_the_same_error_everywhere(seed: object):
    game = tw.Azul(2)
    text = game.start(seed=1).to_text()
    for use in (
        lambda: game.start(seed=seed),
        lambda: game.set_up().deal(seed=seed),
        lambda: game.position(text, seed=seed),
        lambda: game.batch(3, seed=seed),
        lambda: tw.Dealer(seed),
    ):
        with pytest.raises(tw.BadOption, match=r"^a seed is a whole number from 0 to 2\*\*64 - 1, not ") as caught:
            use()
        assert len(str(caught.value)) < 120


def test_every_seed_of_the_documented_range_is_accepted():
    game = tw.Azul(2)
    for seed in (0, 2**64 - 1, np.uint64(2**64 - 1), np.int64(7)):
        assert game.start(seed=seed) == game.start(seed=int(seed))
        assert (game.batch(2, seed=seed).states == game.batch(2, seed=int(seed)).states).all()


def test_positions_are_not_hashable():
    # A push changes a position, so a set or dictionary that holds it would lose it.
    with pytest.raises(TypeError, match="unhashable"):
        hash(tw.Azul(2).set_up())
    with pytest.raises(TypeError, match="unhashable"):
        hash(tw.Azul(2).set_up().legal_moves)
    with pytest.raises(TypeError, match="unhashable"):
        hash(tw.Azul(2).start(seed=1).record())


def test_legal_moves_are_a_lazy_view(position: tw.Position):
    legal = position.legal_moves
    assert len(legal) == len(list(legal)) == 90
    assert "1b2" in legal
    assert position.game.move("1b2") in legal
    assert 32 in legal
    assert np.int64(32) in legal
    for stranger in ("1k2", "nonsense", -1, 180, None, 3.5, object()):
        assert stranger not in legal
    position.push("1b2")
    assert "1b2" not in legal
    assert legal <= set(position.game.moves)
    assert "LegalMoves" in repr(legal)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("1k2", "there is no black tile in factory 1"),
        ("cb2", "there is no blue tile in the centre"),
    ],
)
def test_an_illegal_take_says_why_and_what_would_be_right(position: tw.Position, move: str, reason: str):
    before = position.copy()
    with pytest.raises(tw.IllegalMove, match=rf"{move} is not legal: {reason}\. Legal: .*\d+ in all"):
        position.push(move)
    assert position == before
    assert position.events == before.events


def test_an_illegal_line_says_why():
    position = tw.Azul(players=2).set_up()
    position.draw(DEAL)
    for move in ("1b1", "2k2", "3y2", "5k3"):
        position.push(move)
    with pytest.raises(tw.IllegalMove, match="line 1 is already full"):
        position.push("4b1")
    with pytest.raises(tw.IllegalMove, match="line 2 is already full"):
        position.push("4y2")


def test_nothing_can_be_pushed_before_tiles_are_drawn_or_after_the_end():
    position = tw.Azul(players=2).set_up()
    assert (position.turn, len(position.legal_moves), position.awaits_draw) == (None, 0, True)
    with pytest.raises(tw.IllegalMove, match="tiles must be drawn first"):
        position.push("1b1")
    position.deal(seed=3)
    while not position.is_over:
        if position.awaits_draw:
            position.deal(seed=3)
        position.push(next(iter(position.legal_moves)))
        if position.awaits_draw:
            position.deal(seed=position.round)
    assert position.turn is None
    with pytest.raises(tw.IllegalMove, match="the game is over"):
        position.push("1b1")
    with pytest.raises(tw.BadDraw, match="no tile can be drawn"):
        position.deal()


def test_draws_are_typed_in_all_or_none():
    position = tw.Azul(players=2).set_up()
    with pytest.raises(tw.BadDraw, match=r"tile 21 .*blue.* is one too many"):
        position.draw(DEAL + "b")
    assert position == tw.Azul(players=2).set_up()
    with pytest.raises(tw.BadDraw, match=r"unknown kind of tile 'x'; the kinds that can be drawn are b .blue."):
        position.draw("bbx")
    with pytest.raises(tw.BadDraw, match="no tile was named"):
        position.draw("  ")
    position.draw("blue, blue yellow")
    position.draw("r")
    position.draw("kkww")
    assert position.to_text().count("1=bbyr 2=kkww 3=-") == 1
    with pytest.raises(tw.BadDraw, match=r"tile 19 cannot be blue|tile 13 .* is one too many"):
        position.draw("b" * 19)


def test_a_colour_that_is_not_in_the_bag_cannot_be_drawn():
    game = tw.Azul(players=2, jokers=True)
    position = game.set_up()
    position.draw("jjjjj")
    with pytest.raises(tw.BadDraw, match=r"tile 1 cannot be joker: none is left to draw. There are still: blue"):
        position.draw("j")


def test_chances_are_exact_and_add_up_to_one():
    position = tw.Azul(players=2, jokers=True).set_up()
    assert position.chances()["joker"] == Fraction(5, 100)
    assert sum(position.chances().values()) == 1
    position.draw("j")
    assert position.chances()["joker"] == Fraction(4, 99)
    position.deal(seed=1)
    assert position.chances() == {}


def test_pop_takes_back_a_push_with_its_deal_or_typed_tiles(position: tw.Position):
    start = position.copy()
    position.push("1b2")
    assert str(position.pop()) == "1b2"
    assert position == start
    assert str(position.pop()) == DEAL
    with pytest.raises(tw.TilewrightError, match="nothing to take back"):
        position.pop()
    dealt = tw.Azul(players=2).start(seed=1)
    with pytest.raises(tw.TilewrightError, match="nothing to take back"):
        dealt.pop()


def test_copies_are_independent_and_share_the_future_deals():
    first = tw.Azul(players=2).start(seed=5)
    second, third = first.copy(), copy.deepcopy(first)
    while first.round == 1:
        first.push(next(iter(first.legal_moves)))
    assert second.round == third.round == 1
    while second.round == 1:
        second.push(next(iter(second.legal_moves)))
    assert first == second != third
    assert first.record().to_text() == second.record().to_text()
    assert third == copy.copy(third)
    assert first != "a string"


def test_the_dealer_is_not_part_of_a_position():
    with_dealer = tw.Azul(players=2).set_up()
    with_dealer.draw(DEAL)
    one, other = with_dealer.copy(), with_dealer.copy()
    one.dealer, other.dealer = tw.Dealer(1), tw.Dealer(2)
    assert one == other
    while one.round == 1:
        move = next(iter(one.legal_moves))
        one.push(move)
        other.push(move)
    assert one != other


def test_positions_can_be_pickled(position: tw.Position):
    position.push("1b2")
    twin = pickle.loads(pickle.dumps(position))
    assert twin == position
    assert twin.events == position.events
    assert twin.state.turn == position.state.turn
    twin.push("2k5")
    assert twin.state.turn != position.state.turn
    assert twin != position


GOOD = tw.Azul(players=2).start(seed=7).to_text()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("azul players=2", "azul players=3", "this is a position of 'azul players=3"),
        ("round=1", "round=one", "the moment: round=one should be a number from 1 to 9999"),
        ("round=1 ", "", "the moment: round=... is missing"),
        ("phase=draft", "phase=sleep", "phase=sleep should be one of fill, draft, tile, over"),
        ("turn=1", "turn=3", "turn=3 should be one of 1, 2"),
        ("turn=1", "turn=\x1b[2J", r"turn=\\x1b\[2J should be one of 1, 2"),
        ("turn=1", "turn=" + 30 * "\0", r"turn=\\x00\\x00\\x00\\x00\\... should be one of 1, 2"),
        ("barren=0", "barren=0 weather=fine", "unknown field .weather."),
        ("barren=0", "barren", "'barren' should be name=value"),
        ("lid=-", "lid=5b", "there are 25 blue tiles, not 20"),
        ("lid=-", "lid=q", "the table: lid: 'q' is not a heap of tiles"),
        ("lid=-", "lid=999b", "more tiles of a kind than any game"),
        (" 1=", " 1=200b", "the table: factory 1: '200b.*' has more tiles of a kind than any game"),
        ("lines=-,-,-,-,-", "lines=-,-,-,-", "should have 5 parts"),
        ("lines=-,-,-,-,-", "lines=bb,-,-,-,-", "line 1 is 'bb'"),
        ("lines=-,-,-,-,-", "lines=-,by,-,-,-", "line 2 is 'by'"),
        ("wall=...../", "wall=b..../", "tiles, not 20"),
        ("wall=...../", "wall=....../", "should be 5 of"),
        ("phase=draft", "phase=over", "tiles are still on offer, but the phase is over"),
        ("phase=draft", "phase=fill", "impossible position"),
        ("score=0", "score=-1", "score=-1 should be a number from 0 to 999"),
        (";", ",", "has 5 sections separated by semicolons; this one has 4"),
    ],
)
def test_a_bad_position_text_says_what_is_wrong(old: str, new: str, complaint: str):
    assert old in GOOD
    with pytest.raises(tw.BadPosition, match=complaint):
        tw.Azul(players=2).position(GOOD.replace(old, new, 1))


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_cutting_or_swapping_words_of_a_text_never_crashes(game: tw.Game):
    position = game.start(seed=3)
    for _ in range(12):
        position.push(next(iter(position.legal_moves)))
    text = position.to_text()
    for cut in range(0, len(text), 5):
        for damaged in (text[:cut], text[:cut] + "9" + text[cut + 1 :], text[cut:], text[:cut] + text[cut + 3 :]):
            try:
                read = game.position(damaged)
            except tw.TilewrightError:
                continue
            assert game.position(read.to_text()) == read


def test_play_continues_from_the_text_of_a_position():
    game = tw.SummerPavilion(players=2)
    position = game.start(seed=3)
    again = game.position(position.to_text(), seed=9)
    while not again.is_over:
        again.push(next(iter(again.legal_moves)))
    assert again.outcome() is not None
    with pytest.raises(tw.TilewrightError, match="no beginning to record"):
        again.record()


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_fields_of_a_state_are_attributes_that_can_be_read_and_written(game: tw.Game):
    position = game.start(seed=7)
    for name in position.states.dtype.names or ():
        assert np.array_equal(getattr(position.state, name), position.states[name][0])
    copied = position.copy()
    copied.state.turn = 1
    assert (copied.turn, position.turn) == (1, 0), "a copy has a state of its own"
    with pytest.raises(AttributeError):
        _ = position.state.colour_of_the_sky
    with pytest.raises(AttributeError):
        position.state.colour_of_the_sky = 1


def test_row_and_repr(position: tw.Position):
    assert position.state.players == 2
    assert eval(repr(position), {"Azul": tw.Azul}) == position


@pytest.mark.parametrize("nonsense", [None, 3, b"azul", ["azul"]])
def test_positions_and_draws_must_be_text(nonsense: object):
    with pytest.raises(tw.BadPosition, match="a position is a text"):
        tw.Azul(players=2).position(nonsense)
    with pytest.raises(tw.BadPosition, match="a position is a text"):
        tw.read_position(nonsense)
    with pytest.raises(tw.BadDraw, match="a draw is a text"):
        tw.Azul(players=2).set_up().draw(nonsense)


LONG_VALUES = ["9" * 100_000, "x" * 100_000, "," * 100_000, "/" * 100_000, "b" * 100_000]


@pytest.mark.parametrize("value", LONG_VALUES, ids=[value[0] for value in LONG_VALUES])
@pytest.mark.parametrize("game", [tw.Azul(2), tw.SummerPavilion(2)], ids=["azul", "summer-pavilion"])
def test_absurdly_long_values_give_short_errors_in_every_field(game: tw.Game, value: str):
    text = game.start(seed=7).to_text()
    words = text.replace(";", " ;").split()
    for n, word in enumerate(words):
        name, equals, _ = word.partition("=")
        changed = [*words[:n], name + equals + value, *words[n + 1 :]]
        with pytest.raises(tw.BadPosition) as caught:
            game.position(" ".join(changed))
        assert len(str(caught.value)) < 300


def test_long_and_unknown_fields_give_short_errors():
    for addition in ("x" * 100_000, "x" * 100_000 + "=1", " ".join(f"{'x' * 1000}{n}=1" for n in range(100))):
        with pytest.raises(tw.BadPosition) as caught:
            tw.Azul(players=2).position(GOOD.replace("barren=0", f"barren=0 {addition}"))
        assert len(str(caught.value)) < 300
    with pytest.raises(tw.BadPosition) as caught:
        tw.Azul(players=2).position(GOOD.replace("lines=-,-,-,-,-", f"lines=-,{',-' * 50_000}", 1))
    assert len(str(caught.value)) < 300


def test_an_unknown_kind_is_answered_with_those_that_can_be_drawn():
    with pytest.raises(tw.BadDraw) as refusal:
        tw.Azul(players=2).set_up().draw("z")
    assert str(refusal.value).endswith(
        "the kinds that can be drawn are b (blue), y (yellow), r (red), k (black), w (white)"
    )
    with pytest.raises(tw.BadDraw, match=r"j \(joker\)"):
        tw.Azul(players=2, jokers=True).set_up().draw("z")


def test_an_error_shows_whether_there_are_more_legal_moves():
    position = tw.Azul(players=2).start(seed=7)
    illegal = next(move for move in position.game.moves if move not in position.legal_moves)
    with pytest.raises(tw.IllegalMove, match=rf", \.\.\. \({len(position.legal_moves)} in all\)$"):
        position.push(illegal)


@pytest.mark.parametrize("game", [tw.Azul(), tw.SummerPavilion()], ids=repr)
def test_the_values_of_effects_are_plain_python(game: tw.Game):
    position = game.start(seed=7)
    while not position.is_over:
        move = next(iter(position.legal_moves))
        for effect in position.effects(move):
            assert all(type(value) in (bool, int, str, dict, tuple, type(None)) for value in effect.values.values())
            assert type(effect.points) is int
        position.push(move)
