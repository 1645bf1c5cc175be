"""The process that reviews games."""

from __future__ import annotations

import json
import subprocess
import sys

import tilewright as tw
from tilewright.bots.registry import make_bot

PATIENCE = 120.0


def test_it_ends_without_a_word_when_the_server_is_gone():
    position, bot = tw.Azul().start(seed=3), make_bot("random", seed=1)
    while not position.is_over:
        position.push(bot.choose(position))
    job = {"record": position.record().to_text(), "budget": "2000", "begun": None}
    command = [sys.executable, "-m", "tilewright.server.review_worker"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stderr is not None
        worker.stdin.write(json.dumps(job) + "\n")
        worker.stdin.flush()
        assert json.loads(worker.stdout.readline())["progress"] < 1
        worker.stdout.close()
        worker.stdin.close()
        told = worker.stderr.read()
        code = worker.wait(PATIENCE)
    assert (code, told) == (0, "")
