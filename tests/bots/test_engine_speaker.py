"""The engine's side of the protocol, without a process: what is answered, what is refused, what cannot break it."""

from __future__ import annotations

import io
import random
import string
import threading
from collections.abc import Callable

import pytest

import tilewright as tw
from rule_sets import IDS, RULE_SETS
from tilewright.bots.bot import Bot, Thought
from tilewright.bots.champion import ChampionBot
from tilewright.bots.engine.protocol import (
    LONGEST_LINE,
    Reasons,
    fields,
    join_items,
    read_game,
    read_limits,
    write_game,
    write_limits,
)
from tilewright.bots.engine.speaker import Speaker
from tilewright.bots.random import RandomBot
from tilewright.bots.search import SearchBot
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation

START = "position start draw ybwr ryry brbw wwwr wykk"


class Host:
    """Sends bytes to a speaker and keeps what it says."""

    def __init__(self, make: Callable[[int | None], Bot] = RandomBot) -> None:
        self.said: list[str] = []
        self.speaker = Speaker(make, "test", self.said.append, seed=1)

    def send(self, *lines: str) -> list[str]:
        return self.send_bytes("".join(f"{line}\n" for line in lines).encode())

    def send_bytes(self, raw: bytes) -> list[str]:
        """At the end of input a thought is answered, so everything is here when this returns."""
        del self.said[:]
        self.speaker.listen(io.BytesIO(raw))
        return list(self.said)

    def complaint(self, *lines: str) -> str:
        said = self.send(*lines)
        assert len(said) == 1
        assert said[0].startswith("error ")
        return said[0].removeprefix("error ")


def test_hello():
    said = Host().send("hello 1")
    assert said[0] == "name test"
    assert said[1].startswith("author ")
    assert said[-1] == "welcome 1"
    assert Host().send("hello") == said
    assert Host().send("hello 2")[-1] == "welcome 1"


@pytest.mark.parametrize("game", RULE_SETS, ids=IDS)
def test_every_game_by_its_text_and_by_its_events(game: tw.Game):
    position = game.start(seed=3)
    mover = RandomBot(seed=2)
    for _ in range(25):
        position.push(mover.choose(position))
    lines = position.record().to_text().splitlines()
    events = [line for line in lines if line.startswith("draw ") or line[:1].isdigit()]
    for told in (position.to_text(), f"start {', '.join(events)}"):
        host = Host()
        legal = join_items(position.legal_moves)
        said = host.send(f"game {write_game(game)}", f"position {told}", f"moves {legal}", "isready", "go nodes 5")
        assert said[0] == "readyok"
        assert said[1].startswith("info time ")
        assert said[2].removeprefix("bestmove ") in position.legal_moves
        assert len(said) == 3


def test_games_go_there_and_back():
    for game in RULE_SETS:
        assert read_game(write_game(game)) == game
    assert read_game("azul") == tw.Azul(players=2)


def test_limits_go_there_and_back():
    for budget in (Budget(seconds=0.25), Budget(simulations=7), Budget(seconds=2, simulations=8, nodes=9)):
        assert read_limits(write_limits(budget)) == budget
    assert read_limits("") is None


def test_reasons_go_there_and_back():
    game = tw.SummerPavilion(players=2)
    move = game.moves[-1]
    reasons = Reasons(-3.25, 0.625, 100, 2000, 17, (move, game.moves[3]))
    assert Reasons().updated(game, fields(reasons.write())) == reasons
    odd = Reasons().updated(game, fields("margin nan; chance 7; nodes -1; line nonsense; depth 3; ;time"))
    assert odd == Reasons(chance=7)
    assert odd.thought(move) == Thought(move, winning_chance=1.0)


def test_a_seed_makes_the_same_choices_again():
    def answers() -> list[str]:
        host = Host()
        host.send("set seed 5", "game azul", START)
        return [host.send("go")[-1] for _ in range(8)]

    first = answers()
    assert first == answers()
    assert len(set(first)) > 1


