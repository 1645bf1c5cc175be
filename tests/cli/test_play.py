"""Whole games in the terminal, through a pipe: what a person types and what they are told."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import numba
import pytest

import tilewright as tw
from cli.output import wait_for_output
from nim import Nim
from rule_sets import IDS, RULE_SETS
from tilewright.cli import terminal
from tilewright.cli.helping import help_text
from tilewright.cli.main import main
from tilewright.cli.seats import Seat, seats_as_saved, seats_as_typed
from tilewright.cli.session import Session
from tilewright.cli.terminal import Terminal
from tilewright.kernels.compile import INTERPRETED
from tilewright.view.text_drawing import draw_text


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


class Player:
    """Types lines and reads what comes back."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys

    def play(self, *arguments: str, typing: list[str]) -> str:
        self.monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in typing)))
        assert main(["play", "--terminal", *arguments]) == 0
        captured = self.capsys.readouterr()
        assert captured.err == ""
        return captured.out


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Player:
    return Player(monkeypatch, capsys)


def options_of(game: tw.Game) -> list[str]:
    options = [game.name, "--players", str(game.players)]
    for name, value in game.options.items():
        options += [f"--{name}", value] if isinstance(value, str) else [f"--{name}"] * value
    return options


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_a_whole_game_against_random_bots(game: tw.Game, player: Player):
    bots = ["--seat", "random"] * (game.players - 1)
    story = player.play(*options_of(game), "--seat", "Anna", *bots, "--seed", "5", typing=["1"] * 2000)
    assert "Game over" in story
    assert "Anna, your move" in story
    assert "random bot takes" in story
    assert story.rstrip().splitlines()[-1].startswith("total")


@pytest.mark.parametrize("name", list(tw.GAMES))
def test_a_whole_game_of_one_person_against_the_default_bot(name: str, player: Player):
    story = player.play(name, "--seed", "5", typing=["1"] * 400)
    assert "Game over: level3 bot wins" in story
    rounds = [int(number) for number in re.findall(r"After round (\d+)", story)]
    assert rounds == list(range(1, len(rounds) + 1))


def test_bots_alone(player: Player):
    story = player.play("azul", "--seat", "random", "--seat", "random", "--seed", "1", typing=[])
    assert "random bot 2 takes" in story
    assert "Game over" in story


def test_questions_with_enter_for_everything(player: Player):
    story = player.play(typing=["", "", "", "", "", "", "quit"])
    assert "Azul, round 1" in story
    assert "Player 1, your move" in story
    assert "level3 bot" in story


def test_questions_with_answers(player: Player):
    story = player.play(typing=["chess", "summer", "7", "3", "grey", "Anna", "serach", "random", "Paul", "quit"])
    assert "'chess' is not one of the choices." in story
    assert "too much like 'search'" in story
    assert "Summer Pavilion, grey side, round 1 of 6" in story
    assert "random bot" in story
    assert "Paul" in story


def test_leaving_before_the_beginning(player: Player):
    assert "No game was started." in player.play(typing=["azul"])


def test_spellings_of_a_move(player: Player):
    for spelling in ("3b2", "3 B 2", "factory 3 blue line 2", "3 blue 2"):
        story = player.play("azul", "--seed", "7", typing=[spelling])
        assert "Player 1 takes 2 × blue from factory 3 for line 2, now full  (3b2)" in story


def test_mistakes_lose_nothing(player: Player):
    story = player.play("azul", "--seed", "7", typing=["3k1", "nonsense", "999", "0", "", "3b2"])
    assert "there is no black tile in factory 3" in story
    assert "'nonsense' is not a move of Azul" in story
    assert story.count("the moves are numbered from 1 to 84") == 2
    assert "There are 84 legal moves" in story
    assert "(3b2)" in story


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "fr",
            "'3k1' n’est pas possible maintenant\N{NO-BREAK SPACE}: il n’y a pas de tuile de ce type (noir)",
        ),
        ("it", "'3 black 1' non è possibile adesso: nel vassoio 3 non ci sono piastrelle di questo tipo (nero)."),
    ],
)
def test_the_reason_of_the_rules_is_given_in_every_language(language: str, told: str, player: Player):
    assert told in player.play("azul", "--language", language, "--seed", "7", typing=["3k1", "3 black 1"])


