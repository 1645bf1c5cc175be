"""Bots for the tests of the arena, which worker processes import by name: ``arena_bots:Tidy``."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

from tilewright.bots.bot import Bot
from tilewright.game.moves import Move
from tilewright.game.position import Position

FOLDER = "ARENA_TEST_FOLDER"
"""The environment variable with the folder in which these bots leave and find signs."""


class Tidy(Bot):
    """Random, but avoids the floor line: beats ``random``."""

    def __init__(self, seed: int | None = None) -> None:
        self.chance = random.Random(seed)

    def choose(self, position: Position) -> Move:
        moves = list(position.legal_moves)
        useful = [move for move in moves if not move.text.endswith("f")]
        return self.chance.choice(useful or moves)


class Slow(Tidy):
    """Takes its time, so that a match can be interrupted."""

    def choose(self, position: Position) -> Move:
        time.sleep(0.002)
        return super().choose(position)


class Raises(Tidy):
    """Cannot play."""

    def choose(self, position: Position) -> Move:
        raise RuntimeError("no idea what to play")


class Cheats(Tidy):
    """Wants to play what is not legal."""

    def choose(self, position: Position) -> Any:
        return next(move for move in position.game.moves if move not in position.legal_moves)


class Peeks(Tidy):
    """Looks for the dealer, and tries to change the game; does not survive success."""

    def choose(self, position: Position) -> Move:
        assert position.dealer is None, "a bot sees the dealer"
        move = super().choose(position)
        position.push(move)
        position.states[:] = 0
        position._last = None
        return move


class DiesOnce(Tidy):
    """Kills its own process in the middle of a game, the first time that it plays."""

    def choose(self, position: Position) -> Move:
        mark = Path(os.environ[FOLDER], "died")
        if position.round == 2 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(position)


class DiesAtOnce(Tidy):
    """Kills its own process before anything is played."""

    def choose(self, position: Position) -> Move:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(position)


class Dies(Tidy):
    """Kills its own process in every game."""

    def choose(self, position: Position) -> Move:
        if position.round == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(position)


class Closes(Tidy):
    """Notes that it was dismissed."""

    closed = 0

    def close(self) -> None:
        Closes.closed += 1
