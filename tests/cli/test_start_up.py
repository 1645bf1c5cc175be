"""The command line answers at once: help and versions load no game, no numpy, no numba."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tilewright
from tilewright.cli.main import main

CHECK = """
import sys
from tilewright.cli.main import main
code = main(sys.argv[1:])
heavy = [name for name in sys.modules if name.split(".")[0] in ("numpy", "numba") or name.startswith("tilewright.game")]
sys.exit(f"loaded {heavy}" if heavy or code else 0)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["play", "--terminal", "--help"],
        ["bench", "--help"],
        ["version"],
        ["--version"],
        ["version", "--json"],
    ],
)
def test_nothing_heavy_is_loaded(arguments: list[str]):
    done = subprocess.run([sys.executable, "-c", CHECK, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "tilewright" in done.stdout


@pytest.mark.parametrize("module", ["tilewright", "tilewright.cli.main"])
def test_it_runs_as_a_module(module: str):
    done = subprocess.run(
        [sys.executable, "-m", module, "show", "nowhere.txt"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_the_version(capsys: pytest.CaptureFixture[str]):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tilewright {tilewright.__version__}\n"


def test_the_help_tells_of_the_browser(capsys: pytest.CaptureFixture[str]):
    assert main(["--help"]) == 0
    assert "in the browser or the terminal" in " ".join(capsys.readouterr().out.split())
