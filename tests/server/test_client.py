"""The pure parts of the browser's client, tested where they can run without a browser."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed; the browser tests cover the rest")
def test_client_modules():
    tests = sorted(str(path) for path in HERE.glob("*.test.mjs"))
    done = subprocess.run(["node", "--test", *tests], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