def test_what_is_refused_changes_nothing():
    host = Host()
    assert "go needs a game, as in 'game azul players=2', and a position" in host.complaint("go")
    assert "position needs a game" in host.complaint(START)
    assert "unknown game 'chess'" in host.complaint("game chess")
    assert "no option 'colour'" in host.complaint("game azul colour=red")
    assert "is given twice" in host.complaint("game azul wall=grey wall=grey")
    assert "for 2, 3 or 4 players, not 5" in host.complaint("game azul players=5")
    host.send("game azul")
    assert "go needs a position" in host.complaint("go")
    assert "'start' and the events" in host.complaint("position")
    assert host.send(START) == []
    answer = host.send("set seed 3", "go")[-1]
    mistakes = {
        f"{START}, 2 1b1": "event 2, '2 1b1': it is the turn of player 1",
        f"{START}, 1 1k1": "event 2, '1 1k1': 1k1 is not legal",
        f"{START}, hello": "an event is 'draw' and tiles",
        f"{START}, draw b": "one too many",
        "position azul-mini players=2 wall=coloured": "",
        "game": "unknown game ''",
        "game azul jokers=perhaps": "",
        "game azul side=grey": "Azul has no option 'side'",
        "go time soon": "'time soon' is not a limit",
        "go depth 4": "'depth 4' is not a limit",
        "go time 99999999999": "at most 3600 seconds",
        "go nodes 0": "greater than 0",
        "go simulations 99999999999999999999999999": "is not a limit",
        "moves 1bf": "is missing",
        "moves": "is missing",
        "set seed -1": "is not a seed",
        "set seed": "is not a seed",
        "set hash 100": "unknown option 'hash'",
        "hello you": "is not a version",
        "flip": "unknown command 'flip'; the commands are hello",
        "GO": "unknown command 'GO'",
    }
    for line, words in mistakes.items():
        assert words in host.complaint(line), line
    assert host.send("set seed 3", "go")[-1] == answer


def test_a_position_where_nobody_moves():
    host = Host()
    host.send("game azul", "position start")
    assert "tiles must be drawn first" in host.complaint("go")


def test_ends_of_lines_and_empty_lines():
    assert Host().send_bytes(b"\r\n\n  \nisready\r\nisready") == ["readyok", "readyok"]


def test_a_giant_line_is_refused_and_the_next_is_heard():
    host = Host()
    said = host.send_bytes(b"isready " + b"x" * (5 * LONGEST_LINE) + b"\nisready\n" + b"y" * (2 * LONGEST_LINE))
    assert said == ["error this line is too long; a line has at most 65536 bytes", "readyok", said[0]]


def test_quit_ends_at_once():
    assert Host().send("isready", "quit", "isready") == ["readyok"]


# Thinking -----------------------------------------------------------------------------------------------


class Endless(Bot):
    """Thinks until it is cancelled."""

    def __init__(self, seed: int | None = None) -> None:
        self.begun = threading.Event()

    def choose(self, position: tw.Position) -> tw.Move:
        return self.think(position, None, Cancellation()).move

    def think(self, position: tw.Position, budget: Budget | None, cancellation: Cancellation | None) -> Thought:
        self.begun.set()
        assert cancellation is not None
        assert cancellation.wait(20)
        return Thought(next(iter(position.legal_moves)))


def test_stop_ends_a_thought_and_others_wait_for_it():
    bot = Endless()
    host = Host(lambda seed: bot)
    host.send("game azul", START)
    assert host.speaker.hear("go time 1000")
    assert bot.begun.wait(60)
    for line in ("go", "position start", "game azul", "set seed 1", "moves 1bf"):
        host.speaker.hear(line)
        assert "is not possible while the engine thinks" in host.said.pop()
    host.speaker.hear("isready")
    assert host.said == ["readyok"]
    assert host.speaker.thinks
    assert host.send("stop")[-1] == "bestmove 1bf"
    assert not host.speaker.thinks
    assert host.send("stop") == []  # too late is not a mistake


