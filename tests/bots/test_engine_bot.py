"""Programs as bots: they play, and when they die, hang or talk nonsense the game goes on or the error says why."""

from __future__ import annotations

import io
import os
import pickle
import shlex
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.bots.bot import Bot
from tilewright.bots.engine import client
from tilewright.bots.engine.client import EngineBot
from tilewright.bots.engine.speaker import Speaker
from tilewright.bots.errors import BotFailed
from tilewright.bots.random import RandomBot
from tilewright.bots.registry import BOTS, make_bot, split_bot
from tilewright.search.budget import Budget

EXAMPLES = Path(__file__).parents[2] / "examples"
AZUL = tw.Azul(players=2)
PATIENCE = 60.0
"""Seconds for what should happen at once, on a machine that is busy with other things."""

PROGRAM = r"""
import os, sys, time
behaviour, diary = sys.argv[1], open(sys.argv[2], "a")
lives = sum(line == "hello 1\n" for line in open(sys.argv[2]))
moves = []
def say(line):
    print(line, flush=True)
for line in sys.stdin:
    diary.write(line)
    diary.flush()
    word, _, rest = line.strip().partition(" ")
    if word == "hello":
        if behaviour == "mute":
            time.sleep(60)
        if behaviour == "stillborn":
            sys.exit("no battery\n")
        say("name Fake\nauthor nobody\noption seed number 0 9\nwelcome " + ("2" if behaviour == "modern" else "1"))
    elif word == "isready":
        say("readyok")
    elif word == "moves":
        moves = rest.split(", ")
    elif word == "go":
        first = lives == 0
        if behaviour == "dies" or (behaviour == "dies once" and first):
            print("my last words", file=sys.stderr)
            os._exit(3)
        if behaviour == "hangs" or (behaviour == "hangs once" and first):
            time.sleep(60)
        if behaviour == "illegal" or (behaviour == "illegal once" and first):
            say("bestmove 9kf")
        if behaviour == "patient":
            while line != "stop\n":
                line = sys.stdin.readline()
        if behaviour == "nonsense":
            say("bestmove queen to e4")
        if behaviour == "binary":
            sys.stdout.buffer.write(b"\xff\xfe\x00\n")
            sys.stdout.buffer.flush()
        if behaviour == "giant":
            say("info " + "x" * 200000)
        if behaviour == "refuses":
            say("error I do not feel like it")
        if behaviour == "chatty":
            say("I wonder\n\ninfo margin 1.5; nodes 12\ninfo margin nonsense; what ever; chance 0.25")
        say(f"bestmove {moves[-1]}; chance 0.5; line {moves[-1]}, 1bf")
"""


class Fake:
    """Writes a program that behaves in a certain way, and reads its diary."""

    def __init__(self, folder: Path) -> None:
        self.program, self.diary = folder / "fake.py", folder / "diary.txt"
        self.program.write_text(PROGRAM)

    def bot(self, behaviour: str, grace: float = PATIENCE, budget: Budget | None = None) -> EngineBot:
        command = [sys.executable, "-S", "-E", str(self.program), behaviour, str(self.diary)]
        return EngineBot(command, budget, seed=7, grace=grace)

    def heard(self) -> list[str]:
        return self.diary.read_text().splitlines()


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    return Fake(tmp_path)


def play(bots: list[Bot], game: tw.Game = AZUL, seed: int = 1) -> tw.Position:
    position = game.start(seed)
    while position.turn is not None:
        position.push(bots[position.turn].choose(position))
    return position


def gone(process: int | None) -> bool:
    """Whether a process has ended; one that nobody has waited for yet still has its number for a moment."""
    assert process is not None
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


# The course of things -----------------------------------------------------------------------------------


def test_what_a_program_hears(fake: Fake):
    position = AZUL.start(seed=7)
    legal = list(position.legal_moves)
    with fake.bot("good", budget=Budget(seconds=0.25, nodes=10)) as bot:
        thought = bot.think(position)
        assert thought.move == legal[-1]
        assert (thought.winning_chance, thought.line) == (0.5, (legal[-1], AZUL.move("1bf")))
        bot.think(position, Budget(simulations=3))
    assert fake.heard() == [
        "hello 1",
        "set seed 7",
        "game azul players=2 wall=coloured jokers=no",
        "isready",
        f"position {position.to_text()}",
        f"moves {', '.join(map(str, legal))}",
        "go time 250; nodes 10",
        f"position {position.to_text()}",
        f"moves {', '.join(map(str, legal))}",
        "go simulations 3",
        "quit",
    ]


def test_words_that_nobody_knows_are_passed_over(fake: Fake):
    with fake.bot("chatty") as bot:
        thought = bot.think(AZUL.start(seed=7))
    assert (thought.margin, thought.winning_chance, thought.nodes) == (1.5, 0.5, 12)


