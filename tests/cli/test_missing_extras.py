"""A plain installation has no web packages: the commands that need them say which extra to install."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tilewright
from tilewright.cli.extras import WEB_PACKAGES

PACKAGE = Path(tilewright.__file__).parent
OPTIONAL_IN_THE_SERVER = {"opentelemetry", "psycopg", "redis"}  # extras of their own, which say so themselves
WITHOUT_WEB = f"""
import sys
sys.modules.update(dict.fromkeys({sorted(WEB_PACKAGES)}))  # as if none of them were installed
from tilewright.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


WITHOUT_RAY = """
import sys
sys.modules["ray"] = None
from tilewright.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def run_without_web(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run(WITHOUT_WEB, *arguments)


def run(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments",
    [["serve"], ["play"], ["backup", "all.db"], ["restore", "all.db"], ["database", "check"]],
    ids=" ".join,
)
def test_a_command_names_the_extra_it_needs(arguments: list[str]):
    done = run_without_web(*arguments)
    assert done.returncode == 1
    assert f"tilewright: 'tilewright {arguments[0]}' needs the package" in done.stderr
    assert "pip install 'tilewright[web]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_browser_game_points_to_the_terminal():
    assert "tilewright play --terminal" in run_without_web("play").stderr


def test_a_match_on_a_cluster_asks_for_ray_before_anything_is_compiled(tmp_path: Path):
    done = run(WITHOUT_RAY, "arena", "greedy", "random", "--ray", "local", NUMBA_CACHE_DIR=str(tmp_path))
    assert done.returncode == 1
    assert "pip install 'tilewright[cluster]'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.rglob("*.nbi")) == []


def test_everything_else_works_without_the_web():
    done = run_without_web("perft", "azul-mini", "--depth", "1")
    assert done.returncode == 0, done.stderr


def imported(folder: Path) -> set[str]:
    """The packages that the modules of a folder import."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
            elif isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
    return found - sys.stdlib_module_names


def test_the_list_of_web_packages_is_complete():
    base = {"llvmlite", "numba", "numpy", "tilewright", "wcwidth"}
    assert imported(PACKAGE / "server") - base - OPTIONAL_IN_THE_SERVER <= WEB_PACKAGES


def test_only_the_server_needs_web_packages():
    layers = [folder for folder in PACKAGE.iterdir() if folder.is_dir() and folder.name != "server"]
    assert {name for layer in layers for name in imported(layer)} & WEB_PACKAGES == set()


def test_a_plain_installation_is_light():
    project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [line.partition(">")[0] for line in project["dependencies"]] == ["numba", "numpy", "wcwidth"]