def test_a_stop_that_comes_first_is_not_lost():
    bot = Endless()
    host = Host(lambda seed: bot)
    host.send("game azul", START)
    for _ in range(20):
        assert host.send("go", "stop")[-1] == "bestmove 1bf"


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (ZeroDivisionError("nothing is left"), "the bot failed: choosing a move raised ZeroDivisionError: nothing"),
        ("1kf", "the bot failed: its move is refused: 1kf is not legal"),
        ("queen", "'queen' is not a move"),
        (None, "a move is a Move, its number or its text, not None"),
        (tw.BadOption("a bad\nday"), "a bad day"),
        (SystemExit(3), "the bot failed: choosing a move raised SystemExit: 3"),
    ],
)
def test_a_bot_that_fails(chosen: object, words: str, capfd: pytest.CaptureFixture[str]):
    class Failing(Bot):
        def choose(self, position: tw.Position) -> tw.Move:
            if isinstance(chosen, BaseException):
                raise chosen
            return chosen  # type: ignore[return-value]

    host = Host(lambda seed: Failing())
    assert host.send("game azul", START, "isready") == ["readyok"]
    assert words in host.complaint("go")
    assert host.send("isready") == ["readyok"]
    assert ("Traceback" in capfd.readouterr().err) == isinstance(chosen, ZeroDivisionError | SystemExit)


def test_a_bot_that_interrupts_itself_is_answered_for():
    class Interrupts(Bot):
        def choose(self, position: tw.Position) -> tw.Move:
            raise KeyboardInterrupt

    host = Host(lambda seed: Interrupts())
    assert host.send("game azul", START) == []
    assert "the bot failed: choosing a move raised KeyboardInterrupt" in host.complaint("go")


def test_a_bot_never_sees_a_dealer():
    seen = []

    class Peeks(Bot):
        def choose(self, position: tw.Position) -> tw.Move:
            seen.append(position.dealer)
            return next(iter(position.legal_moves))

    host = Host(lambda seed: Peeks())
    host.send("game azul", "isready", START, "go")
    assert seen == [None, None]


def test_reasons_are_told():
    class Wise(Bot):
        def choose(self, position: tw.Position) -> tw.Move:
            raise NotImplementedError

        def think(self, position: tw.Position, budget: Budget | None, cancellation: Cancellation | None) -> Thought:
            assert budget == Budget(seconds=0.1, simulations=500)
            moves = tuple(position.legal_moves)
            return Thought(moves[0], 4.256, 0.7125, moves[:2], 500, 900)

    host = Host(lambda seed: Wise())
    info, best = host.send("game azul", START, "go time 100; simulations 500")
    assert info.startswith("info margin 4.26; chance 0.713; simulations 500; nodes 900; time ")
    assert info.endswith("; line 1bf, 1b1")
    assert best == "bestmove 1bf; margin 4.26; chance 0.713; line 1bf, 1b1"


def test_a_bot_of_numbers_with_nothing_but_choose():
    class Numbers:
        def choose(self, position: tw.Position) -> object:
            return position.legal_moves.numbers()[0]

    host = Host(lambda seed: Numbers())  # type: ignore[arg-type,return-value]
    assert host.send("game azul", START, "isready", "go")[-1] == "bestmove 1bf"


# Rubbish ------------------------------------------------------------------------------------------------

WORDS = [
    *("hello", "isready", "set", "game", "position", "moves", "go", "stop", "seed", "start", "draw", "azul"),
    *("summer-pavilion", "players=2", "players=99", "wall=grey", "jokers=yes", "side=", "=", ";", ",", "time", "nodes"),
    *("simulations", "1", "-1", "1e9", "9" * 30, "²", "٣", "1b1", "c", "keep", "ybwr ryry", "\0", "\x1b[31m", "ü"),
    *("phase=draft", "round=-5", "turn=7", "bag=99b", "lines=-,-,-,-,-", "player=1", "name", "self", "{}", "%s"),
]