def test_a_program_ends_with_its_bot(fake: Fake):
    bot = fake.bot("good")
    bot.choose(AZUL.start(seed=1))
    process = bot.process_id
    del bot
    assert gone(process)


def test_a_program_that_ignores_quit_is_ended(tmp_path: Path):
    script = tmp_path / "deaf.sh"
    script.write_text(
        "while read -r word rest; do case $word in hello) echo welcome 1;; isready) echo readyok;; moves) m=$rest;;"
        ' go) echo "bestmove ${m%%,*}";; quit) sleep 60;; esac; done\n'
    )
    bot = EngineBot(["sh", str(script)])
    bot.choose(AZUL.start(seed=1))
    process = bot.process_id
    bot.close()
    assert gone(process)


def test_it_can_be_sent_to_another_process(fake: Fake):
    bot = fake.bot("good")
    position = AZUL.start(seed=1)
    move = bot.choose(position)
    with pickle.loads(pickle.dumps(bot)) as copy:
        assert copy.process_id is None
        assert copy.choose(position) == move
        assert copy.process_id != bot.process_id
    bot.close()


def test_another_game_is_announced(fake: Fake):
    with fake.bot("good") as bot:
        bot.choose(AZUL.start(seed=1))
        bot.choose(tw.SummerPavilion(players=3).start(seed=1))
    games = [line for line in fake.heard() if line.startswith("game ")]
    assert games[1] == "game summer-pavilion players=3 side=coloured"


def test_nobody_is_asked_where_nobody_moves(fake: Fake):
    with pytest.raises(tw.IllegalMove, match="tiles must be drawn"):
        fake.bot("good").choose(AZUL.set_up())
    assert not fake.diary.exists()


def test_stop_is_passed_on(fake: Fake):
    said: list[str] = []
    with fake.bot("patient") as bot:
        speaker = Speaker(lambda seed: bot, "proxy", said.append)
        for line in ("game azul", f"position {AZUL.start(seed=7).to_text()}", "go time 60000"):
            speaker.hear(line)
        while "go time 60000" not in (fake.heard() if fake.diary.exists() else []):
            time.sleep(0.02)
        speaker.listen(io.BytesIO(b"stop\n"))
    assert said[-1].startswith("bestmove ")


def test_an_answer_that_nobody_waited_for_is_forgotten(fake: Fake, monkeypatch: pytest.MonkeyPatch):
    position = AZUL.start(seed=1)
    with fake.bot("good") as bot:
        first = bot.choose(position)
        with monkeypatch.context() as patch:
            patch.setattr(client, "_hear", interrupted)
            with pytest.raises(KeyboardInterrupt):
                bot.choose(position)
        assert bot.process_id is None
        position.push(first)
        assert bot.choose(position) in position.legal_moves
        assert bot.process_id is not None


def interrupted(program: object) -> tuple[str, str]:
    raise KeyboardInterrupt


# Mishaps ------------------------------------------------------------------------------------------------


def test_a_program_killed_in_the_middle_of_a_game_is_restarted_and_the_game_goes_on(fake: Fake):
    position = AZUL.start(seed=1)
    moves, killed = 0, []
    with fake.bot("good") as bot:
        while position.turn is not None:
            position.push(bot.choose(position))
            moves += 1
            if moves in (10, 25):
                assert bot.process_id is not None
                os.kill(bot.process_id, signal.SIGKILL)
                killed.append(bot.process_id)
        assert bot.process_id not in killed
    with fake.bot("good") as unhurt:
        assert play([unhurt, unhurt]).events == position.events
    assert fake.heard().count("hello 1") == 3 + 1


@pytest.mark.parametrize("behaviour", ["dies once", "hangs once", "illegal once"])
def test_one_mishap_is_forgiven(behaviour: str, fake: Fake):
    position = AZUL.start(seed=1)
    grace = 2.0 if behaviour == "hangs once" else PATIENCE
    with fake.bot(behaviour, grace=grace, budget=Budget(seconds=0.1)) as bot:
        assert bot.choose(position) == list(position.legal_moves)[-1]
    heard = fake.heard()
    assert heard.count("hello 1") == 2
    assert heard.count(f"position {position.to_text()}") == 2


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("dies", "it ended with code 3; its last line was 'readyok'; on standard error it said: my last words"),
        ("hangs", "it gave no answer in 0.5 seconds; its last line was 'readyok'"),
        ("illegal", "it answered with the illegal move 9kf|its answer is not a move.*'bestmove 9kf'"),
        ("nonsense", "its answer is not a move: .*'queen to e4'.*its last line was 'bestmove queen to e4'"),
        ("binary", "it sent an unreadable line: this line is not UTF-8 text"),
        ("giant", "it sent an unreadable line: this line is too long"),
        ("refuses", "it sent an error; its last line was 'error I do not feel like it'"),
    ],
)
def test_two_mishaps_are_an_error_that_says_what_happened(behaviour: str, words: str, fake: Fake):
    grace = 0.4 if behaviour == "hangs" else PATIENCE
    bot = fake.bot(behaviour, grace=grace, budget=Budget(seconds=0.1))
    with pytest.raises(BotFailed, match=f"fake.py.* failed, and failed again after a restart: ({words})"):
        bot.choose(AZUL.start(seed=1))
    assert fake.heard().count("hello 1") == 2
    assert bot.process_id is None


