"""The host's side of the protocol: a bot that asks another program for its moves."""

from __future__ import annotations

import os
import shlex
import shutil
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from tilewright.bots.bot import Bot, Thought, legal_numbers
from tilewright.bots.engine.program import Program, ProgramFailed
from tilewright.bots.engine.protocol import VERSION, Reasons, fields, join_items, write_game, write_limits
from tilewright.bots.errors import BotFailed
from tilewright.game.errors import BadOption, TilewrightError
from tilewright.game.game import Game
from tilewright.game.moves import Move
from tilewright.game.position import Position
from tilewright.game.validation import echo
from tilewright.search.budget import Budget, read_budget
from tilewright.search.cancellation import Cancellation

USUAL = Budget(seconds=1.0)
HELLO_SECONDS = 30.0
"""How long a program may take to answer ``hello``: it starts, and loads what it needs to know its own name."""
READY_SECONDS = 180.0
"""How long it may take to answer ``isready``: it compiles or loads a network."""
GRACE_SECONDS = 10.0
"""How long it may take beyond its budget: machines are busy."""
LONGEST_SECONDS = 600.0
"""How long a thought may take if its budget is not one of time."""


class EngineBot(Bot):
    """A program that speaks the protocol of docs/bots.md, as a bot.

    The program starts with the first choice and ends with ``close``, or when the bot is garbage
    collected. A program that dies, hangs or sends an invalid answer is started again, once for each choice; every
    question has the whole position with it, so that nothing is lost.
    """

    def __init__(
        self,
        command: Sequence[str],
        budget: Budget | None = None,
        seed: int | None = None,
        grace: float = GRACE_SECONDS,
    ) -> None:
        if not command or shutil.which(command[0]) is None:
            raise BadOption(f"there is no program {command[0] if command else ''!r} that can be run")
        self.command = list(command)
        self.budget = budget or USUAL
        self.seed = seed
        self.grace = grace
        self.name = ""
        """The name that the program gives itself, once it has said ``hello``."""
        self._program: Program | None = None
        self._owner = 0
        self._game: Game | None = None
        self._lock = threading.Lock()

    @classmethod
    def read(cls, text: str, seed: int | None = None) -> EngineBot:
        """A bot from a command line, optionally followed by @ and a budget. It is not passed to a shell.

        >>> bot = EngineBot.read("sh 'my bot.sh' --fast @250ms")
        >>> bot.command, str(bot.budget)
        (['sh', 'my bot.sh', '--fast'], '250ms')
        """
        try:
            arguments = shlex.split(text)
        except ValueError as error:
            raise BadOption(f"{echo(text)} is not a command line: {error}") from None
        budget = Budget.read(arguments.pop()[1:]) if arguments and arguments[-1].startswith("@") else None
        return cls(arguments, budget, seed)

    def choose(self, position: Position) -> Move:
        """The move that the program answers with."""
        return self.think(position).move

    def think(
        self, position: Position, budget: Budget | None = None, cancellation: Cancellation | None = None
    ) -> Thought:
        """The program's move and what it says about it; cancelled, it is asked to answer now."""
        legal_numbers(position)
        budget = self.budget if budget is None else read_budget(budget)
        cancellation = cancellation or Cancellation()
        with self._lock:
            try:
                return self._try(position, budget, cancellation)
            except ProgramFailed as failure:
                if not self.name:  # it has never said hello: starting it again would waste time
                    raise BotFailed(f"the program {self._shown()} failed: {failure}") from None
            try:
                return self._try(position, budget, cancellation)
            except ProgramFailed as failure:
                raise BotFailed(
                    f"the program {self._shown()} failed, and failed again after a restart: {failure}"
                ) from None

    def prepare(self, game: Game) -> None:
        """Start the program and let it get ready for a game, before any clock runs."""
        with self._lock:
            try:
                self._ready(game)
            except ProgramFailed as failure:
                self._drop()
                if not self.name:
                    raise BotFailed(f"the program {self._shown()} failed: {failure}") from None
            except BaseException:
                self._drop()
                raise

    def close(self) -> None:
        """End the program; the next choice would start it again."""
        with self._lock:
            if self._program is not None:
                self._program.close()
            self._program = self._game = None

    def __enter__(self) -> EngineBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        # A copy in another process runs a program of its own.
        return vars(self) | {"_program": None, "_game": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = threading.Lock()

    @property
    def process_id(self) -> int | None:
        """The process id, if the program is running."""
        return None if self._program is None else self._program.process_id

    # Questions and answers ------------------------------------------------------------------------------

    def _try(self, position: Position, budget: Budget, cancellation: Cancellation) -> Thought:
        """Ask. If there is no answer, or Ctrl-C comes first, end the program: a late answer would confuse the next."""
        try:
            return self._ask(position, budget, cancellation)
        except BaseException:
            self._drop()
            raise

    def _ask(self, position: Position, budget: Budget, cancellation: Cancellation) -> Thought:
        program = self._ready(position.game)
        seconds = LONGEST_SECONDS if budget.seconds is None else budget.seconds
        with program.within(seconds + self.grace):
            program.tell(f"position {position.to_text()}")
            program.tell(f"moves {join_items(position.legal_moves)}")
            program.tell(f"go {write_limits(budget)}")
            with cancellation.calling(lambda: _stop(program)):
                return _hear_thought(program, position)

    def _ready(self, game: Game) -> Program:
        """The program, running and prepared for a game."""
        if self._program is None or self._owner != os.getpid():  # a forked copy must not share the pipes
            self._program, self._game, self._owner = Program(self.command), None, os.getpid()
            self._greet(self._program)
        if self._game != game:
            with self._program.within(READY_SECONDS):
                self._program.tell(f"game {write_game(game)}")
                self._program.tell("isready")
                _hear_until(self._program, "readyok")
            self._game = game
        return self._program

    def _greet(self, program: Program) -> None:
        with program.within(HELLO_SECONDS):
            program.tell(f"hello {VERSION}")
            told = _hear_until(program, "welcome")
        if not any(command == "welcome" and rest.split()[:1] == [str(VERSION)] for command, rest in told):
            raise program.invalid(f"it does not speak version {VERSION} of the protocol")
        self.name = next((rest for command, rest in told if command == "name"), "") or self.command[0]
        takes_seed = any(command == "option" and rest.split()[:1] == ["seed"] for command, rest in told)
        if takes_seed and self.seed is not None:
            program.tell(f"set seed {self.seed}")

    def _drop(self) -> None:
        if self._program is not None:
            self._program.kill()
        self._program = self._game = None

    def _shown(self) -> str:
        return repr(shlex.join(self.command))


def _hear(program: Program) -> tuple[str, str]:
    """A line as its keyword and the rest. Unknown keywords are passed on: a later version may have more of them."""
    command, _, rest = program.hear().strip().partition(" ")
    if command == "error":
        raise program.invalid("it sent an error")
    return command, rest.strip()


def _stop(program: Program) -> None:
    with suppress(ProgramFailed):  # the thread that waits for the answer will notice
        program.tell("stop")


def _hear_thought(program: Program, position: Position) -> Thought:
    reasons = Reasons()
    while True:
        command, rest = _hear(program)
        if command == "info":
            reasons = reasons.updated(position.game, fields(rest))
        elif command == "bestmove":
            text, _, told = rest.partition(";")
            move = _read_move(program, position, text.strip())
            return reasons.updated(position.game, fields(told)).thought(move)


def _hear_until(program: Program, last: str) -> list[tuple[str, str]]:
    told = [_hear(program)]
    while told[-1][0] != last:
        told = [*told[-100:], _hear(program)]
    return told


def _read_move(program: Program, position: Position, text: str) -> Move:
    try:
        move = position.move(text)
    except TilewrightError as error:
        raise program.invalid(f"its answer is not a move: {error}") from None
    if move not in position.legal_moves:
        raise program.invalid(f"it answered with the illegal move {move}")
    return move
