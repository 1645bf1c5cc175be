"""What holds for every test of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.player import Player
from tilewright.cli import terminal


@pytest.fixture(autouse=True)
def no_compiling_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a test compiles depends on the caches, and the notice would be among the output."""
    monkeypatch.setattr(terminal, "PATIENCE", 600.0)


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written to a folder of the test's own, in a terminal of the usual width."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def player(own_folder: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Player:
    """Somebody at a keyboard."""
    return Player(monkeypatch, capsys)
