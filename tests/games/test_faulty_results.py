"""Games whose functions return what they should not, or change what they were shown: the fault is theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import tilewright as tw
from bare_game import BareGame, BareNotation
from tilewright.game.effects import whole_move
from tilewright.game.tie_breaks import deciding_tie_break
from tilewright.view.faults import shown_effects, shown_outcome, shown_tie_break
from tilewright.view.narrator import final_result
from tilewright.view.result_summary import result_summary

MOVED = "TilesMoved needs a letter of the game or the name of a piece, a number from 1, and two places"
NAMES = ["Ana", "Bea", "Cleo"]


def start(**changes: Any) -> tw.Position:
    """The bare game with some of its code replaced."""

    class Faulty(BareGame):
        spec = replace(BareGame.spec, **changes)

    return Faulty(players=3).start(seed=7)


def finished(**changes: Any) -> tw.Position:
    position = start(**changes)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    return position


def stray_seat(position: tw.Position, move: tw.Move) -> list[tw.Effect]:
    return [replace(whole_move(position, move)[0], seat=3)]


def lost_position(position: tw.Position, move: tw.Move) -> list[tw.Effect]:
    return [replace(whole_move(position, move)[0], after=None)]


def changed(**fields: Any) -> Callable[..., list[tw.Effect]]:
    """The default effects, with some fields of the first one replaced."""
    return lambda position, move: [replace(whole_move(position, move)[0], **fields)]


def generous(position: tw.Position, move: tw.Move) -> list[tw.Effect]:
    told = whole_move(position, move)[0]
    return [replace(told, points=told.points + 1)]


def broken_off(position: tw.Position, move: tw.Move) -> Iterator[tw.Effect]:
    yield whole_move(position, move)[0]
    raise RuntimeError("no more")


@pytest.mark.parametrize(
    ("effects", "fault"),
    [
        (lambda *_: None, "its effects returned None instead of a list of effects"),
        (lambda *_: "abc", "its effects returned 'abc' instead of a list of effects"),
        (lambda *_: [1, 2], "its effects contain 1, which is not an Effect"),
        (lambda *_: [], "its effects returned no effect; every move has at least one"),
        (stray_seat, "the effect 'move' is for seat 3, which does not exist"),
        (lost_position, "the effect 'move' has no position of Faulty(players=3) in its field after"),
        (changed(points="1"), "the effect 'move' has '1' as its points, which is not a whole number"),
        (changed(what=3), "the effect 3 is at 'p1-score'; what happens and where must be texts"),
        (changed(at=None), "the effect 'move' is at None; what happens and where must be texts"),
        (changed(values=[1]), "the effect 'move' has [1] as its values, which are not facts by name"),
        (changed(tiles=[]), "the effect 'move' has [] as its tiles, which is not a tuple of TilesMoved"),
        (changed(tiles=(3,)), f"the effect 'move' moves 3; {MOVED}"),
        *(
            (changed(tiles=(moved,)), f"the effect 'move' moves {moved!r}; {MOVED}")
            for moved in (
                tw.TilesMoved("q", 3, "bag", "centre"),
                tw.TilesMoved("a", -3, "bag", "centre"),
                tw.TilesMoved("a", 3, None, "centre"),
                tw.TilesMoved("a", 3, "bag", 5),
            )
        ),
        (generous, "its effects give player 1 3 points in all, but the score changes by 2"),
        (broken_off, "its effects raised RuntimeError: no more"),
    ],
)
def test_effects_of_another_kind_are_a_fault(effects: Callable[..., Any], fault: str):
    position = start(effects=effects)
    move = next(iter(position.legal_moves))
    with pytest.raises(tw.GameFault) as caught:
        position.effects(move)
    assert str(caught.value) == f"Bare Game has a fault: {fault}"
    with pytest.warns(UserWarning, match="the default is used instead"):
        assert [effect.what for effect in shown_effects(position, move)] == ["move"]


def test_effects_may_come_one_by_one():
    position = start(effects=lambda position, move: (effect for effect in whole_move(position, move)))
    told = position.effects(next(iter(position.legal_moves)))
    assert [effect.what for effect in told] == ["move"]
    assert len(told) == 1


def play_it(position: tw.Position, move: tw.Move) -> list[tw.Effect]:
    told = whole_move(position, move)
    position.push(move)
    return told


def test_a_game_that_plays_the_move_to_see_what_happens_changes_nothing():
    position = start(effects=play_it)
    before, events = position.copy(), position.events
    position.effects(next(iter(position.legal_moves)))
    assert position == before
    assert position.events == events
    position.push(next(iter(position.legal_moves)))
    before.push(next(iter(before.legal_moves)))
    assert position == before, "the dealer draws the same tiles"


def test_effects_may_move_pieces_that_are_not_tiles():
    told = (tw.TilesMoved("marker", 1, "centre", "p1-marker"), tw.TilesMoved("a", 2, "bag", "centre"))
    position = start(effects=changed(tiles=told))
    assert position.effects(next(iter(position.legal_moves)))[0].tiles == told


def test_points_that_do_not_add_up_to_the_score_are_a_fault():
    position = finished(points=lambda position, seat: {"tiles": position.scores[seat] + seat})
    fault = f"its points give player 2 {position.scores[1] + 1} points, but the score is {position.scores[1]}"
    with pytest.raises(tw.GameFault, match=fault):
        position.outcome()


@pytest.mark.parametrize("told", [None, 5, {"x": "y"}, {1: 2}, {"x": True}, ["x"]])
def test_points_that_are_not_numbers_by_name_are_a_fault(told: Any):
    position = finished(points=lambda *_: told)
    with pytest.raises(tw.GameFault, match=r"^Bare Game has a fault: its points returned .* instead of whole numbers"):
        position.outcome()
    with pytest.warns(UserWarning, match="the default is used instead"):
        shown = shown_outcome(position)
    assert shown == finished().outcome(), "what can be shown is what a game without points of its own shows"


def tied(**changes: Any) -> tw.Position:
    position = finished(**changes)
    position.state.score[:3] = 5
    return position


def by_seat(position: tw.Position, seat: int) -> dict[str, int]:
    return {f"tiles of {seat}": 1}


@pytest.mark.parametrize(
    ("tie_breaks", "fault"),
    [
        (lambda *_: None, "its tie_breaks returned None instead of whole numbers by name"),
        (by_seat, "its tie_breaks have different names for different players"),
    ],
)
def test_tie_breaks_that_cannot_be_compared_are_a_fault(tie_breaks: Callable[..., Any], fault: str):
    position = tied(tie_breaks=tie_breaks)
    with pytest.raises(tw.GameFault, match=fault):
        deciding_tie_break(position)
    with pytest.warns(UserWarning, match=fault):
        assert shown_tie_break(position) is None


def test_a_finished_game_is_shown_even_if_its_points_and_tie_breaks_fail():
    position = tied(points=lambda *_: {"x": "y"}, tie_breaks=lambda *_: None)
    with pytest.warns(UserWarning, match=r"its (points|tie_breaks) returned"):
        assert final_result(position, NAMES) == "Ana, Bea and Cleo share the win 5-5-5"
    with pytest.warns(UserWarning, match=r"its (points|tie_breaks) returned"):
        assert result_summary(position, NAMES, "en")
    with pytest.warns(UserWarning, match=r"its (points|tie_breaks) returned"):
        assert str(position).splitlines()[-1].split() == ["total", "5", "5", "5"]


def test_records_need_no_account_of_the_points():
    position = finished(points=lambda *_: None)
    assert position.record().to_text() == finished().record().to_text()


def test_sources_of_points_may_differ_between_players():
    position = finished(points=lambda position, seat: {f"seat {seat}": position.scores[seat]})
    assert "seat 2" in str(position)
    assert result_summary(position, NAMES, "en")


class Silent(BareNotation):
    """Lists no moves."""

    def actions(self, game: tw.Game) -> Any:
        return None


class OneByOne(BareNotation):
    """Lists its moves one by one."""

    def actions(self, game: tw.Game) -> Any:
        return iter(super().actions(game))


def test_moves_may_be_listed_one_by_one_but_must_be_listed():
    assert [str(move) for move in start(notation=OneByOne()).game.moves] == ["take amber", "take beige", "take coal"]
    with pytest.raises(tw.GameFault, match=r"its notation.actions returned None instead of a list of moves"):
        list(start(notation=Silent()).legal_moves)


@pytest.mark.parametrize("text", ["", " ", "take\namber", "take  amber", " take", "take\t", "a\x00b"])
def test_texts_of_moves_fit_into_a_line_of_a_record(text: str):
    class Odd(BareNotation):
        def actions(self, game: tw.Game) -> Any:
            return [text, "take beige", "take coal"]

    with pytest.raises(tw.GameFault, match=r"move 0 of .* reads .* a text needs visible characters"):
        _ = start(notation=Odd()).game.moves


@pytest.mark.parametrize(
    ("method", "told", "wanted"),
    [
        ("normalise", None, "str"),
        ("complete", None, "str or SupportsIndex"),
        ("candidates", 5, "Sequence"),
        ("why_unreadable", 5, "str"),
        ("examples", 5, "str"),
    ],
)
def test_a_notation_that_answers_with_something_else_is_a_fault(method: str, told: Any, wanted: str):
    notation = type("Odd", (BareNotation,), {method: lambda *_: told})()
    with pytest.raises(tw.GameFault, match=f"its notation.{method} returned {told} instead of {wanted}$"):
        start(notation=notation).push("nonsense")


def test_a_reason_that_is_not_a_text_is_a_fault():
    position = start(notation=type("Odd", (BareNotation,), {"why_illegal": lambda *_: 3})())
    position.state.market[:] = 1, 1, 0
    with pytest.raises(tw.GameFault, match=r"its notation.why_illegal returned 3 instead of IllegalReason or str$"):
        position.push("take coal")
