"""Games whose notation does not fit their rules: told when their moves are first listed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest

import tilewright as tw
from bare_game import BareGame, BareNotation, Take


@dataclass(frozen=True)
class Shout:
    """A move whose text is that of another, but for its capitals."""

    kind: str

    def __str__(self) -> str:
        return f"TAKE {self.kind}"


def game_with(actions: Sequence[object]) -> tw.Game:
    """The bare game, which has three actions, with another list of moves."""

    class OtherNotation(BareNotation):
        def actions(self, game: tw.Game) -> Sequence[object]:
            return actions

    class OtherGame(BareGame):
        spec = replace(BareGame.spec, notation=OtherNotation())

    return OtherGame(players=3)


@pytest.mark.parametrize("kinds", [("amber", "beige"), ("amber", "beige", "coal", "dun")])
def test_the_notation_lists_as_many_moves_as_the_rules_count(kinds: tuple[str, ...]):
    game = game_with([Take(kind) for kind in kinds])
    complaint = rf"the rules of OtherGame\(players=3\) count 3 actions, but its notation lists {len(kinds)}"
    with pytest.raises(tw.TilewrightError, match=complaint):
        _ = game.moves
    with pytest.raises(tw.TilewrightError, match=complaint):
        game.start(seed=7).push(0)


def test_two_moves_with_one_text_are_named():
    told = (
        "OtherGame(players=3) has two moves that read 'take amber': number 0, Take(kind='amber'), and number 2,"
        " Take(kind='amber')"
    )
    with pytest.raises(tw.TilewrightError, match=re.escape(told)):
        _ = game_with([Take("amber"), Take("beige"), Take("amber")]).moves


def test_moves_that_reading_cannot_tell_apart_are_named():
    game = game_with([Take("amber"), Take("beige"), Shout("beige")])
    told = "two moves that read 'take beige': number 1, Take(kind='beige'), and number 2, Shout(kind='beige')"
    with pytest.raises(tw.TilewrightError, match=re.escape(told)):
        game.move("take beige")