def test_the_list_of_moves(player: Player):
    position = tw.Azul(players=2).start(seed=7)
    story = player.play("azul", "--seed", "7", typing=["moves", "moves 3", "moves red", "moves w", "moves plum", "38"])
    every, third, red, white, none, after = re.split(r"your move \(\? for help\): ", story)[1:7]
    assert re.findall(r"^ +1 1bf", every, re.M)
    assert all(f" {move}" in every for move in position.legal_moves)
    assert set(re.findall(r"\d+ (\d)[a-z]\w ", third)) == {"3"}
    assert "2 × red from factory 2" in red
    assert "blue" not in red
    assert "3 × white from factory 4" in white
    assert "No legal move matches 'plum'" in none
    assert f"({list(position.legal_moves)[37]})" in after


@pytest.mark.parametrize("word", ["q", "quit", "Q", "exit"])
def test_a_word_leaves_the_game_and_the_questions(word: str, player: Player):
    assert "Left without saving." in player.play("azul", "--seed", "7", typing=[word, "1"])
    assert "No game was started." in player.play(typing=[word, "1"])


TURNS = {"en": "your move", "fr": "à vous de jouer", "it": "tocca a te"}
ENGLISH = ("Factories", "Bag", "Lid", "Tower", "floor", "Player", "your move", "takes", "tiles", "legal", "Saved")


@pytest.mark.parametrize("language", TURNS)
@pytest.mark.parametrize("name", list(tw.GAMES))
def test_the_terminal_speaks_every_language(name: str, language: str, player: Player):
    typing = ["?", "moves", "moves 1", "zzz", "999", "", "hint", "undo", "1", "1", "undo", "save", "quit"]
    story = player.play(name, "--language", language, "--seed", "7", "--seat", "me", "--seat", "random", typing=typing)
    assert TURNS[language] in story
    found = [word for word in ENGLISH if word in story]
    assert len(found) > 5 if language == "en" else found == []


@pytest.mark.parametrize("language", TURNS)
@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_help_fits_into_a_terminal(game: tw.Game, language: str):
    position = game.start(seed=7)
    while not position.is_over:
        told = help_text(position, language)
        assert max(len(line) for line in told.splitlines()) <= 80
        assert "q, quit" in told
        for _ in range(12):
            if not position.is_over:
                position.push(next(iter(position.legal_moves)))


def test_the_help_names_only_tiles_of_the_rule_set():
    assert "joker" not in help_text(tw.Azul(players=2).start(seed=7), "en").lower()
    assert "joker" in help_text(tw.Azul(players=2, jokers=True).start(seed=7), "en").lower()


def test_the_questions_are_asked_in_the_language(player: Player):
    story = player.play("--language", "fr", typing=["1", "2", "gris", "o", "Anna", "random", "q"])
    assert "Quel jeu\N{NO-BREAK SPACE}?  1 Azul" in story
    assert "Jokers\N{NO-BREAK SPACE}? [o/N]" in story
    assert "Azul, mur gris, tuiles Joker, manche 1" in story
    assert "Anna, à vous de jouer" in story


def test_the_language_of_the_environment(player: Player, monkeypatch: pytest.MonkeyPatch):
    for locale, told in (("it_IT.UTF-8", "tocca a te"), ("de_DE.UTF-8", "your move"), ("C", "your move")):
        monkeypatch.setenv("LC_ALL", locale)
        assert told in player.play("azul", "--seed", "7", typing=["q"])
    monkeypatch.delenv("LC_ALL")
    monkeypatch.setenv("LANG", "fr_CH.UTF-8")
    assert "à vous de jouer" in player.play("azul", "--seed", "7", typing=["q"])


