"""The benchmark of the environments answers as promised; how fast anything is, is not tested here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "environments.py"


@pytest.mark.slow
def test_it_gives_json():
    command = [sys.executable, str(BENCHMARK), "--seconds", "0.05", "--only", "vector", "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert set(told) == {"speeds", "shares", "limits"}
    ours = [speed for speed in told["speeds"] if speed["ours"]]
    assert {speed["threads"] for speed in ours} == {1, 2}
    assert all(speed["steps_per_second"] > 0 for speed in ours)
    who, what = {"family", "name", "ours", "batch", "threads"}, {"clock", "steps_per_second", "cores", "ratio"}
    assert set(ours[0]) == who | what
    assert [speed["name"] for speed in told["speeds"] if not speed["ours"]] == ["connect_four"]
    assert {share["part"] for share in told["shares"]} == {"choose", "check", "play", "observe", "mask"}
    assert [limit["bytes_per_step"] for limit in told["limits"]] == [864, 864, 1310, 1310]
