"""Installs packages of games into a folder, and runs programs that find them there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
"""Where ``nim`` and ``bare_game`` are: imported from one place, they are compiled once for all tests."""
COURTYARD = TESTS.parent / "examples" / "courtyard"


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
    """The environment of a program that finds the installed game, and the modules of games that others are made of."""
    path = os.pathsep.join(filter(None, [str(site), str(TESTS), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


def run(site: Path, *arguments: str, given: str = "") -> str:
    """What a Python program with the game installed prints; anything on its error output fails the test."""
    done = subprocess.run(
        [sys.executable, *arguments], input=given, env=with_game(site), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def describe(folder: Path, name: str, target: str) -> None:
    """Offer a game whose module can be imported, with the information that pip would write about its package."""
    package = target.partition(":")[0]
    information = folder / f"{package}-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(f"[tilewright.games]\n{name} = {target}\n")