def test_a_hint_is_a_legal_move(player: Player):
    story = player.play("summer-pavilion", "--seed", "7", typing=["hint", "table", "?"])
    position = tw.SummerPavilion(players=2).start(seed=7)
    hint = re.search(r"The search would play (\w+):", story)
    assert hint is not None
    assert hint[1] in position.legal_moves
    assert story.count(draw_text(position, ["Player 1", "level3 bot"])) == 2
    assert "full stars   red 14" in story


HINTS = {
    "en": "The search would play take ",
    "fr": "L’ordinateur jouerait take ",
    "it": "Il computer giocherebbe take ",
}


@pytest.mark.parametrize("language", HINTS)
def test_a_game_without_wording_names_a_move_once(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("sys.stdin", io.StringIO("moves\nhint\ntake 3\n"))
    session = Session(Nim().start(), [Seat("Anna"), Seat("Paul")], Terminal(colour=False, language=language))
    assert session.play()
    story = capsys.readouterr().out
    assert re.search(r"^ +1 take 1   ", story, re.M)
    assert "take 1 take 1" not in story
    assert re.search(rf"{HINTS[language]}\d$", story, re.M)
    assert re.search(r"^.*Anna \w+ take 3$", story, re.M)


def test_undo_goes_back_to_the_persons_decision(player: Player):
    start = draw_text(tw.Azul(players=2).start(seed=7), ["Player 1", "random bot"])
    story = player.play("azul", "--seat", "me", "--seat", "random", "--seed", "7", typing=["undo", "1b1", "undo"])
    assert "Nothing to take back: Player 1 has not moved yet." in story
    assert "Taken back." in story
    assert story.count(start) == 2  # at the beginning, and after the second undo


def test_undo_spares_the_last_move_of_somebody_else(player: Player):
    people = ["azul", "--seed", "7", "--seat", "Anna", "--seat", "Paul"]
    story = player.play(*people, typing=["1b1", "undo", "2", "undo", "save a.txt"])
    assert story.count("Nothing to take back: Paul has not moved yet.") == 1
    assert story.count("Taken back.") == 1
    assert moves_in("a.txt") == []  # Anna's move and Paul's answer to it
    player.play(*people, typing=["1b1", "2", "1", "undo", "save b.txt"])
    assert [move.text for move in moves_in("b.txt")] == ["1b1"]  # Paul's first move and Anna's answer to it


def moves_in(file: str) -> list[tw.Move]:
    return [event for event in tw.load_record(file).events if isinstance(event, tw.Move)]


@pytest.mark.parametrize("name", list(tw.GAMES))
def test_undo_over_rounds_deals_the_same_tiles_again(name: str, player: Player):
    people = [name, "--seat", "Anna", "--seat", "Paul", "--seed", "3"]
    moves = ["1"] * (60 if name == "summer-pavilion" else 30)
    back = ["undo"] * 12
    straight = player.play(*people, typing=[*moves, "save straight.txt"])
    assert "After round 1" in straight
    player.play(*people, typing=[*moves, *back, "save part.txt"])
    taken_back = len(moves) - len(moves_in("part.txt"))
    assert taken_back >= len(back)
    player.play(*people, typing=[*moves, *back, *["1"] * taken_back, "save crooked.txt"])
    assert Path("straight.txt").read_text() == Path("crooked.txt").read_text()


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_save_and_resume(game: tw.Game, player: Player):
    bots = ["--seat", "random"] * (game.players - 1)
    typing = ["1"] * 15
    options = [*options_of(game), "--seat", "Anna", *bots, "--seed", "5"]
    saved = player.play(*options, typing=[*typing, "save half.txt"])
    assert "tilewright play --resume half.txt" in saved
    record = tw.load_record("half.txt")
    assert record.game == game
    assert record.names[:2] == ["Anna", "random bot"]
    story = player.play("--resume", "half.txt", typing=["undo", "1", "save", *["1"] * 2000])
    assert draw_text(record.replay(), record.names) in story
    assert "Game over" in story
    assert tw.load_record("half.txt").events[:2] == record.events[:2]


def test_a_resumed_game_deals_the_same_tiles_also_after_undo(player: Player):
    people = ["--seat", "Anna", "--seat", "Paul"]
    player.play("azul", *people, "--seed", "3", typing=[*["1"] * 30, "save whole.txt"])
    player.play("azul", *people, "--seed", "3", typing=[*["1"] * 25, "save part.txt"])
    player.play("--resume", "part.txt", typing=[*["undo"] * 10, "save"])
    missing = len(moves_in("whole.txt")) - len(moves_in("part.txt"))
    assert missing > 10
    player.play("--resume", "part.txt", typing=[*["1"] * missing, "save"])
    assert Path("part.txt").read_text() == Path("whole.txt").read_text()


def test_saving_spares_other_files(player: Player):
    Path("thesis.txt").write_text("do not lose me")
    story = player.play("azul", typing=["save thesis.txt", "save nowhere/game.txt", "save", "1", "save"])
    assert "Not saved: thesis.txt exists already" in story
    assert "Not saved: there is no folder nowhere; create it first" in story
    assert Path("thesis.txt").read_text() == "do not lose me"
    assert sorted(path.name for path in Path().iterdir()) == ["azul-1.txt", "thesis.txt"]


@pytest.mark.parametrize(
    ("language", "told"), [("fr", "le dossier nowhere n’existe"), ("it", "la cartella nowhere non")]
)
def test_a_missing_folder_in_other_languages(language: str, told: str, player: Player):
    assert told in player.play("azul", "--language", language, typing=["save nowhere/game.txt"])


def test_leaving(player: Player, monkeypatch: pytest.MonkeyPatch):
    story = player.play("azul", "--seed", "7", typing=["1"])
    assert "Left without saving. --seed 7 starts the same game again." in story
    assert "To continue later" in player.play("azul", "--seed", "7", typing=["1", "save a.txt", "quit"])
    assert "To continue from the last save: tilewright play --resume a.txt" in player.play(
        "--resume", "a.txt", typing=["1", "quit"]
    )

    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Keyboard("1\nquit\n\n"))
    assert main(["play", "--terminal", "azul"]) == 0
    assert Path("azul-1.txt").exists()


