"""What is printed by another thread, sooner or later."""

from __future__ import annotations

import time
from typing import Any

import pytest

PATIENCE = 60.0
"""Seconds for what should happen at once, on a machine that is busy with other things."""


def wait_for_output(capsys: pytest.CaptureFixture[str]) -> Any:
    """What has been printed, as soon as there is something."""
    until = time.monotonic() + PATIENCE
    while not any(printed := capsys.readouterr()):
        assert time.monotonic() < until, "nothing was printed"
        time.sleep(0.01)
    return printed
