"""Installs the example package of a game into a folder, and runs programs that find it there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

COURTYARD = Path(__file__).parents[1] / "examples" / "courtyard"


def install(folder: Path) -> Path:
    """Install Courtyard as its users would, but for the network; returns the folder to put on the path."""
    source = shutil.copytree(COURTYARD, folder / "source", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    site = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command = [*pip, "--no-build-isolation", "--no-index", "--target", str(site), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return site


def with_game(site: Path) -> dict[str, str]:
    """The environment of a program that finds the installed game."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


def run(site: Path, *arguments: str, given: str = "") -> str:
    """What a Python program with the game installed prints; anything on its error output fails the test."""
    done = subprocess.run(
        [sys.executable, *arguments], input=given, env=with_game(site), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