def test_a_game_that_is_over_can_be_resumed(player: Player):
    position = tw.Azul(players=2).start(seed=1)
    while not position.is_over:
        position.push(next(iter(position.legal_moves)))
    position.record(["Anna", "search bot"]).save("done.txt")
    assert "Game over" in player.play("--resume", "done.txt", typing=[])


def test_wrong_seats_and_files(capsys: pytest.CaptureFixture[str]):
    def complaint(*arguments: str, code: int = 2) -> str:
        assert main(["play", "--terminal", *arguments]) == code
        return capsys.readouterr().err

    assert "3 seats for 2 players" in complaint("azul", "--players", "2", *["--seat", "me"] * 3)
    for five in (complaint("azul", *["--seat", "me"] * 5), complaint(*["--seat", "me"] * 5)):
        assert "at most 4 can play" in five
        assert "--players" not in five
    assert "too much like 'random'" in complaint("azul", "--seat", "randon")
    assert "nowhere.txt: No such file" in complaint("--resume", "nowhere.txt", code=1)
    assert "leave out --seat" in complaint("--resume", "nowhere.txt", "--seat", "me")
    assert "leave out azul" in complaint("azul", "--resume", "nowhere.txt")
    assert "--resume needs the name of a file" in complaint("--resume", "")
    assert "Summer Pavilion has no --wall; it has --side" in complaint("summer-pavilion", "--wall", "grey")


