"""The rules run as plain Python give exactly the same bytes as the compiled kernels."""

from __future__ import annotations

import os
import subprocess
import sys

from rule_sets import RULE_SETS

PROGRAM = """
import hashlib, sys
from random import Random
sys.path.insert(0, {tests!r})
from rule_sets import RULE_SETS, STYLES, choose, file_name
from tilewright.kernels.compile import INTERPRETED
print("interpreted", INTERPRETED)
for n, game in enumerate(RULE_SETS):
    chooser = Random(n)
    position = game.start(seed=n)
    fingerprint = hashlib.sha256(position.states.tobytes())
    while not position.is_over:
        position.push(choose(position, chooser, STYLES[n % 3]))
        fingerprint.update(position.states.tobytes())
    print(file_name(game), position.outcome(), fingerprint.hexdigest())
"""


def run(interpreted: bool) -> list[str]:
    program = PROGRAM.format(tests=os.path.dirname(os.path.dirname(__file__)))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1" if interpreted else "0"}
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_interpreted_and_compiled_kernels_agree():
    compiled, interpreted = run(interpreted=False), run(interpreted=True)
    assert (compiled[0], interpreted[0]) == ("interpreted False", "interpreted True")
    assert len(compiled) == 1 + len(RULE_SETS)
    assert compiled[1:] == interpreted[1:]