def rubbish(chance: random.Random) -> bytes:
    kind = chance.randrange(5)
    if kind == 0:
        return chance.randbytes(chance.randrange(60)).replace(b"\n", b"")
    if kind == 1:
        return "".join(chance.choices(string.printable.replace("\n", ""), k=chance.randrange(60))).encode()
    if kind == 2:
        text = bytearray(tw.Azul(players=2).start(seed=1).to_text().encode())
        for _ in range(chance.randrange(4)):
            text[chance.randrange(len(text))] = chance.randrange(32, 127)
        return b"position " + bytes(text)
    return " ".join(chance.choices(WORDS, k=chance.randrange(1, 7))).encode()


@pytest.mark.parametrize("seed", range(10))
def test_rubbish_is_refused_and_a_proper_session_works_afterwards(seed: int):
    chance = random.Random(seed)
    host = Host()
    known = ("error ", "name ", "author ", "option ", "welcome 1", "readyok", "info ", "bestmove ")
    for _ in range(300):
        line = rubbish(chance)
        if line.strip().split(b" ")[:1] == [b"quit"]:
            continue
        for said in host.send_bytes(line + chance.choice([b"\n", b"\r\n"])):
            assert said.startswith(known)
            assert said.isprintable()
    assert host.send("game azul", START, "set seed 1", "go")[-1].startswith("bestmove ")


@pytest.mark.parametrize("make", [lambda seed: ChampionBot(seed=seed), lambda seed: SearchBot(seed=seed)])
def test_several_lines_on_request(make: Callable[[int | None], Bot]):
    said = Host(make).send("game azul", START, "set lines 2", "go simulations 800")
    ranked = [fields(line.removeprefix("info ")) for line in said if line.startswith("info rank")]
    assert [line["rank"] for line in ranked] == ["1", "2"]
    firsts = [line["line"].split(",")[0] for line in ranked]
    assert len(set(firsts)) == 2
    assert said[-1].startswith(f"bestmove {firsts[0]};")
    assert [int(line["simulations"]) for line in ranked] == sorted(
        (int(line["simulations"]) for line in ranked), reverse=True
    )
    position = tw.Azul().set_up()
    position.draw(START.removeprefix("position start draw "))
    for line in ranked:
        after = position.copy()
        for move in line["line"].split(", "):
            after.push(move)


def test_threads_are_an_option_of_bots_that_have_them():
    host = Host(lambda seed: ChampionBot(seed=seed))
    assert "option threads number 1 64" in host.send("hello 1")
    best = host.send("set threads 3", "game azul", "isready", START, "set lines 2", "go simulations 600")
    assert best[0] == "readyok"
    assert "simulations 600;" in best[-2]
    assert sum(int(fields(line.removeprefix("info "))["simulations"]) for line in best[1:-2]) <= 600
    assert host.send("set seed 1", START, "go simulations 600")[-1] == best[-1], "the option outlives the bot"
    alone = Host(lambda seed: ChampionBot(seed=seed, threads=3))
    assert alone.send("game azul", START, "go simulations 600")[-1] == best[-1]


@pytest.mark.parametrize("value", ["0", "-1", "65", "9" * 30, "two", ""])
def test_a_wrong_number_of_threads_is_refused(value: str):
    host = Host(lambda seed: ChampionBot(seed=seed))
    assert "is not a number of threads; it is from 1 to 64" in host.complaint(f"set threads {value}")


def test_bots_of_one_thread_have_no_such_option():
    host = Host()
    assert not any("threads" in line for line in host.send("hello 1"))
    assert "unknown option 'threads'; the options are seed, lines" in host.complaint("set threads 2")


def test_one_line_is_the_default_and_others_know_no_lines():
    assert not any(
        "rank" in line for line in Host(lambda seed: SearchBot(seed=seed)).send("game azul", START, "go simulations 50")
    )
    said = Host().send("game azul", START, "set lines 4", "go nodes 5")
    assert [line.split()[0] for line in said] == ["info", "bestmove"]


@pytest.mark.parametrize("value", ["0", "101", "many", ""])
def test_a_wrong_number_of_lines_is_refused(value: str):
    assert "from 1 to 100" in Host().complaint(f"set lines {value}")
