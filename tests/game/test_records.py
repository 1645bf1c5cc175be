"""Game records: plain, diffable, checked line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilewright as tw
from bare_game import BareGame
from nim import Nim
from rule_sets import IDS, RULE_SETS
from tilewright.game.record import FIRST_LINE


def a_game(game: tw.Game, moves: int = 10_000) -> tw.Position:
    position = game.start(seed=11)
    while not position.is_over and moves:
        legal = list(position.legal_moves)
        position.push(legal[len(legal) // 2])
        moves -= 1
    return position


TEXT = a_game(tw.Azul(players=2)).record(["Anna", "Paul"]).to_text()


def test_a_record_is_readable():
    lines = TEXT.splitlines()
    assert lines[:8] == [
        FIRST_LINE,
        "game: azul",
        "players: 2",
        "wall: coloured",
        "jokers: no",
        "player 1: Anna",
        "player 2: Paul",
        "seed: 11",
    ]
    assert lines[8].startswith("result: player")
    assert "# round 2" in lines
    assert all(len(line) < 100 for line in lines)


def test_no_round_begins_with_the_last_move():
    position = a_game(BareGame())
    text = position.record().to_text()
    assert f"# round {position.round - 1}" in text
    assert f"# round {position.round}" not in text, "the bare game counts one more when it ends"


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_an_unfinished_record_can_be_continued(game: tw.Game, tmp_path: Path):
    position = a_game(game, moves=25)
    position.record().save(tmp_path / "game.txt")
    record = tw.load_record(tmp_path / "game.txt")
    assert "result: unfinished" in record.to_text()
    again = record.replay()
    while not position.is_over:
        move = list(position.legal_moves)[-1]
        position.push(move)
        again.push(move)
    assert again == position


def test_positions_of_a_record_are_one_more_than_its_events():
    record = tw.read_record(TEXT)
    positions = list(record.positions())
    assert len(positions) == len(record.events) + 1
    assert positions[0] == tw.Azul(players=2).set_up()
    assert positions[-1].is_over


def test_a_typed_in_table_needs_no_seed():
    position = tw.Azul(players=2).set_up()
    position.draw("bbyr kkww")
    position.draw("yyrr bkwy rbkw")
    position.push("1b2")
    text = position.record().to_text()
    assert "seed" not in text
    assert tw.read_record(text).replay() == position


@pytest.mark.parametrize(
    ("old", "new", "line", "complaint"),
    [
        (FIRST_LINE, "some other file", 1, "a record begins with"),
        ("game: azul", "game: chess", 2, "unknown game 'chess'; the games are azul"),
        ("game: azul\n", "", None, "no 'game:' line"),
        ("players: 2", "players: 7", 3, "Azul is for 2, 3 or 4 players, not 7"),
        ("wall: coloured", "wall: pink", 4, "wall='pink' should be coloured or grey"),
        ("wall: coloured", "walls: coloured", 4, "unknown field 'walls'"),
        ("jokers: no\n", "", None, "no 'jokers:' line"),
        ("player 2: Paul\n", "", None, "no 'player 2:' line"),
        ("seed: 11", "seed: eleven", 8, "should be a whole number"),
        ("seed: 11", "seed: 1\x1b[2J1", 8, r"seed: 1\\x1b\[2J1 should be a whole number"),
        ("result: ", "result: nobody ", 9, "the result is"),
        ("game: azul", "game: azul\ngame: azul", 3, "appears twice"),
    ],
)
def test_a_corrupt_header_names_the_line(old: str, new: str, line: int | None, complaint: str):
    with pytest.raises(tw.BadRecord, match=complaint) as caught:
        tw.read_record(TEXT.replace(old, new, 1))
    if line is not None:
        assert caught.value.line == line
        assert str(caught.value) == f"line {line}: {caught.value.reason}"


def test_a_corrupt_move_names_the_line():
    lines = TEXT.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("1 "))
    for damage, complaint in [
        ("1 9b9", "is not a move of Azul"),
        ("2 " + lines[first][2:], "it is the turn of player 1, not 2"),
        ("hello", "should be 'draw' and tiles, or"),
        ("draw b", "one too many"),
        ("draw", "no tile was named"),
    ]:
        broken = [*lines[:first], damage, *lines[first + 1 :]]
        with pytest.raises(tw.BadRecord, match=complaint) as caught:
            tw.read_record("\n".join(broken))
        assert caught.value.line == first + 1


def test_a_move_after_the_end_and_a_missing_move_are_found():
    lines = TEXT.splitlines()
    with pytest.raises(tw.BadRecord, match="the game is over") as caught:
        tw.read_record(TEXT + "1 1b1\n")
    assert caught.value.line == len(lines) + 1
    with pytest.raises(tw.BadRecord, match="after the last event the game is not over"):
        tw.read_record("\n".join(lines[:-1]))
    with pytest.raises(tw.BadRecord, match="no 'result:' line; if the game is not over, it is 'result: unfinished'"):
        tw.read_record("\n".join(line for line in lines if not line.startswith("result")))


def test_texts_that_are_not_records(tmp_path: Path):
    for text in ("", "\n", "\x00", "tilewright record 2"):
        with pytest.raises(tw.BadRecord, match="line 1: a record begins with"):
            tw.read_record(text)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(tw.BadRecord, match="not a text file"):
        tw.load_record(tmp_path / "picture.png")


def test_names_stay_on_their_line():
    position = tw.Azul(players=2).start(seed=1)
    text = position.record(["An\nna: x", "  "]).to_text()
    assert "player 1: An na: x\nplayer 2: ?\n" in text
    assert tw.read_record(text).names == ["An na: x", "?"]
    for names in ([], ["a"], ["a", "b", "c"]):
        with pytest.raises(tw.TilewrightError, match=f"a record needs 2 names, one for each player, not {len(names)}"):
            position.record(names)
    assert position.record().names == ["player 1", "player 2"]


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_taking_back_after_loading_deals_the_same_tiles_again(game: tw.Game):
    position = a_game(game, moves=60)
    again = tw.read_record(position.record().to_text()).replay()
    for _ in range(30):
        position.pop()
    while again != position:
        again.pop()
    assert again.dealer.drawn == position.dealer.drawn
    while not position.is_over:
        move = next(iter(position.legal_moves))
        assert again.push(move) == position.push(move)
    assert again == position


@pytest.mark.parametrize("word", ["1²", "²", "٣", "9" * 5000])
def test_odd_digits_are_reported_with_their_line(word: str):
    lines = TEXT.splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("1 "))
    broken = [*lines[:first], word + lines[first][1:], *lines[first + 1 :]]
    with pytest.raises(tw.BadRecord) as caught:
        tw.read_record("\n".join(broken))
    assert caught.value.line == first + 1
    assert len(str(caught.value)) < 300


def test_a_record_with_a_byte_order_mark_is_read():
    assert tw.read_record("\ufeff" + TEXT).to_text() == TEXT


@pytest.mark.parametrize("nothing", [None, 3, b"tilewright record 1"])
def test_a_record_must_be_text(nothing: object):
    with pytest.raises(tw.BadRecord, match="a record is a text"):
        tw.read_record(nothing)


def test_saving_leaves_the_old_file_if_it_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    record = tw.read_record(TEXT)
    path = tmp_path / "game.txt"
    path.write_text("precious")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        record.save(path)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("names", ["ab", 5, {"a", "b"}, {"a": 1, "b": 2}, iter(["a", "b"])], ids=type)
def test_the_names_of_players_are_a_list(names: object):
    with pytest.raises(tw.TilewrightError, match="the names of the players are a list of 2 texts, one each, not "):
        tw.Azul(players=2).start(seed=7).record(names)


def test_a_name_is_a_text():
    position = tw.Azul(players=2).start(seed=7)
    with pytest.raises(tw.TilewrightError, match="a player's name is a text, not 5"):
        position.record(["Anna", 5])
    assert position.record(("Anna", "Paul")).names == ["Anna", "Paul"]


def test_a_record_that_begins_with_a_move_has_the_heading_of_its_round():
    position = Nim().start(seed=7)
    position.push("take 1")
    ending = "result: unfinished\n\n# round 1\n1 take 1\n"
    record = position.record()
    assert record.to_text().endswith(ending)
    assert tw.Study.of(record).to_text().endswith(ending)
