"""The worker's own side of a match: it loads the game and the bots, then plays the games that it is given."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

from tilewright.arena.play import Failure, GameFailed, PlayedGame, play_fixture, warm_up
from tilewright.arena.schedule import Match


class Player:
    """Plays games of one match, one after the other, in a process that has nothing else to do."""

    def __init__(self, match: Match, recorded: bool) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever leads the match
        _leave_standard_output()
        self._match, self._recorded = match, recorded
        with suppress(KeyboardInterrupt):  # a bot's own
            warm_up(match)

    def play(self, number: int) -> PlayedGame | Failure:
        """A game, or why it could not be played."""
        try:
            return play_fixture(self._match, number, self._recorded)
        except GameFailed as failed:
            return failed.failure


def _leave_standard_output() -> None:
    """It is the arena's: what bots print here, and what programs that they start print, goes to standard error."""
    sys.stdout = sys.stderr
    with suppress(OSError):  # closed, one of them
        os.dup2(2, 1)
