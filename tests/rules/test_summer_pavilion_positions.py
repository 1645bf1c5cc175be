"""Texts of positions of Summer Pavilion: what is accepted can be played to a sound end, the rest is refused."""

from __future__ import annotations

import random
import re

import pytest
from positions_summer import table

import tilewright as tw

GAMES = [tw.SummerPavilion(players, side) for players in (2, 3, 4) for side in ("coloured", "grey")]
PHASES = ["supply", "factories", "draft", "place", "bonus", "keep", "over"]


def meddled(text: str, players: int, chance: random.Random) -> str:
    """A text in which one to three fields of the moment were replaced, and perhaps tiles put elsewhere."""
    seats = [str(seat + 1) for seat in range(players)]
    several = [",".join(seats[:n]) or "-" for n in range(players + 1)]
    choices = {
        "round": [str(n) for n in range(7)],
        "stage": ["set-up", "draft", "place"],
        "phase": PHASES,
        "turn": seats,
        "first": seats,
        "marker": ["centre", *seats],
        "passed": several,
        "owed": list("0123"),
    }
    for name in chance.sample(list(choices), chance.randint(1, 3)):
        text = re.sub(rf"\b{name}=\S+", f"{name}={chance.choice(choices[name])}", text, count=1)
    heaps = dict(re.findall(r"\b(bag|tower|supply)=(\S+)", text))
    if chance.random() < 0.3:
        first, second = chance.sample(list(heaps), 2)
        text = re.sub(rf"\b{first}=\S+", f"{first}={heaps[second]}", text)
        text = re.sub(rf"\b{second}=\S+", f"{second}={heaps[first]}", text)
    return text


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_what_is_accepted_can_be_played_to_a_sound_end(game: tw.SummerPavilion):
    chance = random.Random(10)
    texts = []
    position = game.start(seed=10)
    while not position.is_over:
        texts.append(position.to_text())
        position.push(chance.choice(list(position.legal_moves)))
    texts.append(position.to_text())
    accepted = 0
    for _ in range(100):
        try:
            position = game.position(meddled(chance.choice(texts), game.players, chance))
        except tw.BadPosition:
            continue
        accepted += 1
        while not position.is_over:
            if position.awaits_draw:
                position.deal(seed=chance.randrange(1000))
            else:
                position.push(chance.choice(list(position.legal_moves)))
            assert position.round <= 6
            if position.is_over or chance.random() < 0.1:
                assert game.position(position.to_text()) == position
    assert accepted > 5


@pytest.mark.parametrize("phase", ["supply", "place", "bonus"])
def test_a_game_in_which_everybody_has_passed_in_round_6_is_over(phase: str):
    with pytest.raises(tw.BadPosition):
        table(round_number=6, phase=phase, passed="1,2", supply="pp", owed=int(phase == "bonus"))