def test_a_program_that_never_worked_is_not_tried_again(fake: Fake, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(BotFailed, match="failed: it ended with code 1; on standard error it said: no battery"):
        fake.bot("stillborn").choose(AZUL.start(seed=1))
    with pytest.raises(BotFailed, match="it does not speak version 1 of the protocol"):
        fake.bot("modern").choose(AZUL.start(seed=1))
    assert fake.heard().count("hello 1") == 2
    monkeypatch.setattr(client, "HELLO_SECONDS", 0.5)
    with pytest.raises(BotFailed, match=r"failed: it gave no answer in 0\.5 seconds"):
        fake.bot("mute").choose(AZUL.start(seed=1))


def test_a_program_that_listens_to_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(client, "HELLO_SECONDS", 0.5)
    for command in (["sleep", "60"], ["yes"], ["cat", "/dev/zero"], ["true"]):
        with pytest.raises(BotFailed):
            EngineBot(command).choose(AZUL.start(seed=1))


def test_what_cannot_be_run(tmp_path: Path):
    with pytest.raises(tw.BadOption, match="there is no program 'no_such_program' that can be run"):
        make_bot("run:no_such_program --fast")
    with pytest.raises(tw.BadOption, match="there is no program ''"):
        make_bot("run:")
    with pytest.raises(tw.BadOption, match="is not a command line: No closing quotation"):
        make_bot("run:'unclosed")
    with pytest.raises(tw.BadOption, match="'soon' is not a budget"):
        make_bot("run:sh @soon")
    empty = tmp_path / "empty"
    empty.write_bytes(b"\x7fELF")
    empty.chmod(0o755)
    with pytest.raises(BotFailed, match="it cannot be started"):
        make_bot(f"run:{empty}").choose(AZUL.start(seed=1))


def test_no_shell_looks_at_the_command(tmp_path: Path):
    bot = make_bot(f"run:sh x.sh ; touch {tmp_path}/made $(touch {tmp_path}/made) @5")
    assert isinstance(bot, EngineBot)
    with pytest.raises(BotFailed):
        bot.choose(AZUL.start(seed=1))
    assert list(tmp_path.iterdir()) == []


def test_the_grammar_of_programs():
    assert split_bot("run:./my_bot --level 3:4 @100ms") == ("run", "./my_bot --level 3:4 @100ms")
    bot = make_bot("run:sh 'my bot.sh' --fast @100ms", seed=3)
    assert isinstance(bot, EngineBot)
    assert bot.command == ["sh", "my bot.sh", "--fast"]
    assert (bot.budget, bot.seed) == (Budget(seconds=0.1), 3)
    assert "run" not in BOTS


# Real programs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_the_smallest_bot_plays_every_game(game: tw.Game):
    with make_bot(f"run:sh {shlex.quote(str(EXAMPLES / 'first_move.sh'))}") as bot:  # type: ignore[attr-defined]
        played = play([bot] * game.players, game)
        assert bot.name == "First move"
    expected = game.start(seed=1)
    while expected.turn is not None:
        expected.push(next(iter(expected.legal_moves)))
    assert played.events == expected.events


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_example_in_javascript_beats_random_play():
    with EngineBot(["node", str(EXAMPLES / "tidy.mjs")]) as bot:
        for seed in range(3):
            outcome = play([bot, RandomBot(seed)], seed=seed).outcome()
            assert outcome is not None
            assert outcome.winners == (0,)
            assert outcome.scores[0] > outcome.scores[1] + 10
        for game in (tw.Azul(players=3, wall="grey", jokers=True), tw.SummerPavilion(players=2)):
            assert play([bot] * game.players, game).is_over


def test_the_example_in_python_beats_random_play(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    bot = make_bot("my_bots:Tidy")
    for seed in range(3):
        outcome = play([bot, RandomBot(seed)], seed=seed).outcome()
        assert outcome is not None
        assert outcome.winners == (0,)
    assert play([bot, bot], tw.SummerPavilion(players=2)).is_over


def test_our_own_engine_as_a_program():
    with EngineBot([sys.executable, "-m", "tilewright", "engine", "random"], seed=5) as bot:
        played = play([bot, bot])
        assert bot.name.startswith("tilewright random ")
    same = RandomBot(5)
    assert play([same, same]).events == played.events
