"""``tilewright engine``: a bot that speaks the protocol of docs/bots.md on standard input and output."""

from __future__ import annotations

import os
import sys
from argparse import Namespace

import tilewright
from tilewright.bots.engine.protocol import as_bytes
from tilewright.bots.engine.speaker import Speaker
from tilewright.bots.levels import LEVEL_NAMES
from tilewright.bots.registry import make_bot


def run(arguments: Namespace) -> int:
    """Listen and answer until the host has enough."""
    if sys.stdin is None or sys.stdout is None:  # closed before we began: nobody speaks, or nobody listens
        return 0
    bot = arguments.bot or LEVEL_NAMES[-1]
    answers, sys.stdout = sys.stdout, sys.stderr  # what a third-party bot prints is not an answer
    try:

        def say(line: str) -> None:
            answers.buffer.write(as_bytes(line))
            answers.buffer.flush()

        name = f"tilewright {bot} {tilewright.__version__}"
        speaker = Speaker(lambda seed: make_bot(bot, seed), name, say, arguments.seed)
        speaker.listen(sys.stdin.buffer)
    finally:
        sys.stdout = answers
    if speaker.thinks:  # compiled code in another thread cannot be ended otherwise
        os._exit(0)
    return 0
