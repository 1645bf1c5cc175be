"""Golden playthroughs and perft counts for each rule set, kept as data files."""

from __future__ import annotations

import json

import pytest

import tilewright as tw
from golden import DIGESTS, GOLDEN, PERFT, count_sequences, digest
from rule_sets import IDS, RULE_SETS, file_name

PERFT_ENTRIES = json.loads(PERFT.read_text())
GAMES = dict(zip(IDS, RULE_SETS, strict=True))


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_golden_playthrough(game: tw.Game):
    path = GOLDEN / f"{file_name(game)}.txt"
    record = tw.load_record(path)
    assert record.game == game
    assert record.replay().is_over
    assert record.to_text() == path.read_text()
    assert digest(record) == json.loads(DIGESTS.read_text())[file_name(game)]


@pytest.mark.parametrize("entry", PERFT_ENTRIES, ids=[f"{n}-{entry['rules']}" for n, entry in enumerate(PERFT_ENTRIES)])
def test_perft(entry: dict):
    position = GAMES[entry["rules"]].position(entry["position"])
    counts = [count_sequences(position, depth + 1) for depth in range(len(entry["counts"]))]
    assert counts == entry["counts"]


def count_by_hand(position: tw.Position, depth: int) -> int:
    """The same count through the public API: push, draw, pop."""
    if depth == 0:
        return 1
    total = 0
    for name in position.chances():
        position.draw(name)
        total += count_by_hand(position, depth - 1)
        position.pop()
    for move in position.legal_moves:
        position.push(move)
        total += count_by_hand(position, depth - 1)
        position.pop()
    return total


@pytest.mark.parametrize("name", IDS)
def test_perft_agrees_with_a_count_through_the_api(name: str):
    for entry in PERFT_ENTRIES:
        if entry["rules"] == name:
            position = GAMES[name].position(entry["position"])
            depth = max((d for d, count in enumerate(entry["counts"], start=1) if count < 3_000), default=1)
            assert count_by_hand(position, depth) == entry["counts"][depth - 1]


def test_every_rule_set_has_its_files():
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(IDS) == set(json.loads(DIGESTS.read_text()))
    assert {entry["rules"] for entry in PERFT_ENTRIES} == set(IDS)
