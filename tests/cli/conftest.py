"""What holds for every test of the command line."""

from __future__ import annotations

import pytest

from tilewright.cli import terminal


@pytest.fixture(autouse=True)
def no_compiling_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a test compiles depends on the caches, and the notice would be among the output."""
    monkeypatch.setattr(terminal, "PATIENCE", 600.0)
