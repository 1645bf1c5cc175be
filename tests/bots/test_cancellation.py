"""The token that ends a search early."""

from __future__ import annotations

import sys
import threading

import tilewright as tw
from tilewright.bots.bot import ask_thought
from tilewright.bots.engine.client import EngineBot
from tilewright.search.budget import Budget
from tilewright.search.cancellation import Cancellation


def test_a_callback_is_called_once_and_only_while_it_is_registered():
    called: list[str] = []
    cancellation = Cancellation()
    with cancellation.calling(lambda: called.append("too early")):
        pass
    with cancellation.calling(lambda: called.append("in time")):
        cancellation.cancel()
        cancellation.cancel()
    with cancellation.calling(lambda: called.append("late")):
        assert called == ["in time", "late"]


def test_waiting_ends_with_the_cancellation():
    cancellation = Cancellation()
    assert not cancellation.wait(0)
    thread = threading.Thread(target=cancellation.cancel)
    thread.start()
    assert cancellation.wait(20)
    thread.join()


def test_a_program_is_told_to_stop():
    command = [sys.executable, "-m", "tilewright", "engine", "search"]
    position = tw.Azul(2).start(seed=1)
    with EngineBot(command) as bot:
        bot.prepare(position.game)
        for early in (True, False):
            cancellation = Cancellation()
            cancelling = threading.Timer(0.0 if early else 0.2, cancellation.cancel)
            cancelling.start()
            if early:
                cancelling.join()
            thought = ask_thought(bot, position, Budget(seconds=300), cancellation=cancellation)
            assert thought.move in position.legal_moves
            assert thought.simulations > 0
