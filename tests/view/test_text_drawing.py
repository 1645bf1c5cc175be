"""The table as text: everything is on it, and it fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS, STYLES, choose
from tilewright.games.family.heap import counts_of
from tilewright.view.narrator import source_name
from tilewright.view.text_drawing import draw_text

WIDEST = 80


def some_positions(game: tw.Game, every: int = 9) -> Iterator[tw.Position]:
    for style in STYLES:
        chooser = Random(f"{game!r} {style}")
        position = game.start(seed=chooser.randrange(1000))
        moves = 0
        while not position.is_over:
            if moves % every == 0:
                yield position
            position.push(choose(position, chooser, style))
            moves += 1
        yield position


def tiles_on_boards(position: tw.Position) -> list[int]:
    """How many tiles of each kind lie on boards, in lines and on floor lines: those that are drawn in brackets."""
    row, game = position.state, position.game
    counts = [0] * len(game.tiles.letters)
    for seat in range(game.players):
        for kind in (row.board if game.name == "summer-pavilion" else row.wall)[seat].flat:
            if kind >= 0:
                counts[kind] += 1
        if game.name == "summer-pavilion":
            continue
        counts = [a + b for a, b in zip(counts, counts_of(row.floor[seat]), strict=True)]
        for line in range(5):
            jokers = int(row.line_jokers[seat, line])
            counts[5] += jokers
            if row.line_colour[seat, line] >= 0:
                counts[row.line_colour[seat, line]] += int(row.line_tiles[seat, line]) - jokers
    return counts


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_tile_is_drawn_and_every_line_fits(game: tw.Game):
    for position in some_positions(game):
        drawing = draw_text(position)
        assert max(len(line) for line in drawing.splitlines()) <= WIDEST
        assert drawing.isascii()
        for letter, number in zip(game.tiles.letters.upper(), tiles_on_boards(position), strict=True):
            assert drawing.count(f"[{letter}]") == number
        if not position.is_over:
            factories = next(line for line in drawing.splitlines() if line.startswith("Factories"))
            drawn = re.findall(r"\d ([A-Z]*)\.*", factories)
            assert (
                drawn
                == [game.tiles.spell(heap).upper().replace("-", "") for heap in position.state.places[1:]][: len(drawn)]
            )


@pytest.mark.parametrize("language", ["fr", "it"])
@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_language_draws_the_same_table(game: tw.Game, language: str):
    for position in some_positions(game, every=25):
        drawing, english = draw_text(position, language=language), draw_text(position)
        assert max(len(line) for line in drawing.splitlines()) <= WIDEST
        assert re.findall(r"\[.\]|\d+", drawing) == re.findall(r"\[.\]|\d+", english)
        for word in ("Factories", "Bag", "Lid", "Tower", "Supply", "floor", "hand", "corners", "Pillars", "Player"):
            assert not re.search(rf"\b{word}\b", drawing), word


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_marker_lies_in_one_place(game: tw.Game):
    for position in some_positions(game):
        assert draw_text(position).count("[1]") == (not position.is_over)


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_colour_changes_nothing_but_colours(game: tw.Game):
    for position in some_positions(game, every=25):
        bare = re.sub(r"\x1b\[[0-9;]*m", "", draw_text(position, colour=True))
        assert (
            bare == re.sub(r"\[(\w)\]", r" \1 ", draw_text(position))
            or bare.split() == re.sub(r"[][]", " ", draw_text(position)).split()
        )


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_end_tells_every_point(game: tw.Game):
    *_, position = some_positions(game, every=1000)
    drawing = draw_text(position)
    outcome = position.outcome()
    assert outcome is not None
    for source in outcome.points[0]:
        name = source_name(game.spec, source)
        line = next(line for line in drawing.splitlines() if line.startswith(name))
        assert [int(number) for number in line.removeprefix(name).split()] == [
            points[source] for points in outcome.points
        ]
    assert drawing.splitlines()[-1].split() == ["total", *map(str, outcome.scores)]


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_narrow_screen_shows_the_same_in_more_lines(game: tw.Game):
    for position in some_positions(game, every=25):
        wide, narrow = draw_text(position), draw_text(position, width=79)
        assert sorted(re.findall(r"\w+", wide)) == sorted(re.findall(r"\w+", narrow))
        assert len(narrow.splitlines()) > len(wide.splitlines())
        assert draw_text(position, width=80) == wide
        assert max(len(line) for line in draw_text(position, width=60).splitlines()) <= 60


def test_positions_that_wait_for_tiles_can_be_drawn():
    for game in RULE_SETS:
        position = game.set_up()
        assert "must be drawn" in str(position)
        position.draw("".join(game.tiles.letters[:3]))
        assert "must be drawn" in str(position)


def test_heaps_are_labelled_as_the_language_does_it():
    position = tw.Azul(players=2).start(seed=1)
    assert "Sac       80\u202f: 1" in draw_text(position, language="fr")
    assert "Sacchetto 80: 1" in draw_text(position, language="it")


def test_names_cannot_disturb_the_drawing():
    position = tw.Azul(players=2).start(seed=1)
    drawing = draw_text(position, ["A\x1b[31m\nB", "a name that is much longer than any board is wide"])
    assert "\x1b" not in drawing
    assert max(len(line) for line in drawing.splitlines()) <= WIDEST
    with pytest.raises(ValueError, match="needs 2 names"):
        draw_text(position, ["Anna"])


def test_a_table_to_look_at():
    position = tw.Azul(players=2).set_up()
    position.draw("bbyr kkww yyrr bkwy rbkw")
    for move in ("1b2", "ckf" if "ckf" in position.legal_moves else "cy1", "2k1", "5kf"):
        position.push(move)
    assert str(position).splitlines()[3:] == [
        "Factories 1 ....  2 ....  3 YYRR  4 BYKW  5 ....",
        "Centre    B RR WWW",
        "Bag       80: 16B 16Y 16R 16K 16W    Lid 0",
        "",
        "> Player 1                    0 points     Player 2                    0 points",
        "1             [K] |  b  y  r  k  w       1             [Y] |  b  y  r  k  w",
        "2          [B][B] |  w  b  y  r  k       2           .  .  |  w  b  y  r  k",
        "3        .  .  .  |  k  w  b  y  r       3        .  .  .  |  k  w  b  y  r",
        "4     .  .  .  .  |  r  k  w  b  y       4     .  .  .  .  |  r  k  w  b  y",
        "5  .  .  .  .  .  |  y  r  k  w  b       5  .  .  .  .  .  |  y  r  k  w  b",
        "f [K] .  .  .  .  .  .  floor -1         f [1][K] .  .  .  .  .  floor -2",
        "  -1 -1 -2 -2 -2 -3 -3                     -1 -1 -2 -2 -2 -3 -3",
    ]
