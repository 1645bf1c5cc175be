"""The benchmark of the environments answers as promised; how fast anything is, is not tested here."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "environments.py"


def test_it_survives_packages_that_are_missing_or_broken(monkeypatch, capsys):
    monkeypatch.syspath_prepend(BENCHMARK.parent)
    environments, contenders = import_module("environments"), import_module("contenders")

    def fail() -> contenders.Steps:
        raise RuntimeError("pip install something")

    for needs in ("no_such_package", "numpy"):
        speed = environments.measure(contenders.Contender("pgx", "chess", fail, needs), 0.01)
        assert speed.steps_per_second is None
    assert capsys.readouterr().err == "pgx, chess: pip install something\n"
    assert "not installed" in environments.as_table([speed], [], [])
    with pytest.raises(RuntimeError):  # our own must run
        environments.measure(contenders.Contender("vector", "ours", fail, "numpy", ours=True), 0.01)


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