def test_seats_go_into_a_record_and_come_back():
    seats = seats_as_typed(["Anna", "random", "level1", "random"], 4, seed=1)
    names = [seat.name for seat in seats]
    assert names == ["Anna", "random bot", "level1 bot", "random bot 2"]
    again = seats_as_saved(names, seed=1)
    assert [type(seat.bot) for seat in again] == [type(seat.bot) for seat in seats]
    threads = seats_as_typed(["champion:50ms:2threads", "me"], 2, seed=1)
    assert threads[0].name == "champion:50ms:2threads bot"
    assert type(seats_as_saved([threads[0].name], seed=1)[0].bot) is type(threads[0].bot)
    assert seats_as_typed([], 2, seed=1)[0].bot is None
    assert seats_as_typed(["me", "me"], 2, seed=1)[1].name == "Player 2"


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_the_compiling_notice_comes_only_if_something_is_compiled_and_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def successor(n: int) -> int:
        return n + 1

    with terminal.compiling_notice():
        numba.njit(successor)(1)
    assert not any(isinstance(thread, threading.Timer) for thread in threading.enumerate()), "it does not come late"
    monkeypatch.setattr(terminal, "PATIENCE", 0.0)
    with terminal.compiling_notice():
        pass
    assert capsys.readouterr().err == ""
    with terminal.compiling_notice():
        numba.njit(successor)(1)
        assert "Compiling the rules" in wait_for_output(capsys).err


