"""The search plays exactly as it did: for a seed and a budget without a clock, every choice is the recorded one.

``tests/data/search.json`` holds positions of every rule set with the moves that bots chose there, and whole games. A
change that is meant to alter the play of the search records them again; any other change must not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tilewright as tw
from tilewright.bots.registry import make_bot
from tilewright.game.registry import read_position

RECORDED = json.loads((Path(__file__).parent.parent / "data" / "search.json").read_text())


def rule_set(choice: dict[str, Any]) -> str:
    return str(choice["position"].split(";")[0])


@pytest.mark.parametrize("game", sorted({rule_set(choice) for choice in RECORDED["choices"]}))
def test_choices_are_the_recorded_ones(game: str):
    for choice in RECORDED["choices"]:
        if rule_set(choice) == game:
            position = read_position(choice["position"])
            chosen = {bot: str(make_bot(bot, choice["seed"]).choose(position)) for bot in choice["moves"]}
            assert chosen == choice["moves"], position


@pytest.mark.parametrize("recorded", RECORDED["games"], ids=lambda recorded: recorded["game"])
def test_bots_that_keep_their_search_play_the_recorded_games(recorded: dict[str, Any]):
    game = tw.make_game(recorded["game"], recorded["players"], **recorded["options"])
    position = game.start(recorded["seed"])
    bots = [make_bot(text, seed=seat) for seat, text in enumerate(recorded["bots"])]
    played = []
    while position.turn is not None:
        played.append(str(bots[position.turn].choose(position)))
        position.push(played[-1])
    assert " ".join(played) == recorded["moves"]
