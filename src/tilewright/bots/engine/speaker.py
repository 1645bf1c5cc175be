"""The engine's side of the protocol: lines come in, a bot thinks, lines go out. Whatever comes in, it keeps running."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from tilewright.bots.bot import Bot, Multithreaded, Thought, ask_thought, legal_numbers, prepare_bot
from tilewright.bots.engine.protocol import (
    VERSION,
    BadLine,
    Reasons,
    items,
    next_line,
    read_game,
    read_limits,
    read_position,
    sentence,
)
from tilewright.bots.engine.thinking import Thinking
from tilewright.game.errors import BadOption, IllegalMove, TilewrightError
from tilewright.game.game import Game
from tilewright.game.position import Position
from tilewright.game.registry import GAMES
from tilewright.game.validation import echo, small_number
from tilewright.search.budget import Budget
from tilewright.search.parallel_search import MOST_THREADS

AUTHOR = "The Tilewright authors"
_LAST_SEED = (1 << 64) - 1
_MOST_LINES = 100
EXAMPLE = f"game {next(iter(GAMES), 'NAME')} players=2"
"""What a host may send, for error messages."""

Make = Callable[[int | None], Bot]
"""Makes a new bot from a seed, or without one."""


class Speaker:
    """A bot that speaks the protocol: ``hear`` takes a line from the host, ``say`` is called with lines for it."""

    def __init__(self, make: Make, name: str, say: Callable[[str], None], seed: int | None = None) -> None:
        self._make = make
        self._name = name
        self._say = say
        self._seed = seed
        self._lines = 1
        self._threads: int | None = None
        self._bot = make(seed)
        self._game: Game | None = None
        self._position: Position | None = None
        self._warm: Game | None = None
        self._thinking: Thinking | None = None
        self._lock = threading.RLock()
        self._commands: dict[str, Callable[[str], None]] = {
            "hello": self._hello,
            "isready": self._is_ready,
            "set": self._set,
            "game": self._begin,
            "position": self._set_position,
            "moves": self._compare,
            "go": self._go,
            "stop": self._stop,
        }
        self._options: dict[str, Callable[[str], None]] = {"seed": self._set_seed, "lines": self._set_lines}
        if isinstance(self._bot, Multithreaded):
            self._options["threads"] = self._set_threads

    @property
    def thinks(self) -> bool:
        """Whether a thought is in progress."""
        return self._thinking is not None

    def listen(self, source: BinaryIO) -> None:
        """Answer line by line, until ``quit`` or the end of input; then wait for a thought in progress."""
        while True:
            try:
                line = next_line(source)
            except BadLine as error:
                self.report(error)
                continue
            if line is None:
                break
            if not self.hear(line):
                return
        thinking = self._thinking
        if thinking is not None:
            thinking.wait()

    def hear(self, line: str) -> bool:
        """Execute a line. False after ``quit``."""
        command, _, rest = line.strip().partition(" ")
        if command == "quit":
            return False
        if command:
            try:
                self._command(command)(rest.strip())
            except TilewrightError as error:
                self.report(error)
        return True

    def report(self, error: TilewrightError) -> None:
        """Tell the host what was wrong. Nothing has changed."""
        self._say(f"error {sentence(error)}")

    def _command(self, name: str) -> Callable[[str], None]:
        if name not in self._commands:
            raise BadLine(f"unknown command {echo(name)}; the commands are {', '.join(self._commands)}, quit")
        if self.thinks and name not in ("hello", "isready", "stop"):
            raise BadLine(f"{name} is not possible while the engine thinks; wait for bestmove, or send stop")
        return self._commands[name]

    # What can be said -----------------------------------------------------------------------------------

    def _hello(self, version: str) -> None:
        if not small_number(version or str(VERSION)):
            raise BadLine(f"{echo(version)} is not a version of the protocol; send 'hello {VERSION}'")
        self._say(f"name {sentence(self._name)}")
        self._say(f"author {AUTHOR}")
        self._say(f"option seed number 0 {_LAST_SEED}")
        self._say(f"option lines number 1 {_MOST_LINES}")
        if "threads" in self._options:
            self._say(f"option threads number 1 {MOST_THREADS}")
        self._say(f"welcome {VERSION}")

    def _is_ready(self, _: str) -> None:
        """Compile everything that the game needs before answering, so that no clock runs meanwhile."""
        if not self.thinks and self._game is not None and self._warm != self._game:
            with suppress(Exception):  # a bot that fails will fail again when it is asked, and report it then
                bot = self._new_bot(1)
                prepare_bot(bot, self._game)
                ask_thought(bot, self._game.start(seed=1), Budget(simulations=1))
            self._warm = self._game
        self._say("readyok")

    def _set(self, text: str) -> None:
        name, _, value = text.partition(" ")
        if name not in self._options:
            raise BadOption(f"unknown option {echo(name)}; the options are {', '.join(self._options)}")
        self._options[name](value)

    def _set_lines(self, value: str) -> None:
        """How many of the best moves are reported while the bot thinks."""
        lines = small_number(value.strip())
        if lines is None or not 1 <= lines <= _MOST_LINES:
            raise BadOption(f"{echo(value)} is not a number of lines; it is from 1 to {_MOST_LINES}")
        self._lines = lines

    def _set_seed(self, value: str) -> None:
        seed = small_number(value.strip())
        if seed is None or seed > _LAST_SEED:
            raise BadOption(f"{echo(value)} is not a seed; a seed is a whole number from 0 to 2**64 - 1")
        self._bot = self._new_bot(seed)
        self._seed = seed

    def _set_threads(self, value: str) -> None:
        """In how many threads the bot, and those of later games, think."""
        threads = small_number(value.strip())
        if threads is None or not 1 <= threads <= MOST_THREADS:
            raise BadOption(f"{echo(value)} is not a number of threads; it is from 1 to {MOST_THREADS}")
        self._threads = threads
        self._bot = self._new_bot(self._seed)

    def _new_bot(self, seed: int | None) -> Bot:
        bot = self._make(seed)
        if self._threads is not None and isinstance(bot, Multithreaded):
            bot.threads = self._threads
        return bot

    def _begin(self, text: str) -> None:
        """A new game has a new bot, which remembers nothing of the last."""
        game = read_game(text)
        self._bot = self._new_bot(self._seed)
        self._game, self._position = game, None

    def _set_position(self, text: str) -> None:
        if self._game is None:
            raise BadLine(f"position needs a game, as in {EXAMPLE!r}")
        self._position = read_position(self._game, text)

    def _position_for(self, command: str) -> Position:
        if self._position is None:
            missing = f"a game, as in {EXAMPLE!r}, and " if self._game is None else ""
            raise BadLine(f"{command} needs {missing}a position, as in 'position start draw bbyr ...'")
        return self._position

    def _compare(self, text: str) -> None:
        """The host's legal moves are not needed here, but reveal whether both programs agree about the rules."""
        position = self._position_for("moves")
        told, true = set(items(text)), {str(move) for move in position.legal_moves}
        if told != true:
            missing, wrong = sorted(true - told), sorted(told - true)
            which = f"{missing[0]} is missing" if missing else f"{wrong[0][:30]} is not legal"
            raise IllegalMove(f"these are not the legal moves of the position: {which}")

    def _go(self, text: str) -> None:
        position, budget = self._position_for("go"), read_limits(text)
        legal_numbers(position)  # raises BadMove where nobody can move
        with self._lock:
            self._thinking = Thinking(self._bot, position, budget, self._answer)
            self._thinking.start()

    def _stop(self, _: str) -> None:
        """A late stop is not an error: it may have crossed the answer."""
        thinking = self._thinking
        if thinking is not None:
            thinking.stop()

    def _answer(self, thought: Thought | TilewrightError, milliseconds: int) -> None:
        """Called when a thought is over. The engine is idle before it answers: the host may continue at once."""
        with self._lock:
            self._thinking = None
            if isinstance(thought, TilewrightError):
                self.report(thought)
                return
            for line in self._best_lines():
                self._say(line)
            self._say(f"info {Reasons.of(thought, milliseconds).write()}")
            told = Reasons(thought.margin, thought.winning_chance, line=thought.line).write()
            self._say("; ".join(filter(None, [f"bestmove {thought.move}", told])))

    def _best_lines(self) -> list[str]:
        """An ``info`` for each of the best moves, if the host asked for several and the bot knows them."""
        best_lines = getattr(self._bot, "best_lines", None)
        if self._lines == 1 or best_lines is None or self._position is None:
            return []
        thoughts = best_lines(self._position, self._lines)
        return [f"info rank {rank}; {Reasons.of(thought).write()}" for rank, thought in enumerate(thoughts, start=1)]