@pytest.mark.parametrize(
    "arguments",
    [
        ["azul"],
        ["--seat", "Anna"],
        ["--players", "3"],
        ["--wall", "grey"],
        ["--jokers"],
        ["--side", "grey"],
        ["--seed", "1"],
        ["--terminal"],
        ["--resume", "a.txt"],
        ["--colour", "never"],
    ],
)
def test_options_are_for_the_terminal(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    tw.Azul(players=2).start(seed=1).record(["Anna", "random bot"]).save("a.txt")
    monkeypatch.setattr("tilewright.cli.serve.play_in_browser", lambda host: pytest.fail("opened the browser"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", *arguments]) == 0
    assert capsys.readouterr().out


def test_play_alone_opens_the_browser(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    opened: list[str | None] = []
    monkeypatch.setattr("tilewright.cli.serve.play_in_browser", lambda host: opened.append(host) or 0)
    assert main(["play"]) == 0
    assert main(["play", "--host", "127.0.0.1"]) == 0
    assert opened == [None, "127.0.0.1"]
    assert main(["play", "azul", "--host", "127.0.0.1"]) == 2
    assert "--host is for the browser" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["my game.txt", "-o", "it's.txt", "$HOME;ls"])
def test_the_printed_command_resumes(name: str, player: Player, capsys: pytest.CaptureFixture[str]):
    story = player.play("azul", "--seat", "Anna", "--seat", "random", typing=["1", f"save {name}", "quit"])
    commands = re.findall(r"To continue later: tilewright (.*)", story)
    assert len(commands) == 2
    assert main(shlex.split(commands[0])) == 0
    assert "Anna, your move" in capsys.readouterr().out


def test_numbers_that_are_none(player: Player):
    typed = ["²", "٣", "9" * 5000, "-1", "1" * 5000 + "b2", "²b²", "c" * 5000, "moves ²", "moves (", "3b2"]
    story = player.play("azul", "--seed", "7", typing=typed)
    assert story.count("the moves are numbered from 1 to 84") == 3
    assert "(3b2)" in story
    assert "'²' is not one of the choices" in player.play("--terminal", typing=["²", "9" * 5000, "٣", "1"])


def test_names_of_files_that_cannot_be(player: Player):
    names = ["a\0b", "a\x1b[31m", "a\ufffdb", "a\udc80b", "x" * 5000, "."]
    story = player.play("azul", typing=[f"save {name}" for name in names] + ["save good.txt"])
    assert story.count("Not saved: ") == len(names)
    assert story.count("has a character that cannot be printed") == 4
    assert "Not saved: File name too long" in story
    assert "\x1b" not in story
    assert [path.name for path in Path().iterdir()] == ["good.txt"]


def test_another_game_is_never_overwritten(player: Player):
    people = ["azul", "--seat", "Anna", "--seat", "Paul"]
    player.play(*people, "--seed", "1", typing=["1", "save a.txt"])
    first = Path("a.txt").read_text()
    other_tiles = player.play(*people, "--seed", "2", typing=["1", "save a.txt"])
    other_people = player.play("azul", "--seat", "Eve", "--seat", "Paul", "--seed", "1", typing=["1", "save a.txt"])
    other_game = player.play("azul-mini", "--seat", "Anna", "--seat", "Paul", typing=["save a.txt"])
    other_move = player.play(*people, "--seed", "1", typing=["2", "save a.txt"])
    for story in (other_tiles, other_people, other_game, other_move):
        assert "Not saved: a.txt exists already and holds another game" in story
    assert Path("a.txt").read_text() == first
    player.play(*people, "--seed", "1", typing=["1", "1", "save a.txt", "undo", "undo", "2", "save a.txt"])
    assert Path("a.txt").read_text() != first
    Path("torn.txt").write_text(first[:150])
    assert "Not saved: torn.txt" in player.play(*people, "--seed", "1", typing=["1", "save torn.txt"])


def test_names_are_fit_to_be_printed(player: Player):
    bad = "An\x1b[31mna\x07\x9b\udc80"
    story = player.play("azul", "--seat", bad, "--seat", "\x00", "--seed", "1", typing=["1", "save a.txt"])
    assert "An [31mna, your move" in story
    assert "Player 2" in story
    assert tw.load_record("a.txt").names == ["An [31mna", "Player 2"]
    Path("a.txt").write_text(Path("a.txt").read_text().replace("An [31mna", "An\x1b[31mna\x07"))
    again = player.play("--resume", "a.txt", typing=["1", "1", "save"])
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", story + again)
    assert tw.load_record("a.txt").names == ["An [31mna", "Player 2"]


def run(command: str, typing: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command in a shell of its own, which can close its streams."""
    script = f"exec {shlex.quote(sys.executable)} -m tilewright {command}"
    return subprocess.run(["bash", "-c", script], input=typing, capture_output=True, check=False)


@pytest.mark.slow
def test_closed_streams_and_bytes_that_are_no_text(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    seats = "--seat $'\\xc3\\xa9' --seat random --seed 7"
    garbage = run(f"play azul {seats}", b"\xff\xfe\nsave a\xffb\nmoves \xc3\xa9\n1\nquit\n")
    assert garbage.returncode == 0
    assert b"Traceback" not in garbage.stderr  # a busy machine may tell of compiling
    assert b"Not saved: " in garbage.stdout
    assert b"--seed 7 starts the same game again" in garbage.stdout
    for closed in ("<&-", ">&-", "<&- >&-", "<&- >&- 2>&-"):
        done = run(f"play azul --seed 7 {closed}")
        assert done.returncode == 0
        assert b"Traceback" not in done.stderr
    assert run("version >&-").returncode == 0
    assert run("show - <&-").returncode == 1


def test_a_narrow_terminal_stacks_the_boards(player: Player, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "60")
    typing = ["1"] * 400
    story = player.play("azul", "--seat", "Anna", "--seat", "random", "--seed", "5", typing=["moves", *typing])
    start = draw_text(tw.Azul(players=2).start(seed=5), ["Anna", "random bot"], width=60)
    assert start in story
    assert max(len(line) for line in start.splitlines()) <= 60
    listed = story.partition("moves\n")[2].partition("'moves 3'")[0]
    assert max(len(line) for line in listed.splitlines()) <= 60
